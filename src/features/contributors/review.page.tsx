/**
 * `/:affiliate/gallery/:id/review`: contributions that wait for the owner, who approves or removes them (specification A§1, 6).
 */
import { useReview } from '#src/features/contributors/review.client.ts';
import { ReviewPanel } from '#src/features/contributors/ui/review-panel.tsx';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/review.page.ts';
import { counted } from '#src/shared/counted.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const id = readId(params.id);
  if (id === null) throw notFound();
  const { gallery, editor } = await app.galleries.view(caller, id);
  if (!editor || !gallery.active || gallery.organizationId !== affiliate.id) throw notFound();
  const waiting = await app.contributors.waiting(caller, id);
  return { gallery: { id, name: gallery.name }, waiting, path: affiliate.domainName, affiliateName: affiliate.name };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return unlistedPage(loaderData ? `Review ${loaderData.gallery.name} · ${loaderData.affiliateName}` : 'Review');
}

export default function ReviewPage({ loaderData }: Route.ComponentProps) {
  return <Reviewing key={loaderData.gallery.id} {...loaderData} />;
}

type ReviewProps = Pick<Route.ComponentProps['loaderData'], 'gallery' | 'waiting' | 'path'>;

function Reviewing({ gallery, waiting, path }: ReviewProps) {
  const review = useReview(gallery.id, waiting);
  const editor = `/${path}/gallery/${gallery.id}/edit`;
  const { left } = review;
  return (
    <Main className="max-w-360 pb-12">
      <PageHeader
        title="Review"
        subtitle={
          <span className="tabular-nums">
            {gallery.name} · {counted(left, 'photo waits', 'photos wait')}
          </span>
        }
        back={<BackLink to={editor}>Gallery</BackLink>}
      />
      {review.current === null ? (
        <EmptyState
          icon={<CircleCheck />}
          title="Nothing to review"
          action={<LinkButton to={editor}>Back to the gallery</LinkButton>}
        >
          Photos from contributors arrive here first. We’ll email you.
        </EmptyState>
      ) : (
        <ReviewPanel review={review} current={review.current} />
      )}
      <p role="status" className="sr-only">
        {review.news}
      </p>
    </Main>
  );
}
