import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestPrice, type PriceQuestion } from '#src/features/offers/best-price.rules.ts';
import { refundOfPhotos, type FrozenOrder } from '#src/features/offers/photo-refunds.rules.ts';
import { anyCart, hawksQuestion, photosAt } from '#tests/support/price-sheets.ts';

/** Takes half a second on an idle machine. */
const SLOW_MS = 30_000;

/** An order as it was paid: with the passes that were bought, and the code only if it was used. */
function ordered(question: PriceQuestion): FrozenOrder {
  const price = bestPrice(question);
  const bought = question.passes.filter((pass) => price.offers.some(({ offerId }) => offerId === pass.offerId));
  const coupon = price.couponOutcome === 'used' ? question.coupon : null;
  return { ...question, passes: bought, coupon, paidCents: price.subtotalCents, refundedCents: 0 };
}

const fiveFor15 = ordered(hawksQuestion(photosAt(4, 4, 4, 4, 4)));

describe('a refund of photos', () => {
  test('of one of five gives back what the bundle no longer saves', () => {
    expect(refundOfPhotos(fiveFor15, [1, 2, 3, 4])).toEqual({
      refundCents: 100,
      keptCents: 1400,
      reason: 'The other 4 photos cost $14.00 without the bundle.',
    });
  });

  test.each<[number[], string]>([
    [[1], 'The other photo costs $4.00 without the bundle.'],
    [[], 'No photos are left in the order.'],
  ])('the reason when %j are kept', (kept, reason) => {
    expect(refundOfPhotos(fiveFor15, kept).reason).toBe(reason);
  });

  test('of single photos is their price, with the same discount', () => {
    const coupon = {
      id: 5,
      code: 'HAWKS20',
      kind: 'percent' as const,
      value: 2000,
      minimumCents: 800,
      galleryIds: null,
      sheetIds: null,
    };
    const order = ordered(hawksQuestion(photosAt(4, 4), { coupon }));
    expect(refundOfPhotos(order, [1])).toEqual({
      refundCents: 320,
      keptCents: 320,
      reason: 'The other photo costs $3.20, with the same discount.',
    });
  });

  test('never includes what was refunded before', () => {
    expect(refundOfPhotos({ ...fiveFor15, refundedCents: 400 }, [1, 2, 3, 4]).refundCents).toBe(0);
    expect(refundOfPhotos({ ...fiveFor15, refundedCents: 400 }, []).refundCents).toBe(1100);
  });

  test('of a pass is what its photos do not cost', () => {
    const order = ordered(hawksQuestion(photosAt(...Array.from({ length: 13 }, () => 4))));
    expect(refundOfPhotos(order, [1, 2, 3], []).refundCents).toBe(3000);
    expect(refundOfPhotos(order, [1, 2, 3]).refundCents).toBe(0);
  });

  test(
    'one by one in any order is never negative and sums to what was paid',
    () => {
      const coupons = fc.option(
        fc.record({
          id: fc.constant(5),
          code: fc.constant('X'),
          kind: fc.constantFrom('percent' as const, 'amount' as const, 'photos' as const),
          value: fc.integer({ min: 1, max: 2000 }),
          minimumCents: fc.constantFrom(0, 500),
          galleryIds: fc.option(fc.constant([7])),
          sheetIds: fc.constant(null),
        }),
      );
      fc.assert(
        fc.property(anyCart(8), coupons, fc.infiniteStream(fc.nat()), (cart, coupon, dice) => {
          let order = ordered({ ...cart, coupon });
          const inTurn = order.photos
            .map(({ id }) => ({ id, at: dice.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ id }) => id);
          const bought = order.passes.map((_, at) => at);
          for (let gone = 1; gone <= inTurn.length + 1; gone += 1) {
            const passes = gone > inTurn.length ? [] : bought;
            const { refundCents, keptCents } = refundOfPhotos(order, inTurn.slice(gone), passes);
            expect(refundCents).toBe(Math.max(0, order.paidCents - order.refundedCents - keptCents));
            order = { ...order, refundedCents: order.refundedCents + refundCents };
          }
          expect(order.refundedCents).toBe(order.paidCents);
        }),
        { numRuns: 400 },
      );
    },
    SLOW_MS,
  );
});
