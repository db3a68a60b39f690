/** Payouts for lists, and the recipients of emails about them. */
import { sql, type RawBuilder } from 'kysely';
import { LOCKED } from '#src/features/payouts/payouts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { literalPattern } from '#src/platform/db/literal-pattern.ts';
import { readId } from '#src/shared/read-id.ts';
import type { Debtor, OpenAccount } from '#src/features/payouts/payout-review.rules.ts';

export type PayoutSearch = {
  /** Null for every organization. */
  organizationIds: readonly number[] | null;
  openOnly?: boolean;
  /** A payout's number, its reference, or a part of its organization's name. */
  text?: string;
  /** Only those with a smaller id. */
  before?: number | null;
  only?: readonly number[];
  limit: number;
};

/** Whether the name of an organization `o` has this part; any does with an empty one. */
const named = (text: string): RawBuilder<boolean> =>
  text === '' ? sql<boolean>`true` : sql<boolean>`fold_text(o.name) like ${literalPattern(text)}`;

const personOf = (user: string) =>
  sql<{ id: number; name: string } | null>`case when ${sql.ref(`${user}.id`)} is not null then
    json_build_object('id', ${sql.ref(`${user}.id`)}, 'name', ${sql.ref(`${user}.first_name`)} || ' ' || ${sql.ref(`${user}.last_name`)}) end`;

/** Where an organization's settings say that payouts go. */
const BILLING = [
  'private.billing_name as billingName',
  'private.billing_address as street',
  'private.billing_city as city',
  'private.billing_state as state',
  'private.billing_zip as zip',
] as const;

/** Newest first, by key. */
export async function listPayouts(db: Reader, search: PayoutSearch) {
  let query = db
    .selectFrom('payouts as p')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .leftJoin('organization_private as private', 'private.organization_id', 'p.organization_id')
    .leftJoin('users as maker', 'maker.id', 'p.created_by')
    .leftJoin('users as approver', 'approver.id', 'p.approved_by')
    .leftJoin('users as returner', 'returner.id', 'p.returned_by')
    .select([
      'p.id',
      'p.organization_id as organizationId',
      'o.name as organizationName',
      'p.amount_cents as amountCents',
      'p.status',
      'p.reference',
      'p.failure_reason as failureReason',
      'p.order_count as orderCount',
      'p.sales_from as salesFrom',
      'p.sales_to as salesTo',
      'p.created_at as createdAt',
      'p.decided_at as decidedAt',
      'p.returned_at as returnedAt',
      personOf('maker').as('createdBy'),
      personOf('approver').as('approvedBy'),
      personOf('returner').as('returnedBy'),
      ...BILLING,
    ])
    .orderBy('p.id', 'desc')
    .limit(search.limit);
  if (search.organizationIds !== null) query = query.where('p.organization_id', 'in', [...search.organizationIds, 0]);
  if (search.openOnly) query = query.where('p.status', 'in', ['created', 'submitted']);
  if (search.text) {
    const { text } = search;
    query = query.where((eb) =>
      eb.or([eb('p.id', '=', readId(text.replace(/^#/, '')) ?? 0), eb('p.reference', '=', text), named(text)]),
    );
  }
  if (search.before) query = query.where('p.id', '<', search.before);
  if (search.only !== undefined) query = query.where('p.id', 'in', [...search.only, 0]);
  return query.execute();
}

/** The lines of a payout by order id; also of a failed one. */
export function listLines(db: Reader, payoutId: number, search: { after: number; limit: number }) {
  return db
    .selectFrom('payout_lines as line')
    .innerJoin('orders as o', 'o.id', 'line.order_id')
    .select([
      'line.order_id as id',
      'o.vanity_id as vanityId',
      'o.paid_at as paidAt',
      'line.amount_cents as amountCents',
      'line.kind',
    ])
    .where('line.payout_id', '=', payoutId)
    .where('line.order_id', '>', search.after)
    .orderBy('line.order_id')
    .limit(search.limit)
    .execute();
}

/** Payouts of one request that no one has processed yet. */
export function listWaiting(db: Reader, batchKey: string) {
  return db
    .selectFrom('payouts')
    .select(LOCKED)
    .where('batch_key', '=', batchKey)
    .where('status', '=', 'created')
    .orderBy('id')
    .execute();
}

/** `email` is that for billing, or else the contact's. */
export async function findPayee(db: Reader, organizationId: number) {
  const address = sql<
    string | null
  >`coalesce(nullif(private.billing_email::text, ''), nullif(o.contact_email::text, ''))`;
  return db
    .selectFrom('organizations as o')
    .leftJoin('organization_private as private', 'private.organization_id', 'o.id')
    .leftJoin('organizations as parent', 'parent.id', 'o.parent_organization_id')
    .select(['o.name', address.as('email'), 'o.domain_name as path', 'o.time_zone as timeZone', ...BILLING])
    .select(sql<string>`coalesce(parent.domain_name, o.domain_name)`.as('hostLabel'))
    .where('o.id', '=', organizationId)
    .executeTakeFirstOrThrow();
}

/** Of platform admins. */
export async function listAdminAddresses(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('role_id', '=', 2)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

/** What is being paid out to these organizations, and what was ever paid to them, in cents. */
export async function sumPayouts(db: Reader, organizationIds: readonly number[]) {
  const { rows } = await sql<{ onTheWayCents: number; paidCents: number }>`
    select coalesce(sum(amount_cents) filter (where status in ('created', 'submitted')), 0)::bigint as "onTheWayCents",
           coalesce(sum(amount_cents) filter (where status = 'paid'), 0)::bigint as "paidCents"
      from payouts where organization_id = any (${[...organizationIds]}::bigint[])`.execute(db);
  return rows[0] ?? { onTheWayCents: 0, paidCents: 0 };
}

/** The sum of all payouts in progress. */
export async function sumOpen(db: Reader): Promise<{ cents: number; payouts: number }> {
  const { rows } = await sql<{ cents: number; payouts: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents, count(*)::integer as payouts
      from payouts where status in ('created', 'submitted')`.execute(db);
  return rows[0] ?? { cents: 0, payouts: 0 };
}

/**
 * `judged`: every order with an open amount, and why it is due or not, in the words of payouts.rules.ts
 * (payout-kinds.test.ts compares both).
 */
function judgedOrders(paidUntil: Date, organizationIds: readonly number[] | null): RawBuilder<unknown> {
  const own =
    organizationIds === null ? sql`` : sql`and account.organization_id = any (${[...organizationIds]}::bigint[])`;
  return sql`
    owed as (
      select account.organization_id, open.order_id, -open.amount_cents as cents
        from ledger_accounts account join open_balances open on open.account_id = account.id
       where account.kind = 'org_payable' ${own}
    ), judged as (
      select owed.organization_id, owed.order_id, owed.cents, o.paid_at,
             case when owed.cents < 0 or line.order_id is not null then 'carry'
                  when exists (select from payment_disputes d where d.order_id = o.id and d.status = 'open') then 'disputed'
                  when o.paid_at > ${paidUntil} then 'too_new'
                  else 'due' end as kind
        from owed join orders o on o.id = owed.order_id
        left join payout_lines line on line.order_id = owed.order_id and line.kind = 'sale' and line.live
    )`;
}

/** One row per organization with an open amount, the largest sum due first. */
export async function listReview(
  db: Reader,
  search: { paidUntil: Date; organizationIds: readonly number[] | null; text?: string },
) {
  const { rows } = await sql<OpenAccount>`
    with ${judgedOrders(search.paidUntil, search.organizationIds)}, sums_of_kinds as (
      select organization_id, kind, sum(cents)::bigint as cents, count(*)::integer as orders, min(paid_at) as first, max(paid_at) as last
        from judged group by organization_id, kind
    ), sums as (
      select organization_id,
             coalesce(sum(cents) filter (where kind = 'due'), 0)::bigint as due,
             coalesce(sum(orders) filter (where kind = 'due'), 0)::integer as due_orders,
             min(first) filter (where kind = 'due') as due_from, max(last) filter (where kind = 'due') as due_to,
             coalesce(sum(cents) filter (where kind = 'carry'), 0)::bigint as carry,
             coalesce(sum(cents) filter (where kind = 'too_new'), 0)::bigint as too_new,
             coalesce(sum(orders) filter (where kind = 'too_new'), 0)::integer as too_new_orders,
             min(first) filter (where kind = 'too_new') as too_new_from,
             coalesce(sum(cents) filter (where kind = 'disputed'), 0)::bigint as disputed,
             coalesce(sum(orders) filter (where kind = 'disputed'), 0)::integer as disputed_orders
        from sums_of_kinds group by organization_id
    )
    select s.organization_id as "organizationId", o.name, o.domain_name as path, coalesce(parent.domain_name, o.domain_name) as "hostLabel",
           s.due, s.due_orders as "dueOrders", s.due_from as "dueFrom", s.due_to as "dueTo", s.carry,
           s.too_new as "tooNew", s.too_new_orders as "tooNewOrders", s.too_new_from as "tooNewFrom",
           s.disputed, s.disputed_orders as "disputedOrders", ${named(search.text ?? '')} as "isFound"
      from sums s join organizations o on o.id = s.organization_id
      left join organizations parent on parent.id = o.parent_organization_id
     order by s.due + s.carry desc, s.organization_id`.execute(db);
  return rows;
}

/** What organizations owe us: our share of sales on their own Stripe accounts, and negative payables. */
export async function listDebtors(db: Reader, text: string, limit: number): Promise<Debtor[]> {
  const { rows } = await sql<Debtor>`
    select o.id as "organizationId", o.name, sum(d.cents)::bigint as "owesCents"
      from (select a.organization_id, sum(b.amount_cents) as cents
              from ledger_accounts a join open_balances b on b.account_id = a.id
             group by a.id having sum(b.amount_cents) > 0) d
      join organizations o on o.id = d.organization_id
     where ${named(text)} group by o.id order by 3 desc, o.id limit ${limit}`.execute(db);
  return rows;
}

/** Organizations that sell on their own Stripe accounts: the platform never gets their sales. */
type OwnAccountRow = { organizationId: number; name: string; orders: number };

export async function listOwnAccounts(db: Reader, text: string, limit: number): Promise<OwnAccountRow[]> {
  const { rows } = await sql<OwnAccountRow>`
    select o.id as "organizationId", o.name, sold.orders
      from (select organization_id, count(*)::integer as orders from orders where processor = 'custom' and paid_at is not null
             group by organization_id) sold
      join organizations o on o.id = sold.organization_id
     where ${named(text)} order by sold.orders desc, o.id limit ${limit}`.execute(db);
  return rows;
}
