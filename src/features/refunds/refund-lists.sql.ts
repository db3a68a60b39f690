/** Orders for those who may refund them, and the refunds and requests themselves. */
import { sql, type RawBuilder } from 'kysely';
import type { FrozenWords } from '#src/features/order-offers/quoted-offers.rules.ts';
import { UNUSED_CREDIT } from '#src/features/credit/credit.sql.ts';
import { LOST_MOST } from '#src/features/orders/order-passes.sql.ts';
import { FROZEN_WORDS } from '#src/features/orders/receipts.sql.ts';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import type { ListedOrder, OrderSearch } from '#src/features/refunds/refunds.rules.ts';
import { selectRefunds } from '#src/features/refunds/refunds.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** The source of each fact: `o` is the order, `s` its seller. */
const SOURCES: Record<keyof ListedOrder, RawBuilder<unknown>> = {
  id: sql`o.id`,
  vanityId: sql`o.vanity_id`,
  status: sql`o.status`,
  processor: sql`o.processor`,
  kind: sql`o.kind`,
  createdAt: sql`o.created_at`,
  buyer: sql`o.first_name || ' ' || o.last_name`,
  email: sql`o.email_address::text`,
  photos: sql`(select count(*)::int from order_photos l where l.order_id = o.id)`,
  passes: sql`(select count(*)::int from passes s where s.order_id = o.id)`,
  lostPass: LOST_MOST,
  subtotalCents: sql`o.subtotal_cents`,
  taxCents: sql`o.tax_cents`,
  taxReason: sql`o.tax_reason`,
  taxRatePpm: sql`o.tax_rate_ppm`,
  donationCents: sql`o.donation_cents`,
  totalCents: sql`o.total_cents`,
  creditCents: sql`o.credit_cents`,
  unusedCents: sql`case when o.kind = 'credit' then ${UNUSED_CREDIT} end`,
  refundedCents: sql`o.refunded_cents`,
  inFlightCents: sql`(select coalesce(sum(amount_cents), 0)::int from payment_attempts a
    where a.order_id = o.id and a.kind = 'refund' and a.state in ('created', 'sent', 'unknown'))`,
  shareBps: sql`o.share_bps`,
  seller: sql`json_build_object('id', s.id, 'name', s.name, 'path', s.domain_name, 'timeZone', s.time_zone)`,
};
const LISTED = sql.join(Object.entries(SOURCES).map(([name, source]) => sql`${source} as ${sql.id(name)}`));

/** A number is an order's; text is a vanity id, or a literal part of a buyer's name or address. */
function matches({ id, vanityId, text }: OrderSearch): RawBuilder<boolean> {
  if (id !== null) return sql<boolean>`o.id = ${id}`;
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const isVanityId = vanityId === null ? sql`false` : sql`o.vanity_id = ${vanityId}`;
  return sql<boolean>`(${isVanityId} or o.first_name || ' ' || o.last_name ilike ${pattern} or o.email_address::text ilike ${pattern})`;
}

/** What a list of orders is filtered by; the days are those of each seller's time zone, both included. */
export type OrdersWanted = {
  search: OrderSearch | null;
  status: OrderStatus | null;
  from: string | null;
  to: string | null;
};

/** Of an order `o` of the organization `s`. */
function isWanted(wanted: OrdersWanted | null): RawBuilder<boolean> {
  if (wanted === null) return sql<boolean>`true`;
  const { search, status, from, to } = wanted;
  const parts = [
    ...(search === null ? [] : [matches(search)]),
    ...(status === null ? [] : [sql<boolean>`o.status = ${status}`]),
    ...(from === null ? [] : [sql<boolean>`o.created_at >= ${from}::date::timestamp at time zone s.time_zone`]),
    ...(to === null ? [] : [sql<boolean>`o.created_at < (${to}::date + 1)::timestamp at time zone s.time_zone`]),
  ];
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

/**
 * Orders of these organizations, newest first, by key. The newest are read for each organization separately, because for
 * several at once PostgreSQL reads and sorts all their orders.
 */
export async function listOrders(
  db: Reader,
  search: { organizationIds: readonly number[]; wanted: OrdersWanted | null; before: number | null; limit: number },
): Promise<ListedOrder[]> {
  const wanted = isWanted(search.wanted);
  const { rows } = await sql<ListedOrder>`
    with newest as (
      select found.id from organizations s cross join lateral (
        select o.id from orders o
         where o.organization_id = s.id and ${wanted} and (${search.before === null} or o.id < ${search.before ?? 0})
         order by o.id desc limit ${search.limit}) found
       where s.id = any (${[...search.organizationIds]}::bigint[])
       order by found.id desc limit ${search.limit}
    )
    select ${LISTED} from newest join orders o on o.id = newest.id join organizations s on s.id = o.organization_id
     order by o.id desc`.execute(db);
  return rows;
}

export type Seller = { id: number; name: string };

/** The first of these organizations that have orders, by name. */
export async function listSellers(db: Reader, organizationIds: readonly number[], limit: number): Promise<Seller[]> {
  const { rows } = await sql<Seller>`
    select s.id, s.name from organizations s
     where s.id = any (${[...organizationIds]}::bigint[]) and exists (select from orders o where o.organization_id = s.id)
     order by s.name, s.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Orders of everyone, newest first: by number, vanity id, exactly this address, or the card company's id of a payment, refund
 * or dispute.
 */
export async function findOrders(db: Reader, wanted: OrderSearch, limit: number): Promise<ListedOrder[]> {
  const { id, vanityId, text } = wanted;
  const { rows } = await sql<ListedOrder>`
    with found as (
      select id from orders where id = ${id ?? 0}
      union select id from orders where vanity_id = ${vanityId ?? ''}
      union select sold_orders_of(${text}::citext, ${limit}::int)
      union select order_id from payment_attempts where provider_ref = ${text}
      union select order_id from payment_disputes where id = ${text}
    )
    select ${LISTED} from found join orders o on o.id = found.id join organizations s on s.id = o.organization_id
     order by o.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function listOrdersById(db: Reader, ids: readonly number[]): Promise<ListedOrder[]> {
  const { rows } = await sql<ListedOrder>`
    select ${LISTED} from orders o join organizations s on s.id = o.organization_id
     where o.id = any (${[...ids]}::bigint[])`.execute(db);
  return rows;
}

export type LineOfOrder = {
  orderId: number;
  id: number;
  name: string;
  gallery: string;
  priceCents: number;
  isRevoked: boolean;
};

/** What these orders bought, in their order. */
export async function listLines(db: Reader, orderIds: readonly number[]): Promise<LineOfOrder[]> {
  const { rows } = await sql<LineOfOrder>`
    select l.order_id as "orderId", l.id, p.name, g.name as gallery, l.price_cents as "priceCents", l.revoked_at is not null as "isRevoked"
      from order_photos l join photos p on p.id = l.photo_id join galleries g on g.id = l.gallery_id
     where l.order_id = any (${[...orderIds]}::bigint[]) order by l.order_id, l.id`.execute(db);
  return rows;
}

export type OfferedOrder = {
  orderId: number;
  words: FrozenWords;
  subtotalCents: number;
  lines: { offerId: number | null; singleCents: number; priceCents: number }[];
  /** By the names of their offers. */
  passes: { id: number; name: string; priceCents: number; isRevoked: boolean }[];
};

/** How these orders were priced; orders without an offer, a pass or a code are left out. */
export async function listOffered(db: Reader, orderIds: readonly number[]): Promise<OfferedOrder[]> {
  const { rows } = await sql<OfferedOrder>`
    select o.id as "orderId", o.subtotal_cents as "subtotalCents", ${FROZEN_WORDS} as words,
           coalesce((select json_agg(json_build_object('offerId', l.order_offer_id, 'singleCents', coalesce(l.single_cents, l.price_cents), 'priceCents', l.price_cents) order by l.id)
                       from order_photos l where l.order_id = o.id), '[]'::json) as lines,
           coalesce((select json_agg(json_build_object('id', p.id, 'name', f.name, 'priceCents', p.price_cents, 'isRevoked', p.revoked_at is not null) order by f.id)
                       from passes p join order_offers f on f.id = p.order_offer_id where p.order_id = o.id), '[]'::json) as passes
      from order_prices q join orders o on o.id = q.order_id where o.id = any (${[...orderIds]}::bigint[])`.execute(db);
  return rows;
}

/** Refunds of these orders, oldest first. */
export async function listRefundsOf(db: Reader, orderIds: readonly number[]) {
  if (orderIds.length === 0) return [];
  return selectRefunds(db)
    .where('a.kind', '=', 'refund')
    .where('a.order_id', 'in', [...orderIds])
    .orderBy('a.id')
    .execute();
}

/** All refunds, newest first, by key. */
export async function listRefunds(db: Reader, before: number | null, limit: number) {
  let query = selectRefunds(db)
    .innerJoin('orders as o', 'o.id', 'a.order_id')
    .innerJoin('organizations as s', 's.id', 'o.organization_id')
    .select(sql<string>`o.first_name || ' ' || o.last_name`.as('buyer'))
    .select(
      sql<{ name: string; path: string; timeZone: string }>`json_build_object(
        'name', s.name, 'path', s.domain_name, 'timeZone', s.time_zone)`.as('seller'),
    )
    .where('a.kind', '=', 'refund')
    .orderBy('a.id', 'desc')
    .limit(limit);
  if (before !== null) query = query.where('a.id', '<', before);
  return query.execute();
}

/** Orders with an open request, the longest waiting first. */
export async function listRequestedOrders(db: Reader, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('refund_requests')
    .select('order_id')
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.order_id);
}
