/** Writes of photos by their editors. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

/**
 * Anyone who changes the order of a gallery waits for the others that do, before locking any row: the order of locks is
 * the gallery's order, then photos, then the gallery.
 */
export async function lockOrder(tx: Writer, galleryId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${galleryId}::bigint)`.execute(tx);
}

/** The smallest order key of a gallery, featured or not: two steps into the index. Null in an empty gallery. */
export async function findFirstKey(db: Reader, galleryId: number): Promise<string | null> {
  const { rows } = await sql<{ key: string | null }>`
    select least(
      (select order_key from photos where gallery_id = ${galleryId} and removed_at is null and featured limit 1),
      (select order_key from photos where gallery_id = ${galleryId} and removed_at is null and not featured order by order_key limit 1)
    ) as key`.execute(db);
  return rows[0]?.key ?? null;
}

export type ChangedPhoto = { showInGallery?: boolean; priceOverrideCents?: number | null; name?: string };

/** False when there is no such photo in this gallery. */
export async function updatePhoto(
  tx: Writer,
  photo: { galleryId: number; photoId: number },
  changes: ChangedPhoto,
): Promise<boolean> {
  const result = await tx
    .updateTable('photos')
    .set({
      ...(changes.showInGallery === undefined ? {} : { show_in_gallery: changes.showInGallery }),
      ...(changes.priceOverrideCents === undefined ? {} : { price_override_cents: changes.priceOverrideCents }),
      ...(changes.name === undefined ? {} : { name: changes.name }),
    })
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What featuring depends on; the photo cannot change until the transaction ends. */
export async function lockPhoto(tx: Writer, photo: { galleryId: number; photoId: number }) {
  return tx
    .selectFrom('photos')
    .select(['id', 'featured', 'show_in_gallery', 'status'])
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** All others of the gallery lose it; they keep their keys and thereby move back one place. */
export async function unfeatureAll(tx: Writer, galleryId: number): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ featured: false })
    .where('gallery_id', '=', galleryId)
    .where('featured', '=', true)
    .where('removed_at', 'is', null)
    .execute();
}

/** With a key before all others, so that it stays first when it loses the feature. */
export async function featurePhoto(tx: Writer, photoId: number, orderKey: string): Promise<void> {
  await tx
    .updateTable('photos')
    .set({ featured: true, order_key: orderKey, batch_prefix: null })
    .where('id', '=', photoId)
    .execute();
}

export async function unfeaturePhoto(tx: Writer, photoId: number): Promise<void> {
  await tx.updateTable('photos').set({ featured: false }).where('id', '=', photoId).execute();
}

/** Soft: buyers keep their downloads, and objects may be shared with other photos (rule 26). False when it was not there. */
export async function removePhoto(tx: Writer, photo: { galleryId: number; photoId: number }): Promise<boolean> {
  const result = await tx
    .updateTable('photos')
    .set({ removed_at: sql<Date>`now()`, featured: false })
    .where('id', '=', photo.photoId)
    .where('gallery_id', '=', photo.galleryId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export type PhotoSale = { photoId: number; count: number; salesCents: number };

/** Adds to the counters of sales; negative numbers take away. Rows are locked in the order of their ids. One statement. */
export async function addPhotoSales(tx: Writer, sales: readonly PhotoSale[]): Promise<void> {
  if (sales.length === 0) return;
  const facts = JSON.stringify(sales.map((sale) => ({ id: sale.photoId, count: sale.count, cents: sale.salesCents })));
  await sql`${prepared}
    with sale as materialized (
      select id, sum(count) as count, sum(cents) as cents
        from json_to_recordset(${facts}::json) as sale (id bigint, count integer, cents bigint) group by id
    ), locked as materialized (
      select photo.id from photos photo where photo.id in (select id from sale) order by photo.id for no key update
    )
    update photos photo set sales_count = photo.sales_count + sale.count, sales_cents = photo.sales_cents + sale.cents
      from locked join sale on sale.id = locked.id
     where photo.id = locked.id`.execute(tx);
}
