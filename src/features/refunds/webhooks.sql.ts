/** Table of this module: webhook_inbox. One row per event; of an event only what is needed is kept. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { ProviderEvent } from '#src/platform/payments/provider-events.ts';

/** False when the event was heard before. */
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

/** Everything that waits about one charge is settled by one look at it. `heardBefore`: when the look began. */
export async function markProcessed(tx: Writer, chargeRef: string, heardBefore: Date): Promise<void> {
  await sql`
    update webhook_inbox set processed_at = now(), attempts = attempts + 1, last_error = null
     where charge_ref = ${chargeRef} and processed_at is null and received_at <= ${heardBefore}`.execute(tx);
}

export async function markTried(tx: Writer, eventId: string, error: string): Promise<void> {
  await sql`update webhook_inbox set attempts = attempts + 1, last_error = ${error} where event_id = ${eventId}`.execute(
    tx,
  );
}

/** Events whose job was lost or gave up, oldest first; those that failed often rest for longer. */
export async function listForgotten(db: Reader, limit: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from webhook_inbox
     where processed_at is null and received_at < now() - interval '1 minute' * power(2, least(attempts, 10))
     order by received_at limit ${limit}`.execute(db);
  return rows.map((row) => row.event_id);
}

/** The database's clock, by which events are stamped. */
export async function databaseNow(db: Reader): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  if (!rows[0]) throw new Error('the database returned no time');
  return rows[0].now;
}
