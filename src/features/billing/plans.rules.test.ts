import { describe, expect, test } from 'vitest';
import {
  buyerShareSentence,
  ENTERPRISE_PLAN,
  FREE_PLAN,
  keepsText,
  limitsOf,
  percentText,
  PLANS,
  PREMIUM_PLAN,
  priceText,
  yearlyPriceWords,
} from '#src/features/billing/plans.rules.ts';

describe('the plans', () => {
  test('are three, and 89 is alone', () => {
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
    expect(limitsOf({ freeTier: true })).toMatchObject({ maxActiveGalleries: 1, maxPhotosPerGallery: 500 });
    expect(limitsOf({ freeTier: false })).toMatchObject({ maxActiveGalleries: null, maxPhotosPerGallery: null });
    expect(FREE_PLAN.maxActiveGalleries).toBe(1);
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
  ])('a share of %i is told to the buyer truly', (shareBps, sentence) => {
    expect(buyerShareSentence({ name: 'Hawks Soccer Club', shareBps })).toBe(sentence);
  });
});
