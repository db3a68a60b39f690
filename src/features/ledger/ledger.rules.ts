/**
 * How money is booked (rule 19; money M1-M11): double entry in whole cents, + debit and - credit, so that every posting sums to
 * zero.
 */
import {
  creditEntries,
  creditRefundEntries,
  creditSaleEntries,
  merged,
  nonZero,
  type AccountName,
  type CreditPart,
  type Entry,
  type SoldCredit,
  estimateFee,
} from '#src/features/ledger/entries.rules.ts';
import { cents, portionHalfUp, sumCents, type Cents } from '#src/shared/money.ts';

export { estimateFee } from '#src/features/ledger/entries.rules.ts';
export type { AccountKind, AccountName, CreditPart, Entry } from '#src/features/ledger/entries.rules.ts';

/** A paid order for the ledger. */
export type Sale = {
  orderId: number;
  organizationId: number;
  subtotalCents: Cents;
  taxCents: Cents;
  donationCents: Cents;
  /** The platform's share, stored with the order. */
  shareBps: number;
  /** The provider's real fee; null while only the estimate is known. */
  feeCents: Cents | null;
  /** Prepaid credit that pays a part; the card is charged the rest. */
  credit?: readonly CreditPart[];
};

/** How a sale is divided; share, tax, fee and the organization's part sum to the total. */
type Division = {
  totalCents: Cents;
  /** What the card was charged of the total. */
  chargedCents: Cents;
  feeCents: Cents;
  shareCents: Cents;
  taxCents: Cents;
  organizationCents: Cents;
};

/**
 * The platform's share is of subtotal and donation, never of tax; the organization bears the card fee (money M6). A
 * parent organization gets nothing of its affiliates' sales.
 */
export function divideSale(sale: Omit<Sale, 'orderId' | 'organizationId'>): Division {
  const base = sumCents([sale.subtotalCents, sale.donationCents]);
  const totalCents = sumCents([base, sale.taxCents]);
  const chargedCents = cents(totalCents - creditOf(sale));
  const feeCents = sale.feeCents ?? estimateFee(chargedCents);
  const shareCents = portionHalfUp(base, sale.shareBps, 10_000);
  return {
    totalCents,
    chargedCents,
    feeCents,
    shareCents,
    taxCents: sale.taxCents,
    organizationCents: cents(base - shareCents - feeCents),
  };
}

const creditOf = ({ credit = [] }: Pick<Sale, 'credit'>) => sumCents(credit.map((part) => part.amountCents));

/** The entries of a sale, without zero amounts. A free order has none: no money moves. */
export function saleEntries(sale: Sale): Entry[] {
  const { totalCents, chargedCents, feeCents, shareCents, taxCents, organizationCents } = divideSale(sale);
  if (totalCents === 0) return [];
  return merged([
    ...creditEntries(sale.credit ?? [], 1),
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(chargedCents - feeCents) },
    { kind: 'tax_payable', organizationId: null, amountCents: cents(-taxCents) },
    { kind: 'platform_fee', organizationId: null, amountCents: cents(-shareCents) },
    { kind: 'org_payable', organizationId: sale.organizationId, amountCents: cents(-organizationCents) },
  ]);
}

/** A payment for an account, by its number in the billing module. */
type AccountMoney = { id: number; amountCents: Cents; feeCents: Cents | null };

/**
 * A payment for an account (upgrade, sign-up, renewal): what it brought, what the provider kept, and the plan's price (money
 * M11).
 */
function accountPaymentEntries({ amountCents, feeCents }: AccountMoney): Entry[] {
  const kept = feeCents ?? estimateFee(amountCents);
  return nonZero([
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(amountCents - kept) },
    { kind: 'provider_fee', organizationId: null, amountCents: kept },
    { kind: 'platform_revenue', organizationId: null, amountCents: cents(-amountCents) },
  ]);
}

/** A charge that bought nothing and was refunded in full: the provider keeps its fee, and the platform bears it. */
function accountRefundEntries({ amountCents, feeCents }: AccountMoney): Entry[] {
  const kept = feeCents ?? estimateFee(amountCents);
  return nonZero([
    { kind: 'provider_fee', organizationId: null, amountCents: kept },
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-kept) },
  ]);
}

/**
 * A sale with the seller's own keys: the money is already the seller's, who owes the platform its share. None of it is paid
 * out.
 */
export function ownAccountSaleEntries(sale: Sale): Entry[] {
  const { shareCents } = divideSale(sale);
  return merged([
    ...creditEntries(sale.credit ?? [], 1),
    { kind: 'provider_clearing', organizationId: sale.organizationId, amountCents: shareCents },
    { kind: 'platform_fee', organizationId: null, amountCents: cents(-shareCents) },
    // Credit whose money we hold is owed to the seller.
    { kind: 'org_payable', organizationId: sale.organizationId, amountCents: cents(0 - creditOf(sale)) },
  ]);
}

/** The provider kept another fee than was booked; the organization bears the difference. */
export function feeAdjustmentEntries(organizationId: number, bookedCents: Cents, realCents: Cents): Entry[] {
  const difference = realCents - bookedCents;
  return nonZero([
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-difference) },
    { kind: 'org_payable', organizationId, amountCents: cents(difference) },
  ]);
}

/**
 * From `beforeCents` refunded of a sale to `afterCents`: the parts are those of the total refund, divided like the sale, less
 * those of earlier refunds, so that in the end nothing remains. The provider keeps its fee, and the organization bears it.
 * `toCredit`: returned to these codes, and nothing of it to the card.
 */
export function refundEntries(
  sale: Sale,
  refunded: { beforeCents: Cents; afterCents: Cents },
  ownAccount: boolean,
  toCredit: readonly CreditPart[] = [],
) {
  const parts = (refundedCents: Cents) => {
    const { totalCents, shareCents, taxCents } = divideSale(sale);
    const portion = (part: Cents) => Math.floor((part * refundedCents) / totalCents);
    return { share: portion(shareCents), tax: portion(taxCents), whole: refundedCents };
  };
  const [before, after] = [parts(refunded.beforeCents), parts(refunded.afterCents)];
  const [share, tax, whole] = [after.share - before.share, after.tax - before.tax, after.whole - before.whole];
  const { organizationId } = sale;
  const credited = creditOf({ credit: toCredit });
  if (ownAccount)
    return merged([
      ...creditEntries(toCredit, -1),
      { kind: 'provider_clearing', organizationId, amountCents: cents(-share) },
      { kind: 'platform_fee', organizationId: null, amountCents: cents(share) },
      { kind: 'org_payable', organizationId, amountCents: credited },
    ]);
  return merged([
    ...creditEntries(toCredit, -1),
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(credited - whole) },
    { kind: 'tax_payable', organizationId: null, amountCents: cents(tax) },
    { kind: 'platform_fee', organizationId: null, amountCents: cents(share) },
    { kind: 'org_payable', organizationId, amountCents: cents(whole - tax - share) },
  ]);
}

/** What a payout takes from, or leaves with, one of its orders. */
type PayoutLine = { orderId: number; amountCents: number };
type Payout = { id: number; organizationId: number; lines: readonly PayoutLine[] };

/** Moves what is owed for orders to where the money is, or with -1 back (money M11). */
function payoutEntries({ organizationId, lines }: Payout, direction: 1 | -1, holder: AccountName): Entry[] {
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  return [
    ...lines.map((line): Entry => ({
      kind: 'org_payable',
      organizationId,
      amountCents: cents(direction * line.amountCents),
      orderId: line.orderId,
    })),
    { ...holder, amountCents: cents(-direction * amountCents) },
  ];
}

/** What an organization owed us: our share of sales on its own Stripe account, and refunds beyond what was due for its orders. */
export type Debt = { organizationId: number; shareCents: Cents; orders: readonly PayoutLine[] };

/**
 * An organization has paid its debt to our bank account by invoice. `orders` sum to zero or less; each has a zero balance
 * afterwards.
 */
function settlementEntries({ organizationId, shareCents, orders }: Debt): Entry[] {
  const debtCents = -orders.reduce((sum, line) => sum + line.amountCents, 0);
  return nonZero([
    { kind: 'bank', organizationId: null, amountCents: cents(shareCents + debtCents) },
    { kind: 'provider_clearing', organizationId, amountCents: cents(-shareCents) },
    ...orders.map(({ orderId, amountCents }): Entry => ({
      kind: 'org_payable',
      organizationId,
      amountCents: cents(amountCents),
      orderId,
    })),
  ]);
}

/** The provider sent money to our bank account; a negative amount was taken from it. */
function providerPayoutEntries(amountCents: Cents): Entry[] {
  return nonZero([
    { kind: 'bank', organizationId: null, amountCents },
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-amountCents) },
  ]);
}

type DisputeStep = 'opened' | 'won' | 'lost';

/** A disputed amount is held back from the organization; if won, it is released; if lost, the provider has taken it. */
export function disputeEntries(organizationId: number, amountCents: Cents, step: DisputeStep): Entry[] {
  const payable: AccountName = { kind: 'org_payable', organizationId };
  const hold: AccountName = { kind: 'dispute_hold', organizationId };
  const clearing: AccountName = { kind: 'provider_clearing', organizationId: null };
  const [from, to] = { opened: [payable, hold], won: [hold, payable], lost: [hold, clearing] }[step] as [
    AccountName,
    AccountName,
  ];
  return [
    { ...from, amountCents },
    { ...to, amountCents: cents(-amountCents) },
  ];
}

const SOURCES = {
  sale: 'order',
  credit_sale: 'order',
  own_account_sale: 'order',
  fee_adjustment: 'order',
  refund: 'refund',
  credit_refund: 'refund',
  credit_kept: 'dispute',
  credit_paid_out: 'credit_payout',
  dispute_opened: 'dispute',
  dispute_won: 'dispute',
  dispute_lost: 'dispute',
  account_payment: 'account_payment',
  account_refund: 'account_payment',
  payout_created: 'payout',
  payout_confirmed: 'payout',
  payout_failed: 'payout',
  payout_returned: 'payout',
  settlement: 'settlement',
  provider_payout: 'provider_payout',
} as const;
type PostingKind = keyof typeof SOURCES;

/** One event of the ledger; each kind is posted once per source. `orderId` applies to every entry without its own. */
export type Posting = {
  kind: PostingKind;
  sourceType: (typeof SOURCES)[PostingKind];
  sourceId: string;
  orderId: number | null;
  entries: readonly Entry[];
};

function posting(kind: PostingKind, source: number | string, entries: Entry[], orderId: number | null = null): Posting {
  return { kind, sourceType: SOURCES[kind], sourceId: String(source), orderId, entries };
}

type OfOrder = { orderId: number; organizationId: number };
const inTransit = ({ organizationId }: { organizationId: number }): AccountName => ({
  kind: 'payout_in_transit',
  organizationId,
});
const BANK: AccountName = { kind: 'bank', organizationId: null };

export const postings = {
  /** A free order moves no money and has no entries. */
  sale: (sale: Sale) => posting('sale', sale.orderId, saleEntries(sale), sale.orderId),

  /** The money went to the seller's own Stripe account. */
  ownAccountSale: (sale: Sale) => posting('own_account_sale', sale.orderId, ownAccountSaleEntries(sale), sale.orderId),

  creditSale: (sold: SoldCredit) => posting('credit_sale', sold.orderId, creditSaleEntries(sold), sold.orderId),

  /** Of sold credit `afterCents` were refunded to the card, previously `beforeCents`. */
  creditRefund: (
    { orderId, organizationId }: OfOrder,
    refunded: { beforeCents: Cents; afterCents: Cents; unusedCents: Cents },
  ) => {
    const { beforeCents, afterCents, unusedCents } = refunded;
    const entries = creditRefundEntries(organizationId, cents(afterCents - beforeCents), unusedCents);
    return posting('credit_refund', `${orderId}:${afterCents}`, entries, orderId);
  },

  /** What a lost dispute of the charge took off its code: the seller, who bore the dispute, keeps it. By the code's movement. */
  creditKept: ({ orderId, organizationId }: OfOrder, movementId: number, amountCents: Cents) =>
    posting(
      'credit_kept',
      movementId,
      nonZero([
        { kind: 'credit_liability', organizationId, amountCents },
        { kind: 'org_payable', organizationId, amountCents: cents(-amountCents) },
      ]),
      orderId,
    ),

  /** A small balance was paid in cash from our bank account. By the movement of its code. */
  creditPaidOut: ({ orderId, organizationId }: OfOrder, movementId: number, amountCents: Cents) =>
    posting(
      'credit_paid_out',
      movementId,
      [
        { kind: 'credit_liability', organizationId, amountCents },
        { ...BANK, amountCents: cents(-amountCents) },
      ],
      orderId,
    ),

  /** The difference between the booked fee of a sale and the real one. */
  feeAdjustment: ({ orderId, organizationId }: OfOrder, bookedCents: Cents, realCents: Cents) =>
    posting('fee_adjustment', orderId, feeAdjustmentEntries(organizationId, bookedCents, realCents), orderId),

  /** Of a sale `afterCents` are refunded now, previously `beforeCents`; once per amount. */
  refund: (
    sale: Sale,
    refunded: { beforeCents: Cents; afterCents: Cents; ownAccount: boolean; toCredit?: readonly CreditPart[] },
  ) => {
    const source = `${sale.orderId}:${refunded.afterCents}`;
    const entries = refundEntries(sale, refunded, refunded.ownAccount, refunded.toCredit);
    return posting('refund', source, entries, sale.orderId);
  },

  dispute: (dispute: OfOrder & { id: string; amountCents: Cents }, step: DisputeStep) => {
    const entries = disputeEntries(dispute.organizationId, dispute.amountCents, step);
    return posting(`dispute_${step}`, dispute.id, entries, dispute.orderId);
  },

  accountPayment: (payment: AccountMoney) => posting('account_payment', payment.id, accountPaymentEntries(payment)),

  /** The cost of refunding a charge that bought nothing. */
  accountRefund: (payment: AccountMoney) => posting('account_refund', payment.id, accountRefundEntries(payment)),

  /** The money for the orders of a payout is being transferred. */
  payoutCreated: (payout: Payout) => posting('payout_created', payout.id, payoutEntries(payout, 1, inTransit(payout))),

  /** The money has left the bank account. */
  payoutConfirmed: ({ id, organizationId, amountCents }: { id: number; organizationId: number; amountCents: number }) =>
    posting('payout_confirmed', id, [
      { ...inTransit({ organizationId }), amountCents: cents(amountCents) },
      { ...BANK, amountCents: cents(-amountCents) },
    ]),

  /** It failed before it was confirmed: its orders are owed again. */
  payoutFailed: (payout: Payout) => posting('payout_failed', payout.id, payoutEntries(payout, -1, inTransit(payout))),

  /** The bank returned a confirmed payout: the money is with us again, and owed for its orders as before. */
  payoutReturned: (payout: Payout) => posting('payout_returned', payout.id, payoutEntries(payout, -1, BANK)),

  settlement: (debt: Debt & { id: number }) => posting('settlement', debt.id, settlementEntries(debt)),

  /** By the provider's id. */
  providerPayout: ({ ref, amountCents }: { ref: string; amountCents: Cents }) =>
    posting('provider_payout', ref, providerPayoutEntries(amountCents)),
};
