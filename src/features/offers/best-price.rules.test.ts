import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bestPrice,
  type BestPrice,
  type CouponTerms,
  type PriceQuestion,
} from '#src/features/offers/best-price.rules.ts';
import { bestByTrying, type Tried } from '#tests/support/price-search.ts';
import { anyCart, HAWKS20, HAWKS_FALL, hawksQuestion, photosAt } from '#tests/support/price-sheets.ts';

/** Takes half a second on an idle machine. */
const SLOW_MS = 30_000;

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const used = ({ offers }: BestPrice) => offers.map(({ offerId, times: often }) => `${often} × ${offerId}`);
const coupon = (change: Partial<CouponTerms>): CouponTerms => ({ ...HAWKS20, ...change });
const withSheet = (change: Partial<typeof HAWKS_FALL.content>) => [
  { ...HAWKS_FALL, content: { ...HAWKS_FALL.content, ...change } },
];
const EARLY = withSheet({ earlyBird: { percent: 15, lastDay: '2026-10-12' } });
const paid = ({ lines }: BestPrice) => lines.map((line) => line.priceCents);
const sumOfAll = ({ lines, offers }: BestPrice) =>
  lines.reduce((sum, line) => sum + line.priceCents, 0) + offers.reduce((sum, offer) => sum + offer.paidCents, 0);

describe('the worked examples', () => {
  test.each<[count: number, cents: number, offers: string[]]>([
    [1, 400, []],
    [2, 800, []],
    [3, 1000, ['1 × 1']],
    [4, 1400, ['1 × 1']],
    [5, 1500, ['1 × 2']],
    [6, 1900, ['1 × 2']],
    [7, 2300, ['1 × 2']],
    [8, 2500, ['1 × 2', '1 × 1']],
    [10, 3000, ['2 × 2']],
    [11, 3400, ['2 × 2']],
    [12, 3800, ['2 × 2']],
    [13, 4000, ['1 × 3']],
  ])('%i photos cost %i cents', (count, cents, offers) => {
    const price = bestPrice(hawksQuestion(photosAt(...times(count, 4))));
    expect(price.subtotalCents).toBe(cents);
    expect(used(price)).toEqual(offers);
    expect(sumOfAll(price)).toBe(cents);
  });

  const number10 = (photoIds: number[]) => ({
    sheetId: 70,
    offerId: 4,
    kind: 'athlete_pass' as const,
    galleryId: null,
    priceCents: 2500,
    photoIds,
    inCart: false,
    photosInAll: 31,
  });

  test('the athlete pass wins where it costs as much as eight photos of number 10, because it has more photos', () => {
    const price = bestPrice(hawksQuestion(photosAt(...times(8, 4)), { passes: [number10([1, 2, 3, 4, 5, 6, 7, 8])] }));
    expect([price.subtotalCents, used(price)]).toEqual([2500, ['1 × 4']]);
  });

  test('eight photos of number 10 and two others are two bundles', () => {
    const price = bestPrice(hawksQuestion(photosAt(...times(10, 4)), { passes: [number10([1, 2, 3, 4, 5, 6, 7, 8])] }));
    expect([price.subtotalCents, used(price)]).toEqual([3000, ['2 × 2']]);
  });

  test('a photo with a higher price of its own stays single, and equal totals use no bundle', () => {
    const price = bestPrice(hawksQuestion(photosAt(10, 4, 4, 2)));
    expect([price.subtotalCents, used(price)]).toEqual([2000, []]);
  });

  test('photos with a higher price that take part are bundled first', () => {
    const price = bestPrice(hawksQuestion(photosAt(10, 4, 4, 2), { sheets: withSheet({ ownPricesTakePart: true }) }));
    expect([price.subtotalCents, paid(price)]).toEqual([1200, [556, 222, 222, 200]]);
  });

  test('a portrait and three photos, also with two photos free', () => {
    const question = hawksQuestion(photosAt(20, 4, 4, 4));
    expect(bestPrice(question).subtotalCents).toBe(3000);
    const free = bestPrice({ ...question, coupon: coupon({ kind: 'photos', value: 2 }) });
    expect(free.subtotalCents).toBe(2400);
    expect(free.reduction).toMatchObject({ amountCents: 0, savedCents: 600, freePhotoIds: [2, 3] });
  });

  test('a portrait and three photos, two of them included with registration', () => {
    const included = [{ allowanceId: 8, photos: 2, sheetId: null }];
    const price = bestPrice({ ...hawksQuestion(photosAt(20, 4, 4, 4)), included });
    expect([price.subtotalCents, paid(price), sumOfAll(price)]).toEqual([2400, [2000, 0, 0, 400], 2400]);
    expect(price.included).toEqual([{ allowanceId: 8, photoIds: [2, 3] }]);
  });

  test.each<[included: number, sheetId: number | null, cents: number, taken: number]>([
    [2, null, 1400, 2],
    [2, 70, 1400, 2],
    [2, 71, 1900, 0],
    // Each of these numbers costs as much as one photo less, so one photo fewer is included.
    [9, null, 0, 6],
  ])('of six photos %i are included on sheet %s: %i cents', (photos, sheetId, cents, taken) => {
    const included = [{ allowanceId: 8, photos, sheetId }];
    const price = bestPrice({ ...hawksQuestion(photosAt(...times(6, 4))), included });
    expect([price.subtotalCents, price.included?.flatMap(({ photoIds }) => photoIds).length]).toEqual([cents, taken]);
  });

  test('no more photos of an allowance are used than save money, and none where a pass costs the same', () => {
    const included = [{ allowanceId: 8, photos: 1, sheetId: null }];
    const sheets = withSheet({ offers: [{ id: 1, kind: 'bundle', photos: 3, priceCents: 800 }] });
    const three = bestPrice({ ...hawksQuestion(photosAt(4, 4, 4), { sheets, passes: [] }), included });
    expect([three.subtotalCents, three.included]).toEqual([800, []]);
    const eight = hawksQuestion(photosAt(...times(10, 4)), { passes: [number10([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])] });
    const ten = bestPrice({ ...eight, included: [{ allowanceId: 8, photos: 2, sheetId: null }] });
    expect([ten.subtotalCents, used(ten), ten.included]).toEqual([2500, ['1 × 4'], []]);
  });

  test('included photos that save nothing are not used up, and larger numbers are still tried', () => {
    const sheets = withSheet({ offers: [{ id: 1, kind: 'bundle', photos: 3, priceCents: 400 }] });
    const three = hawksQuestion(photosAt(4, 4, 4), { sheets, passes: [] });
    const included = [2, 1, 2, 3].map((photos, at) => ({ allowanceId: at + 1, photos, sheetId: null }));
    const price = bestPrice({ ...three, included });
    expect([price.subtotalCents, price.included]).toEqual([0, [{ allowanceId: 4, photoIds: [1, 2, 3] }]]);
  });

  test('a code is applied after included photos', () => {
    const included = [{ allowanceId: 8, photos: 2, sheetId: null }];
    const price = bestPrice({ ...hawksQuestion(photosAt(...times(6, 4)), { coupon: coupon({}) }), included });
    expect([price.subtotalCents, price.reduction?.amountCents]).toEqual([1120, 280]);
  });

  test.each([
    [1, 500],
    [2, 1000],
    [3, 1400],
    [9, 3800],
    [10, 4100],
    [12, 4700],
  ])('with a falling price, %i photos cost %i cents', (count, cents) => {
    const steps = [
      { from: 1, priceCents: 500 },
      { from: 3, priceCents: 400 },
      { from: 10, priceCents: 300 },
    ];
    const sheets = withSheet({ offers: [{ id: 1, kind: 'steps', steps }] });
    const photos = photosAt(...times(count, 5)).map((photo) => ({ ...photo, hasOwnPrice: false }));
    const price = bestPrice(hawksQuestion(photos, { sheets, passes: [] }));
    expect([price.subtotalCents, sumOfAll(price)]).toEqual([cents, cents]);
  });

  test('a code of 20 % wins over an early bird of 15 %', () => {
    const price = bestPrice(hawksQuestion(photosAt(...times(6, 4)), { sheets: EARLY, coupon: coupon({}) }));
    expect(price.subtotalCents).toBe(1520);
    expect(price.couponOutcome).toBe('used');
    expect(price.reduction).toMatchObject({ kind: 'coupon', percentBp: 2000, amountCents: 380, insteadOfCents: 285 });
    expect(paid(price)).toEqual([240, 240, 240, 240, 240, 320]);
  });

  test('with two free photos, four are left to pay', () => {
    const price = bestPrice(hawksQuestion(photosAt(...times(6, 4)), { coupon: coupon({ kind: 'photos', value: 2 }) }));
    expect([price.subtotalCents, used(price)]).toEqual([1400, ['1 × 1']]);
    expect(price.reduction).toMatchObject({ savedCents: 500, freePhotoIds: [1, 2] });
  });

  test('photos of two galleries with one price sheet count together', () => {
    const photos = photosAt(4, 4, 4, 4, 4).map((photo) => ({ ...photo, galleryId: photo.id < 3 ? 7 : 8 }));
    expect(bestPrice(hawksQuestion(photos, { passes: [] })).subtotalCents).toBe(1500);
  });
});

describe('reductions', () => {
  const six = (change: Partial<PriceQuestion>) => bestPrice(hawksQuestion(photosAt(...times(6, 4)), change));

  test('the early bird ends after its last day', () => {
    expect(six({ sheets: EARLY, today: '2026-10-12' }).reduction).toMatchObject({
      kind: 'early_bird',
      amountCents: 285,
    });
    expect(six({ sheets: EARLY, today: '2026-10-13' }).reduction).toBeNull();
  });

  test.each<[Partial<CouponTerms>, string, number]>([
    [{ value: 1000 }, 'early bird is better', 1615],
    [{ value: 1500 }, 'early bird is better', 1615],
    [{ kind: 'amount', value: 500 }, 'used', 1400],
    [{ kind: 'amount', value: 9000 }, 'used', 0],
    [{ minimumCents: 1901 }, 'below minimum', 1615],
    [{ minimumCents: 1900 }, 'used', 1520],
    [{ galleryIds: [99] }, 'not for these', 1615],
    [{ sheetIds: [99] }, 'not for these', 1615],
    [{ galleryIds: [7], sheetIds: [70] }, 'used', 1520],
  ])('a code with %j: %s', (change, outcome, cents) => {
    const price = six({ sheets: EARLY, coupon: coupon(change) });
    expect([price.couponOutcome, price.subtotalCents, sumOfAll(price)]).toEqual([outcome, cents, cents]);
  });

  test('a code for one gallery does not reduce photos of another', () => {
    const photos = photosAt(4, 4).map((photo) => ({ ...photo, galleryId: photo.id === 1 ? 7 : 8 }));
    expect(paid(bestPrice(hawksQuestion(photos, { passes: [], coupon: coupon({ galleryIds: [8] }) })))).toEqual([
      400, 320,
    ]);
  });

  test('a code that saves nothing is not used', () => {
    expect(bestPrice(hawksQuestion(photosAt(0), { coupon: coupon({}) })).couponOutcome).toBe('saves nothing');
  });

  test('a photo that costs nothing does not use up a free photo of a code', () => {
    const price = bestPrice(
      hawksQuestion(photosAt(4, 0), { passes: [], coupon: coupon({ kind: 'photos', value: 2 }) }),
    );
    expect([price.subtotalCents, price.reduction?.freePhotoIds]).toEqual([0, [1]]);
  });

  test('free photos are the ones that save most, across price sheets', () => {
    const other = { id: 71, version: 1, content: { offers: [], ownPricesTakePart: false, earlyBird: null } };
    const photos = [...photosAt(4, 4, 4), { id: 9, galleryId: 9, sheetId: 71, singleCents: 390, hasOwnPrice: false }];
    const price = bestPrice(
      hawksQuestion(photos, { sheets: [HAWKS_FALL, other], passes: [], coupon: coupon({ kind: 'photos', value: 1 }) }),
    );
    // Without the fourth photo: "3 for $10.00"; without one of the three: two singles and the fourth, $11.90.
    expect([price.subtotalCents, price.reduction?.freePhotoIds]).toEqual([1000, [9]]);
  });
});

describe('passes', () => {
  test('a pass in the cart is bought, and its photos cost nothing more', () => {
    const question = hawksQuestion(photosAt(4, 4));
    const passes = question.passes.map((pass) => ({ ...pass, inCart: true }));
    const price = bestPrice({ ...question, passes, coupon: coupon({}) });
    expect([price.subtotalCents, paid(price), price.offers[0]?.paidCents]).toEqual([3200, [0, 0], 3200]);
  });

  test('many passes in a cart are bought without trying every subset of them', () => {
    const galleries = Array.from({ length: 40 }, (_, at) => at + 1);
    const question = hawksQuestion([]);
    const passes = galleries.flatMap((galleryId) =>
      question.passes.map((pass) => ({ ...pass, galleryId, inCart: true })),
    );
    expect(bestPrice({ ...question, passes }).subtotalCents).toBe(40 * 4000);
  });

  test('a pass alone in the cart can be bought', () => {
    const question = hawksQuestion([]);
    expect(
      bestPrice({ ...question, passes: question.passes.map((pass) => ({ ...pass, inCart: true })) }).subtotalCents,
    ).toBe(4000);
  });
});

describe('any cart', () => {
  test('is priced in a bounded number of steps, whatever is included with the registrations of eight children', () => {
    let reads = 0;
    const photos = times(200, 4).map((_, at) => ({
      id: at + 1,
      galleryId: 1,
      hasOwnPrice: false,
      sheetId: at < 100 ? 1 : 2,
      get singleCents() {
        reads += 1;
        return 1000;
      },
    }));
    const pass = { id: 2, kind: 'athlete_pass' as const, priceCents: 11_000 };
    const bundle = { id: 1, kind: 'bundle' as const, photos: 100, priceCents: 100 };
    const content = { offers: [bundle, pass], ownPricesTakePart: true, earlyBird: null };
    const sheets = [1, 2].map((id) => ({ id, version: 1, content }));
    const passes = sheets.flatMap(({ id: sheetId }) =>
      times(8, sheetId).map((_, child) => ({
        sheetId,
        offerId: pass.id,
        kind: pass.kind,
        priceCents: pass.priceCents,
        athleteKey: `child:${child}`,
        galleryId: null,
        inCart: false,
        photosInAll: 30,
        photoIds: photos.filter((photo) => photo.sheetId === sheetId && photo.id % 8 === child).map(({ id }) => id),
      })),
    );
    const included = times(8, 0).map((_, at) => ({ allowanceId: at + 1, photos: 92 + at, sheetId: null }));
    const price = bestPrice({ photos, sheets, passes, coupon: null, included, today: '2026-11-30' });
    expect([price.subtotalCents, price.included]).toEqual([200, []]);
    expect(reads).toBeLessThan(1_000_000);
  });

  test(
    'has the price that an exhaustive search finds, with the same choice',
    () => {
      const seen = fc.record({ cart: anyCart(5), free: fc.integer({ min: 0, max: 3 }) });
      fc.assert(
        fc.property(seen, ({ cart, free }) => {
          const sheet = { ...cart.sheets[0], content: { ...cart.sheets[0].content, earlyBird: null } };
          const code = free === 0 ? null : coupon({ kind: 'photos', value: free });
          const price = bestPrice({ ...cart, sheets: [sheet], coupon: code });
          const tried = bestByTrying({ ...cart, sheet, freePhotos: price.couponOutcome === 'used' ? free : 0 });
          const bundles = price.offers.filter(({ kind }) => kind === 'bundle');
          const passes = cart.passes.filter(({ offerId }) => price.offers.some((offer) => offer.offerId === offerId));
          const covered = new Set(passes.flatMap((pass) => pass.photoIds));
          const chosen: Tried = [
            price.subtotalCents,
            -(
              passes.reduce((sum, pass) => sum + pass.photosInAll, 0) +
              cart.photos.filter(({ id }) => !covered.has(id)).length
            ),
            bundles.reduce((sum, { photoIds }) => sum + photoIds.length, 0),
            bundles.reduce((sum, offer) => sum + offer.times, 0),
          ];
          expect(chosen).toEqual(tried);
        }),
        { numRuns: 2000 },
      );
    },
    SLOW_MS,
  );

  test(
    'adds up, line by line, and no line costs more than its single price',
    () => {
      fc.assert(
        fc.property(anyCart(30), (cart) => {
          const price = bestPrice(cart);
          expect(sumOfAll(price)).toBe(price.subtotalCents);
          for (const line of price.lines) {
            expect(line.priceCents).toBeGreaterThanOrEqual(0);
            expect(line.priceCents).toBeLessThanOrEqual(line.singleCents);
          }
          expect(price.lines).toHaveLength(cart.photos.length);
        }),
        { numRuns: 500 },
      );
    },
    SLOW_MS,
  );

  // This does not hold for a falling price with photos of different prices: a cheap photo can move an expensive one to
  // a cheaper step.
  test(
    'never costs more with one photo fewer, if photos with a falling price cost the same',
    () => {
      fc.assert(
        fc.property(anyCart(10), (any) => {
          const falls = any.sheets[0].content.offers.some(({ kind }) => kind === 'steps');
          const alike = any.photos.map((photo) => ({ ...photo, singleCents: any.photos[0]?.singleCents ?? 0 }));
          const cart = falls ? { ...any, photos: alike } : any;
          const whole = bestPrice(cart).subtotalCents;
          for (const { id: gone } of cart.photos) {
            const photos = cart.photos.filter(({ id }) => id !== gone);
            const passes = cart.passes.map((pass) => ({
              ...pass,
              photoIds: pass.photoIds.filter((id) => id !== gone),
            }));
            expect(bestPrice({ ...cart, photos, passes }).subtotalCents).toBeLessThanOrEqual(whole);
          }
        }),
        { numRuns: 500 },
      );
    },
    SLOW_MS,
  );

  test(
    'has one result in any order of photos, offers and passes',
    () => {
      fc.assert(
        fc.property(anyCart(12), fc.infiniteStream(fc.nat()), (cart, dice) => {
          const shuffled = <T>(list: readonly T[]) =>
            list
              .map((one) => ({ one, at: dice.next().value }))
              .toSorted((a, b) => a.at - b.at)
              .map(({ one }) => one);
          const sheets = cart.sheets.map((sheet) => ({
            ...sheet,
            content: { ...sheet.content, offers: shuffled(sheet.content.offers) },
          }));
          const passes = shuffled(cart.passes).map((pass) => ({ ...pass, photoIds: shuffled(pass.photoIds) }));
          expect(bestPrice({ ...cart, sheets, passes, photos: shuffled(cart.photos) })).toEqual(bestPrice(cart));
        }),
        { numRuns: 500 },
      );
    },
    SLOW_MS,
  );
});
