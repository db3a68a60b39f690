/**
 * Tables of this module: payouts, payout_lines, payout_presses; and settlements, the debts that organizations have paid by
 * invoice.
 */
import { sql } from 'kysely';
import type { PayoutStatus } from '#src/features/payouts/payouts.contract.ts';
import type { Draft } from '#src/features/payouts/payouts.rules.ts';
import type { Reader, RowOf, Schema, Writer } from '#src/platform/db/db.ts';
import { columnsOf } from '#src/shared/field-names.ts';
import { pick } from '#src/shared/form-values.ts';

/** The active payout of each of these orders whose sale was paid out. */
export async function listPaidOut(db: Reader, orderIds: readonly number[]) {
  const { rows } = await sql<{ orderId: number; payoutId: number; status: PayoutStatus }>`
    select line.order_id as "orderId", line.payout_id as "payoutId", payout.status
      from payout_lines line join payouts payout on payout.id = line.payout_id
     where line.kind = 'sale' and line.live and line.order_id = any (${[...orderIds]}::bigint[])`.execute(db);
  return new Map(rows.map(({ orderId, payoutId, status }) => [orderId, { payoutId, status }]));
}

export type MadePayout = { id: number; organizationId: number; amountCents: number };

/** Writes all payouts of one request. */
export async function insertPayouts(
  tx: Writer,
  drafts: readonly Draft[],
  batch: { batchKey: string; createdBy: number | null; at: Date },
): Promise<MadePayout[]> {
  return tx
    .insertInto('payouts')
    .values(
      drafts.map((draft) => ({
        ...columnsOf(pick(draft, ['organizationId', 'amountCents', 'orderCount', 'salesFrom', 'salesTo'])),
        batch_key: batch.batchKey,
        created_by: batch.createdBy,
        created_at: batch.at,
      })),
    )
    .returning(['id', 'organization_id as organizationId', 'amount_cents as amountCents'])
    .execute();
}

type NewLine = Draft['lines'][number] & { payoutId: number; organizationId: number };

/** A second active sale of the same order is a unique violation (23505). */
export async function insertLines(tx: Writer, lines: readonly NewLine[]): Promise<void> {
  await sql`
    insert into payout_lines (payout_id, order_id, organization_id, amount_cents, kind)
    select * from unnest(${lines.map((line) => line.payoutId)}::bigint[], ${lines.map((line) => line.orderId)}::bigint[],
                         ${lines.map((line) => line.organizationId)}::bigint[], ${lines.map((line) => line.amountCents)}::bigint[],
                         ${lines.map((line) => line.kind)}::text[])`.execute(tx);
}

/** `returnedAt`: when the bank returned it after it was confirmed. */
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

/** Locks the payout: the first one to decide it has decided it. */
export function lockPayout(tx: Writer, id: number) {
  return tx.selectFrom('payouts').select(LOCKED).where('id', '=', id).forUpdate().executeTakeFirst();
}

export function findPayout(db: Reader, id: number) {
  return db.selectFrom('payouts').select(LOCKED).where('id', '=', id).executeTakeFirst();
}

export type LockedPayout = NonNullable<Awaited<ReturnType<typeof lockPayout>>>;

type Decision =
  | { status: 'paid'; reference: string; by: number | null; at: Date }
  | { status: 'failed' | 'returned'; failureReason: string; by: number | null; at: Date };

/** A confirmed payout that the bank returned has failed; who confirmed it, and when, stays. */
export async function decidePayout(tx: Writer, id: number, decision: Decision): Promise<void> {
  const { status, by, at } = decision;
  const decided = status === 'returned' ? { returned_by: by, returned_at: at } : { approved_by: by, decided_at: at };
  await tx
    .updateTable('payouts')
    .set({
      status: status === 'returned' ? 'failed' : status,
      ...decided,
      ...(status === 'paid' ? { reference: decision.reference } : { failure_reason: decision.failureReason }),
    })
    .where('id', '=', id)
    .execute();
}

/** A provider has accepted it. */
export async function markSubmitted(tx: Writer, id: number, providerRef: string, at: Date): Promise<void> {
  await tx
    .updateTable('payouts')
    .set({ status: 'submitted', provider_ref: providerRef, submitted_at: at })
    .where('id', '=', id)
    .where('status', '=', 'created')
    .execute();
}

/** Releases the orders of a failed payout; returns the amount of each. */
export async function releaseLines(tx: Writer, payoutId: number): Promise<{ orderId: number; amountCents: number }[]> {
  return tx
    .updateTable('payout_lines')
    .set({ live: false })
    .where('payout_id', '=', payoutId)
    .where('live', '=', true)
    .returning(['order_id as orderId', 'amount_cents as amountCents'])
    .execute();
}

/**
 * Takes an admin's idempotency key for this request; returns an existing response, after waiting for a simultaneous request
 * with it.
 */
export async function beginRequest(tx: Writer, request: { userId: number; key: string; contentHash: Buffer }) {
  const taken = await tx
    .insertInto('payout_presses')
    .values({ user_id: request.userId, key: request.key, content_hash: request.contentHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (taken) return null;
  return tx
    .selectFrom('payout_presses')
    .select(['content_hash as contentHash', 'answer'])
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow();
}

export async function endRequest(tx: Writer, request: { userId: number; key: string }, answer: object): Promise<void> {
  await tx
    .updateTable('payout_presses')
    .set({ answer: JSON.stringify(answer) as Schema['payout_presses']['answer'] & string })
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .execute();
}

/** What was booked with this reference. */
export async function findSettlement(db: Reader, organizationId: number, reference: string) {
  const row = await db
    .selectFrom('settlements')
    .select(['id', 'share_cents', 'debt_cents'])
    .where('organization_id', '=', organizationId)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row && { id: row.id, amountCents: row.share_cents + row.debt_cents };
}

export async function insertSettlement(
  tx: Writer,
  settlement: RowOf<
    'settlements',
    'organization_id' | 'share_cents' | 'debt_cents' | 'reference' | 'created_by' | 'created_at'
  >,
): Promise<number> {
  const row = await tx.insertInto('settlements').values(settlement).returning('id').executeTakeFirstOrThrow();
  return row.id;
}
