/**
 * What visitors find their way with in a gallery: keywords with their counts, and sections by capture time. Both look at all its
 * photos, so the answers of large galleries are kept for half a minute, and a hundred who come at once wait for the same one.
 * A photo that is hidden or shown makes a new one at once, in every process: the count of visible photos is part of the key.
 */
import { chipsOf, type KeywordChip } from '#src/features/photos/keyword-search.rules.ts';
import { countKeywords } from '#src/features/photos/keyword-search.sql.ts';
import { listTimeRuns } from '#src/features/photos/photo-times.sql.ts';
import { RUNS_AT_MOST, SECTIONS_FROM, timeSections, type TimeSection } from '#src/features/photos/photo-times.rules.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';

export type PhotoOutline = { chips: KeywordChip[]; sections: TimeSection[] };

const CHIPS_AT_MOST = 100;
const KEPT_MS = 30_000;
const KEPT_AT_MOST = 200;

export type PhotoOutlines = ReturnType<typeof createPhotoOutlines>;

export function createPhotoOutlines({ database, clock }: { database: Database; clock: Clock }) {
  const kept = new Map<number, { until: number; total: number; outline: Promise<PhotoOutline> }>();

  async function look(galleryId: number, total: number): Promise<PhotoOutline> {
    return database.read({ kind: 'public' }, async (db) => {
      const keywords = await countKeywords(db, galleryId, CHIPS_AT_MOST);
      const runs = total < SECTIONS_FROM ? [] : await listTimeRuns(db, galleryId, RUNS_AT_MOST);
      return { chips: chipsOf(keywords), sections: timeSections(runs, total) };
    });
  }

  return {
    /** Of the photos that visitors see; whether the caller may look is decided before. @param total of these photos */
    async outline(galleryId: number, total: number): Promise<PhotoOutline> {
      if (total < SECTIONS_FROM) return look(galleryId, total);
      const now = clock.now().getTime();
      const known = kept.get(galleryId);
      if (known && known.until > now && known.total === total) return known.outline;
      const outline = look(galleryId, total);
      kept.delete(galleryId);
      kept.set(galleryId, { until: now + KEPT_MS, total, outline });
      outline.catch(() => kept.delete(galleryId));
      if (kept.size > KEPT_AT_MOST) kept.delete(kept.keys().next().value ?? galleryId);
      return outline;
    },
  };
}
