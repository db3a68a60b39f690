/** The worker's side of `pictures.jobs.ts`: which use case does each job. */
import type { PictureService } from '#src/features/pictures/pictures.service.ts';
import {
  turnPhotoJob,
  remarkPhotosJob,
  clearObjectsJob,
  measurePhotosJob,
} from '#src/features/pictures/pictures.jobs.ts';
import type { PictureLab, RenditionWork } from '#src/platform/images/images.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: starts handling. */
export async function startPictureJobs(jobs: Jobs, pictures: PictureService, lab: PictureLab & RenditionWork) {
  await jobs.work(
    turnPhotoJob,
    { concurrency: 2, onDead: ({ photoId }) => pictures.giveUpTurn(photoId) },
    ({ photoId }) => pictures.turn(photoId, lab),
  );
  // One at a time, so that uploads have a place beside it.
  await jobs.work(remarkPhotosJob, { concurrency: 1 }, async ({ organizationId }, { signal }) => {
    const { isDone } = await pictures.remarkPhotos(organizationId, lab, signal);
    if (!isDone) await pictures.remarkLater(organizationId);
  });
  await pictures.remarkOldDrawings();
  await jobs.work(clearObjectsJob, { concurrency: 1 }, async () => {
    await pictures.purgeRemoved();
    await pictures.clearObjects();
  });
  await jobs.work(measurePhotosJob, { concurrency: 1 }, async (_payload, { signal }) => {
    await pictures.measurePhotos(lab, signal);
  });
}
