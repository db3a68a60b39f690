/**
 * Finds the photo at a position of the members' order, from 0. Near the start or the end it is counted along the index;
 * elsewhere with blocks whose photos are counted. Blocks are created when someone first needs them, updated now and then, and
 * recounted when they do not add up, because photos may have been removed while they were built.
 */
import * as orderingSql from '#src/features/photos/ordering.sql.ts';
import * as positionIndexSql from '#src/features/photos/position-index.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';

/** Counting this many along the index costs less than adding up blocks. */
const COUNTED_AT_MOST = 1_000;
const MOST_STEPS = 60;
const MAX_PHOTOS_PER_BLOCK = 2_000;

type OrderedGallery = {
  galleryId: number;
  organizationId: number;
  /** Photos of the members' list, including the featured one. */
  total: number;
  featuredId: number | null;
};

/** Under the lock of the gallery's order. Null without a photo at the position. */
export async function findByPlace(tx: Writer, gallery: OrderedGallery, place: number): Promise<number | null> {
  const { galleryId, total, featuredId } = gallery;
  const distance = place - (featuredId === null ? 0 : 1);
  const fromEnd = total - 1 - place;
  if (distance < 0) return featuredId;
  if (fromEnd < 0) return null;
  if (distance <= COUNTED_AT_MOST) return orderingSql.findAt(tx, galleryId, { distance, forward: true });
  if (fromEnd <= COUNTED_AT_MOST) return orderingSql.findAt(tx, galleryId, { distance: fromEnd, forward: false });
  const found = await positionIndexSql.findByPosition(tx, galleryId, distance);
  const isRight = found.total === total - (featuredId === null ? 0 : 1);
  if (isRight && found.inBlock <= MAX_PHOTOS_PER_BLOCK) {
    if (found.steps > MOST_STEPS) await positionIndexSql.foldSteps(tx, galleryId);
    return found.id;
  }
  await positionIndexSql.buildPositionIndex(tx, gallery);
  return (await positionIndexSql.findByPosition(tx, galleryId, distance)).id;
}
