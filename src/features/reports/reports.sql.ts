/** Reads tables of other modules, as only this module may; writes none. */
import { sql } from 'kysely';
import {
  CREDIT_LEFT,
  isWithin,
  MONEY,
  RAW_COLUMNS,
  SAVINGS,
  SOLD,
  soldOrders,
  soldParts,
  WAS_SOLD,
  WAS_SOLD_CREDIT,
  type SoldFilter,
} from '#src/features/reports/sold-parts.sql.ts';
import { portion } from '#src/platform/db/portion.ts';
import type { Totals } from '#src/features/reports/reports.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import type { Cents } from '#src/shared/money.ts';

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

/** Of one gallery, or of all orders with one code, or without either all together. */
export type SoldBy = {
  organizationId: number;
  galleryId: number | null;
  couponId: number | null;
  /** Of the gallery, or the code. */
  name: string | null;
  totals: Totals;
};

/**
 * What organizations sold, whole, per gallery and per code of theirs. What buyers paid and got back is read from their orders; share,
 * fees and what is disputed from the books, divided over an order's photos and donation. What is left is the organization's: the
 * balance of its payable, as `reports-sums.test.ts` holds.
 * The books know no tenant, so the caller must have asked whose sales may be seen.
 */
export async function listSales(db: Reader, filter: SoldFilter): Promise<SoldBy[]> {
  const of = (amount: string) => portion(sql.raw(`m.${amount}`), sql`m.gross`);
  const { rows } = await sql<SoldBy>`
    with ${soldOrders(filter)}, ${MONEY}, ${soldParts()}, ${SAVINGS}, amounts as (
      select p.organization_id, p.gallery_id, p.order_id, p.photo_id, p.kept,
             case when not p.is_goods then 0 else p.weight - ${of('back')} end as sales,
             case when not p.is_goods then p.weight - ${of('back')} else 0 end as donations,
             case when not p.is_goods then 0 else ${portion(sql`m.tax`, sql`m.lines_gross`)} end as tax,
             ${of('back')} + case when not p.is_goods then 0 else ${portion(sql`m.tax_back`, sql`m.lines_gross`)} end as refunds,
             ${of('fees')} as fees, ${of('share')} as share, ${of('disputed')} as disputed,
             p.weight - ${of('back')} as kept_cents, 0 as saved, 0 as reduced, 0 as included,
             ${of('credit_used')} as credit_used, 0 as credit_sold
        from parts p join money m on m.id = p.order_id
      union all
      select s.organization_id, v.gallery_id, s.id, null, s.kept, 0, 0, 0, 0, 0, 0, 0, 0, v.saved * s.kept, v.reduced * s.kept, v.included * s.kept, 0, 0
        from savings v join sold s on s.id = v.order_id
      union all
      select o.organization_id, null, o.id, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${CREDIT_LEFT}
        from credit_codes c join orders o on o.id = c.order_id
       where c.organization_id = any (${filter.organizationIds}::bigint[]) and ${WAS_SOLD_CREDIT}
         and ${isWithin(sql`o.paid_at`, filter.range, filter.timeZone)}
    ), shares as (
      select a.*, r.coupon_id from amounts a left join order_reductions r on r.order_id = a.order_id and r.coupon_id is not null
    )
    select s.organization_id as "organizationId", s.gallery_id as "galleryId", s.coupon_id as "couponId", case when grouping(s.gallery_id) = 0 then max(g.name) when grouping(s.coupon_id) = 0 then max(c.code) end as name,
           json_build_object(
             'orders', count(distinct s.order_id) filter (where s.kept = 1), 'photos', count(s.photo_id) filter (where s.kept = 1),
             'salesCents', sum(s.sales)::bigint, 'donationsCents', sum(s.donations)::bigint, 'taxCents', sum(s.tax)::bigint,
             'refundsCents', sum(s.refunds)::bigint, 'feesCents', sum(s.fees)::bigint, 'shareCents', sum(s.share)::bigint,
             'disputedCents', sum(s.disputed)::bigint, 'netCents', sum(s.kept_cents - s.fees - s.share - s.disputed)::bigint,
             'offersSavedCents', sum(s.saved)::bigint, 'reductionsCents', sum(s.reduced)::bigint, 'includedCents', sum(s.included)::bigint,
             'creditUsedCents', sum(s.credit_used)::bigint, 'creditSoldCents', sum(s.credit_sold)::bigint) as totals
      from shares s left join galleries g on g.id = s.gallery_id left join coupons c on c.id = s.coupon_id
     group by grouping sets ((s.organization_id), (s.organization_id, s.gallery_id), (s.organization_id, s.coupon_id))
    having (grouping(s.gallery_id) = 1 or s.gallery_id is not null) and (grouping(s.coupon_id) = 1 or s.coupon_id is not null)
     order by s.organization_id, grouping(s.gallery_id, s.coupon_id) desc, max(g.name), max(c.code), s.gallery_id, s.coupon_id`.execute(
    db,
  );
  return rows;
}

export type ReportDifference = {
  organizationId: number;
  what: 'net' | 'tax';
  reportCents: number;
  ledgerCents: number;
};

/**
 * Where the sum of an organization's reports is not the balance of its payable (payouts left aside), or the tax not that of the
 * books. Sales over the seller's own card account are the seller's, and in neither.
 */
export async function listReportDifferences(db: Reader, limit: number): Promise<ReportDifference[]> {
  // After a busy day the planner takes these tables for small.
  await sql`set local enable_nestloop = off`.execute(db);
  const { rows } = await sql<ReportDifference>`
    with raw_orders as (select ${RAW_COLUMNS} from orders o where ${WAS_SOLD} and o.processor = 'platform'), ${SOLD}, ${MONEY}, reported as (
      select organization_id, sum(gross - back - fees - share - disputed) as net, sum(tax) as tax from money group by organization_id
    ), owed as (
      select o.organization_id, coalesce(-sum(e.amount_cents) filter (where a.kind = 'org_payable'), 0) as net,
             coalesce(-sum(e.amount_cents) filter (where a.kind = 'tax_payable'), 0) as tax
        from ledger_entries e
        join ledger_accounts a on a.id = e.account_id and a.kind in ('org_payable', 'tax_payable')
        join ledger_txs t on t.id = e.tx_id and t.source_type in ('order', 'refund', 'dispute')
        join orders o on o.id = e.order_id and o.processor = 'platform' and o.kind = 'photos'
       group by o.organization_id
    ), both_sides as (
      select organization_id, coalesce(r.net, 0) as report_net, coalesce(b.net, 0) as ledger_net, coalesce(r.tax, 0) as report_tax, coalesce(b.tax, 0) as ledger_tax
        from reported r full join owed b using (organization_id)
    )
    select organization_id as "organizationId", 'net' as what, report_net::bigint as "reportCents", ledger_net::bigint as "ledgerCents"
      from both_sides where report_net <> ledger_net
    union all
    select organization_id, 'tax', report_tax::bigint, ledger_tax::bigint from both_sides where report_tax <> ledger_tax
     order by 1, 2 limit ${limit}`.execute(db);
  return rows;
}

/** `galleries` and `orders` are counted up to a little over a thousand; `owedCents` as the books have it. */
export type OrganizationFigures = { id: number; galleries: number; orders: number; owedCents: Cents };

export async function listFigures(db: Reader, ids: readonly number[], countedUpTo: number) {
  const { rows } = await sql<OrganizationFigures>`
    select wanted.id,
           (select count(*) from (select from galleries where organization_id = wanted.id and active limit ${countedUpTo}) g)::integer as galleries,
           (select count(*) from (select from orders where organization_id = wanted.id and paid_at is not null and kind = 'photos' limit ${countedUpTo}) o)::integer as orders,
           coalesce((select -sum(b.amount_cents) from ledger_accounts a join open_balances b on b.account_id = a.id
                      where a.organization_id = wanted.id and a.kind = 'org_payable'), 0)::bigint as "owedCents"
      from unnest(${[...ids]}::bigint[]) as wanted(id)`.execute(db);
  return rows;
}
