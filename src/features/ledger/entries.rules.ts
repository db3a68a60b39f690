/** Accounts and entries of the ledger, and postings of prepaid credit (offers specification A.10): + debit, - credit. */
import { cents, portionHalfUp, sumCents, ZERO, type Cents } from '#src/shared/money.ts';

const ACCOUNT_KINDS = [
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
  'credit_liability',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** An account belongs to the platform (null) or to one organization. */
export type AccountName = { kind: AccountKind; organizationId: number | null };
/** `orderId`: set if an entry belongs to a different order than its posting. */
export type Entry = AccountName & { amountCents: Cents; orderId?: number };

export const nonZero = (entries: readonly Entry[]): Entry[] => entries.filter((entry) => entry.amountCents !== 0);

/** Combines entries of the same account: a seller who has the money of a code is owed that much less. */
export function merged(entries: readonly Entry[]): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.kind} ${entry.organizationId}`;
    sums.set(key, { ...entry, amountCents: cents((sums.get(key)?.amountCents ?? 0) + entry.amountCents) });
  }
  return nonZero([...sums.values()]);
}

const FEE_FIXED_CENTS = cents(30);

/** 30 cents and 2.9 %, rounded half up; zero when nothing is charged (rule 16). */
export function estimateFee(totalCents: Cents): Cents {
  return totalCents === 0 ? ZERO : sumCents([FEE_FIXED_CENTS, portionHalfUp(totalCents, 290, 10_000)]);
}

/** A part of one seller's credit. `isHeld`: we hold its money; otherwise that seller's own Stripe account does. */
export type CreditPart = { organizationId: number; amountCents: Cents; isHeld: boolean };

/** Entries of spent credit, or with -1 of credit that is returned to its codes. */
export const creditEntries = (credit: readonly CreditPart[], direction: 1 | -1): Entry[] =>
  credit.map(({ organizationId, amountCents, isHeld }) => ({
    kind: isHeld ? 'credit_liability' : 'org_payable',
    organizationId,
    amountCents: cents(direction * amountCents),
  }));

/** Credit that was sold, by the order that bought it. */
export type SoldCredit = { orderId: number; organizationId: number; amountCents: Cents; feeCents: Cents | null };

/** No tax, no share, and no sale yet: the seller owes photos for it, and bears the card fee. */
export function creditSaleEntries({ organizationId, amountCents, feeCents }: SoldCredit): Entry[] {
  const kept = feeCents ?? estimateFee(amountCents);
  return nonZero([
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(amountCents - kept) },
    { kind: 'org_payable', organizationId, amountCents: kept },
    { kind: 'credit_liability', organizationId, amountCents: cents(-amountCents) },
  ]);
}

/** Refunded to the card. What its code no longer has is the seller's loss. */
export function creditRefundEntries(organizationId: number, amountCents: Cents, unusedCents: Cents): Entry[] {
  return nonZero([
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-amountCents) },
    { kind: 'credit_liability', organizationId, amountCents: unusedCents },
    { kind: 'org_payable', organizationId, amountCents: cents(amountCents - unusedCents) },
  ]);
}
