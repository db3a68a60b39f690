/**
 * Table of this module: payment_disputes; what disputes and late fees change in orders and their charges; the provider's
 * events.
 */
import { sql } from 'kysely';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { DisputeFacts } from '#src/platform/payments/payments.ts';
import type { ProviderEvent } from '#src/platform/payments/provider-events.ts';

export function findCharge(db: Reader, idempotencyKey: string) {
  return db
    .selectFrom('payment_attempts')
    .select(['order_id as orderId', 'state'])
    .where(sql<string>`idempotency_key::text`, '=', idempotencyKey)
    .where('kind', '=', 'charge')
    .executeTakeFirst();
}

/**
 * Locks the order, so that two checks of its charge do not both book the result. `feeCents`: null while only the estimate is
 * booked.
 */
export async function lockSold(tx: Writer, orderId: number) {
  const order = await tx
    .selectFrom('orders')
    .select(['status', 'refunded_cents as refundedCents', 'total_cents as totalCents', 'processor', 'kind'])
    .select(['credit_cents as creditCents', 'credit_returned_cents as creditReturnedCents'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const charge = await tx
    .selectFrom('payment_attempts')
    .select('fee_cents as feeCents')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'charge')
    .where('state', '=', 'succeeded')
    .executeTakeFirstOrThrow();
  return { ...order, ...charge };
}

export async function updateFee(tx: Writer, idempotencyKey: string, feeCents: number): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({ fee_cents: feeCents })
    .where('idempotency_key', '=', idempotencyKey)
    .execute();
}

export async function updateStatus(tx: Writer, orderId: number, status: OrderStatus): Promise<void> {
  await tx.updateTable('orders').set({ status }).where('id', '=', orderId).execute();
}

export async function listDisputes(tx: Writer, orderId: number): Promise<Map<string, DisputeFacts['status']>> {
  const rows = await tx
    .selectFrom('payment_disputes')
    .select(['id', 'status'])
    .where('order_id', '=', orderId)
    .execute();
  return new Map(rows.map((row) => [row.id, row.status]));
}

export async function saveDispute(tx: Writer, dispute: DisputeFacts & { orderId: number; organizationId: number }) {
  const closedAt = dispute.status === 'open' ? null : sql<Date>`now()`;
  await tx
    .insertInto('payment_disputes')
    .values({
      id: dispute.id,
      order_id: dispute.orderId,
      organization_id: dispute.organizationId,
      amount_cents: dispute.amountCents,
      status: dispute.status,
      reason: dispute.reason,
      closed_at: closedAt,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status: dispute.status, closed_at: closedAt }))
    .execute();
}

/** Provider's ids of paid charges without a real fee; those older than an hour only once an hour. */
export async function listWithoutFee(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .select('provider_ref')
    .where('kind', '=', 'charge')
    .where('state', '=', 'succeeded')
    .where('fee_cents', 'is', null)
    .where('decided_at', '>', sql<Date>`now() - interval '7 days'`)
    .where(sql<boolean>`(decided_at > now() - interval '1 hour' or extract(minute from now()) = 0)`)
    .orderBy('decided_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.provider_ref).filter((ref) => ref !== null);
}

/** False when the event was received before. */
export async function insertEvent(tx: Writer, event: ProviderEvent): Promise<boolean> {
  const row = await tx
    .insertInto('webhook_inbox')
    .values({
      event_id: event.id,
      type: event.type,
      charge_ref: event.chargeRef,
      processed_at: event.chargeRef === null ? sql<Date>`now()` : null,
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findWaiting(db: Reader, eventId: string): Promise<{ chargeRef: string } | null> {
  const row = await db
    .selectFrom('webhook_inbox')
    .select('charge_ref')
    .where('event_id', '=', eventId)
    .where('processed_at', 'is', null)
    .executeTakeFirst();
  return row && row.charge_ref !== null ? { chargeRef: row.charge_ref } : null;
}

/** One check of a charge settles all its waiting events. `heardBefore`: when the check began. */
export async function markProcessed(tx: Writer, chargeRef: string, heardBefore: Date): Promise<void> {
  await sql`
    update webhook_inbox set processed_at = now(), attempts = attempts + 1, last_error = null
     where charge_ref = ${chargeRef} and processed_at is null and received_at <= ${heardBefore}`.execute(tx);
}

export async function markTried(tx: Writer, eventId: string, error: string): Promise<void> {
  await sql`
    update webhook_inbox set attempts = attempts + 1, last_error = ${error} where event_id = ${eventId}`.execute(tx);
}

/** Events whose job was lost or gave up, oldest first, with longer pauses after many failures. */
export async function listForgotten(db: Reader, limit: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from webhook_inbox
     where processed_at is null and received_at < now() - interval '1 minute' * power(2, least(attempts, 10))
     order by received_at limit ${limit}`.execute(db);
  return rows.map((row) => row.event_id);
}

/** The database's clock, which stamps events. */
export async function databaseNow(db: Reader): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  if (!rows[0]) throw new Error('the database returned no time');
  return rows[0].now;
}
