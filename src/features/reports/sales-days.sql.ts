/** Sales by day, the figures of dashboards, and a gallery's activity. Reads the tables of the modules that own them. */
import { sql, type RawBuilder } from 'kysely';
import type { GalleryDay, SalesCount, SalesDay, SoldPhoto } from '#src/features/reports/sales-days.rules.ts';
import {
  dayOfMoment,
  isWithin,
  MONEY,
  RAW_COLUMNS,
  SOLD,
  soldOrders,
  soldParts,
  WAS_SOLD,
  type SoldFilter,
} from '#src/features/reports/sold-parts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';
import type { DayRange } from '#src/shared/day-range.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import { portion } from '#src/platform/db/portion.ts';

export type StoredFilter = Omit<SoldFilter, 'galleryId'>;

/** For stored days `d`. */
export const isDayWithin = ({ range }: Pick<StoredFilter, 'range'>): RawBuilder<unknown> =>
  range === null ? sql`` : sql`and d.day between ${range.from}::date and ${range.to}::date`;

/**
 * `kept`, and `sold` with its `raw_orders`: the stored sums of days (decision record 0065), and the orders of all other days:
 * those marked as changed, and those of sellers in another time zone. Both are from one snapshot, so no update is needed first.
 */
export function storedAndSold({ organizationIds, range, timeZone }: StoredFilter): RawBuilder<unknown> {
  const zone = sql`${timeZone}::text`;
  const within = isDayWithin({ range });
  return sql`
    sellers as materialized (
      select s.id, s.time_zone = ${zone} and not exists (select from sales_changes c where c.organization_id = s.id and c.paid_at = 'infinity') as is_kept
        from organizations s where s.id = any (${organizationIds}::bigint[])
    ), noted as materialized (
      select d.id, d.day, d.day::timestamp at time zone ${zone} as since, (d.day + 1)::timestamp at time zone ${zone} as until
        from (select distinct s.id, (c.paid_at at time zone ${zone})::date as day
                from sellers s join sales_changes c on c.organization_id = s.id where s.is_kept) d
       where true ${within}
    ), kept as (
      select d.* from sellers s join sales_days d on d.organization_id = s.id ${within} left join noted n on n.id = d.organization_id and n.day = d.day
       where s.is_kept and d.sold_count > 0 and n.id is null
    ), raw_orders as (
      select ${RAW_COLUMNS}, null::date as day from sellers s join orders o on o.organization_id = s.id
       where not s.is_kept and ${WAS_SOLD} and ${isWithin(sql`o.paid_at`, range, timeZone)}
      union all
      select o.* from noted n cross join lateral (
        select ${RAW_COLUMNS}, null::date as day from orders o where o.organization_id = n.id and o.paid_at >= n.since and o.paid_at < n.until and ${WAS_SOLD} offset 0
      ) o
    ), ${SOLD}`;
}

/** `counted`: per seller and day, or per order; net of refunds, which count for the day of the sale. */
function countedSales(filter: StoredFilter): RawBuilder<unknown> {
  return sql`
    ${storedAndSold(filter)}, photos as (
      select l.order_id, count(*) as photos from sold s join order_photos l on l.order_id = s.id group by l.order_id
    ), counted as (
      select organization_id, to_char(day, 'YYYY-MM-DD') as day, order_count as orders, photo_count as photos, sales_cents as sales, donations_cents as donations
        from kept
      union all
      select s.organization_id, ${dayOfMoment(sql`s.paid_at`, filter.timeZone)}, s.kept, coalesce(p.photos * s.kept, 0), s.subtotal, s.donation
        from sold s left join photos p on p.order_id = s.id
    )`;
}

const COUNTED = sql`
  sum(c.orders)::int as orders, sum(c.photos)::int as photos, sum(c.sales)::bigint as "salesCents", sum(c.donations)::bigint as "donationsCents"
  from counted c`;

/** The days with sales, in order. */
export async function listDays(db: Reader, filter: StoredFilter): Promise<SalesDay[]> {
  const { rows } = await sql<SalesDay>`
    with ${countedSales(filter)} select c.day, ${COUNTED} group by 1 order by 1`.execute(db);
  return rows;
}

/** The sellers' net amount according to the ledger, as in reports. */
export async function sumNet(db: Reader, filter: StoredFilter): Promise<Cents> {
  const { rows } = await sql<{ net: number }>`
    with ${storedAndSold(filter)}, ${MONEY}, nets as (
      select sum(sales_cents + donations_cents - fees_cents - share_cents - disputed_cents) as net from kept
      union all
      select sum(m.gross - m.back - m.fees - m.share - m.disputed) from money m
    )
    select coalesce(sum(net), 0)::bigint as net from nets`.execute(db);
  return cents(rows[0]?.net ?? 0);
}

/** The same by seller; sellers without sales are left out. */
export async function listBySeller(db: Reader, filter: StoredFilter): Promise<(SalesCount & { id: number })[]> {
  const { rows } = await sql<SalesCount & { id: number }>`
    with ${countedSales(filter)} select c.organization_id as id, ${COUNTED} group by 1`.execute(db);
  return rows;
}

/** The same within a range, before it or after it; without a row nothing was sold. */
export async function countSales(db: Reader, filter: Omit<StoredFilter, 'range'>, range: DayRange) {
  const { rows } = await sql<SalesCount & { isWithin: boolean }>`
    with ${countedSales({ ...filter, range: null })}
    select c.day between ${range.from} and ${range.to} as "isWithin", ${COUNTED} group by 1`.execute(db);
  return rows;
}

type GalleryFilter = SoldFilter & { galleryId: number };

/** Current likes or votes, by the day on which they were given. */
function reactions(table: 'photo_likes' | 'photo_votes', count: string, filter: GalleryFilter): RawBuilder<unknown> {
  return sql`
    select ${dayOfMoment(sql`o.created_at`, filter.timeZone)} as day, count(*) as given
      from photos p join ${sql.table(table)} o on o.photo_id = p.id
     where p.gallery_id = ${filter.galleryId} and p.removed_at is null and p.${sql.ref(count)} > 0
       and ${isWithin(sql`o.created_at`, filter.range, filter.timeZone)}
     group by 1`;
}

/** The days with any activity, in order; sales net of refunds, which count for the day of the sale. */
export async function listGalleryDays(db: Reader, filter: GalleryFilter): Promise<GalleryDay[]> {
  const back = portion(sql`s.back`, sql`s.gross`);
  const { range } = filter;
  const visited = range === null ? sql`` : sql`and v.day between ${range.from}::date and ${range.to}::date`;
  const { rows } = await sql<GalleryDay>`
    with ${soldOrders(filter)}, ${soldParts()}, sales as (
      select ${dayOfMoment(sql`s.paid_at`, filter.timeZone)} as day, count(distinct p.order_id) filter (where p.kept = 1) as orders,
             count(p.photo_id) filter (where p.kept = 1) as photos,
             sum(p.weight - ${back}) filter (where p.is_goods) as sales,
             sum(p.weight - ${back}) filter (where not p.is_goods) as donations
        from parts p join sold s on s.id = p.order_id
       where p.gallery_id = ${filter.galleryId}
       group by 1
    ), likes as (${reactions('photo_likes', 'likes_count', filter)}
    ), votes as (${reactions('photo_votes', 'votes_count', filter)}
    ), visits as (
      select to_char(v.day, 'YYYY-MM-DD') as day, v.visits from gallery_visits v where v.gallery_id = ${filter.galleryId} ${visited}
    ), days as (select day from sales union select day from likes union select day from votes union select day from visits)
    select d.day, coalesce(s.orders, 0)::int as orders, coalesce(s.photos, 0)::int as photos, coalesce(s.sales, 0)::bigint as "salesCents",
           coalesce(s.donations, 0)::bigint as "donationsCents", coalesce(l.given, 0)::int as likes, coalesce(o.given, 0)::int as votes,
           coalesce(v.visits, 0)::int as visits
      from days d
      left join sales s on s.day = d.day left join likes l on l.day = d.day
      left join votes o on o.day = d.day left join visits v on v.day = d.day
     order by d.day`.execute(db);
  return rows;
}

/** The best-selling photos by count, then by amount, without deleted ones. */
export async function listBestSellers(db: Reader, filter: GalleryFilter, limit: number): Promise<SoldPhoto[]> {
  const { rows } = await sql<SoldPhoto>`
    with ${soldOrders(filter)}, ${soldParts()}, best as (
      select p.photo_id, count(*) as sold, sum(p.weight - ${portion(sql`s.back`, sql`s.gross`)}) as sales
        from parts p join sold s on s.id = p.order_id
       where p.gallery_id = ${filter.galleryId} and p.photo_id is not null and p.kept = 1
       group by p.photo_id
    )
    select b.photo_id as id, photo.name, photo.width, photo.height, photo.pixel_version as "pixelVersion",
           b.sold::int as sold, b.sales::bigint as "salesCents"
      from best b join photos photo on photo.id = b.photo_id and photo.removed_at is null and photo.status = 'ready'
     order by b.sold desc, b.sales desc, b.photo_id
     limit ${limit}`.execute(db);
  return rows;
}
