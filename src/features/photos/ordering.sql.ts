/**
 * Positions of photos, without the featured one, which is first whatever its key is. Every statement starts with the columns of
 * its index: (gallery, key, id).
 */
import { CompiledQuery, sql } from 'kysely';
import { PLACE, type Keyed } from '#src/features/photos/photo-order.rules.ts';
import type { Writer } from '#src/platform/db/db.ts';

const ORDINARY = 'gallery_id = $1 and not featured and removed_at is null';

/** Id and key of the featured photo, and the gallery's count of photos (without failed ones, rule 46). */
export async function findOrderFacts(tx: Writer, galleryId: number) {
  const { rows } = await sql<{ photoCount: number; featuredId: number | null; featuredKey: string | null }>`
    select g.photo_count as "photoCount", p.id as "featuredId", p.order_key as "featuredKey" from galleries g
      left join photos p on p.gallery_id = g.id and p.featured and p.removed_at is null
     where g.id = ${galleryId}`.execute(tx);
  return rows[0] ?? { photoCount: 0, featuredId: null, featuredKey: null };
}

/** A photo in the order. */
type Placed = Keyed & { featured: boolean };

/** These photos of the gallery; deleted ones are missing. */
export async function findPlaced(tx: Writer, galleryId: number, ids: readonly number[]): Promise<Map<number, Placed>> {
  const { rows } = await sql<Placed>`select id, order_key as key, featured from photos
    where id = any(${[...ids]}::bigint[]) and gallery_id = ${galleryId} and removed_at is null`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The photo at this distance from the first (`forward`) or the last one, from 0, counted along the index. */
export async function findAt(
  tx: Writer,
  galleryId: number,
  { distance, forward }: { distance: number; forward: boolean },
) {
  const way = forward ? 'order by order_key, id' : 'order by order_key desc, id desc';
  const text = `select id from photos where ${ORDINARY} ${way} offset $2 limit 1`;
  const { rows } = await tx.executeQuery<{ id: number }>(CompiledQuery.raw(text, [galleryId, distance]));
  return rows[0]?.id ?? null;
}

/** Photos next to a position, nearest first, without the one that moves. Null as position: the start of the gallery. */
export async function listNeighbors(
  tx: Writer,
  galleryId: number,
  { place, moved, side, most }: { place: Keyed | null; moved: number; side: 'before' | 'after'; most: number },
): Promise<Keyed[]> {
  if (place === null && side === 'before') return [];
  // The photo at the position is itself the first of those before.
  const beyond = place === null ? '' : `and (order_key, id) ${side === 'before' ? '<=' : '>'} ($4, $5::bigint)`;
  const way = side === 'before' ? 'order by order_key desc, id desc' : 'order by order_key, id';
  const text = `select id, order_key as key from photos where ${ORDINARY} and id <> $2 ${beyond} ${way} limit $3`;
  const parameters = [galleryId, moved, most, ...(place === null ? [] : [place.key, place.id])];
  const { rows } = await tx.executeQuery<Keyed>(CompiledQuery.raw(text, parameters));
  return rows;
}

/** Moved by hand: its batch no longer decides its position. */
export async function setKey(tx: Writer, photo: Keyed): Promise<void> {
  await sql`update photos set order_key = ${photo.key}, batch_prefix = null where id = ${photo.id}`.execute(tx);
}

/** New keys for a run; rows are locked by id, in a separate statement as in `addPhotoSales`. */
export async function setKeys(tx: Writer, photos: readonly Keyed[]): Promise<void> {
  const ids = photos.map(({ id }) => id);
  const keys = photos.map(({ key }) => key);
  await Promise.all([
    sql`select from photos where id = any (${ids}::bigint[]) order by id for no key update`.execute(tx),
    sql`update photos p set order_key = given.key from unnest(${ids}::bigint[], ${keys}::text[]) as given (id, key)
         where p.id = given.id`.execute(tx),
  ]);
}

/** Ids of the gallery's first photos as members see them, in order. */
export async function listFirstIds(tx: Writer, galleryId: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from photos p where p.gallery_id = ${galleryId} and p.removed_at is null
     order by ${sql.raw(PLACE)} limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}
