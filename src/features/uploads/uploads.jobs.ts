/** Work on photos that the worker does: making an uploaded file into a photo, and clearing away what no one claimed. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

const ingestPayload = z.strictObject({ photoId: z.int() });
export type IngestPayload = z.infer<typeof ingestPayload>;

/** Makes one photo ready, or says why it cannot be. A file that kills its process four times is given up (fault F4). */
export const ingestPhotoJob = payloadJob('photo.ingest', ingestPayload, {
  retryLimit: 3,
  retryDelaySeconds: 2,
  expireInSeconds: 180,
  whenGivenUp: 'The photo is marked as failed. Its uploader sees that, and can upload it again.',
});

/** Removes uploads that no one claimed within a day (fault F2), every hour. */
export const sweepUploadsJob = clockJob('uploads.sweep', '37 * * * *', { expireInSeconds: 600 });
