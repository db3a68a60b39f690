/** The pictures of photos: who may see which pixels, rotating, watermarks, and permanent removal. */
import { createMarks, type MarkDeps } from '#src/features/pictures/marks.service.ts';
import { createMeasuring, type MeasuringDeps } from '#src/features/pictures/measuring.service.ts';
import { createPictures, type PictureDeps } from '#src/features/pictures/picture-bytes.service.ts';
import { createPurging, type PurgingDeps } from '#src/features/pictures/purging.service.ts';
import { createTurning, type TurningDeps } from '#src/features/pictures/turning.service.ts';

type PictureServiceDeps = PictureDeps & TurningDeps & MarkDeps & MeasuringDeps & PurgingDeps;
export type PictureService = ReturnType<typeof createPictureService>;

export function createPictureService(deps: PictureServiceDeps) {
  return {
    ...createPictures(deps),
    ...createTurning(deps),
    ...createMarks(deps),
    ...createMeasuring(deps),
    ...createPurging(deps),
  };
}
