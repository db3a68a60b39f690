/** The periods of a yearly subscription, when a declined card is tried again, and when it ends. Pure. */
import type { Cents } from '#src/shared/money.ts';
import { clockAt, DAY_MS, momentAt } from '#src/shared/dates.ts';
import type { CardFacts } from '#src/platform/payments/payments.ts';

/** A paid plan. */
export type SubscribedPlan = 'premium' | 'enterprise';

/** How many days before the period ends an email announces the charge. */
export const NOTICE_DAYS = 14;

/** After a decline on the day itself the card is tried again this many days after the period's end. */
const RETRY_DAYS = [1, 4, 8] as const;

export const addDays = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS);

const isLeapDay = (clock: Date) => clock.getUTCMonth() === 1 && clock.getUTCDate() === 29;

/**
 * The same day and time of the next year on the calendar of the time zone. A plan that first began on February 29 renews on
 * the 28th of other years, and on the 29th of leap years.
 * @param first when the plan began for the first time
 */
export function aYearAfter(start: Date, timeZone: string, first = start): Date {
  const clock = clockAt(start, timeZone);
  const year = clock.getUTCFullYear() + 1;
  const month = clock.getUTCMonth();
  const isLate = month === 1 && clock.getUTCDate() === 28 && isLeapDay(clockAt(first, timeZone));
  clock.setUTCFullYear(year, month, isLate ? 29 : clock.getUTCDate());
  if (clock.getUTCMonth() !== month) clock.setUTCDate(0);
  return momentAt(clock, timeZone);
}

/**
 * When the card of a stopped subscription is charged: in no one's lifetime. A release that does not know `stopped_at`, beside
 * this one or after going back to it, would otherwise charge it at the end of the period.
 */
export function chargedNever(periodEnd: Date): Date {
  const never = new Date(periodEnd);
  never.setUTCFullYear(periodEnd.getUTCFullYear() + 100);
  return never;
}

type NextTry = { status: 'past_due'; chargeOn: Date; declines: number } | { status: 'ended' };

/** The result of a declined renewal. `declines` counts earlier ones. Even a late worker leaves half a day between two tries. */
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

/** "Visa ending in 4242"; "Link" for a wallet that names no card; "your card" if nothing is known of it. */
export function cardName(card: { brand: string | null; last4: string | null }): string {
  if (card.last4 === null) return 'your card';
  const brand = card.brand === null ? 'Card' : brandName(card.brand);
  if (card.last4 === '') return brand;
  return `${brand} ending in ${card.last4}`;
}

/** Providers add brands, and wallets of their own: those in their words. */
function brandName(brand: string): string {
  return BRANDS[brand] ?? (brand.charAt(0).toUpperCase() + brand.slice(1)).replaceAll('_', ' ');
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  cartes_bancaires: 'Cartes Bancaires',
  eftpos_au: 'eftpos Australia',
  unknown: 'Card',
};

type PaymentKind = 'sign_up' | 'upgrade' | 'renewal';

/** The provider's data of a successful charge. */
export type ChargedFacts = { chargeId: string; feeCents: Cents | null; card: CardFacts; savedCard: string | null };

/** A paid sign-up without an account yet: attached to the account, or refunded. */
export type SignUpPayment = { id: number; amountCents: Cents };

/** A payment with everything that settling it needs. */
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
