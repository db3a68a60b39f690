/**
 * Positions in large galleries: a few hundred photos make a block (table `photo_shelves`), blocks store how many they contain,
 * and later changes are stored as steps. A position is found by adding up blocks and steps and counting within one block.
 */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

const PHOTOS_PER_BLOCK = 300;

type PositionIndex = {
  /** Photos in all blocks. */
  total: number;
  largest: number;
  /** Not applied yet. */
  steps: number;
};

const COUNTED = (galleryId: number) => sql`
  step as (
    select block.first_key, sum(s.step)::integer as photos from photo_shelf_steps s
      cross join lateral (select first_key from photo_shelves where gallery_id = ${galleryId} and first_key <= s.order_key
                           order by first_key desc limit 1) block
     where s.gallery_id = ${galleryId} group by block.first_key
  ),
  counted as materialized (
    select block.first_key, block.photos + coalesce(step.photos, 0) as photos
      from photo_shelves block left join step on step.first_key = block.first_key where block.gallery_id = ${galleryId}
  )`;

type FoundByPosition = PositionIndex & { id: number | null };

/**
 * The photo at this distance from the first ordinary one, from 0 (null beyond the last), and whether the blocks are
 * consistent.
 */
export async function findByPosition(tx: Writer, galleryId: number, distance: number): Promise<FoundByPosition> {
  // Prepared: every gallery uses the same indexes, and planning took longer than the query.
  const { rows } = await sql<FoundByPosition>`${prepared}
    with ${COUNTED(galleryId)},
    summed as (select first_key, photos, sum(photos) over (order by first_key) as upto from counted),
    block as materialized (
      select first_key, ${distance}::integer - (upto - photos)::integer as rest from summed where upto > ${distance} order by first_key limit 1
    ),
    found as (
      select photo.id from block cross join lateral (
        select id from photos where gallery_id = ${galleryId} and not featured and removed_at is null and order_key >= block.first_key
         order by order_key, id offset block.rest limit 1) photo
    )
    select (select id from found) as id, coalesce(sum(photos), 0)::integer as total, coalesce(max(photos), 0)::integer as largest,
           (select count(*) from photo_shelf_steps where gallery_id = ${galleryId})::integer as steps
      from counted`.execute(tx);
  return rows[0] ?? { id: null, total: 0, largest: 0, steps: 0 };
}

/** Applies the steps to the blocks. Call under the lock of the gallery's order. */
export async function foldSteps(tx: Writer, galleryId: number): Promise<void> {
  await sql`
    with gone as (delete from photo_shelf_steps where gallery_id = ${galleryId} returning order_key, step),
    step as (
      select block.first_key, sum(gone.step)::integer as photos from gone
        cross join lateral (select first_key from photo_shelves where gallery_id = ${galleryId} and first_key <= gone.order_key
                             order by first_key desc limit 1) block
       group by block.first_key
    )
    update photo_shelves block set photos = block.photos + step.photos from step
     where block.gallery_id = ${galleryId} and block.first_key = step.first_key`.execute(tx);
}

/** Recounts all photos of the gallery. Call under the lock of the gallery's order. */
export async function buildPositionIndex(
  tx: Writer,
  { galleryId, organizationId }: { galleryId: number; organizationId: number },
): Promise<void> {
  await sql`delete from photo_shelves where gallery_id = ${galleryId}`.execute(tx);
  // One statement, so that its counts and the deleted steps are from the same snapshot.
  await sql`
    with gone as (delete from photo_shelf_steps where gallery_id = ${galleryId}),
    placed as (
      select order_key, (row_number() over (order by order_key, id) - 1) / ${PHOTOS_PER_BLOCK} as block
        from photos where gallery_id = ${galleryId} and not featured and removed_at is null
    )
    insert into photo_shelves (gallery_id, organization_id, first_key, photos)
    select ${galleryId}, ${organizationId}, case when block = 0 then '' else min(order_key) end, count(*) from placed group by block`.execute(
    tx,
  );
}
