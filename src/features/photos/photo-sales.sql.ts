/** Sales counters of photos; the ledger is the truth, these are for lists. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '#src/platform/db/schema.ts';

/** Adds one sale per line, locking the rows in the order of their ids so that two orders cannot wait for each other. */
export async function addPhotoSales(tx: Transaction<Schema>, lines: readonly { photoId: number; priceCents: number }[]): Promise<void> {
  const ids = lines.map((line) => line.photoId);
  const prices = lines.map((line) => line.priceCents);
  await sql`
    with sold as (select * from unnest(${ids}::bigint[], ${prices}::bigint[]) as sold(photo_id, price_cents)),
         locked as (select id from photos where id = any(${ids}::bigint[]) order by id for update)
    update photos set sales_count = sales_count + 1, sales_cents = sales_cents + sold.price_cents
      from sold, locked where photos.id = locked.id and sold.photo_id = photos.id`.execute(tx);
}
