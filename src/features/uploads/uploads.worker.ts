/** The worker's side of `uploads.jobs.ts`: which use case does each job. */
import { ingestPhotoJob, sweepUploadsJob } from '#src/features/uploads/uploads.jobs.ts';
import type { UploadService } from '#src/features/uploads/uploads.service.ts';
import type { PictureLab } from '#src/platform/images/images.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: starts handling. `picturesAtATime` photos are developed at once. */
export async function startUploadJobs(jobs: Jobs, uploads: UploadService, lab: PictureLab, picturesAtATime: number) {
  await jobs.work(
    ingestPhotoJob,
    { concurrency: picturesAtATime, onDead: ({ photoId }) => uploads.giveUp(photoId) },
    ({ photoId }) => uploads.ingest(photoId, lab),
  );
  await jobs.work(sweepUploadsJob, { concurrency: 1 }, async () => void (await uploads.sweepUploads()));
}
