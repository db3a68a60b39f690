/** The status of a charge of the sandbox, and its books, in the same shapes as Stripe's. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '#src/platform/db/db.ts';
import type {
  CardFacts,
  ChargeOutcome,
  FoundRefund,
  RefundRequest,
  ChargeStatus,
  BookLine,
  BookRange,
} from '#src/platform/payments/payments.ts';
import * as books from '#src/platform/payments/sandbox-books.sql.ts';
import * as movementsSql from '#src/platform/payments/sandbox-movements.sql.ts';
import { cents } from '#src/shared/money.ts';

const LINES_A_PAGE = 1_000;
const KINDS = ['charge', 'refund', 'dispute', 'payout'] as const;

export function outcomeOf(charge: books.ChargeRow): Extract<ChargeOutcome, { state: 'succeeded' | 'declined' }> {
  if (charge.status === 'declined')
    return { state: 'declined', message: charge.message ?? '', code: charge.code ?? '' };
  return {
    state: 'succeeded',
    chargeId: charge.id,
    feeCents: cents(charge.fee_cents),
    card: charge.card as CardFacts,
    savedCard: charge.saved_card,
  };
}

/** The key is the refund's name, so that the same key cannot refund twice. */
export function refundIdOf(idempotencyKey: string): string {
  return `re_${createHash('sha256').update(idempotencyKey).digest('base64url').slice(0, 24)}`;
}

export async function findRefund(db: Kysely<Schema>, request: RefundRequest): Promise<FoundRefund> {
  const refundId = refundIdOf(request.idempotencyKey);
  const found = await books.findRefund(db, refundId);
  return found ? { state: 'succeeded', refundId } : { state: 'absent' };
}

/** Everything about one charge. @throws when there is no such charge */
export async function chargeStatusOf(db: Kysely<Schema>, chargeId: string): Promise<ChargeStatus> {
  const charge = await books.findCharge(db, chargeId);
  if (!charge) throw new Error(`the sandbox knows no charge ${chargeId}`);
  const [key, refunded, disputes] = [
    await books.findKeyOf(db, chargeId),
    await books.refundedOf(db, chargeId),
    await movementsSql.listDisputes(db, chargeId),
  ];
  return {
    idempotencyKey: key,
    outcome: outcomeOf(charge),
    amountCents: cents(charge.amount_cents),
    refundedCents: cents(refunded),
    disputes: disputes.map(({ id, amount_cents, status, reason }) => ({
      id,
      amountCents: cents(amount_cents),
      status,
      reason,
    })),
  };
}

/** Page by page, so that a year of charges needs no more memory than a day of them. */
export async function* readBooks(db: Kysely<Schema>, range: BookRange): AsyncGenerator<readonly BookLine[]> {
  for (const kind of KINDS) {
    let after: movementsSql.MovementKey | null = null;
    for (;;) {
      const rows: Awaited<ReturnType<typeof movementsSql.listMovements>> = await movementsSql.listMovements(
        db,
        kind,
        range,
        after,
        LINES_A_PAGE,
      );
      const last = rows.at(-1);
      if (!last) break;
      yield rows.map(lineOf);
      if (rows.length < LINES_A_PAGE) break;
      after = { at: last.key_at, ref: last.ref };
    }
  }
}

function lineOf(row: movementsSql.MovementRow): BookLine {
  return {
    ref: row.ref,
    kind: row.kind,
    at: row.at,
    chargeRef: row.charge_id,
    idempotencyKey: row.key,
    orderRef: row.order_ref,
    amountCents: cents(Number(row.amount_cents)),
    feeCents: cents(row.fee_cents),
    partsCents: row.parts_cents === null ? null : cents(Number(row.parts_cents)),
  };
}
