/**
 * Finds the photo at a position of the members' order, from 0. In small galleries by a walk from the nearer end; in large ones
 * by blocks of photos that are counted, which are created when someone first moves a photo by position, updated now and
 * then, and recounted when they do not add up: removing photos waits for no one, and may have happened while they were built.
 */
import * as orderingSql from '#src/features/photos/ordering.sql.ts';
import * as positionIndexSql from '#src/features/photos/position-index.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';

/** A shorter walk costs less than adding up blocks. */
const WALK_AT_MOST = 1_000;
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
  const steps = place - (featuredId === null ? 0 : 1);
  const fromEnd = total - 1 - place;
  if (steps < 0) return featuredId;
  if (fromEnd < 0) return null;
  if (steps <= WALK_AT_MOST) return orderingSql.findAt(tx, galleryId, { steps, forward: true });
  if (fromEnd <= WALK_AT_MOST) return orderingSql.findAt(tx, galleryId, { steps: fromEnd, forward: false });
  const found = await positionIndexSql.findByPosition(tx, galleryId, steps);
  const isRight = found.total === total - (featuredId === null ? 0 : 1);
  if (isRight && found.largest <= MAX_PHOTOS_PER_BLOCK) {
    if (found.steps > MOST_STEPS) await positionIndexSql.foldSteps(tx, galleryId);
    return found.id;
  }
  await positionIndexSql.buildPositionIndex(tx, gallery);
  return (await positionIndexSql.findByPosition(tx, galleryId, steps)).id;
}
