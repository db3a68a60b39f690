/**
 * Photos for visitors and members. A photo that someone asked to hide stays hidden until the request is answered: the takedowns
 * module decides, this module writes.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Revisions } from '#src/features/tenancy/revisions.service.ts';
import type { FoundRevision } from '#src/features/tenancy/revisions.rules.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { createPhotoReading } from '#src/features/photos/reading.service.ts';
import type { FamilyPhotos } from '#src/features/photos/selling.service.ts';
import { cdnTags, type Cdn } from '#src/platform/cdn/cdn.ts';
import { PUBLIC, tenantOf, type Writer } from '#src/platform/db/db.ts';
import * as photoMovesSql from '#src/features/photos/photo-moves.sql.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { setLike, setVote } from '#src/features/photos/likes-and-votes.service.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import { chipsOf, type KeywordChip } from '#src/features/photos/keyword-search.rules.ts';
import { countKeywords } from '#src/features/photos/keyword-search.sql.ts';
import { numberChips } from '#src/features/photos/numbers.rules.ts';
import { numbersOf } from '#src/features/photos/numbers.service.ts';
import { findPhoto, listTimeRuns } from '#src/features/photos/photos.sql.ts';
import {
  RUNS_AT_MOST,
  SECTIONS_FROM,
  timeSections,
  type TimeSection,
} from '#src/features/photos/time-sections.rules.ts';

type PhotoDeps = Pick<Platform, 'database' | 'clock' | 'limits'> & {
  cdn: Cdn;
  galleries: GalleryService;
  revisions: Revisions;
  families: FamilyPhotos;
};
export type PhotoService = ReturnType<typeof createPhotoService>;

/** The photo, in the caller's transaction, which now locks the order of its gallery; null if it was removed. */
export async function lockForRequest(tx: Writer, photo: photoWritesSql.PhotoRef) {
  await photoWritesSql.lockOrder(tx, photo.galleryId);
  return photoWritesSql.lockForTakedown(tx, photo);
}

/**
 * Where a photo that moved to another gallery is now, for someone who may see it there. A gallery that is in no list is named
 * to its members only: the old link does not lead to it.
 * @throws not_found
 */
export async function newPlace(
  ctx: Pick<PhotoDeps, 'database' | 'galleries'>,
  caller: Caller,
  old: photoMovesSql.PhotoPlaceRef,
) {
  const { organizationId, photoId } = old;
  const [found] = await ctx.database.read(tenantOf(old), (db) =>
    photoMovesSql.listNewPlaces(db, organizationId, [photoId]),
  );
  if (found?.old.galleryId !== old.galleryId) throw notFound();
  const place = found.now;
  const { gallery, editor, locked } = await ctx.galleries.view(caller, place.galleryId);
  if (locked || !gallery.active || (gallery.isPrivate && !editor)) throw notFound();
  const wanted = { ...place, audience: 'public', visitorId: null } as const;
  if (!(await ctx.database.read(PUBLIC, (db) => findPhoto(db, wanted)))) throw notFound();
  return place;
}

/** Hides it until `release`, and purges its pictures from every process and the CDN. Call `lockForRequest` first. */
export async function withhold(ctx: Pick<PhotoDeps, 'cdn'>, tx: Writer, photoId: number): Promise<void> {
  await photoWritesSql.withholdPhoto(tx, photoId);
  await purgedObjects.notify(tx, await photoWritesSql.listPictureKeysOf(tx, [photoId]));
  await ctx.cdn.requestPurge(tx, [cdnTags.photo(photoId)]);
}

/** Up to this number of photos every process drops the pictures from memory; beyond it, they are evicted as space is needed. */
const FORGOTTEN_AT_MOST = 30;

/** Called in a transaction in which another module hid these photos: the CDN and every process drop their pictures. */
export async function forgetPictures(
  ctx: Pick<PhotoDeps, 'cdn'>,
  tx: Writer,
  photos: readonly { id: number; galleryId: number; organizationId: number }[],
): Promise<void> {
  if (photos.length === 0) return;
  if (photos.length <= FORGOTTEN_AT_MOST)
    await purgedObjects.notify(
      tx,
      await photoWritesSql.listPictureKeysOf(
        tx,
        photos.map(({ id }) => id),
      ),
    );
  await ctx.cdn.requestPurgeOfMany(tx, photos);
}

/** `byNumber`: numbers of athletes can be searched. */
type PhotoOutline = { chips: KeywordChip[]; sections: TimeSection[]; byNumber?: true };
type Outlined = Pick<Gallery, 'id' | 'organizationId' | 'publicPhotoCount' | 'hasTags'>;

const CHIPS_AT_MOST = 100;
/** For all galleries in one process. */
const OUTLINE_BYTES = 4 * 1_048_576;

type PhotoContext = ReturnType<typeof contextOf>;

function contextOf(deps: PhotoDeps) {
  return { ...deps, outlines: deps.revisions.createCache<PhotoOutline>(OUTLINE_BYTES) };
}

async function readOutline(ctx: PhotoContext, gallery: Outlined): Promise<PhotoOutline> {
  const { id: galleryId, publicPhotoCount: total } = gallery;
  const numbers = await numbersOf(ctx, gallery);
  return ctx.database.read(PUBLIC, async (db) => {
    const keywords = await countKeywords(db, galleryId, CHIPS_AT_MOST);
    const runs = total < SECTIONS_FROM ? [] : await listTimeRuns(db, galleryId, RUNS_AT_MOST);
    const sections = timeSections(runs, total);
    const chips = chipsOf(keywords);
    if (numbers.length === 0) return { chips, sections };
    return { chips: numberChips(numbers, chips).slice(0, CHIPS_AT_MOST), sections, byNumber: true };
  });
}

/**
 * Keywords with counts, and sections by capture time. Both read all photos, so the results of large galleries are cached until
 * the gallery changes: a keyword disappears with its last visible photo. The caller has checked access.
 * @param revisions if they were read with the gallery (`open`)
 */
export async function outline(
  ctx: PhotoContext,
  gallery: Outlined,
  revisions?: readonly FoundRevision[],
): Promise<PhotoOutline> {
  const { id, organizationId, publicPhotoCount: total } = gallery;
  if (total < SECTIONS_FROM) return readOutline(ctx, gallery);
  const subjects = [0, id].map((galleryId) => ({ organizationId, galleryId }));
  const make = async () => {
    const value = await readOutline(ctx, gallery);
    return { value, subjects, bytes: 2 * JSON.stringify(value).length };
  };
  return ctx.outlines(`${id} ${total}`, make, revisions);
}

export function createPhotoService(deps: PhotoDeps) {
  return {
    ...createPhotoReading(deps),
    ...bind(contextOf(deps), { newPlace, outline, setLike, setVote, withhold, forgetPictures }),
    lockForRequest,
    release: photoWritesSql.releasePhoto,
    /** In the caller's transaction, which holds the locks that come before photos. */
    dropKeywords: photoWritesSql.dropKeywords,
    /** Adds to the sales counters in the settling transaction; negative numbers subtract. Before the galleries' own counters. */
    recordSales: photoWritesSql.addPhotoSales,
  };
}
