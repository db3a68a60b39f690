import { describe, expect, test } from 'vitest';
import { cents, ZERO } from '#src/shared/money.ts';
import {
  disputeEntries,
  feeAdjustmentEntries,
  ownAccountSaleEntries,
  refundEntries,
  saleEntries,
  type Entry,
  type Sale,
} from '#src/features/ledger/ledger.rules.ts';

/** The example of money M11: 10 dollars, 83 cents of tax, a donation of 5 dollars, a fifth for the platform. */
const sale: Sale = {
  orderId: 1,
  organizationId: 7,
  subtotalCents: cents(1000),
  taxCents: cents(83),
  donationCents: cents(500),
  shareBps: 2000,
  feeCents: cents(76),
};
const sums = (...lists: Entry[][]) => {
  const found: Record<string, number> = {};
  for (const { kind, amountCents } of lists.flat()) found[kind] = (found[kind] ?? 0) + amountCents;
  return found;
};
const total = (entries: readonly Entry[]) => entries.reduce((sum, entry) => sum + entry.amountCents, 0);

describe('a refund', () => {
  const refund = (before: number, after: number, own = false) =>
    refundEntries(sale, { beforeCents: cents(before), afterCents: cents(after) }, own);

  test('in full returns share and tax; the provider keeps its fee and the organization bears it', () => {
    expect(sums(refund(0, 1583))).toEqual({
      provider_clearing: -1583,
      tax_payable: 83,
      platform_fee: 300,
      org_payable: 1200,
    });
  });

  test('in any number of parts has the same result, and each part sums to zero', () => {
    for (const steps of [
      [1, 2, 3, 1583],
      [500, 1000, 1583],
      [791, 792, 1582, 1583],
    ]) {
      const parts = steps.map((after, index) => refund(steps[index - 1] ?? 0, after));
      for (const part of parts) expect(total(part)).toBe(0);
      expect(sums(...parts)).toEqual(sums(refund(0, 1583)));
    }
  });

  test('on the seller’s own account returns the share that the seller owed', () => {
    expect(sums(ownAccountSaleEntries(sale), refund(0, 1583, true))).toEqual({ provider_clearing: 0, platform_fee: 0 });
  });
});

test('a sale on the seller’s own account posts the platform’s share only, and no tax or payout', () => {
  expect(ownAccountSaleEntries(sale)).toEqual([
    { kind: 'provider_clearing', organizationId: 7, amountCents: 300 },
    { kind: 'platform_fee', organizationId: null, amountCents: -300 },
  ]);
  expect(ownAccountSaleEntries({ ...sale, shareBps: 0 })).toEqual([]);
});

test('the real fee as an adjustment books the same as a sale with that fee', () => {
  const estimated = { ...sale, feeCents: null };
  expect(sums(saleEntries(estimated), feeAdjustmentEntries(7, cents(76), cents(91)))).toEqual(
    sums(saleEntries({ ...sale, feeCents: cents(91) })),
  );
  expect(feeAdjustmentEntries(7, cents(76), cents(76))).toEqual([]);
});

test('a dispute that is won leaves nothing; one that is lost takes the money', () => {
  const step = (name: 'opened' | 'won' | 'lost') => disputeEntries(7, cents(700), name);
  expect(sums(step('opened'), step('won'))).toEqual({ org_payable: ZERO, dispute_hold: ZERO });
  expect(sums(step('opened'), step('lost'))).toEqual({ org_payable: 700, dispute_hold: 0, provider_clearing: -700 });
});
