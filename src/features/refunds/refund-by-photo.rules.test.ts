import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { salesByGallery, salesByPhoto } from '#src/features/orders/orders.rules.ts';
import { refundedSale, refundParts } from '#src/features/refunds/refund-by-photo.rules.ts';

describe('the parts of a refund', () => {
  test.each<[string, number[], number, number, number[]]>([
    ['nothing refunded', [400, 400], 0, 0, [0, 0]],
    ['half of two equal prices', [400, 400], 0, 400, [200, 200]],
    ['a cent more than half', [400, 400], 0, 401, [200, 201]],
    ['all of it', [400, 250, 500], 0, 1150, [400, 250, 500]],
    ['all of it, the tax among it', [1000], 83, 1083, [1000]],
    ['half, the tax bears its part', [1000], 100, 550, [500]],
    ['a free photo bears nothing', [0, 100], 0, 50, [0, 50]],
    ['an order that cost nothing', [0, 0], 0, 0, [0, 0]],
  ])('%s', (_what, prices, tax, refunded, parts) => {
    expect(refundParts(prices, tax, refunded)).toEqual(parts);
  });

  test('are never more than the price, never negative, and sum to the refund without its tax', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (prices, tax, permyriad) => {
          const base = prices.reduce((sum, price) => sum + price, 0);
          fc.pre(base > 0);
          const refunded = Math.floor(((base + tax) * permyriad) / 10_000);
          const parts = refundParts(prices, tax, refunded);
          expect(parts.every((part, index) => part >= 0 && part <= (prices[index] ?? 0))).toBe(true);
          const taxBack = Number((BigInt(tax) * BigInt(refunded)) / BigInt(base + tax));
          expect(parts.reduce((sum, part) => sum + part, 0)).toBe(refunded - taxBack);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a counted refund', () => {
  const order = {
    lines: [
      { photoId: 1, galleryId: 10, priceCents: 400 },
      { photoId: 2, galleryId: 20, priceCents: 600 },
    ],
    passes: [],
    taxCents: 0,
    donationCents: 500,
    donationGalleryId: 20,
  };

  test('reduces the money with each part, and the sale itself with the last cent', () => {
    const part = refundedSale(order, { beforeCents: 0, afterCents: 750 });
    expect(salesByPhoto(part)).toEqual([
      { photoId: 1, count: 0, salesCents: -200 },
      { photoId: 2, count: 0, salesCents: -300 },
    ]);
    expect(salesByGallery(part)).toEqual([
      { galleryId: 10, photos: 0, salesCents: -200, donationCents: 0 },
      { galleryId: 20, photos: 0, salesCents: -300, donationCents: -250 },
    ]);
    const rest = refundedSale(order, { beforeCents: 750, afterCents: 1500 });
    expect(salesByPhoto(rest)).toEqual([
      { photoId: 1, count: -1, salesCents: -200 },
      { photoId: 2, count: -1, salesCents: -300 },
    ]);
    expect(salesByGallery(rest)).toMatchObject([
      { photos: -1, salesCents: -200 },
      { photos: -1, salesCents: -300, donationCents: -250 },
    ]);
  });

  test('removes exactly what was sold, in any number of steps', () => {
    const steps = [0, 1, 7, 333, 334, 999, 1499, 1500];
    let [photos, sales] = [2, 1000];
    let donations = 500;
    for (let index = 1; index < steps.length; index++) {
      const lost = refundedSale(order, { beforeCents: steps[index - 1] ?? 0, afterCents: steps[index] ?? 0 });
      for (const gallery of salesByGallery(lost)) {
        photos += gallery.photos;
        sales += gallery.salesCents;
        donations += gallery.donationCents;
      }
    }
    expect([photos, sales, donations]).toEqual([0, 0, 0]);
  });
});
