/** `/:affiliate/gallery/:id/photo/:photo`: one photo at its own address, over its gallery (specification P§2.4, "Photo detail"). */
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { galleryPath, photoPath } from '#src/features/galleries/gallery-link.rules.ts';
import { useGalleryOutlet } from '#src/features/public-gallery/ui/gallery-outlet.ts';
import { isAtHand, lookAt } from '#src/features/public-gallery/photos-at-hand.client.ts';
import { showPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { PhotoBar } from '#src/features/public-gallery/ui/photo-bar.tsx';
import { PhotoHead } from '#src/features/public-gallery/ui/photo-head.tsx';
import { useStagePhotos } from '#src/features/public-gallery/ui/use-stage-photos.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/validators.ts';
import { LightboxFrame } from '#src/ui/lightbox-frame.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { aboutPhoto } from '#src/web/about-pages.ts';
import { orNotFoundPage } from '#src/web/not-found.ts';
import { pageMeta, type PageMeta } from '#src/web/page-meta.ts';
import type { Route } from './+types/photo.page.ts';

/** Null while the gallery is locked: the page below it asks for the password. */
export function loader(args: Route.LoaderArgs) {
  return orNotFoundPage(load(args));
}

async function load({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const [galleryId, photoId] = [readId(params.id), readId(params.photo)];
  if (galleryId === null || photoId === null) throw notFound();
  const view = await app.galleries.view(caller, galleryId);
  if (view.gallery.organizationId !== affiliate.id || !view.gallery.active) throw notFound();
  if (view.locked) return null;
  const { photo, ...place } = await app.photos.find(caller, galleryId, photoId, {
    asVisitor: true,
    // After a search the photos that were found are turned through.
    keyword: url.searchParams.get('search') ?? '',
  });
  const shown = showPhoto(photo);
  const isListed = !view.gallery.isPrivate && !view.gallery.passwordRequired;
  return {
    photo: shown,
    ...place,
    about: aboutPhoto(context, affiliate, { id: galleryId, name: view.gallery.name, isListed }, shown),
  };
}

/** A locked gallery's photos tell what its gate tells. */
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const ofGallery = matches.map((match) => (match?.loaderData as { about?: PageMeta } | undefined)?.about);
  const about = loaderData?.about ?? ofGallery.findLast((told) => told !== undefined);
  return about ? pageMeta(about) : [];
}

/** A photo of the list that is loaded opens at once; with `neighbors` its neighbors are asked for in any case. */
export async function clientLoader({ params, request, serverLoader }: Route.ClientLoaderArgs) {
  const isForNeighbors = new URL(request.url).searchParams.has('neighbors');
  if (isForNeighbors) return serverLoader().catch(() => null);
  return isAtHand(Number(params.photo)) ? null : serverLoader();
}

export default function PhotoPage({ loaderData, params }: Route.ComponentProps) {
  return <OpenPhoto key={params.photo} opened={loaderData} photoId={Number(params.photo)} />;
}

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

function OpenPhoto({ opened, photoId }: { opened: Loaded | null; photoId: number }) {
  const outlet = useGalleryOutlet();
  const { place } = outlet;
  const navigate = useNavigate();
  const stage = useStagePhotos(outlet, opened, photoId);
  const { index, setIndex, total, photoAt } = stage;
  const photo = photoAt(index);
  const addressAt = (at: number, id: number | undefined) =>
    photoPath(place, photoAt((at + total) % total)?.id ?? id ?? photoId);

  const follow = useEffectEvent((id: number) => {
    lookAt(id);
    // The router would draw the page behind anew for each photo; it reads the address again when it next goes somewhere.
    const path = photoPath(place, id);
    if (window.location.pathname + window.location.search !== path)
      window.history.replaceState(window.history.state, '', path);
  });
  // Only when the photo changes: while the router is on its way back the address is no longer ours.
  const shownId = photo?.id;
  useEffect(() => {
    if (shownId !== undefined) follow(shownId);
  }, [shownId]);

  return (
    <LightboxFrame
      index={index}
      total={total}
      photoAt={photoAt}
      tileAt={(at) => (stage.hasList ? document.getElementById(`photo-${at}`) : null)}
      addresses={{
        previous: addressAt(index - 1, opened?.previousId),
        next: addressAt(index + 1, opened?.nextId),
        close: galleryPath(place, index),
      }}
      onTurn={setIndex}
      onClose={() => void navigate(galleryPath(place, index), { preventScrollReset: true, replace: true })}
      header={photo && <PhotoHead photo={photo} place={place} />}
      footer={photo && <PhotoBar photo={photo} {...outlet} />}
    />
  );
}
