/** `/talk-to-expert`: six questions, one answer (specification P§2.4, 5, 8). */
import { photosInTurn } from '#src/features/marketing/photos-in-turn.rules.ts';
import { ExpertForm } from '#src/features/marketing/ui/expert-form.tsx';
import { PhotoPanel, picturesFor } from '#src/features/marketing/ui/shown-pictures.tsx';
import { MailLink } from '#src/features/marketing/ui/mail-link.tsx';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { sitePageMeta } from '#src/web/site-page-meta.ts';
import type { Route } from './+types/talk-to-expert.page.ts';

export function meta({ matches }: Route.MetaArgs) {
  return sitePageMeta(matches, {
    path: '/talk-to-expert',
    title: 'Talk to an expert · Sideline',
    description: 'Tell us about your club, league or school and what you would like to do with its photos.',
  });
}

export async function loader({ context }: Route.LoaderArgs) {
  const { app, form, url } = context.get(requestContext);
  return {
    email: await app.marketing.contactEmail(),
    photos: photosInTurn(await app.galleryLists.showcase(6), 1),
    sent: form,
    wasSent: form === null && url.searchParams.get('sent') === 'yes',
  };
}

export default function TalkToExpertPage({ loaderData }: Route.ComponentProps) {
  const { email, photos, sent, wasSent } = loaderData;
  return (
    <Main className="grid items-start gap-x-14 gap-y-8 py-10 sm:py-14 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div>
        <h1 className="text-2xl sm:text-3xl">Talk to an expert</h1>
        <p className="mt-4 max-w-lg text-base text-pretty text-quiet sm:text-lg">
          Tell us how many teams you have, who takes the pictures and what the money is for. Someone who has set it up
          before will reply.
        </p>
        <p className="mt-4 text-sm text-quiet">
          Prefer to write us an email? <MailLink address={email} />
        </p>
        <PhotoPanel picture={picturesFor(photos, 1)[0]} className="mt-8 aspect-[3/2] max-lg:hidden" />
      </div>
      <Card className="p-6 sm:p-8">
        <ExpertForm email={email} sent={sent} wasSent={wasSent} />
      </Card>
    </Main>
  );
}
