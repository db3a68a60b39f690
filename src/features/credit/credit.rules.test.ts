import { expect, test } from 'vitest';
import { lessBonus, returnedTo } from '#src/features/credit/credit.rules.ts';

type Priced = Parameters<typeof lessBonus>[0];

test('a bonus is divided over photos and passes by what each costs', () => {
  const best = {
    lines: [{ priceCents: 400 }, { priceCents: 400 }],
    offers: [{ paidCents: 1000 }],
    subtotalCents: 1800,
  } as unknown as Priced;
  const less = lessBonus(best, 900);
  expect(less.lines.map(({ priceCents }) => priceCents)).toEqual([200, 200]);
  expect(less.offers.map(({ paidCents }) => paidCents)).toEqual([500]);
  expect(less.subtotalCents).toBe(900);
});

test.each([
  [300, [300, 0]],
  [600, [600, 0]],
  [800, [600, 200]],
  [1100, [600, 500]],
])('a refund of %s cents goes back to each code in turn, less what it got back before', (amount, back) => {
  const codes = [
    { cents: 1000, returnedCents: 400 },
    { cents: 500, returnedCents: 0 },
  ];
  expect(returnedTo(codes, amount).map(({ backCents }) => backCents)).toEqual(back);
});
