import { describe, expect, test } from 'vitest';
import { bestPrice, type CouponTerms, type Offer, type PriceQuestion } from '#src/features/offers/best-price.rules.ts';
import {
  cartSpoken,
  codeWins,
  earlyBirdLine,
  goodsText,
  offerName,
  offerText,
  openSlotText,
  priceLine,
} from '#src/features/offers/offer-words.rules.ts';
import { hintsOf, passNotes, priceList } from '#src/features/offers/price-list.rules.ts';
import { HAWKS_FALL, hawksQuestion, photosAt } from '#tests/support/price-sheets.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

const alike = (count: number) => photosAt(...Array.from({ length: count }, () => 4));
const STEPS: Offer = {
  id: 5,
  kind: 'steps',
  steps: [
    { from: 1, priceCents: 500 },
    { from: 3, priceCents: 400 },
    { from: 10, priceCents: 300 },
    { from: 22, priceCents: 200 },
  ],
};
const HAWKS20: CouponTerms = {
  id: 5,
  code: 'HAWKS20',
  kind: 'percent',
  value: 2000,
  minimumCents: 0,
  galleryIds: null,
  sheetIds: null,
};

const listOf = (question: PriceQuestion) =>
  priceList(question, bestPrice(question), { passName: () => 'Cup final' }).map(({ text, amountCents }) => [
    text,
    amountCents,
  ]);
const hints = (count: number) => {
  const question = hawksQuestion(alike(count));
  return hintsOf(question, bestPrice(question)).map((hint) => hint.text);
};

describe('offers in words', () => {
  test('on the page', () => {
    expect(HAWKS_FALL.content.offers.map(offerText)).toEqual([
      '3 for $10.00',
      'any 5 for $15.00',
      'The whole gallery for $40.00',
      'All photos of my athlete for $25.00',
    ]);
    expect(priceLine(400, HAWKS_FALL.content.offers)).toBe('$4.00 each · 3 for $10.00 · any 5 for $15.00');
    // Of photos at $3.00 only the second bundle takes less than its photos one by one cost.
    expect(
      priceLine(300, [
        { id: 1, kind: 'bundle', photos: 3, priceCents: 900 },
        { id: 2, kind: 'bundle', photos: 5, priceCents: 1200 },
      ]),
    ).toBe('$3.00 each · any 5 for $12.00');
    expect(priceLine(500, [STEPS])).toBe('$5.00 each, from the 3rd $4.00, from the 10th $3.00, from the 22nd $2.00');
    expect(earlyBirdLine({ percent: 12.5, lastDay: '2026-10-12' })).toBe('12.5% off until 10.12.2026');
    expect(offerName({ id: 4, kind: 'athlete_pass', priceCents: 2500 }, 'number 10')).toBe('All photos of number 10');
  });

  test('a cart as screen readers say it', () => {
    expect(cartSpoken('6 photos', 1900, 2400)).toBe('6 photos, 19 dollars, instead of 24');
    expect(cartSpoken('1 photo', 100, 100)).toBe('1 photo, 1 dollar');
    expect(cartSpoken(goodsText(2, 1), 1005, 1250)).toBe('2 photos, 1 pass, 10.05 dollars, instead of 12.50');
  });

  test('a code that wins, and slots that are already paid for', () => {
    expect(codeWins('HAWKS20', 380, 285)).toBe(
      'HAWKS20 saves you $3.80, more than the early bird ($2.85), so we used the code.',
    );
    expect([openSlotText(1), openSlotText(2)]).toEqual([
      'Choose 1 more photo, it is already paid for',
      'Choose 2 more photos, they are already paid for',
    ]);
  });
});

describe('how a price is made', () => {
  test('lists bundles, single photos and a code', () => {
    expect(listOf(hawksQuestion(alike(6), { coupon: HAWKS20 }))).toEqual([
      ['Any 5 for $15.00, 5 photos', 1500],
      ['1 photo at $4.00', 400],
      ['Code HAWKS20, 20% off: −$3.80', -380],
    ]);
  });

  test('lists a pass, other single prices and the early bird', () => {
    const sheets = [
      { ...HAWKS_FALL, content: { ...HAWKS_FALL.content, earlyBird: { percent: 15, lastDay: '2026-10-12' } } },
    ];
    expect(listOf(hawksQuestion(photosAt(10, 4, 4), { sheets, passes: [] }))).toEqual([
      ['1 photo at $10.00', 1000],
      ['2 photos at $4.00', 800],
      ['Early bird, 15% off: −$2.70', -270],
    ]);
    expect(listOf(hawksQuestion(alike(13), { sheets }))).toEqual([
      ['The whole gallery “Cup final”', 4000],
      ['Early bird, 15% off: −$6.00', -600],
    ]);
  });

  test('lists a falling price as one line, and free photos at no cost', () => {
    const sheets = [{ ...HAWKS_FALL, content: { ...HAWKS_FALL.content, offers: [STEPS] } }];
    const photos = alike(3).map((photo) => ({ ...photo, singleCents: 500 }));
    expect(listOf(hawksQuestion(photos, { sheets, passes: [] }))).toEqual([
      ['$5.00 each, from the 3rd $4.00, from the 10th $3.00, from the 22nd $2.00, 3 photos', 1400],
    ]);
    expect(
      listOf(hawksQuestion(alike(6), { coupon: { ...HAWKS20, code: 'TEAM2', kind: 'photos', value: 2 } })),
    ).toEqual([
      ['3 for $10.00, 3 photos', 1000],
      ['1 photo at $4.00', 400],
      ['Code TEAM2, 2 photos free', 0],
    ]);
  });

  test('counts a free slot as part of its offer', () => {
    const question = hawksQuestion(alike(9), {
      sheets: [
        {
          ...HAWKS_FALL,
          content: { ...HAWKS_FALL.content, offers: [{ id: 1, kind: 'bundle', photos: 10, priceCents: 2000 }] },
        },
      ],
      passes: [],
    });
    expect(priceList(question, bestPrice(question), { passName: String })).toMatchObject([
      { text: 'Any 10 for $20.00, 9 photos', openSlots: 1, amountCents: 2000 },
    ]);
    expect(hintsOf(question, bestPrice(question))).toEqual([]);
  });
});

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
