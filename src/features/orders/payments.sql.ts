/** Table of this room: payment_attempts, with what each outcome does to its order. A charge is decided once. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { steady } from '#src/platform/db/steady.ts';

const UNDECIDED = sql`('created', 'sent', 'unknown')`;

export type SentCharge = { orderId: number; idempotencyKey: string; amountCents: number };

/** Opens a failed order for another card. False when somebody else has done so, or it is not failed. */
export async function reopenOrder(tx: Writer, charge: SentCharge): Promise<boolean> {
  const { rows } = await sql`
    with reopened as (
      update orders set status = 'pending', decline_message = null
       where id = ${charge.orderId} and status = 'failed'
      returning id, organization_id
    )
    insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state, sent_at)
    select id, organization_id, 'charge', ${charge.idempotencyKey}::uuid, ${charge.amountCents}::integer, 'sent', now() from reopened
    returning id`.execute(tx);
  return rows.length > 0;
}

export type PaidFacts = {
  chargeId: string;
  feeCents: number | null;
  cardBrand: string;
  cardLast4: string;
  paidAt: Date;
};

/** Marks charge and order as paid; the order's id, or null when the charge was decided before. Waits for whoever is just deciding it. */
export async function markPaid(tx: Writer, idempotencyKey: string, facts: PaidFacts): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`${steady}
    with charge as (
      update payment_attempts
         set state = 'succeeded', provider_ref = ${facts.chargeId}, fee_cents = ${facts.feeCents}::integer, error = null, decided_at = now()
       where idempotency_key = ${idempotencyKey}::uuid and kind = 'charge' and state in ${UNDECIDED}
      returning order_id
    )
    update orders
       set status = 'paid', paid_at = ${facts.paidAt}, card_brand = ${facts.cardBrand}, card_last4 = ${facts.cardLast4}, decline_message = null
      from charge
     where orders.id = charge.order_id and orders.status = 'pending'
    returning orders.id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Marks charge and order as failed, with the words for the buyer. False when the charge was decided before. */
export async function markFailed(tx: Writer, idempotencyKey: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    with charge as (
      update payment_attempts set state = 'failed', error = ${message}, decided_at = now()
       where idempotency_key = ${idempotencyKey}::uuid and kind = 'charge' and state in ${UNDECIDED}
      returning order_id
    )
    update orders set status = 'failed', decline_message = ${message}
      from charge
     where orders.id = charge.order_id and orders.status = 'pending'
    returning orders.id`.execute(tx);
  return rows.length > 0;
}

/** Notes that a charge's reply was lost. */
export async function markUnknown(tx: Writer, idempotencyKey: string, cause: string): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({ state: 'unknown', error: cause })
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', '=', 'sent')
    .execute();
}

/** The undecided charge with this key. */
export async function findUndecided(db: Reader, idempotencyKey: string): Promise<{ amountCents: number } | null> {
  const row = await db
    .selectFrom('payment_attempts')
    .select('amount_cents')
    .where('idempotency_key', '=', idempotencyKey)
    .where('kind', '=', 'charge')
    .where('state', 'in', ['created', 'sent', 'unknown'])
    .executeTakeFirst();
  return row ? { amountCents: row.amount_cents } : null;
}

/**
 * Keys of charges that have been out for longer than their sender waits, by the database's clock. Newest first: their
 * buyers are waiting, and charges of which the provider says nothing for days must not stand in their way.
 */
export async function listLeftBehind(db: Reader, olderThanSeconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .select('idempotency_key')
    .where('kind', '=', 'charge')
    .where('state', 'in', ['created', 'sent', 'unknown'])
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${olderThanSeconds}::float8)`)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.idempotency_key);
}
