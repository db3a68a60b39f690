/** Reads tables of other modules, which only this module may do; writes none. */
import { sql } from 'kysely';
import {
  CREDIT_LEFT,
  IS_PART,
  isWithin,
  MONEY,
  RAW_COLUMNS,
  SHARES,
  SOLD,
  SUMS_OF_SHARES,
  WAS_SOLD,
  WAS_SOLD_CREDIT,
} from '#src/features/reports/sold-parts.sql.ts';
import { isDayWithin, storedAndSold, type StoredFilter } from '#src/features/reports/sales-days.sql.ts';
import type { Totals } from '#src/features/reports/reports.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import type { Cents } from '#src/shared/money.ts';

export type Seller = { id: number; name: string; path: string; promoCode: string | null };

/** The newest promo code of `o` that a sign-up may still use. */
const PROMO_CODE = sql`
  (select c.code::text from promo_codes c
    where c.organization_id = o.id and o.takes_promo_codes and c.uses < c.max_uses and (c.expires_at is null or c.expires_at > now())
    order by c.created_at desc, c.id desc limit 1)`;

/** The organization and, if requested, its affiliates, by name; with a promo code that is still valid. */
export async function listSellers(db: Reader, organizationId: number, withBelow: boolean): Promise<Seller[]> {
  const below = withBelow ? sql`or o.parent_organization_id = ${organizationId}` : sql``;
  const { rows } = await sql<Seller>`
    select o.id, o.name, o.domain_name as path, ${PROMO_CODE} as "promoCode"
      from organizations o
     where o.deleted_at is null and (o.id = ${organizationId} ${below})
     order by o.name, o.id`.execute(db);
  return rows;
}

/** A promo code of the organization that is still valid; null without one. */
export async function findPromoCode(db: Reader, organizationId: number): Promise<string | null> {
  const { rows } = await sql<Pick<Seller, 'promoCode'>>`
    select ${PROMO_CODE} as "promoCode" from organizations o where o.id = ${organizationId}`.execute(db);
  return rows[0]?.promoCode ?? null;
}

/** Sales of one gallery, of all orders with one code, or, without either, of all together. */
type SoldBy = {
  organizationId: number;
  galleryId: number | null;
  couponId: number | null;
  /** Name of the gallery or the code. */
  name: string | null;
  totals: Totals;
};

/**
 * Sales of organizations, in total, per gallery and per code: stored days, and orders for the other days. Payments and refunds
 * come from the orders; share, fees and disputes from the ledger, divided over an order's photos and donation. The rest belongs
 * to the organization and equals the balance of its payable, as `reports-sums.test.ts` checks. The ledger has no tenants, so
 * the caller must have checked access.
 */
export async function listSales(db: Reader, filter: StoredFilter): Promise<SoldBy[]> {
  const { rows } = await sql<SoldBy>`
    with ${storedAndSold(filter)}, kept_parts as (
      select d.* from sellers s join sales_parts d on d.organization_id = s.id ${isDayWithin(filter)} left join noted n on n.id = d.organization_id and n.day = d.day
       where s.is_kept and n.id is null
    ), sold_credit as (
      select o.organization_id, o.id, null::date as day, ${CREDIT_LEFT} as cents
        from sellers s join credit_codes c on c.organization_id = s.id join orders o on o.id = c.order_id
       where ${WAS_SOLD_CREDIT} and ${isWithin(sql`o.paid_at`, filter.range, filter.timeZone)}
         and (not s.is_kept or exists (select from noted n where n.id = s.id and o.paid_at >= n.since and o.paid_at < n.until))
    ), ${SHARES}, made as (
      select s.organization_id, coalesce(s.gallery_id, 0) as gallery_id, coalesce(s.coupon_id, 0) as coupon_id, ${SUMS_OF_SHARES}
        from shares s group by grouping sets ((s.organization_id), (s.organization_id, s.gallery_id), (s.organization_id, s.coupon_id))
      having ${IS_PART}
    ), sums as (
      select organization_id, gallery_id, coupon_id, sum(orders) as orders, sum(photos) as photos, sum(sales) as sales, sum(donations) as donations,
             sum(tax) as tax, sum(refunds) as refunds, sum(fees) as fees, sum(share) as share, sum(disputed) as disputed, sum(net) as net,
             sum(saved) as saved, sum(reduced) as reduced, sum(included) as included, sum(credit_used) as credit_used, sum(credit_sold) as credit_sold
        from (select * from made
              union all
              select organization_id, gallery_id, coupon_id, order_count, photo_count, sales_cents, donations_cents, tax_cents, refunds_cents, fees_cents,
                     share_cents, disputed_cents, net_cents, offers_saved_cents, reductions_cents, included_cents, credit_used_cents, credit_sold_cents
                from kept_parts) parts
       group by 1, 2, 3
    )
    select s.organization_id as "organizationId", nullif(s.gallery_id, 0) as "galleryId", nullif(s.coupon_id, 0) as "couponId", coalesce(g.name, c.code) as name,
           json_build_object(
             'orders', s.orders, 'photos', s.photos, 'salesCents', s.sales, 'donationsCents', s.donations, 'taxCents', s.tax,
             'refundsCents', s.refunds, 'feesCents', s.fees, 'shareCents', s.share, 'disputedCents', s.disputed, 'netCents', s.net,
             'offersSavedCents', s.saved, 'reductionsCents', s.reduced, 'includedCents', s.included, 'creditUsedCents', s.credit_used,
             'creditSoldCents', s.credit_sold) as totals
      from sums s left join galleries g on g.id = s.gallery_id left join coupons c on c.id = s.coupon_id
     order by s.organization_id, s.gallery_id > 0, s.coupon_id > 0, g.name, c.code, s.gallery_id, s.coupon_id`.execute(
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
 * Organizations whose reports do not add up to the balance of their payable (without payouts), or whose tax differs from the
 * ledger. Sales on the seller's own card account belong to the seller and are in neither.
 */
export async function listReportDifferences(db: Reader, limit: number): Promise<ReportDifference[]> {
  // After a busy day the planner's estimates for these tables are too low.
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

/** `galleries` and `orders` are counted up to a little over a thousand; `owedCents` comes from the ledger. */
type OrganizationFigures = { id: number; galleries: number; orders: number; owedCents: Cents };

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
