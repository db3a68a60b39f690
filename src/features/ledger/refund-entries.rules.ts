/**
 * What happens to a sale after it was booked, and how a sale is booked whose money never comes to the platform
 * (money M5, M8, M9, M11). + debit, - credit; every list sums to nothing.
 */
import { divideSale, type Entry, type Sale } from '#src/features/ledger/ledger.rules.ts';
import { cents, type Cents } from '#src/shared/money.ts';

const moved = (entries: readonly Entry[]): Entry[] => entries.filter((entry) => entry.amountCents !== 0);

/** A sale over the seller's own keys: the money is the seller's already, who owes the platform its share. Nothing of it is paid out. */
export function ownAccountSaleEntries(sale: Sale): Entry[] {
  const { shareCents } = divideSale(sale);
  return moved([
    { kind: 'provider_clearing', organizationId: sale.organizationId, amountCents: shareCents },
    { kind: 'platform_fee', organizationId: null, amountCents: cents(-shareCents) },
  ]);
}

/** The provider kept another fee than was booked; the organization bears the difference. */
export function feeAdjustmentEntries(organizationId: number, bookedCents: Cents, realCents: Cents): Entry[] {
  const difference = realCents - bookedCents;
  return moved([
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-difference) },
    { kind: 'org_payable', organizationId, amountCents: cents(difference) },
  ]);
}

/**
 * From `beforeCents` refunded of a sale to `afterCents`: the parts are those of the whole refund, divided as the sale was,
 * less those of the refunds before, so that in the end nothing is over. The provider keeps its fee, and the organization bears it.
 */
export function refundEntries(
  sale: Sale,
  refunded: { beforeCents: Cents; afterCents: Cents },
  ownAccount: boolean,
): Entry[] {
  const parts = (givenBack: Cents) => {
    const { totalCents, shareCents, taxCents } = divideSale(sale);
    const portion = (part: Cents) => Math.floor((part * givenBack) / totalCents);
    return { share: portion(shareCents), tax: portion(taxCents), whole: givenBack };
  };
  const [before, after] = [parts(refunded.beforeCents), parts(refunded.afterCents)];
  const [share, tax, whole] = [after.share - before.share, after.tax - before.tax, after.whole - before.whole];
  const { organizationId } = sale;
  if (ownAccount)
    return moved([
      { kind: 'provider_clearing', organizationId, amountCents: cents(-share) },
      { kind: 'platform_fee', organizationId: null, amountCents: cents(share) },
    ]);
  return moved([
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-whole) },
    { kind: 'tax_payable', organizationId: null, amountCents: cents(tax) },
    { kind: 'platform_fee', organizationId: null, amountCents: cents(share) },
    { kind: 'org_payable', organizationId, amountCents: cents(whole - tax - share) },
  ]);
}

/** What a payout takes from, or leaves with, one of its orders. */
export type PayoutLine = { orderId: number; amountCents: Cents };
export type Payout = { id: number; organizationId: number; lines: readonly PayoutLine[] };
/** An entry that names its own order; null: none. */
export type EntryOfOrder = Entry & { orderId: number | null };

/** What is owed for the orders of a payout is on its way to the organization; `direction` -1: it has come back (money M11). */
export function payoutEntries({ organizationId, lines }: Payout, direction: 1 | -1): EntryOfOrder[] {
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  return [
    ...lines.map(({ orderId, amountCents: part }) => ({
      kind: 'org_payable' as const,
      organizationId,
      amountCents: cents(direction * part),
      orderId,
    })),
    { kind: 'payout_in_transit', organizationId, amountCents: cents(-direction * amountCents), orderId: null },
  ];
}

/** The money has left the bank. */
export function payoutConfirmedEntries(organizationId: number, amountCents: Cents): Entry[] {
  return [
    { kind: 'payout_in_transit', organizationId, amountCents },
    { kind: 'bank', organizationId: null, amountCents: cents(-amountCents) },
  ];
}

/** The bank sent a confirmed payout back: it is with us again, and owed for its orders as before. */
export function payoutReturnedEntries({ organizationId, lines }: Payout): EntryOfOrder[] {
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  return [
    { kind: 'bank', organizationId: null, amountCents: cents(amountCents), orderId: null },
    ...lines.map(({ orderId, amountCents: part }) => ({
      kind: 'org_payable' as const,
      organizationId,
      amountCents: cents(-part),
      orderId,
    })),
  ];
}

/** What an organization owed us: our share of sales over its own account, and what refunds took of its orders beyond what was due. */
export type Debt = { organizationId: number; shareCents: Cents; orders: readonly PayoutLine[] };

/** An organization has paid its debt to our bank by invoice. `orders` come to nothing or less together; each is even afterwards. */
export function settlementEntries({ organizationId, shareCents, orders }: Debt): EntryOfOrder[] {
  const debtCents = -orders.reduce((sum, line) => sum + line.amountCents, 0);
  const entries: EntryOfOrder[] = [
    { kind: 'bank', organizationId: null, amountCents: cents(shareCents + debtCents), orderId: null },
    { kind: 'provider_clearing', organizationId, amountCents: cents(-shareCents), orderId: null },
    ...orders.map(({ orderId, amountCents }) => ({
      kind: 'org_payable' as const,
      organizationId,
      amountCents,
      orderId,
    })),
  ];
  return entries.filter((entry) => entry.amountCents !== 0);
}

/** The provider sent money to our bank; a negative amount was taken from there. */
export function providerPayoutEntries(amountCents: Cents): Entry[] {
  return moved([
    { kind: 'bank', organizationId: null, amountCents },
    { kind: 'provider_clearing', organizationId: null, amountCents: cents(-amountCents) },
  ]);
}

export type DisputeStep = 'opened' | 'won' | 'lost';

/** What is disputed is held back from the organization; won, it is freed; lost, the provider has taken it. */
export function disputeEntries(organizationId: number, amountCents: Cents, step: DisputeStep): Entry[] {
  const [more, less] = [amountCents, cents(-amountCents)];
  switch (step) {
    case 'opened':
      return [
        { kind: 'org_payable', organizationId, amountCents: more },
        { kind: 'dispute_hold', organizationId, amountCents: less },
      ];
    case 'won':
      return [
        { kind: 'dispute_hold', organizationId, amountCents: more },
        { kind: 'org_payable', organizationId, amountCents: less },
      ];
    case 'lost':
      return [
        { kind: 'dispute_hold', organizationId, amountCents: more },
        { kind: 'provider_clearing', organizationId: null, amountCents: less },
      ];
  }
}
