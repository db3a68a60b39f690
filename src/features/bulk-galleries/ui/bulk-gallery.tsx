/** One of several galleries: its organization, and the whole editor (specification A§2, "Bulk gallery creation"). */
import { useEffect, useId, useState } from 'react';
import { LimitReached } from '#src/features/billing/ui/limit-reached.tsx';
import { upgradePath } from '#src/features/billing/upgrade-link.rules.ts';
import { STAYS_HERE } from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import type { FormStart, GalleryHandle } from '#src/features/bulk-galleries/bulk-galleries.client.ts';
import {
  galleryTitle,
  NO_PHOTOS,
  photosLeftOf,
  prefixed,
  STATUS_WORDS,
  statusOf,
  type FormStatus,
} from '#src/features/bulk-galleries/bulk-galleries.rules.ts';
import {
  countOf,
  NO_FILES,
  useBulkGalleryForm,
  type BulkGalleryForm,
} from '#src/features/bulk-galleries/bulk-gallery-form.client.ts';
import { CollaboratorsArea } from '#src/features/collaborators/ui/collaborators-area.tsx';
import { FREE_PHOTOS_PER_GALLERY } from '#src/features/tenancy/plans.rules.ts';
import { UPGRADE_FOR_MORE_GALLERIES, type GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { afterToggle, type GalleryArea } from '#src/features/galleries/gallery-areas.rules.ts';
import { UNSAVED_REMARK } from '#src/features/gallery-editor/gallery-editor.contract.ts';
import { EditorAreas, type Area } from '#src/features/gallery-editor/ui/editor-areas.tsx';
import { GallerySettings } from '#src/features/gallery-editor/ui/gallery-settings.tsx';
import { ShareArea } from '#src/features/sharing/ui/share-area.tsx';
import { OrganizationPicker } from '#src/features/organization-picker/ui/organization-picker.tsx';
import type { Chosen } from '#src/features/uploads/chosen-files.client.ts';
import { UploadArea, UploadZone } from '#src/features/uploads/ui/upload-zone.tsx';
import { GalleryReportArea } from '#src/features/reports/ui/gallery-report-area.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown, CircleAlert, CircleCheck, ExternalLink, Images, X } from '#src/ui/icon.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { useEditorPhotos, type EditorStart } from '#src/features/photo-editor/editor-photos.client.ts';
import { EditorPhotos } from '#src/features/photo-editor/ui/editor-photos.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { counted } from '#src/shared/counted.ts';

type BulkGalleryProps = {
  start: FormStart;
  /** From 1. */
  place: number;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  /** Null if it is the only one. */
  onRemove: (() => void) | null;
  register: (key: string, handle: GalleryHandle | null) => void;
  /** The messages about all forms are updated by the next save. */
  onSaved: () => void;
};

export function BulkGallery({ start, place, isFolded, onFold, onRemove, register, onSaved }: BulkGalleryProps) {
  const bodyId = useId();
  const entry = useBulkGalleryForm(start, register, onSaved);
  const { form, gallery, organization, waiting } = entry;
  const [area, setArea] = useState<GalleryArea | null>(
    start.existing && start.existing.photos.counts.default > 0 ? null : 'settings',
  );
  const [photoCount, setPhotoCount] = useState(start.existing?.photos.counts.default ?? 0);
  const title = galleryTitle(place);
  const status = statusOf({
    isPersisted: gallery !== null,
    isChanged: form.isChanged || countOf(waiting) > 0,
    isSaving: form.stage === 'saving',
    hasFailed: entry.hasFailed,
  });

  async function toggle(pressed: GalleryArea): Promise<void> {
    // Opening any area of a gallery that does not exist yet creates it first (specification A§2).
    const isThere = pressed === 'settings' || (await entry.ensure()) !== null;
    setArea(isThere ? afterToggle(area, pressed) : 'settings');
  }

  async function choose(chosen: Chosen): Promise<void> {
    setArea((await entry.ensure(chosen)) ? 'upload' : 'settings');
  }

  const areas = areasOf({ entry, title, photoCount });

  return (
    <Card role="group" aria-label={title} id={`gallery-form-${start.key}`} className="scroll-mt-4">
      <BulkGalleryHead
        title={title}
        name={form.values.name}
        status={status}
        bodyId={bodyId}
        isFolded={isFolded}
        onFold={onFold}
        onRemove={onRemove}
        publicView={
          gallery && organization
            ? `${organization.site}/${organization.domain_name}/gallery/${gallery.id}?publicView=true`
            : null
        }
      />
      <div id={bodyId} hidden={isFolded} className="border-t border-line px-5 pt-5 pb-5">
        <GalleryHead entry={entry} place={place} />
        <EditorAreas areas={areas} open={area} onToggle={(pressed) => void toggle(pressed)} of={title}>
          {gallery ? (
            <BulkGalleryPhotos
              gallery={gallery}
              start={start.existing?.gallery.id === gallery.id ? start.existing.photos : null}
              title={title}
              isUploadOpen={area === 'upload'}
              isFolded={isFolded}
              onCount={setPhotoCount}
              onUpload={() => void toggle('upload')}
            />
          ) : (
            <div className="grid lg:min-h-88 [&>*]:content-center">
              <UploadZone onChosen={(chosen) => void choose(chosen)} isLarge isOneOfMany />
            </div>
          )}
        </EditorAreas>
      </div>
    </Card>
  );
}

/** Problems, the organization, and waiting photos. */
function GalleryHead({ entry, place }: { entry: BulkGalleryForm; place: number }) {
  const { form, gallery, organization, waiting } = entry;
  const isFull =
    entry.messages.includes(UPGRADE_FOR_MORE_GALLERIES) || form.errors['gallery']?.includes(UPGRADE_FOR_MORE_GALLERIES);
  return (
    <div className="mb-5 flex flex-col gap-4">
      <ErrorList messages={prefixed(place, entry.messages)} attempt={entry.attempt} />
      {isFull && organization && (
        <LimitReached upgradeTo={`${organization.site}${upgradePath(organization.domain_name)}`}>
          {UPGRADE_FOR_MORE_GALLERIES}
        </LimitReached>
      )}
      <div className="max-w-xl">
        <OrganizationPicker
          label="Organization"
          of="affiliates"
          required
          value={organization}
          errors={entry.organizationErrors}
          disabled={gallery !== null || form.isUncertain || form.stage === 'saving'}
          hint={
            form.isUncertain ? STAYS_HERE : gallery ? 'A saved gallery can’t move to another organization.' : undefined
          }
          onChange={entry.choose}
        />
      </div>
      {countOf(waiting) > 0 && (
        <Notice>
          <span role="status">
            {counted(countOf(waiting), 'photo is waiting.', 'photos are waiting.')} The upload continues as soon as the
            gallery is saved.
          </span>
        </Notice>
      )}
    </div>
  );
}

type AreasOf = { entry: BulkGalleryForm; title: string; photoCount: number };

function areasOf({ entry, title, photoCount }: AreasOf): Area[] {
  const { form, gallery, organization } = entry;
  return [
    {
      name: 'upload',
      isAbove: true,
      panel: gallery && organization && (
        <UploadArea
          galleryId={gallery.id}
          affiliateId={gallery.organization_id}
          upgradePath={`${organization.site}${upgradePath(organization.domain_name)}`}
          photosLeft={photosLeftOf(organization, photoCount, FREE_PHOTOS_PER_GALLERY)}
          isLarge={photoCount === 0}
          isOneOfMany
        />
      ),
    },
    {
      name: 'settings',
      remark: gallery && form.isChanged ? UNSAVED_REMARK : null,
      panel: (
        <GallerySettings
          form={form}
          isNew={gallery === null}
          among={title}
          onSubmit={() => void entry.ensure(NO_FILES)}
        />
      ),
    },
    {
      name: 'collaborators',
      panel: gallery && organization && (
        <CollaboratorsArea
          gallery={gallery}
          path={organization.domain_name}
          onLinkChanged={() => void entry.refetch()}
        />
      ),
    },
    {
      name: 'share',
      panel: gallery && organization && (
        <ShareArea gallery={gallery} path={organization.domain_name} site={organization.site} />
      ),
    },
    {
      name: 'reports',
      panel: gallery && <GalleryReportArea galleryId={gallery.id} affiliateId={gallery.organization_id} />,
    },
  ];
}

type BulkGalleryHeadProps = {
  title: string;
  name: string;
  status: FormStatus;
  bodyId: string;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onRemove: (() => void) | null;
  /** Null until there is something to see. */
  publicView: string | null;
};

const TONE: Record<FormStatus, string> = {
  blank: 'text-quiet',
  unsaved: 'text-quiet',
  saving: 'text-quiet',
  saved: 'text-success',
  changed: 'text-warning',
  failed: 'text-danger',
};

/** Name and state of a gallery; a click collapses it. */
function BulkGalleryHead(props: BulkGalleryHeadProps) {
  const { title, name, status, bodyId, isFolded, onFold, onRemove, publicView } = props;
  const Icon = { saved: CircleCheck, failed: CircleAlert }[status as string];
  return (
    <header className="flex items-center gap-1 px-2 py-1.5 sm:gap-3 sm:px-3">
      <h2 className="min-w-0 flex-1 text-base">
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={bodyId}
          onClick={() => onFold(!isFolded)}
          className="flex min-h-12 w-full items-center gap-3 rounded px-2 text-start hover:bg-sunken"
        >
          <ChevronDown
            aria-hidden="true"
            className={cx('size-5 shrink-0 text-quiet transition-transform', isFolded && '-rotate-90')}
          />
          <span className="min-w-0">
            <span className="block truncate">
              {title}
              {name.trim() !== '' && <span className="font-normal text-quiet"> · {name}</span>}
            </span>
            <span className={cx('flex items-center gap-1 font-sans text-xs font-semibold', TONE[status])}>
              {Icon && <Icon aria-hidden="true" className="size-3.5" />}
              {STATUS_WORDS[status]}
            </span>
          </span>
        </button>
      </h2>
      {publicView !== null && (
        <a
          href={publicView}
          target="_blank"
          rel="noopener"
          aria-label={`Public view of ${title}`}
          className={buttonStyle({ variant: 'secondary', size: 'small' })}
        >
          <ExternalLink aria-hidden="true" />
          <span className="max-sm:hidden">Public view</span>
        </a>
      )}
      {onRemove && (
        <IconButton label={publicView === null ? `Remove ${title}` : `Close ${title}`} onClick={onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}

type BulkGalleryPhotosProps = {
  gallery: GalleryAnswer;
  /** Null for a gallery that was just created here. */
  start: EditorStart | null;
  title: string;
  isUploadOpen: boolean;
  /** Collapsed: nothing is rendered, but arriving photos are kept. */
  isFolded: boolean;
  onCount: (photos: number) => void;
  onUpload: () => void;
};

/** The photos of one of several galleries: filter, order and all actions. */
function BulkGalleryPhotos(props: BulkGalleryPhotosProps) {
  const { gallery, start, title, isUploadOpen, isFolded, onCount, onUpload } = props;
  const pages = useEditorPhotos(gallery.id, start ?? NO_PHOTOS);
  const { total, refresh } = pages;
  useEffect(() => {
    onCount(total);
  }, [onCount, total]);
  // Prices and watermarks of the photos follow the gallery's.
  const savedAt = gallery.updated_at;
  useEffect(() => {
    refresh();
  }, [refresh, savedAt]);
  return (
    <section aria-label={`Photos of ${title}`} className="flex min-w-0 flex-col gap-4">
      {total > 0
        ? !isFolded && <EditorPhotos pages={pages} onChanged={() => undefined} />
        : !isUploadOpen && (
            <EmptyState
              icon={<Images />}
              title="No photos yet"
              action={<Button onClick={onUpload}>Upload photos</Button>}
            >
              They appear here as they upload.
            </EmptyState>
          )}
    </section>
  );
}
