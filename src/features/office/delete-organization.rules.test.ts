import { expect, test } from 'vitest';
import { reasonsToStay, type DeletionFacts } from '#src/features/office/delete-organization.rules.ts';
import { cents, ZERO } from '#src/shared/money.ts';

const settled: DeletionFacts = {
  isRoot: false,
  hasAffiliates: false,
  hasPendingMoney: false,
  shareDueCents: cents(0),
  owedCents: ZERO,
  inPayoutCents: ZERO,
  disputedCents: ZERO,
  unspentCreditCents: ZERO,
};

test.each<[Partial<DeletionFacts>, string[]]>([
  [{}, []],
  [{ isRoot: true }, ['The main organization cannot be deleted.']],
  [{ hasAffiliates: true }, ['It has affiliates. Delete those first.']],
  [{ hasPendingMoney: true }, ['An order is being paid right now. Please try again in a few minutes.']],
  [{ owedCents: cents(123_456) }, ['It is owed $1,234.56. Pay it out first.']],
  [{ owedCents: cents(-50) }, ['It owes Sideline $0.50. Settle that first, among the payouts.']],
  [
    { owedCents: cents(-50), shareDueCents: cents(20) },
    ['It owes Sideline $0.70. Settle that first, among the payouts.'],
  ],
  [{ inPayoutCents: cents(-1) }, ['A payout to it is in progress. Wait until it is confirmed.']],
  [{ disputedCents: cents(-1) }, ['A buyer’s bank disputes one of its charges. Wait for the decision.']],
  [{ unspentCreditCents: cents(855) }, ['Families have $8.55 of prepaid credit left with it. Refund that first.']],
  [
    { hasAffiliates: true, owedCents: cents(1) },
    ['It has affiliates. Delete those first.', 'It is owed $0.01. Pay it out first.'],
  ],
])('%j', (change, reasons) => {
  expect(reasonsToStay({ ...settled, ...change })).toEqual(reasons);
});
