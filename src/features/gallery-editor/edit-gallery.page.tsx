/** `/:affiliate/gallery/:id/edit`: settings and photos of a gallery, for its owner (specification A§2, "Gallery editor"). */
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { data, redirect, useRevalidator, type ShouldRevalidateFunctionArgs } from 'react-router';
import { readCollabKey, waitingText } from '#src/features/contributors/contributor-paths.rules.ts';
import {
  LEAVE_QUESTION,
  EDITOR_PHOTOS_AT_ONCE,
  GALLERY_NOT_LOADED,
  UNSAVED_REMARK,
} from '#src/features/gallery-editor/gallery-editor.contract.ts';
import { differsByAreaOnly } from '#src/features/galleries/gallery-areas.rules.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { photosLeft } from '#src/features/galleries/galleries.rules.ts';
import { useGalleryForm } from '#src/features/gallery-editor/gallery-form.client.ts';
import { valuesOf } from '#src/features/gallery-editor/gallery-form.rules.ts';
import { EditorAreas, type Area, EditorHeader, useArea } from '#src/features/gallery-editor/ui/editor-areas.tsx';
import { GallerySettings } from '#src/features/gallery-editor/ui/gallery-settings.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import { ShareArea } from '#src/features/sharing/ui/share-area.tsx';
import {
  useEditorPhotos,
  type EditorPhotos as EditorPhotosState,
  type EditorStart,
} from '#src/features/photo-editor/editor-photos.client.ts';
import { FIRST_SHOW, hiddenText, photosInWords, type PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import type { TagMany as TagManyDialog } from '#src/features/photo-editor/ui/selection-bar.tsx';
import { EditorPhotos } from '#src/features/photo-editor/ui/editor-photos.tsx';
import { upgradePath } from '#src/features/billing/upgrade-link.rules.ts';
import { UploadArea } from '#src/features/uploads/ui/upload-zone.tsx';
import { GalleryReportArea } from '#src/features/reports/ui/gallery-report-area.tsx';
import type { HoldAnswer } from '#src/features/consent/consent.contract.ts';
import { notFound, orNull } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Images } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { afterLoad } from '#src/web/after-load.ts';
import { requestContext } from '#src/web/app-context.ts';
import { canonicalAddress } from '#src/web/about-pages.ts';
import { ErrorScreen } from '#src/web/frame/error-screens.tsx';
import { statusOfError, titleOfError } from '#src/web/frame/error-titles.ts';
import { membersOnly } from '#src/web/guards.ts';
import { orNotFoundPage } from '#src/web/not-found.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/edit-gallery.page.ts';

export const handle: RouteHandle = { ...WORKING_PAGE, bareWith: 'collabKey' };

/** Members, who open the page every day, do not load it. */
const ContributorArea = lazy(async () => ({
  default: (await import('#src/features/contributors/ui/contribution-area.tsx')).ContributorArea,
}));

const TagMany = lazy(async () => ({
  default: (await import('#src/features/tagging-desk/ui/tag-many.tsx')).TagMany,
}));

/** Loaded once the page and its pictures are, or when it is opened. */
const loadCollaborators = () => import('#src/features/collaborators/ui/collaborators-area.tsx');
const CollaboratorsArea = lazy(async () => ({ default: (await loadCollaborators()).CollaboratorsArea }));

/** Loaded only if photos are held. */
const HoldBanner = lazy(async () => ({
  default: (await import('#src/features/consent/ui/hold-banner.tsx')).HoldBanner,
}));
const HiddenNote = lazy(async () => ({
  default: (await import('#src/features/consent/ui/hidden-note.tsx')).HiddenNote,
}));

/** Members enter with their session, contributors with their key (specification A§2). */
const membersOrContributors: Route.MiddlewareFunction = (args, next) =>
  readCollabKey(args.context.get(requestContext).url.searchParams) === null ? membersOnly(args, next) : undefined;

export const middleware: Route.MiddlewareFunction[] = [membersOrContributors];

export const loader = orNotFoundPage(async ({ context, params }: Route.LoaderArgs) => {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const id = readId(params.id);
  if (id === null) throw notFound();
  const collaboration = readCollabKey(url.searchParams);
  if (collaboration) {
    const invited = await openInvite(context, id, collaboration.key);
    return data({ invited, affiliateName: affiliate.name }, { headers: { 'referrer-policy': 'no-referrer' } });
  }
  const view = await app.galleries.view(caller, id);
  // A deleted gallery cannot be changed (rule 45); one of others is not found.
  if (!view.editor || !view.gallery.active || view.gallery.organizationId !== affiliate.id) throw notFound();
  const [gallery, firstPhotos, { counts, hasHeld }, waiting] = await Promise.all([
    app.galleries.answerFor(view),
    app.photos.page(caller, id, { limit: EDITOR_PHOTOS_AT_ONCE, show: FIRST_SHOW }),
    app.photoEditor.showCounts(caller, id),
    app.contributors.waitingIn(caller, view.gallery, [id]),
  ]);
  // A gallery is never locked for its editors.
  return {
    gallery: gallery as GalleryAnswer,
    photos: { ...firstPhotos, counts },
    waiting: waiting.get(id) ?? 0,
    hold: hasHeld ? await app.consentOffice.hold(caller, id) : null,
    path: affiliate.domainName,
    isFree: view.gallery.freeTier,
    affiliateName: affiliate.name,
    site: canonicalAddress(context, ''),
  };
});

/** An invalid key redirects to the home page, as on the contributor page (specification P§2.2). */
async function openInvite(context: Route.LoaderArgs['context'], galleryId: number, key: string | null) {
  const { app, caller } = context.get(requestContext);
  if (key === null) return { invite: null, galleryId };
  const place = { galleryId, organizationId: context.get(affiliateContext).id };
  const opened = await orNull(app.contributors.openInvite(caller, key, place));
  if (!opened) throw redirect('/');
  return { invite: { ...opened, key }, galleryId };
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

/** Opening an area loads nothing again, and neither does removing the key from the address. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (nextUrl.searchParams.has('collabKey') && currentUrl.searchParams.has('collabKey')) return false;
  return differsByAreaOnly(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData && 'invited' in loaderData) return unlistedPage(`Add your photos · ${loaderData.affiliateName}`);
  return unlistedPage(loaderData ? `Edit ${loaderData.gallery.name} · ${loaderData.affiliateName}` : 'Edit gallery');
}

export default function EditGalleryPage({ loaderData }: Route.ComponentProps) {
  if ('invited' in loaderData)
    return (
      <Suspense>
        <ContributorArea {...loaderData.invited} />
      </Suspense>
    );
  return <Editor key={loaderData.gallery.id} {...loaderData} />;
}

/** A gallery that could not be loaded: reported in the editor's own list of errors (specification A§8). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (statusOfError(error) < 500) return <ErrorScreen error={error} />;
  return (
    <Main className="max-w-360 pb-12">
      <PageHeader title="Edit gallery" />
      <div className="flex flex-col items-start gap-5">
        <ErrorList messages={[`${GALLERY_NOT_LOADED} ${titleOfError(error)}`]} />
        <Button onClick={() => window.location.reload()}>Try again</Button>
      </div>
    </Main>
  );
}

/** The number of photos, and how many of them visitors see if fewer. */
function photosText({ total, counts }: Pick<EditorPhotosState, 'total' | 'counts'>): string {
  const shown = counts.onlyShowInGallery;
  return shown === total ? photosInWords(total) : `${photosInWords(total)}, ${formatCount(shown)} public`;
}

type EditorProps = {
  gallery: GalleryAnswer;
  photos: EditorStart;
  /** Contributions to review. */
  waiting: number;
  /** Held photos. */
  hold: HoldAnswer | null;
  path: string;
  site: string;
  /** On the free tier, which limits the photos of a gallery. */
  isFree: boolean;
};

function Editor({ gallery, photos, waiting, hold, path, site, isFree }: EditorProps) {
  const form = useGalleryForm(valuesOf(gallery), { galleryId: gallery.id, organizationId: gallery.organization_id });
  const pages = useEditorPhotos(gallery.id, photos);
  const { revalidate } = useRevalidator();
  // A gallery without photos starts with the upload area open, which stays open when the first ones arrive.
  const [firstArea] = useState(photos.counts.default === 0 ? ('upload' as const) : null);
  const { area, toggle } = useArea(firstArea);
  const isUnsaved = useCallback(() => form.isChanged, [form.isChanged]);
  const isEmpty = pages.counts.default === 0;
  useEffect(() => afterLoad(() => void loadCollaborators().catch(() => undefined)), []);

  const noteOn = hiddenNotes(reload);
  const tagMany: TagManyDialog = (chosen) => (
    <TagMany galleryId={gallery.id} teamsPath={`/${path}/gallery/${gallery.id}/tag?teams`} {...chosen} />
  );
  function reload(): void {
    pages.refresh();
    void revalidate();
  }

  async function save(): Promise<void> {
    // Prices and watermarks of the photos below follow the gallery's.
    if (await form.save()) reload();
  }

  const areas: Area[] = [
    {
      name: 'upload',
      isAbove: true,
      panel: (
        <UploadArea
          galleryId={gallery.id}
          affiliateId={gallery.organization_id}
          upgradePath={upgradePath(path, `/${path}/gallery/${gallery.id}/edit`)}
          editorPath={`/${path}/gallery/${gallery.id}/edit`}
          photosLeft={isFree ? photosLeft({ freeTier: true, photoCount: pages.total }) : null}
          isLarge={isEmpty}
        />
      ),
    },
    {
      name: 'settings',
      remark: form.isChanged ? UNSAVED_REMARK : null,
      panel: <GallerySettings form={form} isNew={false} onSubmit={() => void save()} />,
    },
    {
      name: 'collaborators',
      remark: waiting === 0 ? null : waitingText(waiting),
      panel: (
        <Suspense>
          <CollaboratorsArea gallery={gallery} path={path} />
        </Suspense>
      ),
    },
    { name: 'share', panel: <ShareArea gallery={gallery} path={path} site={site} /> },
    {
      name: 'reports',
      panel: <GalleryReportArea galleryId={gallery.id} affiliateId={gallery.organization_id} />,
    },
  ];

  return (
    <Main className="max-w-360 pb-12">
      <EditorHeader
        title={gallery.name}
        subtitle={photosText(pages)}
        dashboard={`/${path}/dashboard`}
        publicView={`/${path}/gallery/${gallery.id}?publicView=true`}
        tagging={isEmpty ? null : `/${path}/gallery/${gallery.id}/tag`}
      />
      <EditorAreas areas={areas} open={area} onToggle={toggle}>
        <section aria-label="Photos of the gallery" className="flex min-w-0 flex-col gap-4">
          <Suspense>
            {hold && <HoldBanner key={hold.through} {...{ hold, path }} galleryId={gallery.id} onReleased={reload} />}
          </Suspense>
          {isEmpty && area !== 'upload' && <NoPhotos onUpload={() => toggle('upload')} />}
          {!isEmpty && (
            <EditorPhotos pages={pages} onChanged={() => void revalidate()} note={noteOn} tagMany={tagMany} />
          )}
        </section>
      </EditorAreas>
      <LeaveGuard isUnsaved={isUnsaved} question={LEAVE_QUESTION} />
    </Main>
  );
}

/** Notes of hidden photos with their reason, and of those shown by an exception, with an undo. */
const hiddenNotes =
  (onChanged: () => void) =>
  (photo: PhotoFact): ReactNode =>
    (photo.hidden_by || photo.excepted) && (
      <Suspense>
        <HiddenNote key={photo.id} photo={photo} text={hiddenText(photo.hidden_by)} onChanged={onChanged} />
      </Suspense>
    );

function NoPhotos({ onUpload }: { onUpload: () => void }) {
  return (
    <EmptyState icon={<Images />} title="No photos yet" action={<Button onClick={onUpload}>Upload photos</Button>}>
      They appear here as they upload.
    </EmptyState>
  );
}
