import { describe, expect, test } from 'vitest';
import type { Offer, SheetContent } from '#src/features/offers/best-price.rules.ts';
import { paidFor, sheetWarnings } from '#src/features/offers/sheet-warnings.rules.ts';

const sheetOf = (...offers: Offer[]): SheetContent => ({ offers, ownPricesTakePart: false, earlyBird: null });
const bundle = (id: number, photos: number, dollars: number): Offer => ({
  id,
  kind: 'bundle',
  photos,
  priceCents: dollars * 100,
});
const athletePass: Offer = { id: 9, kind: 'athlete_pass', priceCents: 2500 };
const at = (priceCents: number, galleries = 1, ownPriced = 0) => ({ priceCents, galleries, ownPriced });

test('the table of what people will pay follows the best-price rule, and names the offers that win', () => {
  const sheet = sheetOf(bundle(1, 3, 10), bundle(2, 5, 15));
  const paid = [1, 2, 3, 5, 8, 10, 20].map((photos) => paidFor(sheet, 400, photos));
  expect(paid.map((each) => [each.photos, each.cents, each.offers.map(({ id }) => id)])).toEqual([
    [1, 400, []],
    [2, 800, []],
    [3, 1000, [1]],
    [5, 1500, [2]],
    [8, 2500, [2, 1]],
    [10, 3000, [2]],
    [20, 6000, [2]],
  ]);
});

describe('warnings', () => {
  test('a sheet without problems has none', () => {
    expect(sheetWarnings(sheetOf(bundle(1, 3, 10), bundle(2, 5, 15)), [at(400)])).toEqual([]);
  });

  test('a few photos cost as much as the athlete pass', () => {
    expect(sheetWarnings(sheetOf(bundle(1, 3, 10), bundle(2, 5, 15), athletePass), [at(400)])).toEqual([
      '8 photos cost as much as the athlete pass. Most people will take the pass.',
    ]);
  });

  test('a bundle never wins', () => {
    expect(sheetWarnings(sheetOf(bundle(1, 3, 10), bundle(2, 4, 16)), [at(400)])).toEqual([
      '“4 for $16.00” never wins while “3 for $10.00” is here.',
    ]);
  });

  test('a bundle costs more than single photos in some galleries', () => {
    expect(sheetWarnings(sheetOf(bundle(1, 5, 25)), [at(600, 3), at(400, 2)])).toEqual([
      '“5 for $25.00” costs more than five photos one by one in 2 galleries.',
    ]);
  });

  test('some photos have a higher price of their own', () => {
    expect(sheetWarnings(sheetOf({ id: 1, kind: 'gallery_pass', priceCents: 9000 }), [at(400, 2, 2)])).toEqual([
      'The gallery pass includes 2 photos with a higher price of their own.',
    ]);
  });

  test('galleries whose photos cost nothing have none', () => {
    expect(sheetWarnings(sheetOf(bundle(1, 3, 10), athletePass), [at(0)])).toEqual([]);
  });
});
