/** Tables renditions and object_removals: which stored pictures a photo has, and which objects it no longer needs. */
import { sql } from 'kysely';
import type { RenditionFormat, RenditionMark, RenditionSize } from '#src/platform/images/images.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type RenditionRow = {
  size: RenditionSize;
  mark: RenditionMark;
  format: RenditionFormat;
  key: string;
  sha256: string;
  bytes: number;
  width: number;
  height: number;
};

/** First half of the key of the lock between those who name objects and the one who removes them. */
const OBJECTS = 7411;
/** The person who was just given a key may still open the object for this long. */
const OLD_OBJECT_MINUTES = 10;

/** Before naming stored objects: nothing is removed until the transaction ends; many may at once. */
export async function keepObjects(tx: Writer): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${OBJECTS}, 0)`.execute(tx);
}

/** Before removing objects: no one names any until the transaction ends. */
export async function lockObjects(tx: Writer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OBJECTS}, 0)`.execute(tx);
}

/**
 * After `keepObjects`: these objects are needed again. Returns those that were condemned meanwhile and must be stored again; so
 * must one whose sentence was taken back (`removeLater`) when the sweep was about to remove it.
 */
export async function takeBack(tx: Writer, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string; condemned: boolean }>`
    delete from object_removals where object_key = any(${[...keys]}::text[])
    returning object_key as key, condemned_at is not null or removed_at is not null as condemned`.execute(tx);
  return rows.filter(({ condemned }) => condemned).map(({ key }) => key);
}

/**
 * The renditions of a photo, or only those of one mark, from now on. Objects that it had before and has no more are due in
 * ten minutes.
 */
export async function replaceRenditions(
  tx: Writer,
  photo: { id: number; pixelVersion: number },
  renditions: readonly RenditionRow[],
  mark: RenditionMark | null = null,
): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    delete from renditions where photo_id = ${photo.id} and (${mark}::text is null or mark = ${mark})
    returning object_key as key`.execute(tx);
  await tx
    .insertInto('renditions')
    .values(
      renditions.map((rendition) => ({
        photo_id: photo.id,
        size: rendition.size,
        mark: rendition.mark,
        format: rendition.format,
        pixel_version: photo.pixelVersion,
        object_key: rendition.key,
        sha256: rendition.sha256,
        bytes: rendition.bytes,
        width: rendition.width,
        height: rendition.height,
      })),
    )
    .execute();
  const kept = new Set(renditions.map(({ key }) => key));
  const old = [...new Set(rows.map(({ key }) => key))].filter((key) => !kept.has(key));
  await removeLater(tx, old, OLD_OBJECT_MINUTES);
}

/** These objects may go in so many minutes, unless a photo refers to them then. */
export async function removeLater(tx: Writer, keys: readonly string[], minutes: number): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    insert into object_removals as there (object_key, due_at)
    select key, now() + make_interval(mins => ${minutes}::int) from unnest(${[...keys]}::text[]) as given (key) order by key
    on conflict (object_key) do update set due_at = least(there.due_at, excluded.due_at), condemned_at = null, removed_at = null`.execute(
    tx,
  );
}

/**
 * Under `lockObjects`: of the objects that are due, those that no photo refers to are condemned, the others forgotten. The file of
 * a removed photo counts as referred to while an order has it (rule 26). Returns how many were looked at.
 */
export async function condemnDue(tx: Writer, limit: number): Promise<number> {
  const { rows } = await sql<{ seen: number }>`
    with due as materialized (
      select object_key as key from object_removals
       where removed_at is null and condemned_at is null and due_at <= now() order by due_at limit ${limit}
    ), needed as materialized (
      select key from due where exists (select from renditions r where r.object_key = due.key)
         or exists (select from photos p where p.original_key = due.key
                     and (p.purged_at is null or exists (select from order_photos o where o.photo_id = p.id)))
    ), spared as (
      delete from object_removals where object_key in (select key from needed)
    ), condemned as (
      update object_removals set condemned_at = now()
       where object_key in (select key from due) and object_key not in (select key from needed)
    )
    select count(*) as seen from due`.execute(tx);
  return rows[0]?.seen ?? 0;
}

/** Objects that are condemned and perhaps still there. */
export async function listCondemned(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('object_removals')
    .select('object_key')
    .where('removed_at', 'is', null)
    .where('condemned_at', 'is not', null)
    .orderBy('object_key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.object_key);
}

export async function markRemoved(tx: Writer, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable('object_removals')
    .set({ removed_at: sql<Date>`now()` })
    .where('object_key', 'in', keys)
    .execute();
}

/** Signs that no one needs any more. */
export async function forgetOldRemovals(tx: Writer): Promise<void> {
  await sql`delete from object_removals where removed_at < now() - interval '1 day'`.execute(tx);
}
