/**
 * Sales of all organizations for the platform's report. Reads tables of other modules; writes only the mark "reconciled". The
 * days are those of each seller's own time zone.
 */
import { sql, type RawBuilder } from 'kysely';
import type { GalleryChoice } from '#src/features/admin-reports/admin-report.contract.ts';
import type { FiledSeller, SellerSums, SoldOrderRow } from '#src/features/admin-reports/admin-report.rules.ts';
import type { SalesDay } from '#src/features/reports/sales-days.rules.ts';
import { SUMMED_DAYS } from '#src/features/reports/kept-sales.sql.ts';
import { isOfGallery, MONEY, RAW_COLUMNS, SOLD, WAS_SOLD } from '#src/features/reports/sold-parts.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { DayRange } from '#src/shared/day-range.ts';
import { literalPattern } from '#src/platform/db/literal-pattern.ts';

export type SalesFilter = {
  /** A parent, including its affiliates. */
  organizationId: number | null;
  /** One seller alone. */
  sellerId: number | null;
  galleryId: number | null;
  /** Null: all time. */
  range: DayRange | null;
  showReconciled: boolean;
};

export type Place = { id: number; name: string; parentId: number | null; path: string };
export type Places = {
  organization: Place | null;
  affiliate: Place | null;
  gallery: { id: number; name: string; organizationId: number; parentId: number | null } | null;
  /** Whether there is an organization besides the platform itself. */
  hasOrganizations: boolean;
};

const aliased = (id: number | null) =>
  sql`coalesce((select organization_id from organization_aliases where alias_id = ${id}::bigint), ${id}::bigint)`;

/** The organizations and gallery of a report's three ids; also deleted organizations, because their sales remain. */
export async function findPlaces(
  db: Reader,
  ids: { organizationId: number | null; affiliateId: number | null; galleryId: number | null },
): Promise<Places> {
  const place = sql`json_build_object('id', o.id, 'name', o.name, 'parentId', o.parent_organization_id, 'path', o.domain_name)`;
  const { rows } = await sql<Places>`
    select (select ${place} from organizations o where o.id = ${aliased(ids.organizationId)}) as organization,
           (select ${place} from organizations o where o.id = ${aliased(ids.affiliateId)}) as affiliate,
           (select json_build_object('id', g.id, 'name', g.name, 'organizationId', o.id, 'parentId', o.parent_organization_id)
              from galleries g join organizations o on o.id = g.organization_id where g.id = ${ids.galleryId}::bigint) as gallery,
           exists (select from organizations where kind <> 'root') as "hasOrganizations"`.execute(db);
  return rows[0] ?? { organization: null, affiliate: null, gallery: null, hasOrganizations: false };
}

/** `sellers`: possible sellers, each with the start and end of its days. */
function sellersOf({ organizationId, sellerId, range }: SalesFilter): RawBuilder<unknown> {
  const whose =
    sellerId !== null
      ? sql`where s.id = ${sellerId}`
      : organizationId !== null
        ? sql`where (s.id = ${organizationId} or s.parent_organization_id = ${organizationId})`
        : sql``;
  const from =
    range === null ? sql`'-infinity'::timestamptz` : sql`${range.from}::date::timestamp at time zone s.time_zone`;
  const until =
    range === null ? sql`'infinity'::timestamptz` : sql`(${range.to}::date + 1)::timestamp at time zone s.time_zone`;
  return sql`
    sellers as (
      select s.id, s.name, s.domain_name, s.parent_organization_id, coalesce(p.domain_name, s.domain_name) as host_label, s.time_zone,
             s.reports_buyer_columns or coalesce(p.reports_buyer_columns, false) as shows_buyers, ${from} as since, ${until} as until
        from organizations s left join organizations p on p.id = s.parent_organization_id ${whose}
    )`;
}

/** Whether an order `o` of a seller `s` matches. The range in whole days without a time zone helps the planner. */
function matchesFilter({ galleryId, range, showReconciled }: SalesFilter): RawBuilder<boolean> {
  return sql<boolean>`o.organization_id = s.id and ${WAS_SOLD}
    ${range === null ? sql`` : sql`and o.paid_at >= s.since and o.paid_at < s.until and o.paid_at >= ${range.from}::date - 1 and o.paid_at < ${range.to}::date + 3`}
    ${showReconciled ? sql`` : sql`and o.reconciled_at is null`}
    ${galleryId === null ? sql`` : sql`and ${isOfGallery(galleryId)}`}`;
}

const SELLER_COLUMNS = sql`
  s.id, s.name, s.domain_name as path, s.parent_organization_id as "parentId", s.host_label as "hostLabel",
  s.time_zone as "timeZone", s.shows_buyers as "showsBuyers"`;

/** All sellers, by name. */
export async function listSellers(db: Reader, filter: SalesFilter): Promise<FiledSeller[]> {
  const { rows } = await sql<FiledSeller>`
    with ${sellersOf(filter)}, counts as (
      select o.organization_id, count(*)::int as rows, bool_or(o.credit_cents > 0) as uses_credit from sellers s join orders o on ${matchesFilter(filter)} group by 1
    )
    select ${SELLER_COLUMNS}, c.rows, c.uses_credit as "usesCredit"
      from counts c join sellers s on s.id = c.organization_id order by s.name, s.id`.execute(db);
  return rows;
}

/**
 * `summed_days` of what matches: the stored sums, which must be up to date; for one gallery they are computed from its orders.
 */
function summedDays(filter: SalesFilter): RawBuilder<unknown> {
  const { galleryId, range, showReconciled } = filter;
  if (galleryId !== null)
    return sql`
    raw_orders as (
      select ${RAW_COLUMNS}, (o.paid_at at time zone s.time_zone)::date as day, o.reconciled_at is not null as reconciled
        from sellers s join orders o on ${matchesFilter(filter)}
    ), ${SOLD}, ${SUMMED_DAYS}`;
  return sql`
    summed_days as (
      select d.* from sellers s join sales_days d on d.organization_id = s.id
         ${range === null ? sql`` : sql`and d.day between ${range.from}::date and ${range.to}::date`}
         ${showReconciled ? sql`` : sql`and not d.reconciled`}
    )`;
}

/** All sellers, by name, with the sums of all matching orders, from the orders and the ledger. */
export async function listSellerSums(db: Reader, filter: SalesFilter): Promise<SellerSums[]> {
  const { rows } = await sql<SellerSums>`
    with ${sellersOf(filter)}, ${summedDays(filter)}, sums as (
      select organization_id, sum(sold_count)::int as rows, sum(order_count)::int as orders, sum(photo_count)::int as photos,
             sum(sales_cents)::bigint as sales, sum(donations_cents)::bigint as donations, sum(tax_cents)::bigint as tax,
             sum(refunds_cents)::bigint as refunds, sum(fees_cents)::bigint as fees, sum(share_cents)::bigint as share,
             sum(disputed_cents)::bigint as disputed, sum(charged_subtotal_cents)::bigint as charged_subtotal,
             sum(charged_donation_cents)::bigint as charged_donation, sum(charged_tax_cents)::bigint as charged_tax,
             coalesce(sum(offers_saved_cents), 0)::bigint as saved, coalesce(sum(reductions_cents), 0)::bigint as reduced,
             coalesce(sum(credit_used_cents), 0)::bigint as credit_used, coalesce(sum(credit_sold_cents), 0)::bigint as credit_sold
        from summed_days group by 1
    )
    select ${SELLER_COLUMNS}, m.rows,
           json_build_object(
             'orders', m.orders, 'photos', m.photos, 'salesCents', m.sales, 'donationsCents', m.donations, 'taxCents', m.tax,
             'refundsCents', m.refunds, 'feesCents', m.fees, 'shareCents', m.share, 'disputedCents', m.disputed,
             'netCents', m.sales + m.donations - m.fees - m.share - m.disputed, 'offersSavedCents', m.saved, 'reductionsCents', m.reduced,
             'includedCents', 0, 'creditUsedCents', m.credit_used, 'creditSoldCents', m.credit_sold) as totals,
           json_build_object(
             'subtotalCents', m.charged_subtotal, 'donationCents', m.charged_donation, 'taxCents', m.charged_tax,
             'totalCents', m.charged_subtotal + m.charged_donation + m.charged_tax) as charged
      from sums m join sellers s on s.id = m.organization_id
     order by s.name, s.id`.execute(db);
  return rows;
}

/** The days with sales, in order, each in the seller's own time zone; net of refunds. */
export async function listSalesDays(db: Reader, filter: SalesFilter): Promise<SalesDay[]> {
  const { rows } = await sql<SalesDay>`
    with ${sellersOf(filter)}, ${summedDays(filter)}
    select to_char(day, 'YYYY-MM-DD') as day, sum(order_count)::int as orders, 0 as photos,
           sum(sales_cents)::bigint as "salesCents", sum(donations_cents)::bigint as "donationsCents"
      from summed_days group by summed_days.day order by summed_days.day`.execute(db);
  return rows;
}

export type OrdersPart = {
  sellerIds: readonly number[];
  /** The maximum per seller. */
  limit?: number;
  /** Orders after this one, of one seller. */
  after?: number | null;
  /** Up to and including this order. */
  upTo?: number | null;
  /** Only this order. */
  only?: number;
};

// Separate subqueries: with a row-valued one the index would not be used.
const place = (id: number) => sql`((select paid_at from orders where id = ${id}), ${id}::bigint)`;
const afterOrder = (id: number | null) => (id === null ? sql`` : sql`and (o.paid_at, o.id) < ${place(id)}`);
const upToOrder = (id: number | null) => (id === null ? sql`` : sql`and (o.paid_at, o.id) >= ${place(id)}`);

/** The last order of a part of `size` orders of this seller, after another one; null if there are fewer. */
export async function findPartEnd(
  db: Reader,
  filter: SalesFilter,
  { sellerId, after, size }: { sellerId: number; after: number | null; size: number },
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    with ${sellersOf({ ...filter, sellerId })}
    select o.id from sellers s join orders o on ${matchesFilter(filter)} ${afterOrder(after)}
     where o.organization_id = ${sellerId} order by o.paid_at desc, o.id desc offset ${size - 1} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * Orders of these sellers in the order of the ids, newest first. The ledger is read per order, so that the cost of a part
 * depends on its own size and not on that of the ledger.
 */
export async function listSoldOrders(db: Reader, filter: SalesFilter, part: OrdersPart): Promise<SoldOrderRow[]> {
  const { sellerIds, limit, after = null, upTo = null, only } = part;
  const alone = only === undefined ? sql`` : sql`and o.id = ${only}`;
  const { rows } = await sql<SoldOrderRow>`
    with ${sellersOf(filter)}, wanted as (
      select s.*, w.place from unnest(${sellerIds}::bigint[]) with ordinality as w (id, place) join sellers s on s.id = w.id
    ), raw_orders as (
      select o.*, s.place
        from wanted s cross join lateral (
          select ${RAW_COLUMNS}, o.created_at, o.first_name, o.last_name, o.email_address::text as email_address, o.status,
                 o.card_brand, o.card_last4, o.reconciled_at
            from orders o where ${matchesFilter(filter)} ${afterOrder(after)} ${upToOrder(upTo)} ${alone}
           order by o.paid_at desc, o.id desc limit ${limit ?? null}
        ) o
    ), ${SOLD}, ${MONEY}
    select m.id, m.organization_id as "organizationId", m.created_at as "createdAt", m.first_name as "firstName", m.last_name as "lastName",
           m.email_address as email, m.status, m.card_brand as "cardBrand", m.card_last4 as "cardLast4", m.lines_gross as "subtotalCents",
           m.donation_gross as "donationCents", m.tax_gross as "taxCents", m.total as "totalCents", m.refunded as "refundedCents",
           m.reconciled_at as "reconciledAt", m.fees as "feeCents", m.share as "shareCents", m.disputed as "disputedCents", m.credit as "creditCents",
           (m.gross - m.back - m.fees - m.share - m.disputed)::bigint as "netCents", payout.id as "payoutId", payout.status as "payoutStatus"
      from money m
      left join payout_lines line on line.order_id = m.id and line.kind = 'sale' and line.live
      left join payouts payout on payout.id = line.payout_id
     order by m.place, m.paid_at desc, m.id desc`.execute(db);
  return rows;
}

/** Galleries of an organization and of its affiliates, by name; the search matches literally (rule 31). */
export async function listGalleryChoices(
  db: Reader,
  { organizationId, search, limit }: { organizationId: number; search: string; limit: number },
): Promise<GalleryChoice[]> {
  const { rows } = await sql<GalleryChoice>`
    select g.id, g.name, o.name as organization, g.active from galleries g join organizations o on o.id = g.organization_id
     where (o.id = ${organizationId} or o.parent_organization_id = ${organizationId})
       ${search === '' ? sql`` : sql`and fold_text(g.name) like ${literalPattern(search)}`}
     order by g.active desc, g.name, g.id limit ${limit}`.execute(db);
  return rows;
}

type Mark = { orderId: number; reconciled: boolean; userId: number; at: Date };

/**
 * Sets or removes the mark on a sold order. Null without one; `changed` is false if it was already so, and then the first
 * person who set it stays on record.
 */
export async function markOrder(tx: Writer, { orderId, reconciled, userId, at }: Mark) {
  const { rows } = await sql<{ organizationId: number; changed: boolean }>`
    select organization_id as "organizationId", (reconciled_at is not null) <> ${reconciled} as changed from orders
     where id = ${orderId} and paid_at is not null
       and status in ('paid', 'partially_refunded', 'refunded', 'disputed') for no key update`.execute(tx);
  const found = rows[0] ?? null;
  if (found?.changed)
    await sql`update orders set reconciled_at = ${reconciled ? at : null}::timestamptz, reconciled_by = ${reconciled ? userId : null}::bigint
               where id = ${orderId}`.execute(tx);
  return found;
}
