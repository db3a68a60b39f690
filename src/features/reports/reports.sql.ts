/** Reads tables of other modules, as only this module may; writes none. */
import { sql } from 'kysely';
import { MONEY, soldOrders, soldParts, type SoldFilter } from '#src/features/reports/sold-parts.sql.ts';
import { portion } from '#src/platform/db/portion.ts';
import type { Totals } from '#src/features/reports/reports.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { cents } from '#src/shared/money.ts';

export type Seller = { id: number; name: string; path: string; promoCode: string | null };

/** The organization and, if wanted, those below it, by name; with a promo code that may still be used. */
export async function listSellers(db: Reader, organizationId: number, withBelow: boolean): Promise<Seller[]> {
  const below = withBelow ? sql`or o.parent_organization_id = ${organizationId}` : sql``;
  const { rows } = await sql<Seller>`
    select o.id, o.name, o.domain_name as path,
           (select c.code::text from promo_codes c
             where c.organization_id = o.id and c.uses < c.max_uses and (c.expires_at is null or c.expires_at > now())
             order by c.created_at desc, c.id desc limit 1) as "promoCode"
      from organizations o
     where o.deleted_at is null and (o.id = ${organizationId} ${below})
     order by o.name, o.id`.execute(db);
  return rows;
}

type Row = {
  organization_id: number;
  /** 1: all galleries together. */
  is_whole: number;
  gallery_id: number | null;
  gallery_name: string | null;
  orders: number;
  photos: number;
  sales: number;
  donations: number;
  tax: number;
  refunds: number;
  fees: number;
  share: number;
  disputed: number;
  net: number;
};

export type SoldBy = { organizationId: number; galleryId: number | null; galleryName: string; totals: Totals };

/**
 * What organizations sold, whole (`galleryId` null) and per gallery. What buyers paid and got back is read from their orders; share,
 * fees and what is disputed from the books, divided over an order's photos and donation. What is left is the organization's: the
 * balance of its payable, as `reports-sums.test.ts` holds.
 * The books know no tenant, so the caller must have asked whose sales may be seen.
 */
export async function listSales(db: Reader, filter: SoldFilter): Promise<SoldBy[]> {
  const of = (amount: string) => portion(sql.raw(`m.${amount}`), sql`m.gross`);
  const { rows } = await sql<Row>`
    with ${soldOrders(filter)}, ${MONEY}, ${soldParts()}, shares as (
      select p.organization_id, p.gallery_id, p.order_id, p.photo_id, p.kept,
             case when p.photo_id is null then 0 else p.weight - ${of('back')} end as sales,
             case when p.photo_id is null then p.weight - ${of('back')} else 0 end as donations,
             case when p.photo_id is null then 0 else ${portion(sql`m.tax`, sql`m.lines_gross`)} end as tax,
             ${of('back')} + case when p.photo_id is null then 0 else ${portion(sql`m.tax_back`, sql`m.lines_gross`)} end as refunds,
             ${of('fees')} as fees, ${of('share')} as share, ${of('disputed')} as disputed,
             p.weight - ${of('back')} as kept_cents
        from parts p join money m on m.id = p.order_id
    )
    select s.organization_id, grouping(s.gallery_id) as is_whole, s.gallery_id, max(g.name) as gallery_name,
           (count(distinct s.order_id) filter (where s.kept = 1))::int as orders,
           (count(s.photo_id) filter (where s.kept = 1))::int as photos,
           sum(s.sales)::bigint as sales, sum(s.donations)::bigint as donations, sum(s.tax)::bigint as tax,
           sum(s.refunds)::bigint as refunds, sum(s.fees)::bigint as fees, sum(s.share)::bigint as share,
           sum(s.disputed)::bigint as disputed, sum(s.kept_cents - s.fees - s.share - s.disputed)::bigint as net
      from shares s left join galleries g on g.id = s.gallery_id
     group by grouping sets ((s.organization_id), (s.organization_id, s.gallery_id))
     order by s.organization_id, is_whole desc, gallery_name, s.gallery_id`.execute(db);
  return rows
    .filter((row) => row.is_whole === 1 || row.gallery_id !== null)
    .map((row) => ({
      organizationId: row.organization_id,
      galleryId: row.gallery_id,
      galleryName: row.gallery_name ?? '',
      totals: {
        orders: row.orders,
        photos: row.photos,
        salesCents: cents(row.sales),
        donationsCents: cents(row.donations),
        taxCents: cents(row.tax),
        refundsCents: cents(row.refunds),
        feesCents: cents(row.fees),
        shareCents: cents(row.share),
        disputedCents: cents(row.disputed),
        netCents: cents(row.net),
      },
    }));
}
