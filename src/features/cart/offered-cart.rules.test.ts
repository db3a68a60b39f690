import { describe, expect, test } from 'vitest';
import type { CartItem, OfferedGallery } from '#src/features/cart/cart.rules.ts';
import { offeredPrice, type ShownGallery } from '#src/features/cart/offered-cart.rules.ts';

const item = (id: number, changes: Partial<CartItem> = {}): CartItem => ({
  id,
  gallery_id: 7,
  organization_id: 5,
  organization_name: 'Hawks',
  organization_path: 'hawks',
  name: `Goal ${id}`,
  image_url: '/x',
  sales_price: 4,
  ...changes,
});
const photos = (count: number) => Array.from({ length: count }, (_, at) => item(at + 1));
const PASS = item(7, { pass: true, sales_price: 40, name: 'Cup final' });

const gallery = (change: Partial<ShownGallery> = {}): ShownGallery => ({
  id: 7,
  price_per_photo: 4,
  photo_count: 184,
  is_private: false,
  offers: {
    sheet_id: 70,
    version: 3,
    own_prices_take_part: false,
    offers: [
      { id: 1, kind: 'bundle', photos: 3, price: 10, text: '3 for $10.00' },
      { id: 2, kind: 'bundle', photos: 5, price: 15, text: 'any 5 for $15.00' },
      { id: 3, kind: 'gallery_pass', price: 40, text: 'The whole gallery for $40.00' },
    ],
    early_bird: null,
    line: '$4.00 each · 3 for $10.00 · any 5 for $15.00',
  },
  ...change,
});
const priced = (
  items: readonly CartItem[],
  passes: readonly CartItem[] = [],
  seen: readonly OfferedGallery[] = [gallery()],
) => {
  const answer = offeredPrice(items, passes, seen);
  return answer && [answer.price.subtotalCents, answer.singleSumCents, answer.hint];
};

describe('the cart of a browser with offers', () => {
  test('has the best price, and a hint if one more photo costs little', () => {
    expect(priced(photos(6))).toEqual([1900, 2400, null]);
    expect(priced(photos(4))).toEqual([1400, 1600, 'Add one more photo for $1.00 and get any 5 for $15.00.']);
    expect(priced(photos(13))).toEqual([4000, 5200, null]);
  });

  test('leaves out photos above their gallery’s price, and photos of galleries without offers', () => {
    expect(priced([item(1, { sales_price: 20 }), ...photos(4).slice(1)])).toEqual([3000, 3200, null]);
    expect(priced([item(1, { gallery_id: 9 }), ...photos(4).slice(1)])?.[0]).toBe(1400);
  });

  test('counts photos of two galleries with one sheet together', () => {
    const seen = [gallery(), gallery({ id: 8 })];
    expect(priced([...photos(3), item(4, { gallery_id: 8 }), item(5, { gallery_id: 8 })], [], seen)?.[0]).toBe(1500);
  });

  test('has a pass that was chosen, and offers none of a private gallery', () => {
    expect(priced(photos(2), [PASS])).toEqual([4000, 800, null]);
    expect(priced([], [PASS])).toEqual([4000, 0, null]);
    expect(priced(photos(13), [], [gallery({ is_private: true })])?.[0]).toBe(4000);
    expect(priced(photos(14), [], [gallery({ is_private: true })])?.[0]).toBe(4400);
  });

  test('prices photos of the gallery in full beside an athlete’s pass, because only the checkout knows whom they show', () => {
    const offers = [...gallery().offers.offers, { id: 4, kind: 'athlete_pass' as const, price: 15, text: 'All' }];
    const seen = [gallery({ offers: { ...gallery().offers, offers } })];
    const ofTen = item(900, { pass: true, sales_price: 15, name: 'number 10', athlete_key: 'team:2:10' });
    const numbered = photos(4).map((photo) => ({ ...photo, numbers: ['10'] }));
    const asks = 'Checkout subtracts the photos in your pass.';
    expect(priced(numbered, [ofTen], seen)).toEqual([2900, 1600, asks]);
    expect(priced(photos(2).concat(item(3, { athlete_key: 'child:8' })), [ofTen], seen)).toEqual([2500, 1200, asks]);
    const ofChild = { ...ofTen, athlete_key: 'child:8' };
    const chosenOnItsPage = photos(4).map((photo) => ({ ...photo, athlete_key: 'child:8' }));
    expect(priced(chosenOnItsPage, [ofChild], seen)).toEqual([1500, 1600, null]);
    expect(priced([], [ofTen], seen)).toEqual([1500, 0, null]);
  });

  test('has single prices if the gallery of a chosen pass is no longer stored', () => {
    expect(priced(photos(3), [PASS], [gallery({ id: 8 })])).toBeNull();
  });

  test('subtracts the early bird while the server sends it', () => {
    const early = { percent: 15, last_day: '2026-10-12', text: '15% off until 10.12.2026' };
    expect(priced(photos(6), [], [gallery({ offers: { ...gallery().offers, early_bird: early } })])?.[0]).toBe(1615);
  });

  test.each<[string, unknown]>([
    ['without offers', { id: 7 }],
    ['with offers of another form', { id: 7, offers: { offers: 3 } }],
    [
      'with prices that are none',
      gallery({ offers: { ...gallery().offers, offers: [{ id: 1, kind: 'bundle' }] } as never }),
    ],
  ])('has single prices if a gallery was stored %s', (_what, kept) => {
    expect(priced(photos(2), [], [kept as OfferedGallery])?.[0] ?? 800).toBe(800);
  });
});
