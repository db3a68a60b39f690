import { describe, expect, test } from 'vitest';
import { bestPrice, type Offer } from '#src/features/offers/best-price.rules.ts';
import { hintsOf, passNotes } from '#src/features/offers/price-hints.rules.ts';
import { alike, HAWKS20, hawksQuestion, photosAt, STEPS } from '#tests/support/price-sheets.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

const hints = (count: number) => {
  const question = hawksQuestion(alike(count));
  return hintsOf(question, bestPrice(question)).map((hint) => hint.text);
};

describe('hints about what costs little more', () => {
  test.each<[number, string[]]>([
    [1, []],
    [2, ['Add one more photo for $2.00 and get 3 for $10.00.']],
    [3, []],
    [4, ['Add one more photo for $1.00 and get any 5 for $15.00.']],
    [5, []],
    [11, []],
    [12, ['For $2.00 more you get the whole gallery, 184 photos.']],
    [13, []],
  ])('with %i photos: %j', (count, texts) => {
    expect(hints(count)).toEqual(texts);
  });

  test('leave out photos with a price of their own and photos without a sheet', () => {
    const free = alike(4).map((photo) => ({ ...photo, sheetId: null }));
    for (const photos of [photosAt(10), free]) {
      const question = hawksQuestion(photos);
      expect(hintsOf(question, bestPrice(question))).toEqual([]);
    }
  });

  test('come with a reason where the best price added a pass', () => {
    const notes = (count: number) => {
      const question = hawksQuestion(alike(count));
      return passNotes(question, bestPrice(question));
    };
    expect(notes(12)).toEqual([]);
    expect(notes(13)).toEqual(['The whole gallery costs the same as the 13 in your cart, so you get all 184.']);
    expect(notes(14)).toEqual(['The whole gallery costs less than the 14 in your cart, so you get all 184.']);
  });

  test('are computed fast for the largest cart that anyone can send', async () => {
    const sheets = [1, 2].map((id) => {
      const bundles = Array.from({ length: 10 }, (_, at): Offer => {
        return { id: at + 1, kind: 'bundle', photos: 100 - at * 7, priceCents: 5000 - at * 300 };
      });
      const offers: Offer[] = [...bundles, { id: 11, kind: 'gallery_pass', priceCents: 2000 }, { ...STEPS, id: 12 }];
      return { id, version: 1, content: { offers, ownPricesTakePart: true, earlyBird: null } };
    });
    const photos = Array.from({ length: 200 }, (_, at) => {
      const sheetId = (at % 2) + 1;
      return {
        id: at + 1,
        galleryId: sheetId * 10 + ((at % 16) >> 1),
        singleCents: 300 + at,
        hasOwnPrice: false,
        sheetId,
      };
    });
    const passes = [...Map.groupBy(photos, (photo) => photo.galleryId)].map(([galleryId, covered]) => ({
      sheetId: covered[0]?.sheetId ?? 0,
      offerId: 11,
      kind: 'gallery_pass' as const,
      galleryId,
      priceCents: 2000,
      photoIds: covered.map(({ id }) => id),
      inCart: false,
      photosInAll: 100,
    }));
    const coupon = { ...HAWKS20, kind: 'photos' as const, value: 100 };
    const question = { photos, sheets, passes, coupon, today: '2026-11-23' };
    const show = () => {
      const price = bestPrice(question);
      hintsOf(question, price);
      passNotes(question, price);
    };
    // It took 8 s before hints were limited.
    expect(await processorMsOf(show)).toBeLessThan(1_500);
  });
});
