/** Table of this module: account_payments, where a charge that bought nothing is refunded. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Decides that a charge is refunded, under `refundKey`. False for a sign-up that has its account. */
export async function markRefunding(tx: Writer, id: number, refundKey: string): Promise<boolean> {
  const row = await tx
    .updateTable('account_payments')
    .set({ state: 'refunding', refund_key: refundKey })
    .where('id', '=', id)
    .where('state', '=', 'succeeded')
    .where((eb) => eb.or([eb('kind', '<>', 'sign_up'), eb('organization_id', 'is', null)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export type Refunding = {
  id: number;
  chargeId: string;
  amountCents: number;
  refundKey: string;
  feeCents: number | null;
};

/** What is to be refunded for this payment, if anything. */
export async function findRefunding(db: Reader, id: number): Promise<Refunding | null> {
  const row = await db
    .selectFrom('account_payments')
    .select(['id', 'provider_ref', 'amount_cents', 'refund_key', 'fee_cents'])
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .executeTakeFirst();
  if (!row || row.provider_ref === null || row.refund_key === null) return null;
  return {
    id: row.id,
    chargeId: row.provider_ref,
    amountCents: row.amount_cents,
    refundKey: row.refund_key,
    feeCents: row.fee_cents,
  };
}

export async function markRefunded(tx: Writer, id: number, refundId: string | null): Promise<boolean> {
  const row = await tx
    .updateTable('account_payments')
    .set({ state: 'refunded', refund_ref: refundId, refunded_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
