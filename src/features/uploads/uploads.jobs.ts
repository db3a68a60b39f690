/** The worker's jobs about uploads: turning a file into a photo, and removing unclaimed uploads. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

const ingestPayload = z.strictObject({ photoId: z.int() });

/**
 * Makes one photo ready, or failed with a reason. A file that kills its process four times is given up (fault F4).
 * Handled by `ingestOrWait` (`uploads.service.ts`), see `src/jobs.ts`.
 */
export const ingestPhotoJob = payloadJob('photo.ingest', ingestPayload, {
  retryLimit: 3,
  retryDelaySeconds: 2,
  expireInSeconds: 180,
  whenGivenUp: 'The photo is marked as failed. Its uploader sees that, and can upload it again.',
});

/** Removes uploads that were not claimed within a day (fault F2), every hour. */
export const sweepUploadsJob = clockJob('uploads.sweep', '37 * * * *', { expireInSeconds: 600 });
