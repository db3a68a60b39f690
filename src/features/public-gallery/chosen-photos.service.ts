/** Photos that someone picked, from any galleries of an organization: favorites, and the link that shares them. */
import { mayEdit, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { MAX_CHOSEN } from '#src/features/public-gallery/chosen-photos.rules.ts';
import { withPublicAddress } from '#src/features/photos/picture-addresses.service.ts';
import { presentPhoto } from '#src/features/photos/photo-answers.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { listNewPlaces } from '#src/features/photos/photo-moves.sql.ts';
import { listChosen } from '#src/features/photos/photos.sql.ts';
import { PUBLIC, tenantOf } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';

type ChosenPhotosDeps = Pick<Platform, 'database' | 'cdn'> & {
  galleries: Pick<GalleryService, 'isLocked'>;
};

/** `moved`: the old and new ids of those that were found in another gallery. */
type ChosenPhotos = { photos: PhotoAnswer[]; moved: { from: number; to: number }[] };

/**
 * The given photos that visitors may see, in order. Hidden and removed ones, those of other organizations and those of
 * galleries whose password this caller has not given are silently left out. One query, and two more if some are missing: those
 * that moved to another gallery are shown from there, except a private one (decision record 0178). At most `MAX_CHOSEN` are read.
 */
export async function chosen(
  ctx: ChosenPhotosDeps,
  caller: Caller,
  organizationId: number,
  photoIds: readonly number[],
): Promise<ChosenPhotos> {
  const ids = [...new Set(photoIds)].slice(0, MAX_CHOSEN);
  if (ids.length === 0) return { photos: [], moved: [] };
  const there = await listOpen(ctx, caller, organizationId, ids);
  const found = new Set(there.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  const moved = missing.length === 0 ? [] : await listMoved(ctx, caller, organizationId, missing);
  const rows = [...there, ...moved.filter(({ row }) => !found.has(row.id)).map(({ row }) => row)];
  const places = new Map(ids.map((id, place) => [id, place]));
  for (const { oldId, row } of moved) places.set(row.id, places.get(row.id) ?? places.get(oldId) ?? 0);
  const photos = rows
    .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    .map((row, index) =>
      withPublicAddress({ cdn: ctx.cdn, gallery: row.gallery, row }, presentPhoto(row.gallery, row, index)),
    );
  return { photos, moved: moved.map(({ oldId, row }) => ({ from: oldId, to: row.id })) };
}

async function listOpen(ctx: ChosenPhotosDeps, caller: Caller, organizationId: number, ids: readonly number[]) {
  const { visitorId } = caller;
  const rows = await ctx.database.read(PUBLIC, (db) => listChosen(db, { organizationId, ids, visitorId }));
  return rows.filter(({ gallery }) => mayEdit(caller.actor, gallery) || !ctx.galleries.isLocked(caller, gallery));
}

async function listMoved(ctx: ChosenPhotosDeps, caller: Caller, organizationId: number, ids: readonly number[]) {
  const places = await ctx.database.read(tenantOf({ organizationId }), (db) => listNewPlaces(db, organizationId, ids));
  if (places.length === 0) return [];
  const oldIds = new Map(places.map(({ old, now }) => [now.photoId, old.photoId]));
  const rows = await listOpen(ctx, caller, organizationId, [...oldIds.keys()]);
  const open = rows.filter(({ gallery }) => !gallery.isPrivate || mayEdit(caller.actor, gallery));
  return open.map((row) => ({ row, oldId: oldIds.get(row.id) ?? 0 }));
}

export const createChosenPhotos = (deps: ChosenPhotosDeps) => bind(deps, { chosen });
