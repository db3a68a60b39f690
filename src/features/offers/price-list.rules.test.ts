import { describe, expect, test } from 'vitest';
import { bestPrice, type PriceQuestion } from '#src/features/offers/best-price.rules.ts';
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
import { hintsOf } from '#src/features/offers/price-hints.rules.ts';
import { priceList } from '#src/features/offers/price-list.rules.ts';
import { alike, HAWKS20, HAWKS_FALL, hawksQuestion, photosAt, STEPS } from '#tests/support/price-sheets.ts';

const listOf = (question: PriceQuestion) =>
  priceList(question, bestPrice(question), { passName: () => 'Cup final' }).map(({ text, amountCents }) => [
    text,
    amountCents,
  ]);

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
