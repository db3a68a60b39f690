/** The worker's jobs about pixels that are there already: turning, marking anew, measuring, clearing away. */
import * as z from 'zod/mini';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import type { PictureLab, PictureTouches } from '#src/platform/images/images.ts';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

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

/** Marks an organisation's photos anew, a minute at a time. */
export const remarkPhotosJob: JobDefinition<z.infer<typeof remarkPayload>> = {
  name: 'photos.remark',
  parse: (payload) => remarkPayload.parse(payload),
  retryLimit: 8,
  retryDelaySeconds: 5,
  expireInSeconds: 300,
};

/** Purges removed photos and removes objects that nobody needs: after a purge, and every ten minutes. */
export const clearObjectsJob: JobDefinition<null> = {
  name: 'objects.clear',
  parse: () => null,
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 600,
  schedule: '*/10 * * * *',
};

/** Measures photos that came in before photos were measured, some every five minutes. */
export const measurePhotosJob: JobDefinition<null> = {
  name: 'photos.measure',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
  schedule: '*/5 * * * *',
};

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
