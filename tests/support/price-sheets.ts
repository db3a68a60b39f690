/** Carts and price sheets for tests of offers. */
import fc from 'fast-check';
import type {
  CartPhoto,
  CouponTerms,
  FrozenSheet,
  Offer,
  PassCandidate,
  PriceQuestion,
} from '#src/features/offers/best-price.rules.ts';

/** The sheet of the worked examples: photos at $4.00. */
export const HAWKS_FALL: FrozenSheet = {
  id: 70,
  version: 3,
  content: {
    ownPricesTakePart: false,
    earlyBird: null,
    offers: [
      { id: 1, kind: 'bundle', photos: 3, priceCents: 1000 },
      { id: 2, kind: 'bundle', photos: 5, priceCents: 1500 },
      { id: 3, kind: 'gallery_pass', priceCents: 4000 },
      { id: 4, kind: 'athlete_pass', priceCents: 2500 },
    ],
  },
};

/** Photos of these single prices in gallery 7, with ids from 1; those above $4.00 have a price of their own. */
export function photosAt(...dollars: readonly number[]): CartPhoto[] {
  return dollars.map((price, at) => ({
    id: at + 1,
    galleryId: 7,
    sheetId: HAWKS_FALL.id,
    singleCents: Math.round(price * 100),
    hasOwnPrice: price > 4,
  }));
}

/** Photos at the sheet's usual price. */
export const alike = (count: number) => photosAt(...Array.from({ length: count }, () => 4));

/** A falling price. */
export const STEPS: Offer = {
  id: 5,
  kind: 'steps',
  steps: [
    { from: 1, priceCents: 500 },
    { from: 3, priceCents: 400 },
    { from: 10, priceCents: 300 },
    { from: 22, priceCents: 200 },
  ],
};

export const HAWKS20: CouponTerms = {
  id: 5,
  code: 'HAWKS20',
  kind: 'percent',
  value: 2000,
  minimumCents: 0,
  galleryIds: null,
  sheetIds: null,
};

/** A question about the sheet of the worked examples, with its gallery pass on offer (184 photos). */
export function hawksQuestion(photos: readonly CartPhoto[], change: Partial<PriceQuestion> = {}): PriceQuestion {
  const pass: PassCandidate = {
    sheetId: HAWKS_FALL.id,
    offerId: 3,
    kind: 'gallery_pass',
    galleryId: 7,
    priceCents: 4000,
    photoIds: photos.map((photo) => photo.id),
    inCart: false,
    photosInAll: 184,
  };
  return { photos, sheets: [HAWKS_FALL], passes: [pass], coupon: null, today: '2026-10-10', ...change };
}

const price = fc.integer({ min: 0, max: 12 }).map((half) => half * 50);

/** A sheet with up to two bundles and perhaps a falling price. */
const anySheet = fc
  .record({
    bundles: fc.array(
      fc.record({
        photos: fc.integer({ min: 2, max: 4 }),
        priceCents: fc.integer({ min: 1, max: 30 }).map((half) => half * 50),
      }),
      { maxLength: 2 },
    ),
    steps: fc.option(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 })),
    startsAt: fc.integer({ min: 1, max: 2 }),
    ownPricesTakePart: fc.boolean(),
    percent: fc.option(fc.integer({ min: 1, max: 90 })),
  })
  .map(({ bundles, steps, startsAt, ownPricesTakePart, percent }): FrozenSheet => {
    const falling = [...new Set(steps)]
      .toSorted((a, b) => b - a)
      .map((half, at) => ({ from: startsAt + at * 2, priceCents: half * 50 }));
    const offers: Offer[] = bundles.map((bundle, at) => ({ id: at + 1, kind: 'bundle' as const, ...bundle }));
    if (falling.length > 0) offers.push({ id: 3, kind: 'steps', steps: falling });
    return {
      id: 70,
      version: 1,
      content: { offers, ownPricesTakePart, earlyBird: percent === null ? null : { percent, lastDay: '2026-10-12' } },
    };
  });

/** Random carts of up to `most` photos with a sheet of two bundles, steps and two passes. */
export function anyCart(most: number): fc.Arbitrary<PriceQuestion & { sheets: [FrozenSheet] }> {
  return fc
    .record({
      sheet: anySheet,
      prices: fc.array(
        fc.record({ singleCents: price, hasOwnPrice: fc.boolean(), second: fc.boolean(), number10: fc.boolean() }),
        { maxLength: most },
      ),
      gallery: fc.option(fc.record({ priceCents: price, inCart: fc.boolean() })),
      athlete: fc.option(fc.record({ priceCents: price, inCart: fc.boolean() })),
    })
    .map(({ sheet, prices, gallery, athlete }) => {
      const photos = prices.map(({ singleCents, hasOwnPrice, second }, at) => ({
        id: at + 1,
        galleryId: second ? 8 : 7,
        sheetId: 70,
        singleCents,
        hasOwnPrice,
      }));
      const idsOf = (isIn: (at: number) => boolean) => photos.filter((_, at) => isIn(at)).map(({ id }) => id);
      const passes: PassCandidate[] = [];
      if (gallery)
        passes.push({
          ...gallery,
          sheetId: 70,
          offerId: 11,
          kind: 'gallery_pass',
          galleryId: 8,
          photosInAll: 9,
          photoIds: idsOf((at) => prices[at]?.second === true),
        });
      if (athlete)
        passes.push({
          ...athlete,
          sheetId: 70,
          offerId: 12,
          kind: 'athlete_pass',
          galleryId: null,
          photosInAll: 7,
          photoIds: idsOf((at) => prices[at]?.number10 === true),
        });
      return { photos, sheets: [sheet], passes, coupon: null, today: '2026-10-10' };
    });
}
