/**
 * Statements in cents. An account is what the platform owes an organization (its payable in the ledger, with the sign
 * reversed); a statement shows how it changed from the first to the last moment of a month. The parts of a line sum to its
 * change.
 */
import { CREDIT_SOLD } from '#src/features/reports/money-words.contract.ts';
import { sumOfRows } from '#src/features/reports/sales-days.rules.ts';
import { cents, sumCents, type Cents } from '#src/shared/money.ts';
import { addDays } from '#src/shared/day-range.ts';

/** The label of each movement, in the order of a statement. Deductions are negative. */
export const MOVEMENT_WORDS = {
  salesCents: 'Sales',
  donationsCents: 'Donations',
  feesCents: 'Card fees',
  shareCents: 'Sideline’s share',
  refundsCents: 'Refunds to buyers',
  heldCents: 'Held for disputes',
  freedCents: 'Released from disputes',
  payoutsCents: 'Payouts',
  returnedCents: 'Payouts returned',
  settledCents: 'Paid to Sideline by invoice',
  otherCents: 'Other adjustments',
} as const;
export type Movements = Record<keyof typeof MOVEMENT_WORDS, Cents>;
export const MOVEMENTS = Object.keys(MOVEMENT_WORDS) as (keyof Movements)[];

/** Not part of the balance: what offers, early birds and codes took off sales; prepaid credit sold and used, less refunds. */
const OFFER_AMOUNTS = ['offersSavedCents', 'reductionsCents', 'creditSoldCents', 'creditUsedCents'] as const;
export type OfferAmount = (typeof OFFER_AMOUNTS)[number];
export const hasOffers = (of: Record<OfferAmount, Cents>): boolean => OFFER_AMOUNTS.some((name) => of[name] !== 0);

export type Account = Movements &
  Record<OfferAmount, Cents> & {
    openingCents: Cents;
    closingCents: Cents;
    /** Sales that were posted, on our Stripe account. */
    orders: number;
    taxCents: Cents;
    lostCents: Cents;
    stillHeldCents: Cents;
    /**
     * Sales on its own Stripe account, which the platform never owes it. It owes the platform the share, less refunds;
     * `settledCents` of that was paid by invoice. `savedCents`: what offers, early birds and codes took off.
     */
    own: { orders: number; salesCents: Cents; shareCents: Cents; settledCents: Cents; savedCents: Cents };
  };
/** An organization with an account. */
export type Holder = { id: number; name: string; path: string };
type Section = Holder & { account: Account };
export type GalleryPart = {
  organizationId: number;
  galleryId: number | null;
  name: string;
  photos: number;
  salesCents: Cents;
  donationsCents: Cents;
  refundsCents: Cents;
  feesCents: Cents;
  shareCents: Cents;
  disputesCents: Cents;
  netCents: Cents;
};
export type StatementHead = { number: string; month: string; from: string; to: string; closed: boolean };
export type Statement = StatementHead & {
  /** Whether there is one for the previous month, too. */
  hasEarlier: boolean;
  organization: Holder & { timeZone: string; primaryColor: string; isParent: boolean };
  account: Account;
  galleries: GalleryPart[];
  /** Only for a parent. */
  sections: Section[];
};
export type StatementLine = Record<OfferAmount, Cents> & {
  /** Its position in the list. */
  key: string;
  at: Date;
  kind: string;
  sourceId: string;
  isOwn: boolean;
  organization: Holder;
  orderId: number | null;
  salesCents: Cents;
  donationsCents: Cents;
  taxCents: Cents;
  feesCents: Cents;
  shareCents: Cents;
  refundsCents: Cents;
  disputesCents: Cents;
  payoutsCents: Cents;
  otherCents: Cents;
  changeCents: Cents;
};

const LINE_WORDS: Record<string, string> = {
  sale: 'Sale',
  own_account_sale: 'Sale through your own card account',
  credit_sale: CREDIT_SOLD,
  credit_refund: 'Prepaid credit refunded',
  credit_kept: 'Prepaid credit that a lost dispute leaves',
  fee_adjustment: 'Card fee corrected',
  refund: 'Refund',
  dispute_opened: 'Held for a dispute',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
  payout_created: 'Payout',
  payout_confirmed: 'Payout arrived',
  payout_failed: 'Payout returned',
  payout_returned: 'Payout returned by the bank',
  settlement: 'Paid to Sideline by invoice',
};

/** The label of a line: "Sale", "Payout 12". */
export function lineWords({ kind, sourceId, isOwn }: Pick<StatementLine, 'kind' | 'sourceId' | 'isOwn'>): string {
  if (kind === 'refund' && isOwn) return 'Refund through your own card account';
  const words = LINE_WORDS[kind] ?? 'Adjustment';
  return kind.startsWith('payout_') ? `${words} ${sourceId}` : words;
}

/** The sum of all movements: closing minus opening balance. */
export function changeOf(movements: Movements): Cents {
  return sumCents(MOVEMENTS.map((name) => movements[name]));
}

/**
 * Money between Sideline's bank account and theirs: payouts, returned ones, and invoices that they paid. Negative if more was
 * paid out.
 */
export function paidOutOf({ payoutsCents, returnedCents, settledCents }: Movements): Cents {
  return sumCents([payoutsCents, returnedCents, settledCents]);
}

/** What they get for the month: all other movements. */
export const earnedOf = (movements: Movements): Cents => cents(changeOf(movements) - paidOutOf(movements));

const SUMMED = [
  'openingCents',
  'closingCents',
  'orders',
  'taxCents',
  'lostCents',
  'stillHeldCents',
  ...OFFER_AMOUNTS,
] as const;
const OWN = ['orders', 'salesCents', 'shareCents', 'settledCents', 'savedCents'] as const;

/** The sum of several accounts. */
export function addAccounts(accounts: readonly Account[]): Account {
  const own = accounts.map((account) => account.own);
  return { ...sumOfRows(accounts, [...MOVEMENTS, ...SUMMED]), own: sumOfRows(own, OWN) };
}

export const EMPTY_ACCOUNT = addAccounts([]);

/** The number on paper, from the organization and the month, always the same. */
function statementNumber(organizationId: number, month: string): string {
  return `${organizationId}-${month.replace('-', '')}`;
}

/** Adds months: "2026-12", 1 → "2027-01". */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

const firstDay = (month: string): string => `${month}-01`;
const lastDay = (month: string): string => addDays(firstDay(addMonths(month, 1)), -1);

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** "October 2026". */
export const monthWords = (month: string): string => monthName.format(new Date(`${firstDay(month)}T00:00:00Z`));

/** Months from `first` to `last`, latest first, after the last one of the previous page; at most `limit`. */
export function monthsBack(first: string, last: string, after: string | null, limit: number): string[] {
  const months: string[] = [];
  let month = after === null || after > last ? last : addMonths(after, -1);
  while (month >= first && months.length < limit) {
    months.push(month);
    month = addMonths(month, -1);
  }
  return months;
}

export function headOf(organizationId: number, month: string, currentMonth: string): StatementHead {
  return {
    number: statementNumber(organizationId, month),
    month,
    from: firstDay(month),
    to: lastDay(month),
    closed: month < currentMonth,
  };
}
