/** The worker's jobs about pixels that are there already: turning, marking anew, measuring, clearing away. */
import * as z from 'zod/mini';
import { clockJob, type JobDefinition } from '#src/platform/jobs/jobs.ts';

const turnPayload = z.strictObject({ photoId: z.int() });
const remarkPayload = z.strictObject({ organizationId: z.int() });

/** Makes a photo's renditions show the turns that were asked for. */
export const turnPhotoJob: JobDefinition<z.infer<typeof turnPayload>> = {
  name: 'photo.turn',
  parse: (payload) => turnPayload.parse(payload),
  retryLimit: 3,
  retryDelaySeconds: 2,
  expireInSeconds: 180,
};

/** Marks an organization's photos anew, a minute at a time. */
export const remarkPhotosJob: JobDefinition<z.infer<typeof remarkPayload>> = {
  name: 'photos.remark',
  parse: (payload) => remarkPayload.parse(payload),
  retryLimit: 8,
  retryDelaySeconds: 5,
  expireInSeconds: 300,
};

/** Purges removed photos and removes objects that no one needs: after a purge, and every ten minutes. */
export const clearObjectsJob: JobDefinition<null> = {
  name: 'objects.clear',
  parse: () => null,
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 600,
  schedule: '*/10 * * * *',
};

/** Measures photos that came in before photos were measured, some every five minutes. */
export const measurePhotosJob = clockJob('photos.measure', '*/5 * * * *', { expireInSeconds: 300 });
