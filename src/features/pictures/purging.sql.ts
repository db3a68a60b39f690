/** Removing photos for good. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type PurgedPhoto = { id: number; galleryId: number; originalKey: string | null };

/**
 * Removes photos if they are not yet, and what tells about their pixels with them (blur, hash, camera, words). Only those that
 * were not purged before are answered.
 */
export async function markPurged(
  tx: Writer,
  photos: { ids: readonly number[]; galleryId: number | null },
): Promise<PurgedPhoto[]> {
  const { rows } = await sql<PurgedPhoto>`
    update photos set purged_at = now(), removed_at = coalesce(removed_at, now()), featured = false, show_in_gallery = false,
           thumbhash = case when thumbhash is null then null else ''::bytea end, dhash = null, sharpness = null, exif = '{}', iptc = '{}'
     where id = any(${[...photos.ids]}::bigint[]) and (${photos.galleryId}::bigint is null or gallery_id = ${photos.galleryId}) and purged_at is null
    returning id, gallery_id as "galleryId", original_key as "originalKey"`.execute(tx);
  return rows;
}

/** Photos that were removed an hour ago and that no order has: no one can get them any more. */
export async function listToPurge(db: Reader, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from photos p
     where p.removed_at < now() - interval '1 hour' and p.purged_at is null and p.status <> 'processing'
       and not exists (select from order_photos o where o.photo_id = p.id)
     order by p.removed_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The objects of photos that are about to be purged; rows of renditions go with them. */
export async function takeRenditions(tx: Writer, photoIds: readonly number[]): Promise<string[]> {
  const rows = await tx.deleteFrom('renditions').where('photo_id', 'in', photoIds).returning('object_key').execute();
  return [...new Set(rows.map((row) => row.object_key))];
}

export async function deleteKeywordsOf(tx: Writer, photoIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('photo_keywords').where('photo_id', 'in', photoIds).execute();
}
