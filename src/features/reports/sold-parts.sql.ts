/**
 * What remains of sold orders after their refunds, as SQL for reports: common table expressions, each of which reads those
 * before it, from `raw_orders` and `sold` (orders) over `parts`, `savings` and `money` to `shares` (orders by gallery and
 * code). Reads the orders module's tables. Of a refund, the tax part is what the ledger says; the rest is divided over the
 * lines and then the donation, cent by cent (refunds/refund-by-photo.rules.ts does the same for the counters).
 */
import { sql, type RawBuilder } from 'kysely';
import { portion } from '#src/platform/db/portion.ts';
import type { DayRange } from '#src/shared/day-range.ts';

export type SoldFilter = {
  organizationIds: readonly number[];
  /** Null: all time. */
  range: DayRange | null;
  /** The time zone that defines the days. */
  timeZone: string;
  /** Only orders that sold a photo of this gallery or have a donation to it. */
  galleryId?: number;
};

/** The day of a moment, `YYYY-MM-DD`. */
export function dayOfMoment(moment: RawBuilder<unknown>, timeZone: string): RawBuilder<string> {
  return sql<string>`to_char(${moment} at time zone ${timeZone}, 'YYYY-MM-DD')`;
}

/** Whether a moment is in the range; both its days are whole. */
export function isWithin(moment: RawBuilder<unknown>, range: DayRange | null, timeZone: string): RawBuilder<boolean> {
  if (range === null) return sql<boolean>`true`;
  return sql<boolean>`(${moment} >= ${range.from}::date::timestamp at time zone ${timeZone}
    and ${moment} < (${range.to}::date + 1)::timestamp at time zone ${timeZone})`;
}

/** The columns of `orders o` that `sold` needs. */
export const RAW_COLUMNS = sql`
  o.id, o.organization_id, o.processor, o.paid_at, o.donation_gallery_id, o.total_cents as total,
  o.refunded_cents::bigint as refunded, o.subtotal_cents::bigint as lines_gross, o.donation_cents::bigint as donation_gross,
  o.tax_cents::bigint as tax_gross, o.credit_cents as credit, (o.credit_cents - o.credit_returned_cents)::bigint as credit_used, (o.subtotal_cents + o.donation_cents)::bigint as gross,
  coalesce(o.tax_cents::bigint * o.refunded_cents / nullif(o.total_cents, 0), 0) as tax_back,
  (o.total_cents = 0 or o.refunded_cents < o.total_cents)::integer as kept`;

/** Whether an order `o` of photos was sold, whatever happened to it later. Prepaid credit is no sale until it is spent. */
export const WAS_SOLD = sql`(o.kind = 'photos' and o.paid_at is not null and o.status in ('paid', 'partially_refunded', 'refunded', 'disputed'))`;

/** Whether an order `o` of prepaid credit was paid; and how much of it was not refunded. */
export const WAS_SOLD_CREDIT = sql`(o.kind = 'credit' and o.paid_at is not null and o.status in ('paid', 'partially_refunded', 'refunded', 'disputed'))`;
export const CREDIT_LEFT = sql`(o.total_cents - o.refunded_cents)`;

/** Only orders `o` that sold a photo of this gallery or have a donation to it. */
export function isOfGallery(galleryId: number): RawBuilder<boolean> {
  return sql<boolean>`o.id in (select order_id from order_parts() where gallery_id = ${galleryId}
                      union all select id from orders where donation_gallery_id = ${galleryId} and donation_cents > 0)`;
}

/**
 * `sold`, after `raw_orders`: one row per order. `subtotal`, `donation` and `tax` are net of refunds; `gross` is the original
 * subtotal and donation, `back` what was refunded of it; `kept` is 1 until everything was refunded, then 0.
 */
export const SOLD = sql`
  sold as (
    select r.*, r.refunded - r.tax_back as back, r.tax_gross - r.tax_back as tax,
           r.lines_gross - coalesce(r.lines_gross * (r.refunded - r.tax_back) / nullif(r.gross, 0), 0) as subtotal,
           r.gross - (r.refunded - r.tax_back) - r.lines_gross + coalesce(r.lines_gross * (r.refunded - r.tax_back) / nullif(r.gross, 0), 0) as donation
      from raw_orders r
  )`;

/** `sold` for some organizations. */
export function soldOrders({ organizationIds, range, timeZone, galleryId }: SoldFilter): RawBuilder<unknown> {
  const ofGallery = galleryId === undefined ? sql`` : sql`and ${isOfGallery(galleryId)}`;
  return sql`
    raw_orders as (
      select ${RAW_COLUMNS} from orders o
       where o.organization_id = any (${organizationIds}::bigint[]) and ${WAS_SOLD}
         and ${isWithin(sql`o.paid_at`, range, timeZone)} ${ofGallery}
    ), ${SOLD}`;
}

/**
 * Amounts of an order in the ledger, from `ledger_entries e`, `ledger_accounts a` and `ledger_txs t`: the platform's share,
 * what the provider passed on, and what is held back or withdrawn for a dispute.
 */
export const BOOKED_COLUMNS = sql`
  coalesce(-sum(e.amount_cents) filter (where a.kind = 'platform_fee'), 0) as share,
  coalesce(sum(e.amount_cents) filter (where a.kind = 'provider_clearing' and a.organization_id is null and t.source_type = 'order'), 0) as taken,
  coalesce(sum(e.amount_cents) filter (where a.kind = 'org_payable' and t.source_type = 'dispute'), 0) as disputed`;

/**
 * `money`, after `sold`: share, fees and disputed amounts of every order. For a sale on the seller's own card account the
 * ledger has the share only: the provider's fee is on the charge. Entries are added up by posting first, so that a posting is
 * looked up once, and not for each of its entries. The amounts of a posting of an order are integers, as its total is.
 */
export const MONEY = sql`
  posted as (
    select e.order_id, e.tx_id,
           sum(e.amount_cents::integer) filter (where a.kind = 'platform_fee') as fee,
           sum(e.amount_cents::integer) filter (where a.kind = 'provider_clearing' and a.organization_id is null) as cleared,
           sum(e.amount_cents::integer) filter (where a.kind = 'org_payable') as payable
      from sold s
      join ledger_entries e on e.order_id = s.id
      join ledger_accounts a on a.id = e.account_id
     group by e.order_id, e.tx_id
  ), booked as (
    select p.order_id, coalesce(-sum(p.fee), 0) as share, coalesce(sum(p.cleared) filter (where t.source_type = 'order'), 0) as taken,
           coalesce(sum(p.payable) filter (where t.source_type = 'dispute'), 0) as disputed
      from posted p join ledger_txs t on t.id = p.tx_id
     group by p.order_id
  ), money as (
    select s.*, coalesce(b.share, 0)::bigint as share, coalesce(b.disputed, 0)::bigint as disputed,
           (case when s.processor = 'custom' then coalesce(charge.fee_cents, 0) when b.order_id is null then 0 else s.total - s.credit - b.taken end)::bigint as fees
      from sold s
      left join booked b on b.order_id = s.id
      left join payment_attempts charge on s.processor = 'custom' and charge.order_id = s.id and charge.kind = 'charge' and charge.state = 'succeeded'
  )`;

/**
 * `savings`, after `sold`: how much the offers of an order, and then its early bird or code, reduced the single prices of its
 * photos and its passes, by gallery. Single prices equal the paid amount plus these sums. A pass that cost more than its photos
 * saved nothing. `included`: the part of the savings from photos included with registration. Orders without offers and codes
 * have no rows.
 */
const SAVINGS = sql`
  offered as (
    select f.order_id, f.id, f.kind in ('gallery_pass', 'athlete_pass') as is_pass, f.kind = 'included' as is_included, f.price_cents, coalesce(sum(l.single_cents), 0) as singles,
           coalesce(sum(l.price_cents), 0) <> f.price_cents as is_reduced
      from sold s join order_offers f on f.order_id = s.id
      left join order_photos l on l.order_id = f.order_id and l.order_offer_id = f.id
     group by f.order_id, f.id, f.kind, f.price_cents
  ), single_lines as (
    select l.order_id, l.gallery_id, f.is_pass, f.is_included, l.single_cents - l.price_cents as less, f.id is not null as is_offered, f.is_reduced,
           greatest(f.singles - f.price_cents, 0) as saved, f.singles, l.single_cents as weight,
           sum(l.single_cents) over (partition by l.order_id, f.id order by l.id) as upto
      from sold s join order_photos l on l.order_id = s.id and l.single_cents is not null
      left join offered f on f.order_id = l.order_id and f.id = l.order_offer_id
  ), saved_lines as (
    select p.order_id, p.gallery_id, p.is_pass, coalesce(p.is_included, false) as is_included, p.less,
           case when not p.is_offered then 0 when p.is_pass or p.is_reduced then ${portion(sql.raw('p.saved'), sql.raw('p.singles'))} else p.less end as saved
      from single_lines p
  ), pass_parts as (
    select p.order_id, g.gallery_id, f.price_cents - p.price_cents as less, g.price_cents + 1 as weight,
           sum(g.price_cents + 1) over (partition by p.id order by g.gallery_id) as upto, p.price_cents + count(*) over (partition by p.id) as whole
      from sold s join passes p on p.order_id = s.id
      join offered f on f.id = p.order_offer_id join pass_galleries g on g.pass_id = p.id
  ), savings as (
    select order_id, gallery_id, saved, case when is_pass then 0 else less - saved end as reduced, case when is_included then saved else 0 end as included
      from saved_lines
    union all
    select p.order_id, p.gallery_id, 0, ${portion(sql.raw('p.less'), sql.raw('p.whole'))}, 0 from pass_parts p
  )`;

/**
 * `parts`, after `sold`: every line (with its photo), pass by gallery (without one) and donation (no goods) of those
 * orders. By their `weight` and the cumulative weight `upto`, any amount of an order can be divided over them exactly.
 */
export function soldParts(): RawBuilder<unknown> {
  return sql`
    parts as (
      select s.id as order_id, s.organization_id, l.gallery_id, l.photo_id, true as is_goods, s.kept, l.price_cents::bigint as weight,
             sum(l.price_cents) over (partition by l.order_id order by l.is_pass, l.id, l.gallery_id) as upto
        from sold s join order_parts() l on l.order_id = s.id
      union all
      select s.id, s.organization_id, s.donation_gallery_id, null, false, s.kept, s.donation_gross, s.gross
        from sold s where s.donation_gross > 0
    )`;
}

const portionOf = (amount: string) => portion(sql.raw(`m.${amount}`), sql`m.gross`);

/**
 * `shares`, after `sold` (with a `day`, which may be null) and `sold_credit`: the amounts of each order by gallery and code,
 * divided over its photos, passes and donation, and the credit that was sold.
 */
export const SHARES = sql`
  ${MONEY}, ${soldParts()}, ${SAVINGS}, amounts as (
    select p.organization_id, m.day, p.gallery_id, p.order_id, p.photo_id, p.kept,
           case when not p.is_goods then 0 else p.weight - ${portionOf('back')} end as sales,
           case when not p.is_goods then p.weight - ${portionOf('back')} else 0 end as donations,
           case when not p.is_goods then 0 else ${portion(sql`m.tax`, sql`m.lines_gross`)} end as tax,
           ${portionOf('back')} + case when not p.is_goods then 0 else ${portion(sql`m.tax_back`, sql`m.lines_gross`)} end as refunds,
           ${portionOf('fees')} as fees, ${portionOf('share')} as share, ${portionOf('disputed')} as disputed,
           p.weight - ${portionOf('back')} as kept_cents, 0 as saved, 0 as reduced, 0 as included,
           ${portionOf('credit_used')} as credit_used, 0 as credit_sold
      from parts p join money m on m.id = p.order_id
    union all
    select s.organization_id, s.day, v.gallery_id, s.id, null, s.kept, 0, 0, 0, 0, 0, 0, 0, 0, v.saved * s.kept, v.reduced * s.kept, v.included * s.kept, 0, 0
      from savings v join sold s on s.id = v.order_id
    union all
    select organization_id, day, null, id, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, cents from sold_credit
  ), shares as (
    select a.*, r.coupon_id from amounts a left join order_reductions r on r.order_id = a.order_id and r.coupon_id is not null
  )`;

/** Sums of `shares s`, in the order of the columns of sales_parts. */
export const SUMS_OF_SHARES = sql`
  count(distinct s.order_id) filter (where s.kept = 1) as orders, count(s.photo_id) filter (where s.kept = 1) as photos, sum(s.sales)::bigint as sales,
  sum(s.donations)::bigint as donations, sum(s.tax)::bigint as tax, sum(s.refunds)::bigint as refunds, sum(s.fees)::bigint as fees,
  sum(s.share)::bigint as share, sum(s.disputed)::bigint as disputed, sum(s.kept_cents - s.fees - s.share - s.disputed)::bigint as net,
  sum(s.saved)::bigint as saved, sum(s.reduced)::bigint as reduced, sum(s.included)::bigint as included,
  sum(s.credit_used)::bigint as credit_used, sum(s.credit_sold)::bigint as credit_sold`;

/** Amounts without a gallery or a code are only in the overall sums. */
export const IS_PART = sql`(grouping(s.gallery_id) = 1 or s.gallery_id is not null) and (grouping(s.coupon_id) = 1 or s.coupon_id is not null)`;
