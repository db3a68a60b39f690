/** How a yearly subscription goes on: its periods, when a refused card is tried again, when it ends. Pure; moments are UTC. */
import type { Cents } from '#src/shared/money.ts';

export type SubscriptionStatus = 'active' | 'past_due' | 'ended';
/** A plan that can be paid for. */
export type SubscribedPlan = 'premium' | 'enterprise';

/** An email tells this many days before the period ends that the card will be charged. */
export const NOTICE_DAYS = 14;

/** After the first refusal on the day itself the card is tried again on these days after the period's end. */
export const RETRY_DAYS = [1, 4, 8] as const;

const DAY_MS = 86_400_000;

export const addDays = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS);

/** The same day and time of the next year; the last of February for a leap day. */
export function aYearAfter(start: Date): Date {
  const end = new Date(start);
  end.setUTCFullYear(start.getUTCFullYear() + 1);
  if (end.getUTCMonth() !== start.getUTCMonth()) end.setUTCDate(0);
  return end;
}

export type NextTry = { status: 'past_due'; chargeOn: Date; declines: number } | { status: 'ended' };

/**
 * What a refused renewal leads to. `declines` counts refusals before this one. A worker that slept over the planned
 * days still leaves the payer half a day between two tries.
 */
export function afterDecline(subscription: { periodEnd: Date; declines: number }, now: Date): NextTry {
  const days = RETRY_DAYS[subscription.declines];
  if (days === undefined) return { status: 'ended' };
  const planned = addDays(subscription.periodEnd, days);
  const soonest = addDays(now, 0.5);
  return {
    status: 'past_due',
    chargeOn: planned > soonest ? planned : soonest,
    declines: subscription.declines + 1,
  };
}

/** "Visa ending in 4242"; "your card" where nothing is known of it. */
export function cardName(card: { brand: string | null; last4: string | null }): string {
  if (card.last4 === null) return 'your card';
  const brand = BRANDS[card.brand ?? ''] ?? 'Card';
  return `${brand} ending in ${card.last4}`;
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

export type PaymentKind = 'sign_up' | 'upgrade' | 'renewal';
export type PaidCard = { brand: string; last4: string; expMonth: number; expYear: number };

/** What the provider said of a charge that succeeded. */
export type ChargedFacts = { chargeId: string; feeCents: Cents | null; card: PaidCard; savedCard: string | null };

/** A sign-up that is paid and has no account yet: kept by anyone who makes the account, or refunded. */
export type SignUpPayment = { id: number; amountCents: Cents };

/** A payment with all that settling it needs. */
export type AccountPayment = {
  id: number;
  kind: PaymentKind;
  organizationId: number | null;
  subscriptionId: number | null;
  idempotencyKey: string;
  amountCents: Cents;
  periodStart: Date | null;
  sentAt: Date | null;
  payerName: string;
  payerEmail: string;
};
