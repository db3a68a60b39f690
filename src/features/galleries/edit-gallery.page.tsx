/** `/:affiliate/gallery/:id/edit`: settings and photos of a gallery, for its owner (specification A§2, "Gallery editor"). */
import { useCallback, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { EDITOR_PHOTOS_AT_ONCE } from '#src/features/galleries/gallery-editor.contract.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { useGalleryForm } from '#src/features/galleries/gallery-form.client.ts';
import { valuesOf } from '#src/features/galleries/gallery-form.rules.ts';
import { copyGalleryLink } from '#src/features/galleries/ui/copy-gallery-link.ts';
import { GallerySettings } from '#src/features/galleries/ui/gallery-settings.tsx';
import { LeaveGuard } from '#src/features/galleries/ui/leave-guard.tsx';
import { useEditorPhotos } from '#src/features/photos/editor-photos.client.ts';
import type { PhotosPage } from '#src/features/photos/photos.contract.ts';
import { EditorPhotos } from '#src/features/photos/ui/editor-photos.tsx';
import { UploadZone } from '#src/features/photos/ui/upload-zone.tsx';
import { uploadQueue } from '#src/features/photos/uploads.client.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { ArrowLeft, ExternalLink, Link2, Settings, X } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/edit-gallery.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const id = readId(params.id);
  if (id === null) throw notFound();
  const view = await app.galleries.view(caller, id);
  // A deleted gallery is changed by nobody (decision 45); somebody else's does not exist.
  if (!view.editor || !view.gallery.active || view.gallery.organizationId !== affiliate.id) throw notFound();
  const [gallery, photos] = await Promise.all([
    app.galleries.answerFor(view),
    app.photos.page(caller, id, { limit: EDITOR_PHOTOS_AT_ONCE }),
  ]);
  // Editors are never locked out of their own gallery.
  return { gallery: gallery as GalleryAnswer, photos, path: affiliate.domainName, affiliateName: affiliate.name };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: loaderData ? `Edit ${loaderData.gallery.name} · ${loaderData.affiliateName}` : 'Edit gallery' },
    { name: 'robots', content: 'noindex' },
  ];
}

export default function EditGalleryPage({ loaderData }: Route.ComponentProps) {
  return <Editor key={loaderData.gallery.id} {...loaderData} />;
}

function Editor({ gallery, photos, path }: { gallery: GalleryAnswer; photos: PhotosPage; path: string }) {
  const form = useGalleryForm(valuesOf(gallery), { galleryId: gallery.id, organizationId: gallery.organization_id });
  const pages = useEditorPhotos(gallery.id, photos);
  const { revalidate } = useRevalidator();
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const isUnsaved = useCallback(() => form.isChanged, [form.isChanged]);
  const publicPath = `/${path}/gallery/${gallery.id}`;

  async function save(): Promise<void> {
    // Prices and watermarks of the photos below follow the gallery's.
    if (await form.save()) {
      pages.refresh();
      void revalidate();
    }
  }

  const isEmpty = pages.photos.length === 0;
  return (
    <Main className="max-w-360 pb-12">
      <PageHeader
        title={gallery.name}
        subtitle={pages.total === 1 ? '1 photo' : `${pages.total.toLocaleString('en-US')} photos`}
        back={
          <Link to={`/${path}/dashboard`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
            <ArrowLeft aria-hidden="true" />
            Dashboard
          </Link>
        }
        action={
          <div className="flex flex-wrap gap-2 max-sm:[&_svg]:hidden">
            <Button
              variant="secondary"
              size="small"
              className="lg:hidden"
              aria-expanded={isSettingsOpen}
              onClick={() => setSettingsOpen(!isSettingsOpen)}
            >
              {isSettingsOpen ? <X aria-hidden="true" /> : <Settings aria-hidden="true" />}
              {isSettingsOpen ? 'Close' : 'Settings'}
            </Button>
            <Button variant="secondary" size="small" onClick={() => void copyGalleryLink(publicPath)}>
              <Link2 aria-hidden="true" />
              Copy link
            </Button>
            <Link
              to={`${publicPath}?publicView=true`}
              target="_blank"
              className={buttonStyle({ variant: 'secondary', size: 'small' })}
            >
              <ExternalLink aria-hidden="true" />
              Public view
            </Link>
          </div>
        }
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <section
          aria-label="Photos of the gallery"
          className={cx('flex min-w-0 flex-col gap-4', isSettingsOpen && 'max-lg:hidden')}
        >
          <UploadZone
            isLarge={isEmpty}
            onChosen={(chosen) =>
              uploadQueue().add({ galleryId: gallery.id, affiliateId: gallery.organization_id, ...chosen })
            }
          />
          {!isEmpty && <EditorPhotos pages={pages} onChanged={() => void revalidate()} />}
        </section>
        <Card className={cx('p-5 pb-0', !isSettingsOpen && 'max-lg:hidden')}>
          <GallerySettings form={form} isNew={false} onSubmit={() => void save()} />
          <div className="h-5" />
        </Card>
      </div>
      <LeaveGuard isUnsaved={isUnsaved} />
    </Main>
  );
}
