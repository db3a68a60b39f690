/** Tables renditions and object_removals: the stored pictures of photos, unneeded objects, and permanent removal. */
import { sql } from 'kysely';
import type { RenditionMark } from '#src/platform/images/images.ts';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

export type RenditionRow = {
  size: RenditionSize;
  mark: RenditionMark;
  key: string;
  sha256: string;
  bytes: number;
  width: number;
  height: number;
};

/** First half of the lock's key between code that refers to objects and the code that deletes them. */
const OBJECTS = 7411;
/** How long someone who just got a key may still open the object. */
const OLD_OBJECT_MINUTES = 10;

/** Before referring to stored objects: nothing is deleted until the transaction ends; many transactions may hold it. */
export async function lockObjectsShared(tx: Writer): Promise<void> {
  await sql`${prepared}select pg_advisory_xact_lock_shared(${OBJECTS}, 0)`.execute(tx);
}

/** Before deleting objects: no one refers to any until the transaction ends. */
export async function lockObjects(tx: Writer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OBJECTS}, 0)`.execute(tx);
}

/**
 * After `keepObjects`: these objects are needed again. Returns those that were condemned meanwhile and must be stored again,
 * including those whose removal was withdrawn (`removeLater`) when the sweep was about to delete them.
 */
export async function cancelRemovals(tx: Writer, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string; condemned: boolean }>`${prepared}
    delete from object_removals where object_key = any(${[...keys]}::text[])
    returning object_key as key, condemned_at is not null or removed_at is not null as condemned`.execute(tx);
  return rows.filter(({ condemned }) => condemned).map(({ key }) => key);
}

/** Replaces the renditions of a photo, or only those of one set. Objects that it no longer has are due in ten minutes. */
export async function replaceRenditions(
  tx: Writer,
  photo: { id: number; pixelVersion: number },
  renditions: readonly RenditionRow[],
  mark: RenditionMark | null = null,
): Promise<void> {
  const facts = JSON.stringify(renditions);
  const [{ rows }] = await Promise.all([
    sql<{ key: string }>`${prepared}
      delete from renditions where photo_id = ${photo.id} and (${mark}::text is null or mark = ${mark})
      returning object_key as key`.execute(tx),
    sql`${prepared}
      insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
      select ${photo.id}, size, mark, 'jpeg', ${photo.pixelVersion}, key, sha256, bytes, width, height
        from json_to_recordset(${facts}::json) as rendition (size smallint, mark text, key text, sha256 text, bytes integer,
             width integer, height integer)`.execute(tx),
  ]);
  const kept = new Set(renditions.map(({ key }) => key));
  const old = [...new Set(rows.map(({ key }) => key))].filter((key) => !kept.has(key));
  await removeLater(tx, old, OLD_OBJECT_MINUTES);
}

/** These objects may be deleted after this many minutes, unless a photo refers to them then. */
export async function removeLater(tx: Writer, keys: readonly string[], minutes: number): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    insert into object_removals as there (object_key, due_at)
    select key, now() + make_interval(mins => ${minutes}::int) from unnest(${[...keys]}::text[]) as given (key) order by key
    on conflict (object_key)
    do update set due_at = least(there.due_at, excluded.due_at), condemned_at = null, removed_at = null`.execute(tx);
}

/**
 * Under `lockObjects`: condemns due objects that no photo refers to, and forgets the others. The file of a removed photo counts
 * as referred to while an order has it (rule 26). Returns how many were checked.
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

/** Objects that are condemned and may still exist. */
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

/** Deletes records that are no longer needed. */
export async function forgetOldRemovals(tx: Writer): Promise<void> {
  await sql`delete from object_removals where removed_at < now() - interval '1 day'`.execute(tx);
}

type PurgedPhoto = { id: number; galleryId: number; originalKey: string | null };

/**
 * Removes photos if they are not yet removed, with everything derived from their pixels (blur, hash, camera, words). Returns
 * only those that were not purged before.
 */
export async function markPurged(tx: Writer, photos: { ids: readonly number[]; galleryId: number | null }) {
  const { rows } = await sql<PurgedPhoto>`
    update photos set purged_at = now(), removed_at = coalesce(removed_at, now()), featured = false, show_in_gallery = false,
           thumbhash = case when thumbhash is null then null else ''::bytea end, dhash = null, sharpness = null, exif = '{}', iptc = '{}'
     where id = any(${[...photos.ids]}::bigint[]) and (${photos.galleryId}::bigint is null or gallery_id = ${photos.galleryId}) and purged_at is null
    returning id, gallery_id as "galleryId", original_key as "originalKey"`.execute(tx);
  return rows;
}

/** Photos that were removed this long ago and that no order has: no one can get them now. */
export async function listToPurge(
  db: Reader,
  { minutes, limit }: { minutes: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from photos p
     where p.removed_at < now() - make_interval(mins => ${minutes}) and p.purged_at is null and p.status <> 'processing'
       and not exists (select from order_photos o where o.photo_id = p.id)
     order by p.removed_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The objects of photos that are about to be purged; deletes their rendition rows. */
export async function takeRenditions(tx: Writer, photoIds: readonly number[]): Promise<string[]> {
  const rows = await tx.deleteFrom('renditions').where('photo_id', 'in', photoIds).returning('object_key').execute();
  return [...new Set(rows.map((row) => row.object_key))];
}

export async function deleteKeywordsOf(tx: Writer, photoIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('photo_keywords').where('photo_id', 'in', photoIds).execute();
}
