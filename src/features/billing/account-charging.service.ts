/**
 * Sends stored payments of accounts to the provider, outside any transaction, and checks those with an unknown outcome. Keys
 * are stored before each call, so everything can be repeated.
 */
import { postings } from '#src/features/ledger/ledger.rules.ts';
import type { AccountPayment } from '#src/features/billing/subscriptions.rules.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import {
  ACCOUNT_MONEY,
  type AccountSettlement,
  type Settled,
} from '#src/features/billing/account-settlement.service.ts';
import { BANK_DID_NOT_CONFIRM, CARD_NEEDS_HOLDER } from '#src/features/billing/billing.contract.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { chargeWithRetries, ABANDONED_AFTER_SECONDS } from '#src/platform/payments/charge-retries.ts';
import {
  PAYMENT_UNAVAILABLE,
  type ChargeRequest,
  type Declined,
  type RequiresAction,
  type Succeeded,
} from '#src/platform/payments/payments.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { randomUUID } from 'node:crypto';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';

/** Longer than creating a paid account takes. */
const ACCOUNT_WITHIN_SECONDS = 20;
/** How long 3-D Secure may wait for the cardholder; shorter than the tolerance of the invariants. */
const GIVE_UP_AFTER_SECONDS = 600;
const SWEEP_AT_MOST = 100;
const ASKED_AT_ONCE = 5;

export type AccountChargingDeps = Pick<Platform, 'database' | 'payments' | 'clock'> & {
  ledger: Pick<LedgerService, 'post'>;
  log: { error(details: object, message: string): void };
  settlement: AccountSettlement;
};
export type AccountCharging = ReturnType<typeof createAccountCharging>;

type ChargeFrom = Pick<ChargeRequest, 'source' | 'keepCard' | 'description'>;
/** `unknown`: the recovery job will find out. */
type Charged =
  | { state: 'succeeded'; settled: Settled; card: { last4: string; expMonth: number; expYear: number } }
  | Declined
  /** 3-D Secure: the card's bank asks the cardholder in the browser. */
  | RequiresAction
  | { state: 'unknown' };

/** Only an upgrade can wait: an account is not created before it is paid, and renewals run without the cardholder. */
const isHolderThere = (kind: AccountPayment['kind']) => kind === 'upgrade';

async function noteUnknown(ctx: AccountChargingDeps, payment: AccountPayment, cause: unknown): Promise<void> {
  ctx.log.error({ err: cause, paymentId: payment.id }, 'the outcome of a payment for an account is unknown');
  try {
    await ctx.database.write(ACCOUNT_MONEY, (tx) =>
      accountPaymentsSql.markUnknown(tx, payment.id, String(cause).slice(0, 300)),
    );
  } catch (error) {
    ctx.log.error({ err: error, paymentId: payment.id }, 'an unknown payment could not be noted');
  }
}

/** Asks the provider for the outcome of a charge and stores it, if the provider knows it. */
async function recover(ctx: AccountChargingDeps, paymentId: number): Promise<void> {
  const open = await ctx.database.read(ACCOUNT_MONEY, (db) => accountPaymentsSql.findUndecided(db, paymentId));
  if (!open) return;
  const { payment, chargeId, outForSeconds } = open;
  const giveUp = !isHolderThere(payment.kind) || outForSeconds > GIVE_UP_AFTER_SECONDS;
  const found = await ctx.payments.findCharge({
    idempotencyKey: payment.idempotencyKey,
    chargeId,
    giveUp,
    ...(payment.sentAt ? { sentAt: payment.sentAt } : {}),
  });
  switch (found.state) {
    case 'succeeded':
      return settleFound(ctx, payment, found);
    case 'requires_action':
      if (giveUp) return ctx.settlement.settleFailed(payment, CARD_NEEDS_HOLDER);
      return waitForHolder(ctx, payment, found);
    case 'declined':
      return ctx.settlement.settleFailed(payment, giveUp && chargeId !== null ? BANK_DID_NOT_CONFIRM : found.message);
    case 'absent':
      return ctx.settlement.settleFailed(payment, PAYMENT_UNAVAILABLE);
    case 'unknown':
      ctx.log.error({ err: found, paymentId }, 'the provider does not know the outcome of a payment for an account');
  }
}

async function settleFound(
  ctx: AccountChargingDeps,
  payment: AccountPayment,
  found: Succeeded & { amountCents: number },
) {
  if (found.amountCents !== payment.amountCents)
    throw new Error(`charge ${found.chargeId} is of another amount than payment ${payment.id}`);
  const settled = await ctx.settlement.settlePaid(payment, found);
  if (settled === 'to_refund') await refundPayment(ctx, payment.id);
  // No request is left that would create an account.
  if (payment.kind === 'sign_up') await undo(ctx, payment.id);
}

async function waitForHolder(ctx: AccountChargingDeps, payment: AccountPayment, { chargeId }: RequiresAction) {
  await ctx.database.write(ACCOUNT_MONEY, (tx) => accountPaymentsSql.markWaitingForHolder(tx, payment.id, chargeId));
}

/** Charges a stored payment and settles it. Does not throw for problems of a card or a network. */
export async function charge(ctx: AccountChargingDeps, payment: AccountPayment, from: ChargeFrom): Promise<Charged> {
  const request: ChargeRequest = {
    idempotencyKey: payment.idempotencyKey,
    amountCents: payment.amountCents,
    metadata: { account_payment: String(payment.id) },
    ...from,
  };
  crashAt('billing.before_charge');
  const outcome = await chargeWithRetries(ctx.payments, request);
  crashAt('billing.after_charge');
  if (outcome.state === 'unknown') {
    await noteUnknown(ctx, payment, outcome.cause);
    return { state: 'unknown' };
  }
  if (outcome.state === 'declined') {
    await ctx.settlement.settleFailed(payment, outcome.message);
    return outcome;
  }
  if (outcome.state === 'requires_action') {
    if (isHolderThere(payment.kind)) {
      await waitForHolder(ctx, payment, outcome);
      return outcome;
    }
    // No one gets its client secret, so it can never be confirmed: nothing is charged.
    await ctx.settlement.settleFailed(payment, CARD_NEEDS_HOLDER);
    return { state: 'declined', message: CARD_NEEDS_HOLDER, code: 'request_refused' };
  }
  try {
    const settled = await ctx.settlement.settlePaid(payment, outcome);
    if (settled === 'to_refund') await refundPayment(ctx, payment.id);
    return { state: 'succeeded', settled, card: outcome.card };
  } catch (error) {
    // The money has moved, so this is no failure for the payer. The recovery job settles it.
    ctx.log.error({ err: error, paymentId: payment.id }, 'a payment that succeeded could not be settled yet');
    return { state: 'unknown' };
  }
}

const listLeftBehind = (ctx: AccountChargingDeps, limit: number) =>
  ctx.database.read(ACCOUNT_MONEY, (db) =>
    accountPaymentsSql.listLeftBehind(db, {
      undecidedSeconds: ABANDONED_AFTER_SECONDS,
      accountSeconds: ACCOUNT_WITHIN_SECONDS,
      limit,
    }),
  );

/** Whether the recovery job has something to do now. */
export async function hasLeftBehind(ctx: AccountChargingDeps): Promise<boolean> {
  return (await listLeftBehind(ctx, 1)).length > 0;
}

/** Checks all that was left behind. One that cannot be settled does not stop the others. */
export async function sweep(ctx: AccountChargingDeps): Promise<void> {
  const left = await listLeftBehind(ctx, SWEEP_AT_MOST);
  const handlers = {
    undecided: (paymentId: number) => recover(ctx, paymentId),
    refunding: (paymentId: number) => refundPayment(ctx, paymentId),
    without_account: (paymentId: number) => undo(ctx, paymentId),
  };
  const limit = createConcurrencyLimit({ atOnce: ASKED_AT_ONCE });
  const results = await Promise.allSettled(left.map(({ id, what }) => limit.run(() => handlers[what](id))));
  results.forEach((result, index) => {
    if (result.status === 'rejected')
      ctx.log.error({ err: result.reason, payment: left[index] }, 'a payment for an account could not be settled');
  });
}

/** Refunds what is marked for it, with its stored key. The recovery job repeats failures. */
async function refundPayment(ctx: AccountChargingDeps, paymentId: number): Promise<void> {
  const back = await ctx.database.read(ACCOUNT_MONEY, (db) => accountPaymentsSql.findRefunding(db, paymentId));
  if (!back) return;
  const outcome = await ctx.payments.refund({
    idempotencyKey: back.refundKey,
    chargeId: back.chargeId,
    amountCents: back.amountCents,
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
    if (!(await accountPaymentsSql.markRefunded(tx, paymentId, refundId))) return;
    const { amountCents, feeCents } = back;
    await ctx.ledger.post(tx, postings.accountRefund({ id: paymentId, amountCents, feeCents }), ctx.clock.now());
  });
}

/** Refunds a paid sign-up without an account, unless the account was created after all. */
export async function undo(ctx: AccountChargingDeps, paymentId: number): Promise<void> {
  const isOurs = await ctx.database.write(ACCOUNT_MONEY, (tx) =>
    accountPaymentsSql.markRefunding(tx, paymentId, randomUUID()),
  );
  if (isOurs) await refundPayment(ctx, paymentId);
}

/** Like `undo`, but never rejects: the recovery job continues. */
export async function undoSafely(ctx: AccountChargingDeps, paymentId: number): Promise<void> {
  try {
    await undo(ctx, paymentId);
  } catch (error) {
    ctx.log.error({ err: error, paymentId }, 'a paid sign-up could not be undone yet');
  }
}

export const createAccountCharging = (deps: AccountChargingDeps) =>
  bind(deps, { charge, hasLeftBehind, sweep, undoSafely });
