/**
 * How money is booked (rule 19; money M1-M11): double entry in whole cents, + debit and
 * - credit, so that every posting sums to nothing.
 */
import { cents, portionHalfUp, sumCents, ZERO, type Cents } from '#src/shared/money.ts';

export const ACCOUNT_KINDS = [
  'provider_clearing',
  'org_payable',
  'platform_fee',
  'provider_fee',
  'tax_payable',
  'payout_in_transit',
  'bank',
  'refund_clearing',
  'dispute_hold',
  'platform_revenue',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** An account is the platform's own (null) or one organization's. */
export type AccountName = { kind: AccountKind; organizationId: number | null };
export type Entry = AccountName & { amountCents: Cents };

/** A paid order as the books see it. */
export type Sale = {
  orderId: number;
  organizationId: number;
  subtotalCents: Cents;
  taxCents: Cents;
  donationCents: Cents;
  /** The platform's share, frozen on the order. */
  shareBps: number;
  /** The provider's real fee; null while only the estimate is known. */
  feeCents: Cents | null;
};

/** How a sale is divided; the parts sum to the total. */
export type Division = {
  totalCents: Cents;
  feeCents: Cents;
  shareCents: Cents;
  taxCents: Cents;
  organizationCents: Cents;
};

const FEE_FIXED_CENTS = cents(30);

/** 30 cents and 2.9 %, rounded half up; nothing when nothing is charged (rule 16). */
export function estimateFee(totalCents: Cents): Cents {
  return totalCents === 0 ? ZERO : sumCents([FEE_FIXED_CENTS, portionHalfUp(totalCents, 290, 10_000)]);
}

/** The platform's share is of subtotal and donation, never of tax; the organization bears the card fee (money M6). */
export function divideSale(sale: Omit<Sale, 'orderId' | 'organizationId'>): Division {
  const base = sumCents([sale.subtotalCents, sale.donationCents]);
  const totalCents = sumCents([base, sale.taxCents]);
  const feeCents = sale.feeCents ?? estimateFee(totalCents);
  const shareCents = portionHalfUp(base, sale.shareBps, 10_000);
  return {
    totalCents,
    feeCents,
    shareCents,
    taxCents: sale.taxCents,
    organizationCents: cents(base - shareCents - feeCents),
  };
}

/** The entries of a sale; amounts of nothing are left out. A free order has none: no money moved. */
export function saleEntries(sale: Sale): Entry[] {
  const { totalCents, feeCents, shareCents, taxCents, organizationCents } = divideSale(sale);
  if (totalCents === 0) return [];
  const entries: Entry[] = [
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(totalCents - feeCents) },
    { kind: 'tax_payable', organizationId: null, amountCents: cents(-taxCents) },
    { kind: 'platform_fee', organizationId: null, amountCents: cents(-shareCents) },
    { kind: 'org_payable', organizationId: sale.organizationId, amountCents: cents(-organizationCents) },
  ];
  return entries.filter((entry) => entry.amountCents !== 0);
}

/** A payment for an account (upgrade, sign-up, renewal): what it brought, what the provider kept of it, and the plan's price (money M11). */
export function accountPaymentEntries(payment: { amountCents: Cents; feeCents: Cents | null }): Entry[] {
  const feeCents = payment.feeCents ?? estimateFee(payment.amountCents);
  const entries: Entry[] = [
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(payment.amountCents - feeCents) },
    { kind: 'provider_fee', organizationId: null, amountCents: feeCents },
    { kind: 'platform_revenue', organizationId: null, amountCents: cents(-payment.amountCents) },
  ];
  return entries.filter((entry) => entry.amountCents !== 0);
}

/** A charge that bought nothing and was refunded in full: the provider keeps its fee, and the platform bears it. */
export function givenBackEntries(payment: { amountCents: Cents; feeCents: Cents | null }): Entry[] {
  const feeCents = payment.feeCents ?? estimateFee(payment.amountCents);
  const entries: Entry[] = [
    { kind: 'provider_fee', organizationId: null, amountCents: feeCents },
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-feeCents) },
  ];
  return entries.filter((entry) => entry.amountCents !== 0);
}
