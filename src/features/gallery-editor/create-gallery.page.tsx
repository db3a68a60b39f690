/** `/:affiliate/create-gallery`: the gallery editor for a new gallery (specification A§2, "Gallery editor"). */
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { requireEditor } from '#src/features/tenancy/actor.rules.ts';
import { LimitReached } from '#src/features/billing/ui/limit-reached.tsx';
import { upgradePath } from '#src/features/billing/upgrade-link.rules.ts';
import { LEAVE_QUESTION } from '#src/features/gallery-editor/gallery-editor.contract.ts';
import { afterToggle, searchWithArea, type GalleryArea } from '#src/features/galleries/gallery-areas.rules.ts';
import { UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { useGalleryForm } from '#src/features/gallery-editor/gallery-form.client.ts';
import { blankValues } from '#src/features/gallery-editor/gallery-form.rules.ts';
import { EditorAreas, type Area } from '#src/features/gallery-editor/ui/editor-areas.tsx';
import { GallerySettings } from '#src/features/gallery-editor/ui/gallery-settings.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import type { Chosen } from '#src/features/uploads/chosen-files.client.ts';
import { UploadZone } from '#src/features/uploads/ui/upload-zone.tsx';
import { uploadQueue } from '#src/features/uploads/uploads.client.ts';
import { isChild, presentOrganization } from '#src/features/tenancy/organizations.rules.ts';
import { notFound } from '#src/shared/problem.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { mayCreateGallery } from '#src/web/frame/nav-affiliate.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/create-gallery.page.ts';
import { counted } from '#src/shared/counted.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const affiliate = context.get(affiliateContext);
  requireEditor(context.get(requestContext).caller.actor, {
    organizationId: affiliate.id,
    parentOrganizationId: affiliate.parentOrganizationId,
  });
  // A parent has no galleries of its own; its affiliates do.
  if (!isChild(affiliate)) throw notFound();
  const { id, name, default_photo_price } = presentOrganization(affiliate);
  return {
    organization: { id, name, default_photo_price },
    path: affiliate.domainName,
    isFull: !(await mayCreateGallery(context, affiliate)),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return unlistedPage(loaderData ? `Create Gallery · ${loaderData.organization.name}` : 'Create Gallery');
}

export default function CreateGalleryPage({ loaderData: { isFull, ...place } }: Route.ComponentProps) {
  return isFull ? <GalleryLimitReached {...place} /> : <NewGallery {...place} />;
}

type Place = { organization: { id: number; name: string; default_photo_price: number }; path: string };

/** For accounts whose plan allows no more galleries; after an upgrade the user returns here. */
function GalleryLimitReached({ organization, path }: Place) {
  return (
    <Main className="pb-12">
      <PageHeader
        title="Create Gallery"
        subtitle={organization.name}
        back={<BackLink to={`/${path}/dashboard`}>Dashboard</BackLink>}
      />
      <LimitReached upgradeTo={upgradePath(path, `/${path}/create-gallery`)}>{UPGRADE_FOR_MORE_GALLERIES}</LimitReached>
    </Main>
  );
}

function NewGallery({ organization, path }: Place) {
  const navigate = useNavigate();
  const form = useGalleryForm(blankValues(organization), { galleryId: null, organizationId: organization.id });
  const [area, setArea] = useState<GalleryArea | null>('settings');
  const [waiting, setWaiting] = useState<Chosen>(NOTHING);
  const isCreated = useRef(false);
  const hasInput = form.isChanged || countOf(waiting) > 0;
  const isUnsaved = useCallback(() => hasInput && !isCreated.current, [hasInput]);

  /** Photos need a gallery, so it is saved first. If a field is wrong the photos wait, and the problems are shown. */
  async function create(chosen: Chosen, then: GalleryArea | null = null): Promise<void> {
    // A second click before the redirect would create a second gallery.
    if (isCreated.current) return;
    const gallery = await form.save();
    if (!gallery) return setArea('settings');
    isCreated.current = true;
    if (countOf(chosen) > 0)
      uploadQueue().add({
        galleryId: gallery.id,
        affiliateId: organization.id,
        upgradePath: upgradePath(path, `/${path}/gallery/${gallery.id}/edit`),
        editorPath: `/${path}/gallery/${gallery.id}/edit`,
        ...chosen,
      });
    const search = then === null ? '' : searchWithArea(new URLSearchParams(), then, null);
    await navigate(`/${path}/gallery/${gallery.id}/edit${search}`, { replace: true });
  }

  function choose(chosen: Chosen): void {
    const all = { files: [...waiting.files, ...chosen.files], folders: [...waiting.folders, ...chosen.folders] };
    setWaiting(all);
    void create(all);
  }

  function toggle(pressed: GalleryArea): void {
    // Opening the upload of a new gallery creates it first (specification A§2).
    if (pressed === 'upload') void create(waiting, pressed);
    else setArea(afterToggle(area, pressed));
  }

  const areas: Area[] = [
    { name: 'upload', panel: null, isAbove: true },
    { name: 'settings', panel: <GallerySettings form={form} isNew onSubmit={() => void create(waiting)} /> },
  ];

  return (
    <Main className="max-w-360 pb-12">
      <PageHeader
        title="Create Gallery"
        subtitle={organization.name}
        back={<BackLink to={`/${path}/dashboard`}>Dashboard</BackLink>}
      />
      {countOf(waiting) > 0 && (
        <div className="mb-5">
          <Notice>
            <span role="status">
              {counted(countOf(waiting), 'photo is waiting.', 'photos are waiting.')} The upload continues as soon as
              the gallery is saved.
            </span>
          </Notice>
        </div>
      )}
      <EditorAreas areas={areas} open={area} onToggle={toggle}>
        <div className="grid lg:min-h-[max(22rem,calc(100dvh-15rem))] [&>*]:content-center">
          <UploadZone onChosen={choose} isLarge />
        </div>
      </EditorAreas>
      <LeaveGuard isUnsaved={isUnsaved} question={LEAVE_QUESTION} />
    </Main>
  );
}

const NOTHING: Chosen = { files: [], folders: [] };

function countOf({ files, folders }: Chosen): number {
  return files.length + folders.length;
}
