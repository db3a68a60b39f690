/** Writes of photos that someone asked to hide. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type PhotoRef = { galleryId: number; photoId: number };
export type AskedPhoto = { name: string; isShown: boolean; isWithheld: boolean; salesCount: number };

/** The photo, unless it was removed; it cannot change until the transaction ends. */
export async function lockAskedPhoto(tx: Writer, photo: PhotoRef): Promise<AskedPhoto | null> {
  const row = await tx
    .selectFrom('photos')
    .select(['name', 'show_in_gallery', 'status', 'withheld_at', 'sales_count'])
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return null;
  return {
    name: row.name,
    isShown: row.show_in_gallery && row.status === 'ready',
    isWithheld: row.withheld_at !== null,
    salesCount: row.sales_count,
  };
}

/** Hides it, and a trigger keeps it hidden whatever is done to it, until `releasePhoto`. */
export async function withholdPhoto(tx: Writer, photoId: number): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ withheld_at: sql<Date>`coalesce(withheld_at, now())`, show_in_gallery: false, featured: false })
    .where('id', '=', photoId)
    .execute();
}

/** Shows again what was withheld; false when it was not. */
export async function releasePhoto(tx: Writer, photoId: number): Promise<boolean> {
  const result = await tx
    .updateTable('photos')
    .set({ withheld_at: null, show_in_gallery: true })
    .where('id', '=', photoId)
    .where('withheld_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function isWithheld(db: Reader, photo: PhotoRef): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('withheld_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether someone contributed it and no one can have looked at it yet. */
export async function isUnseen(db: Reader, photo: PhotoRef): Promise<boolean> {
  const row = await db
    .selectFrom('photos')
    .select('id')
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('gallery_contributor_id', 'is not', null)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return row !== undefined;
}

/** Objects of its pictures. */
export async function listPictureKeys(db: Reader, photoId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('renditions')
    .select('object_key')
    .distinct()
    .where('photo_id', '=', photoId)
    .execute();
  return rows.map((row) => row.object_key);
}
