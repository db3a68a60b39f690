/**
 * A paid sign-up: the card is charged first, then the account is created and gets the payment in the same transaction. Without
 * an account the payment is refunded: immediately, or by the recovery job after a crash.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountCharging } from '#src/features/billing/account-charging.service.ts';
import type { SignUpPayment } from '#src/features/billing/subscriptions.rules.ts';
import * as accountPaymentsSql from '#src/features/billing/account-payments.sql.ts';
import { ACCOUNT_MONEY, type AccountSettlement } from '#src/features/billing/account-settlement.service.ts';
import { SIGN_UP_PAYMENT_UNCLEAR } from '#src/features/billing/billing.contract.ts';
import { takeTurnToCharge, throwDecline } from '#src/features/billing/decline-limits.service.ts';
import { PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import * as subscriptionsSql from '#src/features/billing/subscriptions.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

type SignUpCard = { token: string; email: string; name: string; organizationName: string };

type SignUpPaymentsDeps = Pick<Platform, 'database' | 'limits'> & {
  charging: AccountCharging;
  settlement: AccountSettlement;
};

async function chargeCard(ctx: SignUpPaymentsDeps, caller: Caller, card: SignUpCard): Promise<SignUpPayment> {
  const payment = await ctx.database.write(ACCOUNT_MONEY, (tx) =>
    accountPaymentsSql.insertPayment(tx, {
      kind: 'sign_up',
      organizationId: null,
      userId: null,
      subscriptionId: null,
      periodStart: null,
      plan: 'premium',
      amountCents: PREMIUM_PLAN.yearlyPriceCents,
      payerName: card.name,
      payerEmail: card.email,
    }),
  );
  if (!payment) throw new Error('a payment of a sign-up was not kept');
  const charged = await ctx.charging.charge(payment, {
    source: { token: card.token },
    keepCard: { email: card.email, name: card.name },
    description: `Sideline ${PREMIUM_PLAN.name}, one year: ${card.organizationName}`,
  });
  if (charged.state === 'declined') return throwDecline(ctx, caller, card.email, charged);
  if (charged.state !== 'succeeded' || charged.settled !== 'kept')
    throw problem('unavailable', SIGN_UP_PAYMENT_UNCLEAR, { retryAfterSeconds: 60 });
  return { id: payment.id, amountCents: payment.amountCents };
}

/**
 * Charges the plan's yearly price and stores the card for renewals.
 * @throws card_refused (402) with the provider's message; too_many after five declines in ten minutes; unavailable when the
 * outcome is unknown: then no account may be created, and a charge is refunded.
 */
export async function chargeSignUp(ctx: SignUpPaymentsDeps, caller: Caller, card: SignUpCard): Promise<SignUpPayment> {
  const release = await takeTurnToCharge(ctx, caller, card.email);
  try {
    return await chargeCard(ctx, caller, card);
  } finally {
    release();
  }
}

/**
 * In the transaction that creates the account (system scope): subscription for a year, posting, receipt. The organization must
 * not be on the free tier.
 * @throws unavailable when the payment is already being refunded; then no account may be created.
 */
export async function bookSignUpPayment(
  ctx: SignUpPaymentsDeps,
  tx: Writer,
  payment: SignUpPayment,
  organizationId: number,
  userId: number,
): Promise<void> {
  const subscriber = await subscriptionsSql.lockSubscriber(tx, organizationId);
  const attached = await accountPaymentsSql.attachToAccount(tx, payment.id, { organizationId, userId });
  if (!attached || !subscriber) throw problem('unavailable', SIGN_UP_PAYMENT_UNCLEAR, { retryAfterSeconds: 60 });
  await ctx.settlement.subscribe(tx, attached, attached.facts, subscriber);
}

/** Refunds the payment, because the account could not be created. Never rejects: the recovery job continues. */
export async function undoSignUpPayment(ctx: SignUpPaymentsDeps, payment: SignUpPayment): Promise<void> {
  await ctx.charging.undoSafely(payment.id);
}

export const createSignUpPayments = (deps: SignUpPaymentsDeps) =>
  bind(deps, { chargeSignUp, bookSignUpPayment, undoSignUpPayment });
