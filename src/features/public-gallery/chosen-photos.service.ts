/** Photos that someone picked, from any galleries of an organization: favorites, and the link that shares them. */
import { mayEdit, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { MAX_CHOSEN } from '#src/features/public-gallery/chosen-photos.rules.ts';
import { withPublicAddress } from '#src/features/photos/picture-addresses.service.ts';
import { presentPhoto } from '#src/features/photos/photo-answers.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { listChosen } from '#src/features/photos/photos.sql.ts';
import { PUBLIC } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';

type ChosenPhotosDeps = Pick<Platform, 'database' | 'cdn'> & {
  galleries: Pick<GalleryService, 'isLocked'>;
};

/**
 * The given photos that visitors may see, in order. Hidden and removed ones, those of other organizations and those of
 * galleries whose password this caller has not given are silently left out. One query; at most `MAX_CHOSEN` are read.
 */
export async function chosen(
  ctx: ChosenPhotosDeps,
  caller: Caller,
  organizationId: number,
  photoIds: readonly number[],
): Promise<PhotoAnswer[]> {
  const ids = [...new Set(photoIds)].slice(0, MAX_CHOSEN);
  if (ids.length === 0) return [];
  const { visitorId } = caller;
  const rows = await ctx.database.read(PUBLIC, (db) => listChosen(db, { organizationId, ids, visitorId }));
  const places = new Map(ids.map((id, place) => [id, place]));
  return rows
    .filter((row) => mayEdit(caller.actor, row.gallery) || !ctx.galleries.isLocked(caller, row.gallery))
    .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    .map((row, index) =>
      withPublicAddress({ cdn: ctx.cdn, gallery: row.gallery, row }, presentPhoto(row.gallery, row, index)),
    );
}

export const createChosenPhotos = (deps: ChosenPhotosDeps) => bind(deps, { chosen });
