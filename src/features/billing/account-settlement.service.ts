/**
 * The outcome of a payment for an account. The first process that learns the outcome stores it: the request that sent the card,
 * the renewal job, or the recovery job after a crash. A payment is decided once; what it buys, its posting and its email are
 * written in the same transaction. A charge that buys nothing is refunded.
 */
import { postings } from '#src/features/ledger/ledger.rules.ts';
import { randomUUID } from 'node:crypto';
import { recipientsOf } from '#src/features/accounts/accounts.service.ts';
import {
  type AccountPayment,
  type ChargedFacts,
  addDays,
  afterDecline,
  aYearAfter,
} from '#src/features/billing/subscriptions.rules.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import {
  accountReceiptEmail,
  renewalDeclinedEmail,
  subscriptionEndedEmail,
} from '#src/features/billing/billing.mail.tsx';
import * as subscriptionsSql from '#src/features/billing/subscriptions.sql.ts';
import type { Subscriber, Subscription } from '#src/features/billing/subscriptions.sql.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { PAYMENT_UNAVAILABLE } from '#src/shared/card-token.ts';
import { bind } from '#src/shared/bind.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';

export const ACCOUNT_MONEY = {
  kind: 'system',
  why: 'a payment for an account is settled by the process that learns its outcome; sign-ups have no organization yet',
} as const;

/** When a renewal is tried again after a problem of the provider. */
const AGAIN_AFTER_DAYS = 0.5;

export type AccountSettlementDeps = Pick<Platform, 'database' | 'outbox' | 'clock'> & {
  ledger: Pick<LedgerService, 'post'>;
  organizations: Pick<OrganizationService, 'setFreeTier' | 'forget'>;
  origin: SiteOrigin;
};
export type AccountSettlement = ReturnType<typeof createAccountSettlement>;

/** What to do with a successful charge; `known` if another process has already settled it. */
export type Settled = 'kept' | 'to_refund' | 'known';

function payerOf({ payerName, payerEmail }: { payerName: string; payerEmail: string }) {
  return { name: payerName, email: payerEmail };
}

async function bookAndThank(
  ctx: AccountSettlementDeps,
  tx: Writer,
  payment: AccountPayment,
  facts: ChargedFacts,
  subscriber: Subscriber,
  period: { start: Date; end: Date },
): Promise<void> {
  const { id, kind, amountCents } = payment;
  await ctx.ledger.post(tx, postings.accountPayment({ id, amountCents, feeCents: facts.feeCents }), ctx.clock.now());
  await ctx.outbox.queueEmail(
    tx,
    accountReceiptEmail(
      { payer: payerOf(payment), subscriber, origin: ctx.origin },
      { paymentId: id, kind, amountCents, card: facts.card, period },
    ),
  );
}

/** Starts a subscription of a year for a payment that has just succeeded, with everything that belongs to it. */
export async function subscribe(
  ctx: AccountSettlementDeps,
  tx: Writer,
  payment: AccountPayment,
  facts: ChargedFacts,
  subscriber: Subscriber,
): Promise<void> {
  const start = ctx.clock.now();
  const period = { start, end: aYearAfter(start, subscriber.timeZone) };
  const subscriptionId = await subscriptionsSql.insertSubscription(tx, {
    organizationId: subscriber.id,
    plan: 'premium',
    priceCents: payment.amountCents,
    period,
    payerName: payment.payerName,
    payerEmail: payment.payerEmail,
    savedCard: facts.savedCard,
    card: facts.card,
  });
  await accountPaymentsSql.attachToSubscription(tx, payment.id, { subscriptionId, periodStart: start });
  if (subscriber.freeTier) await ctx.organizations.setFreeTier(tx, subscriber.id, false);
  await bookAndThank(ctx, tx, payment, facts, subscriber, period);
}

async function settleUpgrade(ctx: AccountSettlementDeps, tx: Writer, payment: AccountPayment, facts: ChargedFacts) {
  const subscriber = await lockOf(tx, payment);
  const decided = await accountPaymentsSql.markSucceeded(tx, payment.id, facts);
  if (!decided) return false;
  if (subscriber && !subscriber.isDeleted && subscriber.freeTier) await subscribe(ctx, tx, decided, facts, subscriber);
  else await accountPaymentsSql.markRefunding(tx, payment.id, randomUUID());
  return true;
}

async function settleRenewal(ctx: AccountSettlementDeps, tx: Writer, payment: AccountPayment, facts: ChargedFacts) {
  const subscriber = await lockOf(tx, payment);
  const subscription = await subscriptionsSql.lockLive(tx, payment.subscriptionId ?? 0);
  const decided = await accountPaymentsSql.markSucceeded(tx, payment.id, facts);
  if (!decided) return false;
  const start = payment.periodStart;
  if (!subscriber || !subscription || start === null || start.getTime() !== subscription.periodEnd.getTime()) {
    await accountPaymentsSql.markRefunding(tx, payment.id, randomUUID());
    return true;
  }
  const first = await accountPaymentsSql.firstPeriodStart(tx, subscription);
  const period = { start, end: aYearAfter(start, subscriber.timeZone, first) };
  await subscriptionsSql.renew(tx, subscription.id, period);
  await bookAndThank(ctx, tx, decided, facts, subscriber, period);
  return true;
}

function lockOf(tx: Writer, { organizationId }: AccountPayment) {
  return organizationId === null ? null : subscriptionsSql.lockSubscriber(tx, organizationId);
}

/**
 * Moves the account to the free tier; call `forget` after the commit. `words`: those of the last decline; null if a member had
 * stopped it. The payer gets an email, or the organization if they were erased, with their card, after it was stopped.
 */
export async function end(
  ctx: AccountSettlementDeps,
  tx: Writer,
  subscription: Subscription,
  subscriber: Subscriber,
  words: string | null,
): Promise<void> {
  await subscriptionsSql.markEnded(tx, subscription.id, ctx.clock.now());
  await ctx.organizations.setFreeTier(tx, subscriber.id, true);
  const hasPayer = words !== null || subscription.savedCard !== null;
  const readers = hasPayer
    ? [payerOf(subscription)]
    : (await recipientsOf(tx, subscriber.id)).map(({ email }) => ({ name: '', email }));
  for (const payer of readers) {
    const about = { payer, subscriber, origin: ctx.origin };
    await ctx.outbox.queueEmail(tx, subscriptionEndedEmail(about, { subscriptionId: subscription.id, words }));
  }
}

/** A declined renewal: tried again on later days, and finally moved to the free tier. Nothing is deleted. */
export async function decline(
  ctx: AccountSettlementDeps,
  tx: Writer,
  subscription: Subscription,
  subscriber: Subscriber,
  words: string,
): Promise<void> {
  const next = afterDecline(subscription, ctx.clock.now());
  const about = { payer: payerOf(subscription), subscriber, origin: ctx.origin };
  if (next.status === 'ended') return end(ctx, tx, subscription, subscriber, words);
  await subscriptionsSql.markPastDue(tx, subscription.id, next);
  await ctx.outbox.queueEmail(
    tx,
    renewalDeclinedEmail(about, {
      subscriptionId: subscription.id,
      periodEnd: subscription.periodEnd,
      declines: next.declines,
      words,
      card: { brand: subscription.cardBrand, last4: subscription.cardLast4 },
      nextTry: next.chargeOn,
    }),
  );
}

/** Records a successful charge. A sign-up is only marked: the request that sent it creates its account. */
export async function settlePaid(
  ctx: AccountSettlementDeps,
  payment: AccountPayment,
  facts: ChargedFacts,
): Promise<Settled> {
  const wasOpen = await ctx.database.write(ACCOUNT_MONEY, async (tx) => {
    if (payment.kind === 'upgrade') return settleUpgrade(ctx, tx, payment, facts);
    if (payment.kind === 'renewal') return settleRenewal(ctx, tx, payment, facts);
    return (await accountPaymentsSql.markSucceeded(tx, payment.id, facts)) !== null;
  });
  crashAt('billing.after_settle');
  if (payment.organizationId !== null) ctx.organizations.forget(payment.organizationId);
  if (!wasOpen) return 'known';
  const refund = await ctx.database.read(ACCOUNT_MONEY, (db) => accountPaymentsSql.findRefunding(db, payment.id));
  return refund ? 'to_refund' : 'kept';
}

/** Records a refusal, with the message for the payer. */
export async function settleFailed(ctx: AccountSettlementDeps, payment: AccountPayment, words: string): Promise<void> {
  await ctx.database.write(ACCOUNT_MONEY, async (tx) => {
    const subscriber = await lockOf(tx, payment);
    const decided = await accountPaymentsSql.markFailed(tx, payment.id, words);
    if (!decided || payment.kind !== 'renewal' || !subscriber) return;
    const subscription = await subscriptionsSql.lockLive(tx, payment.subscriptionId ?? 0);
    if (!subscription) return;
    // The provider was unreachable or refused our request. The card was not declined, so no one loses a plan.
    if (words === PAYMENT_UNAVAILABLE)
      await subscriptionsSql.postponeCharge(tx, subscription.id, addDays(ctx.clock.now(), AGAIN_AFTER_DAYS));
    else await decline(ctx, tx, subscription, subscriber, words);
  });
  if (payment.kind === 'renewal' && payment.organizationId !== null) ctx.organizations.forget(payment.organizationId);
}

export const createAccountSettlement = (deps: AccountSettlementDeps) =>
  bind(deps, { subscribe, end, decline, settlePaid, settleFailed });
