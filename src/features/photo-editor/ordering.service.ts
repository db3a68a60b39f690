/**
 * Editors move photos. Positions are counted as members see them, from 0; a photo given by its id is moved even if others
 * have changed positions meanwhile. Moves in a gallery wait for each other. Most of them write one row. The first photo stays
 * first (rule 28).
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { gapOf, keyBetween, respread, RUN_AT_MOST, placeBefore } from '#src/features/photos/photo-order.rules.ts';
import * as orderingSql from '#src/features/photos/ordering.sql.ts';
import {
  FIRST_PHOTO_STAYS,
  NO_SUCH_PLACE,
  ORDER_ANSWERED,
  PHOTO_IS_GONE,
} from '#src/features/photo-editor/photo-editor.contract.ts';
import { findByPlace } from '#src/features/photos/places.service.ts';
import { lockOrder } from '#src/features/photos/photo-writes.sql.ts';
import { countFailed } from '#src/features/photos/photos.sql.ts';
import { tenantScope, type Database, type Writer } from '#src/platform/db/db.ts';
import { problem, fieldProblem, refuseFields } from '#src/shared/problem.ts';

/** From one position to another, or a photo behind another one. */
export type Move = { from: number; to: number } | { photoId: number; afterId: number };

type GalleryIds = { galleryId: number; organizationId: number };

export type PhotoOrderingDeps = { database: Database; galleries: Pick<GalleryService, 'editable'> };

type Facts = Awaited<ReturnType<typeof orderingSql.findOrderFacts>>;

/** Which photo goes behind which. Null if it is already there. @throws invalid */
async function resolve(tx: Writer, ids: GalleryIds, facts: Facts, move: Move) {
  if ('photoId' in move) return move.photoId === move.afterId ? null : move;
  const { from, to } = move;
  if (from === 0) throw refused('from', FIRST_PHOTO_STAYS);
  if (to === 0) throw refused('to', FIRST_PHOTO_STAYS);
  const total = facts.photoCount + (await countFailed(tx, ids.galleryId));
  refuseFields({
    ...(from >= total && { from: [NO_SUCH_PLACE] }),
    ...(to >= total && { to: [NO_SUCH_PLACE] }),
  });
  if (from === to) return null;
  const gallery = { ...ids, total, featuredId: facts.featuredId };
  const photoId = await findByPlace(tx, gallery, from);
  const afterId = await findByPlace(tx, gallery, placeBefore(from, to));
  if (photoId === null || afterId === null) throw refused('from', NO_SUCH_PLACE);
  return { photoId, afterId };
}

/** Writes one row, or the run of long keys around the position. */
async function put(tx: Writer, galleryId: number, facts: Facts, photoId: number, afterId: number): Promise<void> {
  const placed = await orderingSql.findPlaced(tx, galleryId, [photoId, afterId]);
  const [photo, anchor] = [placed.get(photoId), placed.get(afterId)];
  if (!photo || !anchor) throw problem('conflict', PHOTO_IS_GONE);
  const [first] = await orderingSql.listFirstIds(tx, galleryId, 1);
  if (first === photoId) throw refused('from', FIRST_PHOTO_STAYS);
  const beside = { place: anchor.featured ? null : anchor, moved: photoId };
  const [next] = await orderingSql.listNeighbors(tx, galleryId, { ...beside, side: 'after', most: 1 });
  const gap = gapOf(beside.place?.key ?? null, next?.key ?? null, facts.featuredKey);
  const key = keyBetween(gap.left, gap.right);
  if (key !== null) return orderingSql.setKey(tx, { id: photoId, key });
  const before = await orderingSql.listNeighbors(tx, galleryId, { ...beside, side: 'before', most: RUN_AT_MOST });
  const after = await orderingSql.listNeighbors(tx, galleryId, { ...beside, side: 'after', most: RUN_AT_MOST });
  await orderingSql.setKeys(tx, respread(photoId, before, after, facts.featuredKey));
}

/**
 * Moves one photo. Returns the gallery's first 100 photos afterwards.
 * @throws unauthenticated; not_found; forbidden in a deleted gallery; invalid "The first photo stays first." and for positions
 * that do not exist; conflict for a photo that was removed meanwhile
 */
export async function move(ctx: PhotoOrderingDeps, caller: Caller, galleryId: number, move: Move): Promise<number[]> {
  const { organizationId } = await ctx.galleries.editable(caller, galleryId);
  return ctx.database.write(tenantScope(organizationId), async (tx) => {
    await lockOrder(tx, galleryId);
    const facts = await orderingSql.findOrderFacts(tx, galleryId);
    const resolved = await resolve(tx, { galleryId, organizationId }, facts, move);
    if (resolved) await put(tx, galleryId, facts, resolved.photoId, resolved.afterId);
    return orderingSql.listFirstIds(tx, galleryId, ORDER_ANSWERED);
  });
}

function refused(field: 'from' | 'to', message: string) {
  return fieldProblem({ [field]: [message] });
}
