/**
 * Tables of this module: sales_days and sales_parts, and sales_changes, which triggers fill (migration 0048). Reads tables of
 * the orders and the ledger.
 */
import { sql, type RawBuilder } from 'kysely';
import {
  BOOKED_COLUMNS,
  CREDIT_LEFT,
  IS_PART,
  RAW_COLUMNS,
  SHARES,
  SOLD,
  SUMS_OF_SHARES,
  WAS_SOLD,
  WAS_SOLD_CREDIT,
} from '#src/features/reports/sold-parts.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Sellers per batch when all their days are marked. */
const SELLERS_A_TIME = 10;
/**
 * Marks read per batch, limited further by the number of orders of their days (at least one day), so that a busy server stays
 * within the statement timeout.
 */
const MARKS_A_TIME = 1_000;
const ORDERS_A_TIME = 10_000;

/**
 * `summed_days`, with the columns of sales_days; goes after a `sold` that has `day` and `reconciled`. Data of an order is
 * looked up per order, so the cost depends on these orders alone, whatever the planner estimates.
 */
export const SUMMED_DAYS = sql`
  money as (
    select s.*, b.share, b.disputed, l.photos, coalesce(f.saved, 0) as saved, l.less + coalesce(f.less, 0) as reduced,
           case when s.processor = 'custom' then c.fees when b.entries = 0 then 0 else s.total - s.credit - b.taken end as fees
      from sold s
     cross join lateral (
       select count(*) as entries, ${BOOKED_COLUMNS}
         from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_txs t on t.id = e.tx_id
        where e.order_id = s.id
     ) b
     cross join lateral (
       select count(*) as photos, coalesce(sum(single_cents - price_cents) filter (where order_offer_id is null), 0) as less
         from order_photos where order_id = s.id
     ) l
     cross join lateral savings_of_order(s.id) f
     cross join lateral (
       select coalesce(sum(fee_cents), 0) as fees from payment_attempts
        where s.processor = 'custom' and order_id = s.id and kind = 'charge' and state = 'succeeded'
     ) c
  ), summed_days as (
    select organization_id, day, reconciled, count(*)::int as sold_count, sum(kept)::int as order_count, sum(photos * kept)::int as photo_count,
           sum(subtotal)::bigint as sales_cents, sum(donation)::bigint as donations_cents, sum(tax)::bigint as tax_cents,
           sum(refunded)::bigint as refunds_cents, sum(fees)::bigint as fees_cents, sum(share)::bigint as share_cents,
           sum(disputed)::bigint as disputed_cents, sum(lines_gross)::bigint as charged_subtotal_cents,
           sum(donation_gross)::bigint as charged_donation_cents, sum(tax_gross)::bigint as charged_tax_cents,
           sum(saved * kept)::bigint as offers_saved_cents, sum(reduced * kept)::bigint as reductions_cents,
           sum(credit_used)::bigint as credit_used_cents, 0::bigint as credit_sold_cents
      from money group by organization_id, day, reconciled
  )`;

export async function hasChanges(db: Reader): Promise<boolean> {
  const { rows } = await sql`select from sales_changes limit 1`.execute(db);
  return rows.length > 0;
}

/** Only one process updates sums at a time: the next one then sees its result. */
export async function lockSums(tx: Writer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sales_days'), 0)`.execute(tx);
}

/**
 * For sellers whose days are all marked: removes their sums and marks each day with orders. Handles some sellers and returns
 * their ids; empty when none are left.
 */
export async function expandSellerMarks(tx: Writer): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with whole as (
      delete from sales_changes where paid_at = 'infinity'
         and organization_id in (select distinct organization_id from sales_changes where paid_at = 'infinity' order by 1 limit ${SELLERS_A_TIME})
      returning organization_id
    ), gone as (
      delete from sales_days where organization_id in (select organization_id from whole)
    ), days as (
      insert into sales_changes (organization_id, paid_at)
      select o.organization_id, min(o.paid_at)
        from orders o join organizations s on s.id = o.organization_id
       where o.organization_id in (select organization_id from whole) and o.paid_at is not null
       group by o.organization_id, (o.paid_at at time zone s.time_zone)::date
    )
    select distinct organization_id as id from whole`.execute(tx);
  return rows.map(({ id }) => id);
}

type ChangedDay = { organizationId: number; day: string };

/**
 * Removes the marks of some days and the sums of these days; `isAll` if no others are left. For these sellers, or without ids
 * for all.
 */
export async function takeChangedDays(tx: Writer, sellerIds: readonly number[]) {
  const own = sellerIds.length === 0 ? sql`` : sql`and organization_id = any (${sellerIds}::bigint[])`;
  const { rows } = await sql<ChangedDay & { isAll: boolean }>`
    with marks as (
      select organization_id, paid_at from sales_changes where paid_at < 'infinity' ${own} order by organization_id, paid_at limit ${MARKS_A_TIME}
    ), marked as (
      select distinct m.organization_id, s.time_zone, (m.paid_at at time zone s.time_zone)::date as day
        from marks m join organizations s on s.id = m.organization_id
    ), days as (
      select organization_id, day, day::timestamp at time zone time_zone as since, (day + 1)::timestamp at time zone time_zone as until from marked
    ), sized as (
      select d.*, sum(c.orders) over (order by d.organization_id, d.day) - c.orders as before
        from days d cross join lateral (
          select count(*) as orders from orders o where o.organization_id = d.organization_id and o.paid_at >= d.since and o.paid_at < d.until
        ) c
    ), taken as (
      select * from sized where before < ${ORDERS_A_TIME}
    ), gone_marks as (
      delete from sales_changes c using taken t where c.organization_id = t.organization_id and c.paid_at >= t.since and c.paid_at < t.until
    ), gone_sums as (
      delete from sales_days d using taken t where d.organization_id = t.organization_id and d.day = t.day
    )
    select organization_id as "organizationId", to_char(day, 'YYYY-MM-DD') as day,
           (select count(*) from marks) < ${MARKS_A_TIME} and (select count(*) from taken) = (select count(*) from days) as "isAll"
      from taken`.execute(tx);
  return { days: rows, isAll: rows.every((row) => row.isAll) };
}

/** `wanted` and `raw_orders` of these days. */
function ordersOf(days: readonly ChangedDay[]): RawBuilder<unknown> {
  return sql`
    wanted as materialized (
      select w.organization_id, w.day, w.day::timestamp at time zone s.time_zone as since, (w.day + 1)::timestamp at time zone s.time_zone as until
        from unnest(${days.map(({ organizationId }) => organizationId)}::bigint[], ${days.map(({ day }) => day)}::date[]) as w (organization_id, day)
        join organizations s on s.id = w.organization_id
    ), raw_orders as (
      select o.*, w.day
        from wanted w cross join lateral (
          select ${RAW_COLUMNS}, o.reconciled_at is not null as reconciled
            from orders o where o.organization_id = w.organization_id and o.paid_at >= w.since and o.paid_at < w.until and ${WAS_SOLD}
          offset 0
        ) o
    )`;
}

/** Inserts the sums of these days, which must not have any. */
export async function insertDays(tx: Writer, days: readonly ChangedDay[]): Promise<void> {
  await sql`
    with ${ordersOf(days)}, ${SOLD}, ${SUMMED_DAYS}, credit_days as (
      select w.organization_id, w.day, o.reconciled_at is not null as reconciled, sum(${CREDIT_LEFT})::bigint as cents
        from wanted w join credit_codes c on c.organization_id = w.organization_id
        join orders o on o.id = c.order_id and o.organization_id = w.organization_id and o.paid_at >= w.since and o.paid_at < w.until and ${WAS_SOLD_CREDIT}
       group by 1, 2, 3
    ), all_days as (
      select * from summed_days
      union all
      select organization_id, day, reconciled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, cents from credit_days
    )
    insert into sales_days (organization_id, day, reconciled, sold_count, order_count, photo_count, sales_cents, donations_cents, tax_cents,
                            refunds_cents, fees_cents, share_cents, disputed_cents, charged_subtotal_cents, charged_donation_cents, charged_tax_cents,
                            offers_saved_cents, reductions_cents, credit_used_cents, credit_sold_cents)
    select organization_id, day, reconciled, sum(sold_count), sum(order_count), sum(photo_count), sum(sales_cents),
           sum(donations_cents), sum(tax_cents), sum(refunds_cents), sum(fees_cents), sum(share_cents),
           sum(disputed_cents), sum(charged_subtotal_cents), sum(charged_donation_cents), sum(charged_tax_cents),
           sum(offers_saved_cents), sum(reductions_cents), sum(credit_used_cents), sum(credit_sold_cents)
      from all_days group by organization_id, day, reconciled`.execute(tx);
}

/** Inserts the sums of these days by gallery and code; there must not be any. */
export async function insertParts(tx: Writer, days: readonly ChangedDay[]): Promise<void> {
  // Finds lines and entries of these orders through indexes, whatever the planner estimates, and never scans the whole ledger.
  await sql`set local enable_seqscan = off`.execute(tx);
  await sql`
    with ${ordersOf(days)}, ${SOLD}, sold_credit as (
      select o.organization_id, o.id, w.day, ${CREDIT_LEFT} as cents
        from wanted w join credit_codes c on c.organization_id = w.organization_id
        join orders o on o.id = c.order_id and o.organization_id = w.organization_id and o.paid_at >= w.since and o.paid_at < w.until and ${WAS_SOLD_CREDIT}
    ), ${SHARES}
    insert into sales_parts (organization_id, day, gallery_id, coupon_id, order_count, photo_count, sales_cents, donations_cents, tax_cents,
                             refunds_cents, fees_cents, share_cents, disputed_cents, net_cents, offers_saved_cents, reductions_cents,
                             included_cents, credit_used_cents, credit_sold_cents)
    select s.organization_id, s.day, coalesce(s.gallery_id, 0), coalesce(s.coupon_id, 0), ${SUMS_OF_SHARES}
      from shares s
     group by grouping sets ((s.organization_id, s.day), (s.organization_id, s.day, s.gallery_id), (s.organization_id, s.day, s.coupon_id))
    having ${IS_PART}`.execute(tx);
}
