import { expect, test } from 'vitest';
import { createBooksCheck } from '#src/features/imports/imports.rules.ts';

type Row = [dataset: string, facts: Record<string, unknown>];

const ORDER = {
  id: 1,
  kind: 'photos',
  subtotal_cents: 900,
  tax_cents: 50,
  donation_cents: 100,
  total_cents: 1050,
  refunded_cents: 0,
};
const WHOLE: Row[] = [
  ['orders', ORDER],
  ['order_lines', { order_id: 1, price_cents: 400 }],
  ['passes', { order_id: 1, price_cents: 500 }],
  ['ledger', { posting_id: 7, amount_cents: 1050 }],
  ['ledger', { posting_id: 7, amount_cents: -1050 }],
  ['payouts', { id: 3, amount_cents: 700 }],
  ['payout_lines', { payout_id: 3, amount_cents: 800 }],
  ['payout_lines', { payout_id: 3, amount_cents: -100 }],
  ['credit_movements', { code_id: 5, cents: 2500 }],
  ['credit_movements', { code_id: 5, cents: -2500 }],
  [
    'orders',
    { ...ORDER, id: 2, kind: 'credit', subtotal_cents: 2500, tax_cents: 0, donation_cents: 0, total_cents: 2500 },
  ],
];

function problemsOf(rows: readonly Row[]): string[] {
  const check = createBooksCheck();
  for (const [dataset, facts] of rows) check.take(dataset, facts);
  return check.problems();
}

test('books that add up have no problem', () => {
  expect(problemsOf(WHOLE)).toEqual([]);
});

test.each<[what: string, row: Row, problem: string]>([
  ['an entry without its opposite', ['ledger', { posting_id: 7, amount_cents: 1 }], 'posting 7 is off by 1'],
  ['a line too many', ['order_lines', { order_id: 1, price_cents: 1 }], 'order 1 is not the sum of its parts'],
  ['a wrong total', ['orders', { ...ORDER, total_cents: 1049 }], 'order 1 is not the sum of its parts'],
  ['more refunded than paid', ['orders', { ...ORDER, refunded_cents: 1051 }], 'order 1 is not the sum of its parts'],
  ['a code below zero', ['credit_movements', { code_id: 5, cents: -1 }], 'credit code 5 has -1'],
  [
    'a line that its payout lacks',
    ['payout_lines', { payout_id: 3, amount_cents: 1 }],
    'payout 3 is not the sum of its lines',
  ],
  ['a payout without lines', ['payouts', { id: 4, amount_cents: 1 }], 'payout 4 is not the sum of its lines'],
])('%s is found', (_what, row, problem) => {
  expect(problemsOf([...WHOLE, row])).toEqual([problem]);
});

test('five problems are listed, and the others counted', () => {
  const off = Array.from({ length: 7 }, (_none, at): Row => ['ledger', { posting_id: at, amount_cents: 1 }]);
  expect(problemsOf(off)).toEqual([...[0, 1, 2, 3, 4].map((id) => `posting ${id} is off by 1`), 'and 2 more']);
});
