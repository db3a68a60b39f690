/** `/:affiliate/gallery/:id/tag`: a volunteer tags the photos with one field (athletes B.3). */
import { useNavigate, useRevalidator } from 'react-router';
import { TAGGING_TITLE } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { TaggingDesk } from '#src/features/tagging-desk/ui/tagging-desk.tsx';
import { TeamChoice } from '#src/features/tagging-desk/ui/team-choice.tsx';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly, requireMember } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import { unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/tagging-desk.page.ts';

/** The photo fills the whole screen. */
export const handle: RouteHandle = { layout: 'bare', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const { userId } = await requireMember(context);
  const id = readId(params.id);
  if (id === null) throw notFound();
  const { gallery, editor } = await app.galleries.view(caller, id);
  if (!editor || !gallery.active || gallery.organizationId !== affiliate.id) throw notFound();
  const { roster, choices } = await app.taggingDesk.open(caller, id);
  const first = await app.tagging.page(caller, id, { limit: 100 });
  return {
    userId,
    gallery: { id, name: gallery.name },
    roster,
    choices,
    first,
    asksForTeams: roster.teams.length === 0 || url.searchParams.has('teams'),
    path: affiliate.domainName,
    affiliateName: affiliate.name,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = loaderData
    ? `${TAGGING_TITLE} · ${loaderData.gallery.name} · ${loaderData.affiliateName}`
    : TAGGING_TITLE;
  return unlistedPage(title);
}

export default function TaggingDeskPage({ loaderData }: Route.ComponentProps) {
  const { userId, gallery, roster, choices, first, asksForTeams, path } = loaderData;
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const editorPath = `/${path}/gallery/${gallery.id}/edit`;
  const desk = `/${path}/gallery/${gallery.id}/tag`;
  if (asksForTeams)
    return (
      <TeamChoice
        galleryId={gallery.id}
        galleryName={gallery.name}
        choices={choices}
        editorPath={editorPath}
        rosterPath={`/${path}/roster`}
        onChosen={() => void navigate(desk, { replace: true })}
      />
    );
  if (first.total === 0)
    return (
      <Main className="pb-12">
        <PageHeader title={TAGGING_TITLE} subtitle={gallery.name} back={<BackLink to={editorPath}>Gallery</BackLink>} />
        <EmptyState
          icon={<Images />}
          title="No photos yet"
          action={<LinkButton to={editorPath}>Upload photos</LinkButton>}
        >
          They can be tagged as soon as they are ready.
        </EmptyState>
      </Main>
    );
  return (
    <TaggingDesk
      key={`${gallery.id} ${roster.teams.map(({ id }) => id).join()} ${first.keyword_numbers}`}
      userId={userId}
      galleryId={gallery.id}
      roster={roster}
      first={first}
      onTurned={() => void revalidate()}
      head={{ galleryName: gallery.name, editorPath, teamsPath: `${desk}?teams` }}
    />
  );
}
