/** The worker's jobs for existing pictures: rotating, watermarking, removing. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Makes a photo's renditions show the requested rotation. */
export const turnPhotoJob = payloadJob('photo.turn', z.strictObject({ photoId: z.int() }), {
  retryLimit: 3,
  retryDelaySeconds: 2,
  expireInSeconds: 180,
  whenGivenUp: 'The photo is shown as before. Its owner can rotate it again.',
});

/** Watermarks an organization's photos again, a minute at a time. */
export const remarkPhotosJob = payloadJob('photos.remark', z.strictObject({ organizationId: z.int() }), {
  retryLimit: 8,
  retryDelaySeconds: 5,
  expireInSeconds: 300,
});

/** Purges removed photos and deletes unneeded objects: after a purge, and every ten minutes. */
export const clearObjectsJob = clockJob('objects.clear', '*/10 * * * *', {
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 600,
});
