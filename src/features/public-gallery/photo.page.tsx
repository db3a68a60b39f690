/** `/:affiliate/gallery/:id/photo/:photo`: one photo, over its gallery (specification P§2.4, "Photo detail"). */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useFetcher } from 'react-router';
import { galleryPath, photoPath, type GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import { useGalleryContext, type GalleryContext } from '#src/features/public-gallery/ui/gallery-context.ts';
import { isLoaded, setLastViewed } from '#src/features/public-gallery/photos-at-hand.client.ts';
import { showPhoto, type ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { PhotoBar } from '#src/features/public-gallery/ui/photo-bar.tsx';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { LightboxFrame } from '#src/ui/photos/lightbox-frame.tsx';
import { useClosePhoto } from '#src/ui/photos/use-open-photo.ts';
import { affiliateContext, everyoneSees } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { aboutPhoto } from '#src/web/about-pages.ts';
import { orNewPlace } from '#src/web/not-found.ts';
import type { Packed } from '#src/web/packed.ts';
import { pageMeta, type PageMeta } from '#src/web/page-meta.ts';
import type { Route } from './+types/photo.page.ts';
import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { takenText } from '#src/features/photos/time-sections.rules.ts';
import { ASK_TO_HIDE } from '#src/features/takedowns/takedowns.contract.ts';
import { askToHidePath } from '#src/features/takedowns/takedowns.rules.ts';
import { EyeOff, Share } from '#src/ui/icon.tsx';
import { nextToLoad, type KnownPhoto } from '#src/features/public-gallery/stage-photos.rules.ts';

/** Null while the gallery is locked: the page below it asks for the password. */
export const loader = orNewPlace(open, photoPath);

async function open({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const [galleryId, photoId] = [readId(params.id), readId(params.photo)];
  if (galleryId === null || photoId === null) throw notFound();
  const view = await app.galleries.view(caller, galleryId);
  if (view.gallery.organizationId !== affiliate.id || !view.gallery.active) throw notFound();
  if (view.locked) return null;
  if (!view.gallery.passwordRequired) everyoneSees(context, galleryId);
  const { photo, ...place } = await app.photos.find(caller, galleryId, photoId, {
    asVisitor: true,
    // After a search, moves through the found photos.
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

/** A locked gallery's photos have the metadata of its password form. */
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const ofGallery = matches.map(
    (match) => (match?.loaderData as { about?: PageMeta | Packed<PageMeta> } | undefined)?.about,
  );
  const about = loaderData?.about ?? ofGallery.findLast((facts) => facts !== undefined);
  return about ? pageMeta(about) : [];
}

/** A loaded photo opens immediately; with `neighbors` its neighbors are requested in any case. */
export async function clientLoader({ params, request, serverLoader }: Route.ClientLoaderArgs) {
  const isForNeighbors = new URL(request.url).searchParams.has('neighbors');
  if (isForNeighbors) return serverLoader().catch(() => null);
  return isLoaded(Number(params.photo)) ? null : serverLoader();
}

export default function PhotoPage({ loaderData, params }: Route.ComponentProps) {
  return <OpenPhoto key={params.photo} opened={loaderData} photoId={Number(params.photo)} />;
}

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

function OpenPhoto({ opened, photoId }: { opened: Loaded | null; photoId: number }) {
  const outlet = useGalleryContext();
  const { place } = outlet;
  const stage = useStagePhotos(outlet, opened, photoId);
  const { index, setIndex, total, photoAt } = stage;
  const photo = photoAt(index);
  const close = useClosePhoto(() => galleryPath(place, index));
  const addressAt = (at: number, id: number | undefined) =>
    photoPath(place, photoAt((at + total) % total)?.id ?? id ?? photoId);

  const follow = useEffectEvent((id: number) => {
    setLastViewed(id);
    // The router would render the page behind again for each photo; it reads the address again at the next navigation.
    const path = photoPath(place, id);
    if (window.location.pathname + window.location.search !== path)
      window.history.replaceState(window.history.state, '', path);
  });
  // Only when the photo changes: while the router navigates back the address is no longer ours.
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
      onGoTo={setIndex}
      onClose={close}
      header={photo && <PhotoHead photo={photo} place={place} />}
      footer={photo && <PhotoBar photo={photo} {...outlet} />}
    />
  );
}

/** Above the photo on the stage: its name, capture time, sharing, and a link to have it hidden. */
export function PhotoHead({ photo, place }: { photo: ShownPhoto; place: GalleryPlace }) {
  const taken = takenText(photo.takenAt);
  return (
    <>
      <p className="lightbox-words text-sm leading-tight">
        <span className="block truncate">{photo.name}</span>
        {taken !== null && <span className="block text-xs leading-tight opacity-80">{taken}</span>}
      </p>
      <button
        type="button"
        aria-label="Share this photo"
        title="Share"
        className="lightbox-button lightbox-script"
        onClick={() => void share(photo)}
      >
        <Share aria-hidden="true" />
      </button>
      <Link
        to={askToHidePath({ affiliate: place.affiliate, galleryId: photo.galleryId, id: photo.id })}
        aria-label={ASK_TO_HIDE}
        title={ASK_TO_HIDE}
        className="lightbox-button"
      >
        <EyeOff aria-hidden="true" />
      </Link>
    </>
  );
}

/** With the phone's share sheet; without one, the link is copied. */
async function share({ alt }: ShownPhoto): Promise<void> {
  const { href } = window.location;
  if (!('share' in navigator) || !navigator.canShare?.({ url: href })) return copyText(href);
  try {
    await navigator.share({ title: alt, url: href });
  } catch {
    // Closed without choosing anyone.
  }
}

/** How far beyond the loaded photos a list is worth loading; farther away, neighbors are requested one by one. */
const FAR = 100;
/** The next page is loaded when only this many photos are left. */
const AHEAD = 6;

export type OpenedPhoto = KnownPhoto & { index: number; total: number };

export type StagePhotos = {
  /** Of the photo on the stage. */
  index: number;
  setIndex: (index: number) => void;
  total: number;
  /** Null for photos that are not loaded yet. */
  photoAt: (index: number) => ShownPhoto | null;
  /** Whether positions are those of the gallery's tiles. */
  hasList: boolean;
};

/**
 * The photos that the lightbox moves through: the list that the gallery has loaded, extended ahead; after a search,
 * those found. From a photo that was opened by a link far beyond that list it moves by neighbors.
 * @param opened the server's data of the photo; null for one of the list
 */
export function useStagePhotos(
  { pages, place }: Pick<GalleryContext, 'pages' | 'place'>,
  opened: OpenedPhoto | null,
  photoId: number,
): StagePhotos {
  const [index, setIndex] = useState(() => {
    const inList = pages.photos.findIndex(({ id }) => id === photoId);
    return inList === -1 ? (opened?.index ?? 0) : inList;
  });
  const [first] = useState(index);
  const [known, setKnown] = useState<ReadonlyMap<number, KnownPhoto>>(
    () => new Map(opened ? [[opened.index, opened]] : []),
  );
  // A link may open a photo that its search does not find: then it moves only by neighbors.
  const hasList = pages.isComplete && (pages.photos[first]?.id ?? photoId) === photoId;
  const total = hasList ? pages.total : (opened?.total ?? pages.total);
  const photoAt = (at: number) => (hasList ? pages.photos[at] : undefined) ?? known.get(at)?.photo ?? null;

  const { until, next } = pages;
  const count = pages.photos.length;
  const listGoesOn = hasList && next !== null && index - count < FAR;
  const wantsMore = listGoesOn && index + AHEAD >= count;
  useEffect(() => {
    if (wantsMore) void until(index + AHEAD);
  }, [wantsMore, index, until]);

  const { load, state, data } = useFetcher<OpenedPhoto | null>();
  if (data && known.get(data.index) !== data) setKnown(new Map(known).set(data.index, data));
  const isComing = (at: number) => listGoesOn && at >= count && at - count < FAR;
  const wanted = nextToLoad({ index, total, photoAt, known, isComing });
  // After a failure it waits for the next key or tap.
  const lastAsked = useRef('');
  useEffect(() => {
    const question = `${wanted} beside ${index}`;
    if (wanted === null || state !== 'idle' || lastAsked.current === question) return;
    lastAsked.current = question;
    void load(neighborsPath(place, wanted));
  }, [wanted, index, state, load, place]);

  return { index, setIndex, total, photoAt, hasList };
}

/** The photo's own page, requested for its neighbors even if the photo itself is loaded. */
function neighborsPath(place: GalleryPlace, photoId: number): string {
  const path = photoPath(place, photoId);
  return `${path}${path.includes('?') ? '&' : '?'}neighbors=1`;
}
