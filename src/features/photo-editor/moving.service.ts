/** Members move photos to another gallery of the same organization: someone chose the wrong one (decision record 0178). */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { GALLERY_IS_DELETED } from '#src/features/galleries/galleries.contract.ts';
import { photosLeft } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import * as galleriesSql from '#src/features/galleries/galleries.sql.ts';
import * as words from '#src/features/photo-editor/photo-editor.contract.ts';
import { keyInBatch, prefixBefore } from '#src/features/photos/photo-order.rules.ts';
import * as photoMovesSql from '#src/features/photos/photo-moves.sql.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { findFirstKey, lockOrder, lockPhotos } from '#src/features/photos/photo-writes.sql.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { fieldProblem, notFound, problem } from '#src/shared/problem.ts';

export type PhotoMovingDeps = Pick<Platform, 'database' | 'cdn'> & {
  galleries: Pick<GalleryService, 'editable' | 'lockForPhotos'>;
  /** Who is on photos: the tagging module's. */
  tags: {
    /** Before photos are locked: their tags and consents stay as they are until the transaction ends. */
    lockTagsOf(
      tx: Writer,
      of: { galleryId: number; organizationId: number },
      photoIds: readonly number[],
    ): Promise<void>;
    copyTags(tx: Writer, galleryId: number, photos: photoMovesSql.Moved): Promise<void>;
  };
};

/** Other active galleries of the same organization by a part of their name, newest first. @throws as `moveTo` */
export async function otherGalleries(ctx: PhotoMovingDeps, caller: Caller, galleryId: number, search = '') {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const filter = { organizationId: gallery.organizationId, audience: 'members', search: search.trim() } as const;
  const page = { after: null, skip: 0, limit: words.GALLERIES_OFFERED + 1 };
  const rows = await ctx.database.read(tenantOf(gallery), (db) => galleriesSql.listGalleries(db, filter, page));
  const others = rows.filter(({ id }) => id !== galleryId).slice(0, words.GALLERIES_OFFERED);
  return others.map(({ id, name, photoCount }) => ({ id, name, photo_count: photoCount }));
}

/**
 * Moves photos to the start of another gallery, by the time they were taken. Photos that are not in the gallery are skipped.
 * @returns the new id of each moved photo, also of one that was moved there before, and those that stay (`MovingPhoto`)
 * @throws unauthenticated; not_found, also for a gallery of another organization; forbidden in deleted galleries, and beyond
 * the limit of a free one; invalid for the same gallery
 */
export async function moveTo(
  ctx: PhotoMovingDeps,
  caller: Caller,
  galleryId: number,
  { ids, gallery_id: targetId }: words.MoveBody,
): Promise<words.MoveAnswer> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  if (targetId === galleryId) throw fieldProblem({ gallery_id: [words.SAME_GALLERY] });
  const { organizationId } = await ctx.galleries.editable(caller, targetId);
  if (organizationId !== gallery.organizationId) throw notFound();
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    await ctx.tags.lockTagsOf(tx, { galleryId, organizationId }, ids);
    // Of two moves in opposite directions one waits.
    for (const id of [galleryId, targetId].toSorted((a, b) => a - b)) await lockOrder(tx, id);
    const before = await photoMovesSql.listMoved(tx, { ids, galleryId, targetId });
    const found = await photoMovesSql.listMoving(tx, await lockPhotos(tx, galleryId, ids));
    const photos = found.filter(({ stays }) => !stays);
    if (photos.length > 0) await put(ctx, tx, { galleryId, targetId, organizationId }, photos);
    return {
      moved: [...before, ...photos].map(({ id, newId }) => ({ id, new_id: newId })),
      stayed: found.filter(({ stays }) => stays).map(({ id }) => id),
    };
  });
}

async function put(
  ctx: PhotoMovingDeps,
  tx: Writer,
  { galleryId, targetId, organizationId }: { galleryId: number; targetId: number; organizationId: number },
  photos: readonly photoMovesSql.MovingPhoto[],
): Promise<void> {
  if (!(await photoMovesSql.lockBoth(tx, galleryId, targetId))) throw problem('forbidden', GALLERY_IS_DELETED);
  if (photosLeft(await ctx.galleries.lockForPhotos(tx, targetId)) < photos.length)
    throw problem('forbidden', UPGRADE_FOR_MORE_PHOTOS);
  const prefix = prefixBefore(await findFirstKey(tx, targetId));
  const moved = { from: photos.map(({ id }) => id), to: photos.map(({ newId }) => newId) };
  const keys = photos.map(({ takenAt, name, newId }) => keyInBatch(prefix, { takenAt, name, photoId: newId }));
  await photoMovesSql.insertMoved(tx, { galleryId: targetId, organizationId }, { ...moved, keys });
  await ctx.tags.copyTags(tx, targetId, moved);
  const withheld = photos.filter(({ isWithheld }) => isWithheld).map(({ id }) => id);
  await photoMovesSql.endMove(tx, moved, withheld);
  await ctx.cdn.requestPurgeOf(tx, galleryId, moved.from);
}
