/** Payouts as people read them, and whom emails about them go to. */
import { sql } from 'kysely';
import type { PayoutFacts } from '#src/features/payouts/payout-answers.rules.ts';
import { LOCKED, type LockedPayout } from '#src/features/payouts/payouts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

export type PayoutSearch = {
  /** Null: every organization's. */
  organizationIds: readonly number[] | null;
  openOnly?: boolean;
  /** Those with a smaller id. */
  before?: number | null;
  only?: number;
  limit: number;
};

/** Newest first, by key. */
export async function listPayouts(db: Reader, search: PayoutSearch): Promise<PayoutFacts[]> {
  let query = db
    .selectFrom('payouts as p')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
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
      'p.created_by as createdBy',
      sql<string | null>`maker.first_name || ' ' || maker.last_name`.as('createdByName'),
      'p.approved_by as approvedBy',
      sql<string | null>`approver.first_name || ' ' || approver.last_name`.as('approvedByName'),
      'p.returned_by as returnedBy',
      sql<string | null>`returner.first_name || ' ' || returner.last_name`.as('returnedByName'),
    ])
    .orderBy('p.id', 'desc')
    .limit(search.limit);
  if (search.organizationIds !== null) query = query.where('p.organization_id', 'in', [...search.organizationIds, 0]);
  if (search.openOnly) query = query.where('p.status', 'in', ['created', 'submitted']);
  if (search.before) query = query.where('p.id', '<', search.before);
  if (search.only !== undefined) query = query.where('p.id', '=', search.only);
  return query.execute();
}

export type ListedLine = {
  orderId: number;
  vanityId: string;
  paidAt: Date | null;
  amountCents: number;
  kind: 'sale' | 'carry';
};

/** What its orders brought to a payout, by their ids; also to one that has failed. */
export async function listLines(
  db: Reader,
  payoutId: number,
  search: { after: number; limit: number },
): Promise<ListedLine[]> {
  return db
    .selectFrom('payout_lines as line')
    .innerJoin('orders as o', 'o.id', 'line.order_id')
    .select([
      'line.order_id as orderId',
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

/** Payouts of one press that no one has taken yet. */
export async function listWaiting(db: Reader, batchKey: string): Promise<LockedPayout[]> {
  return db
    .selectFrom('payouts')
    .select(LOCKED)
    .where('batch_key', '=', batchKey)
    .where('status', '=', 'created')
    .orderBy('id')
    .execute();
}

export type Payee = {
  name: string;
  /** Billing's address, or else the contact's. */
  email: string | null;
  path: string;
  hostLabel: string;
  timeZone: string;
};

export async function findPayee(db: Reader, organizationId: number): Promise<Payee | null> {
  const row = await db
    .selectFrom('organizations as o')
    .leftJoin('organization_private as private', 'private.organization_id', 'o.id')
    .leftJoin('organizations as parent', 'parent.id', 'o.parent_organization_id')
    .select([
      'o.name',
      sql<string | null>`coalesce(nullif(private.billing_email::text, ''), nullif(o.contact_email::text, ''))`.as(
        'email',
      ),
      'o.domain_name as path',
      sql<string>`coalesce(parent.domain_name, o.domain_name)`.as('hostLabel'),
      'o.time_zone as timeZone',
    ])
    .where('o.id', '=', organizationId)
    .executeTakeFirst();
  return row ?? null;
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

/** The organization and those below it. */
export async function listFamily(db: Reader, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from organizations where id = ${organizationId} or parent_organization_id = ${organizationId}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** What is on its way to these organizations, and what was ever paid to them, in cents. */
export async function sumPayouts(
  db: Reader,
  organizationIds: readonly number[],
): Promise<{ onTheWayCents: number; paidCents: number }> {
  const { rows } = await sql<{ onTheWayCents: number; paidCents: number }>`
    select coalesce(sum(amount_cents) filter (where status in ('created', 'submitted')), 0)::bigint as "onTheWayCents",
           coalesce(sum(amount_cents) filter (where status = 'paid'), 0)::bigint as "paidCents"
      from payouts where organization_id = any (${[...organizationIds]}::bigint[])`.execute(db);
  return rows[0] ?? { onTheWayCents: 0, paidCents: 0 };
}

/** What is on its way to everyone. */
export async function sumOpen(db: Reader): Promise<{ cents: number; payouts: number }> {
  const { rows } = await sql<{ cents: number; payouts: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents, count(*)::integer as payouts
      from payouts where status in ('created', 'submitted')`.execute(db);
  return rows[0] ?? { cents: 0, payouts: 0 };
}
