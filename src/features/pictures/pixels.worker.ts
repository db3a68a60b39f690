/** The worker's side of `pixels.jobs.ts`: which use case does each job. */
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import {
  turnPhotoJob,
  remarkPhotosJob,
  clearObjectsJob,
  measurePhotosJob,
} from '#src/features/pictures/pixels.jobs.ts';
import type { PictureLab, PictureTouches } from '#src/platform/images/images.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: starts handling. */
export async function startPixelJobs(
  jobs: Jobs,
  photos: PhotoService,
  lab: PictureLab & PictureTouches,
): Promise<void> {
  await jobs.work(
    turnPhotoJob,
    { concurrency: 2, onDead: ({ photoId }) => photos.giveUpTurn(photoId) },
    ({ photoId }) => photos.turn(photoId, lab),
  );
  // One at a time, so that uploads have a place beside it.
  await jobs.work(remarkPhotosJob, { concurrency: 1 }, async ({ organizationId }, { signal }) => {
    const { isDone } = await photos.remarkPhotos(organizationId, lab, signal);
    if (!isDone) await photos.remarkLater(organizationId);
  });
  await photos.remarkOldDrawings();
  await jobs.work(clearObjectsJob, { concurrency: 1 }, async () => {
    await photos.purgeRemoved();
    await photos.clearObjects();
  });
  await jobs.work(measurePhotosJob, { concurrency: 1 }, async (_payload, { signal }) => {
    await photos.measurePhotos(lab, signal);
  });
}
