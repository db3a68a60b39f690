/** Sales counters of galleries; the ledger is the truth, these are for lists and the goal bar. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '#src/platform/db/schema.ts';

export type GallerySales = { galleryId: number; photos: number; salesCents: number; donationCents: number };

/** Locks the rows in the order of their ids so that two orders cannot wait for each other. */
export async function addGallerySales(tx: Transaction<Schema>, sales: readonly GallerySales[]): Promise<void> {
  const ids = sales.map((sale) => sale.galleryId);
  await sql`
    with sold as (
           select * from unnest(${ids}::bigint[], ${sales.map((sale) => sale.photos)}::int[], ${sales.map((sale) => sale.salesCents)}::bigint[],
                                ${sales.map((sale) => sale.donationCents)}::bigint[]) as sold(gallery_id, photos, sales_cents, donation_cents)),
         locked as (select id from galleries where id = any(${ids}::bigint[]) order by id for update)
    update galleries
       set photos_sold = photos_sold + sold.photos, sales_cents = galleries.sales_cents + sold.sales_cents,
           donations_cents = donations_cents + sold.donation_cents
      from sold, locked where galleries.id = locked.id and sold.gallery_id = galleries.id`.execute(tx);
}
