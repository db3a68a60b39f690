/**
 * Photos as visitors and members read them. A photo that someone asked to hide goes out of sight and stays there until the request
 * is answered: the takedowns module decides, photos are written here.
 */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { createPhotoReading } from '#src/features/photos/reading.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { setLike, setVote } from '#src/features/photos/reactions.service.ts';
import { bind } from '#src/shared/bind.ts';
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import { chipsOf, type KeywordChip } from '#src/features/photos/keyword-search.rules.ts';
import { countKeywords } from '#src/features/photos/keyword-search.sql.ts';
import { listTimeRuns } from '#src/features/photos/photos.sql.ts';
import { RUNS_AT_MOST, SECTIONS_FROM, timeSections, type TimeSection } from '#src/features/photos/photo-times.rules.ts';

export type PhotoDeps = { database: Database; clock: Clock; limits: Limits; galleries: GalleryService };
export type PhotoService = ReturnType<typeof createPhotoService>;

/** The photo as it is, in the caller's transaction, which now holds the order of its gallery; null when it was removed. */
export async function holdForRequest(tx: Writer, photo: photoWritesSql.PhotoRef) {
  await photoWritesSql.lockOrder(tx, photo.galleryId);
  return photoWritesSql.lockAskedPhoto(tx, photo);
}

/** Hides it until `release`, and has every process drop its pictures from memory. Call `holdForRequest` before. */
export async function withhold(tx: Writer, photoId: number): Promise<void> {
  await photoWritesSql.withholdPhoto(tx, photoId);
  await purgedObjects.tell(tx, await photoWritesSql.listPictureKeys(tx, photoId));
}

export type PhotoOutline = { chips: KeywordChip[]; sections: TimeSection[] };

const CHIPS_AT_MOST = 100;
const KEPT_MS = 30_000;
const KEPT_AT_MOST = 200;

type PhotoContext = ReturnType<typeof contextOf>;

function contextOf(deps: PhotoDeps) {
  const kept = new Map<number, { until: number; total: number; outline: Promise<PhotoOutline> }>();
  return { ...deps, kept };
}

async function look(ctx: PhotoContext, galleryId: number, total: number): Promise<PhotoOutline> {
  return ctx.database.read({ kind: 'public' }, async (db) => {
    const keywords = await countKeywords(db, galleryId, CHIPS_AT_MOST);
    const runs = total < SECTIONS_FROM ? [] : await listTimeRuns(db, galleryId, RUNS_AT_MOST);
    return { chips: chipsOf(keywords), sections: timeSections(runs, total) };
  });
}

/**
 * What visitors find their way with: keywords with their counts, and sections by capture time. Both look at all photos, so the answers
 * of large galleries are kept for half a minute, and a hundred who come at once wait for the same one. A photo that is hidden or shown
 * makes a new one at once, in every process, because the count of visible photos is part of the key. Whether the caller
 * may look is decided before. @param total of the photos that visitors see
 */
export async function outline(ctx: PhotoContext, galleryId: number, total: number): Promise<PhotoOutline> {
  if (total < SECTIONS_FROM) return look(ctx, galleryId, total);
  const now = ctx.clock.now().getTime();
  const known = ctx.kept.get(galleryId);
  if (known && known.until > now && known.total === total) return known.outline;
  const outline = look(ctx, galleryId, total);
  ctx.kept.delete(galleryId);
  ctx.kept.set(galleryId, { until: now + KEPT_MS, total, outline });
  outline.catch(() => ctx.kept.delete(galleryId));
  if (ctx.kept.size > KEPT_AT_MOST) ctx.kept.delete(ctx.kept.keys().next().value ?? galleryId);
  return outline;
}

export function createPhotoService(deps: PhotoDeps) {
  return {
    ...createPhotoReading(deps),
    ...bind(contextOf(deps), { outline, setLike, setVote }),
    holdForRequest,
    withhold,
    release: photoWritesSql.releasePhoto,
    /** Adds to the counters of sales in the settling transaction; negative numbers take away. Before the galleries' own counters. */
    recordSales: photoWritesSql.addPhotoSales,
  };
}
