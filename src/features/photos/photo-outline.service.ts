/**
 * What visitors find their way with in a gallery: keywords with their counts, and sections by capture time. Both look at all its
 * photos, so the answers of large galleries are kept for half a minute, and a hundred who come at once wait for the same one.
 * A photo that is hidden or shown makes a new one at once, in every process: the count of visible photos is part of the key.
 */
import { chipsOf, type KeywordChip } from '#src/features/photos/keyword-search.rules.ts';
import { countKeywords } from '#src/features/photos/keyword-search.sql.ts';
import { listTimeRuns } from '#src/features/photos/photos.sql.ts';
import { RUNS_AT_MOST, SECTIONS_FROM, timeSections, type TimeSection } from '#src/features/photos/photo-times.rules.ts';
import type { Clock } from '#src/platform/clock.ts';
import { bind } from '#src/shared/bind.ts';
import type { Database } from '#src/platform/db/db.ts';

export type PhotoOutline = { chips: KeywordChip[]; sections: TimeSection[] };

const CHIPS_AT_MOST = 100;
const KEPT_MS = 30_000;
const KEPT_AT_MOST = 200;

export type PhotoOutlinesDeps = { database: Database; clock: Clock };

type PhotoOutlinesContext = ReturnType<typeof contextOf>;

function contextOf(deps: PhotoOutlinesDeps) {
  const kept = new Map<number, { until: number; total: number; outline: Promise<PhotoOutline> }>();
  return { ...deps, kept };
}

async function look(ctx: PhotoOutlinesContext, galleryId: number, total: number): Promise<PhotoOutline> {
  return ctx.database.read({ kind: 'public' }, async (db) => {
    const keywords = await countKeywords(db, galleryId, CHIPS_AT_MOST);
    const runs = total < SECTIONS_FROM ? [] : await listTimeRuns(db, galleryId, RUNS_AT_MOST);
    return { chips: chipsOf(keywords), sections: timeSections(runs, total) };
  });
}

/** Of the photos that visitors see; whether the caller may look is decided before. @param total of these photos */
export async function outline(ctx: PhotoOutlinesContext, galleryId: number, total: number): Promise<PhotoOutline> {
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

export const createPhotoOutlines = (deps: PhotoOutlinesDeps) => bind(contextOf(deps), { outline });
