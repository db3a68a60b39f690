/** Photos as visitors and members read them: lists, likes and votes, requests to hide, counters of sales. */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { createReactions } from '#src/features/photos/reactions.service.ts';
import { createPhotoOutlines } from '#src/features/photos/photo-outline.service.ts';
import { addPhotoSales } from '#src/features/photos/photo-writes.sql.ts';
import { createPhotoReading } from '#src/features/photos/reading.service.ts';
import { createPhotoWithholding } from '#src/features/photos/withholding.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';

export type PhotoDeps = { database: Database; clock: Clock; limits: Limits; galleries: GalleryService };
export type PhotoService = ReturnType<typeof createPhotoService>;

export function createPhotoService(deps: PhotoDeps) {
  return {
    ...createPhotoReading(deps),
    ...createPhotoOutlines(deps),
    ...createReactions(deps),
    ...createPhotoWithholding(),
    /** Adds to the counters of sales in the settling transaction; negative numbers take away. Before the galleries' own counters. */
    recordSales: addPhotoSales,
  };
}
