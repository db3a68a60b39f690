/** Sales by day, the numbers of dashboards, and what a gallery did. Reads the tables of the modules that own them. */
import { sql, type RawBuilder } from 'kysely';
import type { GalleryDay, SalesCount, SalesDay, SoldPhoto } from '#src/features/reports/sales-days.rules.ts';
import {
  dayOfMoment,
  isWithin,
  MONEY,
  soldOrders,
  soldParts,
  type SoldFilter,
} from '#src/features/reports/sold-parts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';
import type { DayRange } from '#src/shared/day-range.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import { portion } from '#src/platform/db/portion.ts';

const PHOTOS = sql`photos as (
  select l.order_id, count(*) as photos from sold s join order_photos l on l.order_id = s.id group by l.order_id
)`;

/** Of `sold s` and its photos; net of refunds, which count for the day of the sale. */
const COUNTED = sql`
  sum(s.kept)::int as orders, coalesce(sum(p.photos * s.kept), 0)::int as photos,
  sum(s.subtotal)::bigint as "salesCents", sum(s.donation)::bigint as "donationsCents"
  from sold s left join photos p on p.order_id = s.id`;

/** The days on which something was sold, in order. */
export async function listDays(db: Reader, filter: SoldFilter): Promise<SalesDay[]> {
  const { rows } = await sql<SalesDay>`
    with ${soldOrders(filter)}, ${PHOTOS}
    select ${dayOfMoment(sql`s.paid_at`, filter.timeZone)} as day, ${COUNTED} group by 1 order by 1`.execute(db);
  return rows;
}

/** What the sellers get of all that, by the books, as reports have it. */
export async function sumNet(db: Reader, filter: SoldFilter): Promise<Cents> {
  const { rows } = await sql<{ net: number }>`
    with ${soldOrders(filter)}, ${MONEY}
    select coalesce(sum(m.gross - m.back - m.fees - m.share - m.disputed), 0)::bigint as net from money m`.execute(db);
  return cents(rows[0]?.net ?? 0);
}

/** The same by seller; whoever sold nothing is left out. */
export async function listBySeller(db: Reader, filter: SoldFilter): Promise<(SalesCount & { id: number })[]> {
  const { rows } = await sql<SalesCount & { id: number }>`
    with ${soldOrders(filter)}, ${PHOTOS} select s.organization_id as id, ${COUNTED} group by 1`.execute(db);
  return rows;
}

/** The same within a range, and before or after it; what is missing was never sold. */
export async function countSales(db: Reader, filter: Omit<SoldFilter, 'range'>, range: DayRange) {
  const within = isWithin(sql`s.paid_at`, range, filter.timeZone);
  const { rows } = await sql<SalesCount & { isWithin: boolean }>`
    with ${soldOrders({ ...filter, range: null })}, ${PHOTOS} select ${within} as "isWithin", ${COUNTED} group by 1`.execute(
    db,
  );
  return rows;
}

export type GalleryFilter = SoldFilter & { galleryId: number };

/** Likes or votes that stand, by the day on which they were given. */
function opinions(table: 'photo_likes' | 'photo_votes', count: string, filter: GalleryFilter): RawBuilder<unknown> {
  return sql`
    select ${dayOfMoment(sql`o.created_at`, filter.timeZone)} as day, count(*) as given
      from photos p join ${sql.table(table)} o on o.photo_id = p.id
     where p.gallery_id = ${filter.galleryId} and p.removed_at is null and p.${sql.ref(count)} > 0
       and ${isWithin(sql`o.created_at`, filter.range, filter.timeZone)}
     group by 1`;
}

/** The days on which anything happened, in order; sales net of refunds, which count for the day of the sale. */
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
    ), likes as (${opinions('photo_likes', 'likes_count', filter)}
    ), votes as (${opinions('photo_votes', 'votes_count', filter)}
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

/** The photos that sold most often, then for most; those that are still there. */
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
