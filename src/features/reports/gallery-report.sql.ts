/** What a gallery did, by day. Reads the tables of the modules that own them. */
import { sql, type RawBuilder } from 'kysely';
import type { GalleryDay, SoldPhoto } from '#src/features/reports/gallery-report.rules.ts';
import { dayOfMoment, isWithin, soldOrders, soldParts, type SoldFilter } from '#src/features/reports/sold-parts.sql.ts';
import { portion } from '#src/platform/db/portion.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { cents } from '#src/shared/money.ts';

export type GalleryFilter = SoldFilter & { galleryId: number };

type Row = Omit<GalleryDay, 'salesCents' | 'donationsCents'> & { sales: number; donations: number };

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
  const { rows } = await sql<Row>`
    with ${soldOrders(filter)}, ${soldParts()}, sales as (
      select ${dayOfMoment(sql`s.paid_at`, filter.timeZone)} as day, count(distinct p.order_id) filter (where p.kept = 1) as orders,
             count(p.photo_id) filter (where p.kept = 1) as photos,
             sum(p.weight - ${back}) filter (where p.photo_id is not null) as sales,
             sum(p.weight - ${back}) filter (where p.photo_id is null) as donations
        from parts p join sold s on s.id = p.order_id
       where p.gallery_id = ${filter.galleryId}
       group by 1
    ), likes as (${opinions('photo_likes', 'likes_count', filter)}
    ), votes as (${opinions('photo_votes', 'votes_count', filter)}
    ), visits as (
      select to_char(v.day, 'YYYY-MM-DD') as day, v.visits from gallery_visits v where v.gallery_id = ${filter.galleryId} ${visited}
    ), days as (select day from sales union select day from likes union select day from votes union select day from visits)
    select d.day, coalesce(s.orders, 0)::int as orders, coalesce(s.photos, 0)::int as photos, coalesce(s.sales, 0)::bigint as sales,
           coalesce(s.donations, 0)::bigint as donations, coalesce(l.given, 0)::int as likes, coalesce(o.given, 0)::int as votes,
           coalesce(v.visits, 0)::int as visits
      from days d
      left join sales s on s.day = d.day left join likes l on l.day = d.day
      left join votes o on o.day = d.day left join visits v on v.day = d.day
     order by d.day`.execute(db);
  return rows.map(({ sales, donations, ...row }) => ({
    ...row,
    salesCents: cents(sales),
    donationsCents: cents(donations),
  }));
}

/** The photos that sold most often, then for most; those that are still there. */
export async function listBestSellers(db: Reader, filter: GalleryFilter, limit: number): Promise<SoldPhoto[]> {
  const { rows } = await sql<Omit<SoldPhoto, 'salesCents'> & { sales: number }>`
    with ${soldOrders(filter)}, ${soldParts()}, best as (
      select p.photo_id, count(*) as sold, sum(p.weight - ${portion(sql`s.back`, sql`s.gross`)}) as sales
        from parts p join sold s on s.id = p.order_id
       where p.gallery_id = ${filter.galleryId} and p.photo_id is not null and p.kept = 1
       group by p.photo_id
    )
    select b.photo_id as id, photo.name, photo.width, photo.height, photo.pixel_version as "pixelVersion",
           b.sold::int as sold, b.sales::bigint as sales
      from best b join photos photo on photo.id = b.photo_id and photo.removed_at is null and photo.status = 'ready'
     order by b.sold desc, b.sales desc, b.photo_id
     limit ${limit}`.execute(db);
  return rows.map(({ sales, ...row }) => ({ ...row, salesCents: cents(sales) }));
}
