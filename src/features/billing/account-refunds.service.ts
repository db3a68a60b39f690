/**
 * Gives back charges that bought nothing. The key of the refund is stored first, so that it may be repeated until the
 * provider has said that it is done.
 */
import { randomUUID } from 'node:crypto';
import * as refundsSql from '#src/features/billing/account-refunds.sql.ts';
import { ACCOUNT_MONEY } from '#src/features/billing/account-settlement.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { bind } from '#src/shared/bind.ts';
import { cents } from '#src/shared/money.ts';

export type AccountRefundDeps = {
  database: Database;
  payments: PaymentProvider;
  ledger: Pick<LedgerService, 'postAccountRefund'>;
  clock: Clock;
  log: { error(details: object, message: string): void };
};

/** Gives back what is marked so, under its stored key. What does not come through is repeated by the sweep. */
export async function giveBack(ctx: AccountRefundDeps, paymentId: number): Promise<void> {
  const back = await ctx.database.read(ACCOUNT_MONEY, (db) => refundsSql.findRefunding(db, paymentId));
  if (!back) return;
  const outcome = await ctx.payments.refund({
    idempotencyKey: back.refundKey,
    chargeId: back.chargeId,
    amountCents: cents(back.amountCents),
  });
  crashAt('billing.after_refund');
  const isBack =
    outcome.state === 'succeeded' || (outcome.state === 'declined' && outcome.code === 'charge_already_refunded');
  if (!isBack) {
    ctx.log.error({ err: outcome, paymentId }, 'a payment for an account could not be refunded yet');
    return;
  }
  const refundId = outcome.state === 'succeeded' ? outcome.refundId : null;
  await ctx.database.write(ACCOUNT_MONEY, async (tx) => {
    if (!(await refundsSql.markRefunded(tx, paymentId, refundId))) return;
    const amountCents = cents(back.amountCents);
    const feeCents = back.feeCents === null ? null : cents(back.feeCents);
    await ctx.ledger.postAccountRefund(tx, { id: paymentId, amountCents, feeCents }, ctx.clock.now());
  });
}

/** A paid sign-up without account, refunded unless the account came after all. */
export async function undo(ctx: AccountRefundDeps, paymentId: number): Promise<void> {
  const isOurs = await ctx.database.write(ACCOUNT_MONEY, (tx) => refundsSql.markRefunding(tx, paymentId, randomUUID()));
  if (isOurs) await giveBack(ctx, paymentId);
}

/** As `undo`. Never rejects: the sweep continues where this ends. */
export async function undoSafely(ctx: AccountRefundDeps, paymentId: number): Promise<void> {
  try {
    await undo(ctx, paymentId);
  } catch (error) {
    ctx.log.error({ err: error, paymentId }, 'a paid sign-up could not be undone yet');
  }
}

export const createAccountRefunds = (deps: AccountRefundDeps) => bind(deps, { giveBack, undo, undoSafely });
