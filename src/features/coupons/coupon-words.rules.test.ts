import { expect, test } from 'vitest';
import type { CouponAnswer } from '#src/features/coupons/coupon-editing.contract.ts';
import { conditionsOf, givesText, usesText } from '#src/features/coupons/coupon-words.rules.ts';

const COUPON: CouponAnswer = {
  id: 1,
  code: 'HAWKS20',
  kind: 'percent',
  value: 20,
  max_uses: null,
  max_per_person: null,
  minimum: 0,
  first_day: null,
  last_day: null,
  gallery_ids: null,
  sheet_ids: null,
  state: 'active',
  uses: 0,
  sold: 0,
  saved: 0,
  created_at: '2026-10-01T00:00:00.000Z',
  ended_at: null,
  warnings: [],
};

test('a coupon says what it gives', () => {
  expect(givesText({ kind: 'percent', value: 12.5 })).toBe('12.5% off');
  expect(givesText({ kind: 'amount', value: 5 })).toBe('$5.00 off');
  expect(givesText({ kind: 'photos', value: 1 })).toBe('1 photo free');
  expect(givesText({ kind: 'photos', value: 2 })).toBe('2 photos free');
});

test('a coupon lists its conditions', () => {
  expect(conditionsOf(COUPON)).toEqual([]);
  const all = { minimum: 20, max_per_person: 1, gallery_ids: [1, 2], sheet_ids: [3] };
  expect(conditionsOf({ ...COUPON, ...all, first_day: '2026-10-01', last_day: '2026-10-12' })).toEqual([
    'from 10.01.2026 to 10.12.2026',
    'orders of $20.00 or more',
    '1 time per person',
    '2 galleries',
    '1 price sheet',
  ]);
  expect(conditionsOf({ ...COUPON, last_day: '2026-10-12' })).toEqual(['until 10.12.2026']);
  expect(conditionsOf({ ...COUPON, first_day: '2026-10-12' })).toEqual(['from 10.12.2026']);
});

test('uses are shown with their limit', () => {
  expect(usesText({ uses: 1_200, max_uses: 25_000 })).toBe('1,200 of 25,000');
  expect(usesText({ uses: 3, max_uses: null })).toBe('3');
});
