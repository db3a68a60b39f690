/** The pictures of photos: who may see which pixels, rotating, watermarks, and permanent removal. */
import * as marks from '#src/features/pictures/marks.service.ts';
import { createPictures, type PictureDeps } from '#src/features/pictures/picture-bytes.service.ts';
import { clearObjects, purge, purgeRemoved, type PurgingDeps } from '#src/features/pictures/purging.service.ts';
import { giveUpTurn, rotate, turn, type TurningDeps } from '#src/features/pictures/turning.service.ts';
import { bind } from '#src/shared/bind.ts';

type PictureServiceDeps = PictureDeps & TurningDeps & marks.MarkDeps & PurgingDeps;
export type PictureService = ReturnType<typeof createPictureService>;

export function createPictureService(deps: PictureServiceDeps) {
  return {
    ...createPictures(deps),
    ...bind(deps, { ...marks, rotate, turn, giveUpTurn, purge, purgeRemoved, clearObjects }),
  };
}
