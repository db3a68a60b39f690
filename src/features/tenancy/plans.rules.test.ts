import { describe, expect, test } from 'vitest';
import {
  buyerShareSentence,
  ENTERPRISE_PLAN,
  keepsText,
  mayHaveAnotherGallery,
  percentText,
  PLANS,
  PREMIUM_PLAN,
  priceText,
  yearlyPriceWords,
} from '#src/features/tenancy/plans.rules.ts';

describe('the plans', () => {
  test('are three, and the only price is 89', () => {
    expect(PLANS.map((plan) => [plan.name, priceText(plan), keepsText(plan)])).toEqual([
      ['Free', '$0 forever', 'Keep 80% of donations and photo sales, less card fees'],
      ['Premium', '$89 per year', 'Keep 80% of donations and photo sales, less card fees'],
      ['Enterprise', 'Contact us', 'Keep up to 100% of donations and photo sales, less card fees'],
    ]);
    expect(PREMIUM_PLAN.yearlyPriceCents).toBe(8900);
    expect(yearlyPriceWords(PREMIUM_PLAN)).toBe('89 dollars per year');
    expect(ENTERPRISE_PLAN.byContract).toBe(true);
  });

  test('limit the free tier only', () => {
    expect(PLANS.map((plan) => [plan.maxActiveGalleries, plan.maxPhotosPerGallery])).toEqual([
      [1, 500],
      [null, null],
      [null, null],
    ]);
  });

  test.each([
    [true, 0, true],
    [true, 1, false],
    [false, 100, true],
  ])('free: %s, %d active galleries → another: %s', (freeTier, active, expected) => {
    expect(mayHaveAnotherGallery(freeTier, active)).toBe(expected);
  });

  test.each([
    [8000, '80%'],
    [8250, '82.5%'],
    [8725, '87.25%'],
    [10_000, '100%'],
    [0, '0%'],
    [1, '0.01%'],
  ])('%i basis points are %s', (bps, text) => {
    expect(percentText(bps)).toBe(text);
  });

  test.each([
    [2000, '80% of sales and donations, less card fees, benefit Hawks Soccer Club.'],
    [1750, '82.5% of sales and donations, less card fees, benefit Hawks Soccer Club.'],
    [0, '100% of sales and donations, less card fees, benefit Hawks Soccer Club.'],
  ])('a share of %i is stated correctly to the buyer', (shareBps, sentence) => {
    expect(buyerShareSentence({ name: 'Hawks Soccer Club', shareBps })).toBe(sentence);
  });
});
