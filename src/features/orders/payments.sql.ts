/** Table of this module: payment_attempts, and what each outcome does to its order. A charge is decided once. */
import { sql } from 'kysely';
import { SWEEP_EVERY_SECONDS } from '#src/features/orders/orders.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';

/**
 * For a charge that is found by its key. With a list of the other states instead, PostgreSQL would use the index of live
 * charges, and read all of it while the table is small.
 */
const UNDECIDED = sql`state not in ('succeeded', 'failed')`;

/** `accountSecret`: the seller's own secret key, encrypted, if the order is charged on its account. */
export type SentCharge = { orderId: number; idempotencyKey: string; amountCents: number; accountSecret: Buffer | null };

/**
 * Reopens a failed order for another card; null when another request has done so, it has not failed, or its seller was
 * deleted. `isOffered`: it has an offer, a pass or a code.
 */
export async function reopenOrder(tx: Writer, charge: SentCharge): Promise<{ isOffered: boolean } | null> {
  const { rows } = await sql<{ isOffered: boolean }>`
    with reopened as (
      update orders set status = 'pending', decline_message = null
       where id = ${charge.orderId} and status = 'failed'
         and organization_id in (select id from organizations where deleted_at is null for key share)
      returning id, organization_id
    )
    insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, account_secret, state, sent_at)
    select id, organization_id, 'charge', ${charge.idempotencyKey}::uuid, ${charge.amountCents}::integer, ${charge.accountSecret}::bytea, 'sent', now() from reopened
    returning exists (select from order_prices p where p.order_id = payment_attempts.order_id) as "isOffered"`.execute(
    tx,
  );
  return rows[0] ?? null;
}

type PaidFacts = {
  chargeId: string;
  feeCents: number | null;
  cardBrand: string;
  cardLast4: string;
  paidAt: Date;
};

/**
 * Marks charge and order as paid. Null when the charge was already decided, also by a transaction that it waits for. Triggers
 * on `orders` then change what depends on the status: reports (`note_sale`), uses of codes, credit and included photos
 * (`decide_coupon_use`, `decide_credit`, `decide_allowance_use`), and webhooks (`note_order_paid`).
 */
export async function markPaid(tx: Writer, idempotencyKey: string, facts: PaidFacts): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`${prepared}
    with charge as (
      update payment_attempts
         set state = 'succeeded', provider_ref = ${facts.chargeId}, fee_cents = ${facts.feeCents}::integer, error = null, account_secret = null, decided_at = now()
       where idempotency_key = ${idempotencyKey}::uuid and kind = 'charge' and ${UNDECIDED}
      returning order_id
    )
    update orders
       set status = 'paid', paid_at = ${facts.paidAt}, card_brand = ${facts.cardBrand}, card_last4 = ${facts.cardLast4}, decline_message = null
      from charge
     where orders.id = charge.order_id and orders.status = 'pending'
    returning orders.id`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Marks charge and order as failed, with the message for the buyer. Null when the charge was already decided. The
 * triggers `decide_…` then release what the order had reserved.
 */
export async function markFailed(tx: Writer, idempotencyKey: string, message: string) {
  const { rows } = await sql<{ orderId: number; hasCredit: boolean }>`
    with charge as (
      update payment_attempts set state = 'failed', error = ${message}, account_secret = null, decided_at = now()
       where idempotency_key = ${idempotencyKey}::uuid and kind = 'charge' and ${UNDECIDED}
      returning order_id
    )
    update orders set status = 'failed', decline_message = ${message}
      from charge
     where orders.id = charge.order_id and orders.status = 'pending'
    returning orders.id as "orderId", orders.credit_cents + orders.bonus_cents > 0 as "hasCredit"`.execute(tx);
  return rows[0] ?? null;
}

/** Records that a charge's response was lost. */
export async function markUnknown(tx: Writer, idempotencyKey: string, cause: string): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({ state: 'unknown', error: cause })
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', '=', 'sent')
    .execute();
}

/** Records that 3-D Secure waits for the buyer, with the provider's id, by which the charge is found from now on. */
export async function markWaitingForBuyer(tx: Writer, idempotencyKey: string, chargeId: string): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({ provider_ref: chargeId, action_since: sql<Date>`coalesce(action_since, now())` })
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', 'in', ['created', 'sent', 'unknown'])
    .execute();
}

export type UndecidedCharge = NonNullable<Awaited<ReturnType<typeof findUndecided>>>;

/** The undecided charge with this key. `waitingForBuyerSeconds`: how long 3-D Secure has been waiting; null when it is not. */
export async function findUndecided(db: Reader, idempotencyKey: string) {
  const row = await db
    .selectFrom('payment_attempts')
    .select([
      'amount_cents as amountCents',
      'organization_id as organizationId',
      'provider_ref as chargeId',
      'account_secret as accountSecret',
      sql<Date>`coalesce(sent_at, created_at)`.as('sentAt'),
      sql<number | null>`extract(epoch from now() - action_since)::float8`.as('waitingForBuyerSeconds'),
    ])
    .where('idempotency_key', '=', idempotencyKey)
    .where('kind', '=', 'charge')
    .where('state', 'in', ['created', 'sent', 'unknown'])
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Keys of charges that are older than their sender waits, by the database's clock. Newest first: their buyers are waiting,
 * and charges without an outcome for days must not delay them. A charge in 3-D Secure is checked at each run for three
 * minutes, and at every third run afterwards.
 */
export async function listLeftBehind(db: Reader, olderThanSeconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .select('idempotency_key')
    .where('kind', '=', 'charge')
    .where('state', 'in', ['created', 'sent', 'unknown'])
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds}::float8)`)
    .where(
      sql<boolean>`(action_since is null or action_since > now() - interval '3 minutes' or floor(extract(epoch from now()) / ${SWEEP_EVERY_SECONDS})::bigint % 3 = 0)`,
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.idempotency_key);
}
