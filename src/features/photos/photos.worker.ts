/** The worker's side of `photos.jobs.ts`: which use case does each job. */
import { ingestPhotoJob, sweepUploadsJob } from '#src/features/photos/photos.jobs.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import type { PictureLab } from '#src/platform/images/images.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: starts handling. `picturesAtATime` photos are developed at once. */
export async function startPhotoJobs(
  jobs: Jobs,
  photos: PhotoService,
  lab: PictureLab,
  picturesAtATime: number,
): Promise<void> {
  await jobs.work(
    ingestPhotoJob,
    { concurrency: picturesAtATime, onDead: ({ photoId }) => photos.giveUp(photoId) },
    ({ photoId }) => photos.ingest(photoId, lab),
  );
  await jobs.work(sweepUploadsJob, { concurrency: 1 }, async () => void (await photos.sweepUploads()));
}
