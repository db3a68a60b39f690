/** Sales by day, and the numbers of dashboards. Reads the orders module's tables. */
import { sql } from 'kysely';
import type { SalesCount, SalesDay } from '#src/features/reports/sales-days.rules.ts';
import { dayOfMoment, isWithin, MONEY, soldOrders, type SoldFilter } from '#src/features/reports/sold-parts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';
import type { DayRange } from '#src/shared/day-range.ts';
import { cents, type Cents } from '#src/shared/money.ts';

type Row = { orders: number; photos: number; sales: number; donations: number };

const PHOTOS = sql`photos as (
  select l.order_id, count(*) as photos from sold s join order_photos l on l.order_id = s.id group by l.order_id
)`;

const readRow = (row: Row): SalesCount => ({
  orders: row.orders,
  photos: row.photos,
  salesCents: cents(row.sales),
  donationsCents: cents(row.donations),
});

/** The days on which something was sold, in order; net of refunds, which count for the day of the sale. */
export async function listDays(db: Reader, filter: SoldFilter): Promise<SalesDay[]> {
  const { rows } = await sql<Row & { day: string }>`
    with ${soldOrders(filter)}, ${PHOTOS}
    select ${dayOfMoment(sql`s.paid_at`, filter.timeZone)} as day, sum(s.kept)::int as orders,
           coalesce(sum(p.photos * s.kept), 0)::int as photos, sum(s.subtotal)::bigint as sales, sum(s.donation)::bigint as donations
      from sold s left join photos p on p.order_id = s.id
     group by 1 order by 1`.execute(db);
  return rows.map((row) => ({ day: row.day, ...readRow(row) }));
}

/** What the sellers get of all that, by the books, as reports have it. */
export async function sumNet(db: Reader, filter: SoldFilter): Promise<Cents> {
  const { rows } = await sql<{ net: number }>`
    with ${soldOrders(filter)}, ${MONEY}
    select coalesce(sum(m.gross - m.back - m.fees - m.share - m.disputed), 0)::bigint as net from money m`.execute(db);
  return cents(rows[0]?.net ?? 0);
}

/** The same by seller; the person who sold nothing is left out. */
export async function listBySeller(db: Reader, filter: SoldFilter): Promise<(SalesCount & { id: number })[]> {
  const { rows } = await sql<Row & { id: number }>`
    with ${soldOrders(filter)}, ${PHOTOS}
    select s.organization_id as id, sum(s.kept)::int as orders, coalesce(sum(p.photos * s.kept), 0)::int as photos,
           sum(s.subtotal)::bigint as sales, sum(s.donation)::bigint as donations
      from sold s left join photos p on p.order_id = s.id
     group by 1`.execute(db);
  return rows.map((row) => ({ id: row.id, ...readRow(row) }));
}

/** The same within a range, and of all time. */
export async function countSales(
  db: Reader,
  filter: Omit<SoldFilter, 'range'>,
  range: DayRange,
): Promise<{ preview: SalesCount; total: SalesCount }> {
  const within = isWithin(sql`s.paid_at`, range, filter.timeZone);
  const { rows } = await sql<Row & { is_preview: boolean }>`
    with ${soldOrders({ ...filter, range: null })}, ${PHOTOS}
    select ${within} as is_preview, sum(s.kept)::int as orders, coalesce(sum(p.photos * s.kept), 0)::int as photos,
           sum(s.subtotal)::bigint as sales, sum(s.donation)::bigint as donations
      from sold s left join photos p on p.order_id = s.id
     group by 1`.execute(db);
  const [preview, before] = [true, false].map((wanted) => {
    const row = rows.find(({ is_preview }) => is_preview === wanted);
    return readRow(row ?? { orders: 0, photos: 0, sales: 0, donations: 0 });
  }) as [SalesCount, SalesCount];
  return {
    preview,
    total: {
      orders: preview.orders + before.orders,
      photos: preview.photos + before.photos,
      salesCents: cents(preview.salesCents + before.salesCents),
      donationsCents: cents(preview.donationsCents + before.donationsCents),
    },
  };
}
