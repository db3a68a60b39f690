/**
 * Photos come in by upload, are developed by the worker, are looked at, liked, priced and sold,
 * and are sent as bytes only past one decision. This is the module's front: each part has
 * a file of its own.
 */
import { createPhotoBulk } from '#src/features/photo-editor/bulk.service.ts';
import * as contributedPhotos from '#src/features/photo-editor/contributed-photos.service.ts';
import { createClaims } from '#src/features/uploads/claims.service.ts';
import { createChosenPhotos } from '#src/features/photo-editor/chosen-photos.service.ts';
import { createPhotoEditing } from '#src/features/photo-editor/editing.service.ts';
import { createIngest } from '#src/features/uploads/ingest.service.ts';
import { createMarks, type MarkDeps } from '#src/features/pictures/marks.service.ts';
import { createMeasuring } from '#src/features/uploads/measuring.service.ts';
import { createOpinions } from '#src/features/photos/opinions.service.ts';
import { createPhotoOrdering } from '#src/features/photo-editor/ordering.service.ts';
import { createPhotoGrid } from '#src/features/photo-editor/photo-grid.service.ts';
import { createPhotoOutlines } from '#src/features/photos/photo-outline.service.ts';
import { addPhotoSales } from '#src/features/photos/photo-writes.sql.ts';
import { createPictures, type PaidLines } from '#src/features/pictures/pictures.service.ts';
import { createPurging } from '#src/features/pictures/purging.service.ts';
import { createPhotoReading } from '#src/features/photos/reading.service.ts';
import { createTurning } from '#src/features/pictures/turning.service.ts';
import { createUploadPolicies } from '#src/features/uploads/upload-policies.service.ts';
import { createUploadSweep } from '#src/features/uploads/upload-sweep.service.ts';
import { createPhotoWithholding } from '#src/features/photos/withholding.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { PictureTouches } from '#src/platform/images/images.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import type { Keys } from '#src/platform/platform.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

export type PhotoDeps = {
  database: Database;
  storage: Storage;
  jobs: Pick<Jobs, 'enqueue' | 'enqueueMany'>;
  limits: Limits;
  clock: Clock;
  galleries: GalleryService;
  orders: PaidLines;
  keys: Pick<Keys, 'ownPictures'>;
  organizations: Pick<OrganizationService, 'byId'>;
  previews: Pick<PictureTouches, 'preview'>;
  uploadedMark: MarkDeps['uploadedMark'];
};

export type PhotoService = ReturnType<typeof createPhotoService>;

export function createPhotoService(deps: PhotoDeps) {
  const reading = createPhotoReading(deps);
  const policies = createUploadPolicies(deps);
  return {
    ...reading,
    ...createPhotoEditing({ ...deps, reading }),
    ...createPhotoOutlines(deps),
    ...createChosenPhotos(deps),
    ...createPhotoGrid(deps),
    ...createPhotoOrdering(deps),
    ...createPhotoBulk(deps),
    ...createOpinions(deps),
    ...policies,
    ...createClaims({ ...deps, policies, reading }),
    ...createUploadSweep(deps),
    ...createPictures(deps),
    ...createIngest(deps),
    ...createPhotoWithholding(),
    listOwn: contributedPhotos.listOwn,
    withdrawOwn: contributedPhotos.withdrawOwn,
    listWaiting: contributedPhotos.listWaiting,
    countWaiting: contributedPhotos.countWaiting,
    countClaims: contributedPhotos.countClaims,
    decideContributions: contributedPhotos.decideContributions,
    /** Of a contributor's own photo: its address, opened to them for a day or two. */
    ownPictureProof: (photoId: number) =>
      contributedPhotos.ownPictureProof(deps.keys.ownPictures, photoId, deps.clock.now()),
    ...createTurning({ ...deps, reading }),
    ...createMarks(deps),
    ...createMeasuring(deps),
    ...createPurging(deps),
    /** Adds to the counters of sales in the settling transaction; negative numbers take away. Before the galleries' own counters. */
    recordSales: addPhotoSales,
  };
}
