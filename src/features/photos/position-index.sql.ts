/**
 * Positions in large galleries: a few hundred photos make a block (table `photo_shelves`), blocks store how many they contain,
 * and later changes are stored as steps. A position is found by adding up blocks and steps and counting within one block.
 */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

const PHOTOS_PER_BLOCK = 300;

type FoundByPosition = {
  id: number | null;
  /** Photos in all blocks. */
  total: number;
  /** Photos in the block with the position; 0 beyond the last. */
  inBlock: number;
  /** Not applied yet. */
  steps: number;
};

/**
 * The photo at this distance from the first ordinary one, from 0 (null beyond the last), and whether the blocks are
 * consistent. Blocks and steps are added up together in the order of their keys: a step counts for the block before it.
 */
export async function findByPosition(tx: Writer, galleryId: number, distance: number): Promise<FoundByPosition> {
  // Prepared: every gallery uses the same indexes, and planning took longer than the query.
  const { rows } = await sql<FoundByPosition>`${prepared}
    with entry as (
      select first_key as key, photos, true as is_block from photo_shelves where gallery_id = ${galleryId}
      union all
      select order_key, step, false from photo_shelf_steps where gallery_id = ${galleryId}
    ),
    summed as materialized (
      select key, is_block, photos, sum(photos) over (order by key, is_block desc rows unbounded preceding) - photos as before from entry
    ),
    counted as (
      select coalesce(sum(photos), 0)::integer as total, count(*) filter (where not is_block)::integer as steps from summed
    ),
    block as (
      select key as first_key, before, total, steps from summed, counted
       where is_block and before <= ${distance}::integer and total > ${distance}::integer order by key desc limit 1
    ),
    found as (
      select photo.id, coalesce((select min(before) from summed where is_block and key > first_key), total) - before as photos
        from block left join lateral (
          select id from photos where gallery_id = ${galleryId} and not featured and removed_at is null and order_key >= first_key
           order by order_key, id offset ${distance}::integer - before limit 1) photo on true
    )
    select found.id, total, coalesce(found.photos, 0)::integer as "inBlock", steps
      from counted left join found on true`.execute(tx);
  return rows[0] ?? { id: null, total: 0, inBlock: 0, steps: 0 };
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
    select ${galleryId}, ${organizationId}, case when block = 0 then '' else min(order_key) end, count(*)
      from placed group by block`.execute(tx);
}
