/** Tables of this module: payouts, payout_lines, payout_presses. */
import { sql } from 'kysely';
import type { PayoutStatus } from '#src/features/payouts/payouts.contract.ts';
import type { Draft } from '#src/features/payouts/payouts.rules.ts';
import type { Reader, Schema, Writer } from '#src/platform/db/db.ts';

/** The living payout of each of these orders whose sale was paid out. */
export async function listPaidOut(
  db: Reader,
  orderIds: readonly number[],
): Promise<Map<number, { payoutId: number; status: PayoutStatus }>> {
  const { rows } = await sql<{ orderId: number; payoutId: number; status: PayoutStatus }>`
    select line.order_id as "orderId", line.payout_id as "payoutId", payout.status
      from payout_lines line join payouts payout on payout.id = line.payout_id
     where line.kind = 'sale' and line.live and line.order_id = any (${[...orderIds]}::bigint[])`.execute(db);
  return new Map(rows.map(({ orderId, payoutId, status }) => [orderId, { payoutId, status }]));
}

export type MadePayout = { id: number; organizationId: number; amountCents: number };

/** Writes all payouts of one press. */
export async function insertPayouts(
  tx: Writer,
  drafts: readonly Draft[],
  press: { batchKey: string; createdBy: number | null; at: Date },
): Promise<MadePayout[]> {
  return tx
    .insertInto('payouts')
    .values(
      drafts.map((draft) => ({
        organization_id: draft.organizationId,
        amount_cents: draft.amountCents,
        batch_key: press.batchKey,
        order_count: draft.orderCount,
        sales_from: draft.salesFrom,
        sales_to: draft.salesTo,
        created_by: press.createdBy,
        created_at: press.at,
      })),
    )
    .returning(['id', 'organization_id as organizationId', 'amount_cents as amountCents'])
    .execute();
}

export type NewLine = Draft['lines'][number] & { payoutId: number; organizationId: number };

/** A second living sale of the same order is a unique violation (23505). */
export async function insertLines(tx: Writer, lines: readonly NewLine[]): Promise<void> {
  await sql`
    insert into payout_lines (payout_id, order_id, organization_id, amount_cents, kind)
    select * from unnest(${lines.map((line) => line.payoutId)}::bigint[], ${lines.map((line) => line.orderId)}::bigint[],
                         ${lines.map((line) => line.organizationId)}::bigint[], ${lines.map((line) => line.amountCents)}::bigint[],
                         ${lines.map((line) => line.kind)}::text[])`.execute(tx);
}

export type LockedPayout = {
  id: number;
  organizationId: number;
  amountCents: number;
  status: PayoutStatus;
  providerKey: string;
  reference: string | null;
  failureReason: string | null;
  orderCount: number;
  salesFrom: Date | null;
  salesTo: Date | null;
  createdBy: number | null;
  /** When the bank sent it back after it was confirmed. */
  returnedAt: Date | null;
};

/** The columns of a `LockedPayout`. */
export const LOCKED = [
  'id',
  'organization_id as organizationId',
  'amount_cents as amountCents',
  'status',
  'provider_key as providerKey',
  'reference',
  'failure_reason as failureReason',
  'order_count as orderCount',
  'sales_from as salesFrom',
  'sales_to as salesTo',
  'created_by as createdBy',
  'returned_at as returnedAt',
] as const;

/** The payout under a lock: anyone who decides it first has decided it. */
export async function lockPayout(tx: Writer, id: number): Promise<LockedPayout | null> {
  const row = await tx.selectFrom('payouts').select(LOCKED).where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? null;
}

export async function findPayout(db: Reader, id: number): Promise<LockedPayout | null> {
  const row = await db.selectFrom('payouts').select(LOCKED).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export type Decision =
  | { status: 'paid'; reference: string; by: number | null; at: Date }
  | { status: 'failed'; failureReason: string; by: number | null; at: Date };

export async function decidePayout(tx: Writer, id: number, decision: Decision): Promise<void> {
  await tx
    .updateTable('payouts')
    .set({
      status: decision.status,
      approved_by: decision.by,
      decided_at: decision.at,
      ...(decision.status === 'paid' ? { reference: decision.reference } : { failure_reason: decision.failureReason }),
    })
    .where('id', '=', id)
    .execute();
}

/** A confirmed one that the bank sent back has failed after all; who confirmed it, and when, stays. */
export async function markReturned(
  tx: Writer,
  id: number,
  returned: { reason: string; by: number; at: Date },
): Promise<void> {
  await tx
    .updateTable('payouts')
    .set({
      status: 'failed',
      failure_reason: returned.reason,
      returned_by: returned.by,
      returned_at: returned.at,
    })
    .where('id', '=', id)
    .execute();
}

/** A provider has taken it. */
export async function markSubmitted(tx: Writer, id: number, providerRef: string, at: Date): Promise<void> {
  await tx
    .updateTable('payouts')
    .set({ status: 'submitted', provider_ref: providerRef, submitted_at: at })
    .where('id', '=', id)
    .where('status', '=', 'created')
    .execute();
}

/** Takes a failed payout off its orders; returns what each had brought. */
export async function releaseLines(tx: Writer, payoutId: number): Promise<{ orderId: number; amountCents: number }[]> {
  return tx
    .updateTable('payout_lines')
    .set({ live: false })
    .where('payout_id', '=', payoutId)
    .where('live', '=', true)
    .returning(['order_id as orderId', 'amount_cents as amountCents'])
    .execute();
}

export type Press = { contentHash: Buffer; answer: unknown };

/** Takes a key of an admin for this press; what is under it already is answered, after anyone who is just pressing has ended. */
export async function beginPress(
  tx: Writer,
  press: { userId: number; key: string; contentHash: Buffer },
): Promise<Press | null> {
  const taken = await tx
    .insertInto('payout_presses')
    .values({ user_id: press.userId, key: press.key, content_hash: press.contentHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (taken) return null;
  const standing = await tx
    .selectFrom('payout_presses')
    .select(['content_hash as contentHash', 'answer'])
    .where('user_id', '=', press.userId)
    .where('key', '=', press.key)
    .executeTakeFirstOrThrow();
  return standing;
}

export async function endPress(tx: Writer, press: { userId: number; key: string }, answer: object): Promise<void> {
  await tx
    .updateTable('payout_presses')
    .set({ answer: JSON.stringify(answer) as Schema['payout_presses']['answer'] & string })
    .where('user_id', '=', press.userId)
    .where('key', '=', press.key)
    .execute();
}
