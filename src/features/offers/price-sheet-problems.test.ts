import { beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/offers/offers.contract.ts';
import type { SavedSheet } from '#src/features/offers/offers.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const make = (price_sheet: unknown) =>
  server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${people.hawks.id}/price_sheets`,
    as: people.tokens.owner,
    payload: { price_sheet },
  });

describe('all problems of a price sheet are reported together', () => {
  const money = { kind: 'gallery_pass' };
  test.each<[string, object, Record<string, string[]>]>([
    [
      'a bundle of one photo',
      { offers: [{ kind: 'bundle', photos: 1, price: 3 }] },
      { 'offers.0.photos': [words.BUNDLE_PHOTOS] },
    ],
    [
      'a bundle of 101 photos',
      { offers: [{ kind: 'bundle', photos: 101, price: 3 }] },
      { 'offers.0.photos': [words.BUNDLE_PHOTOS] },
    ],
    ['negative money', { offers: [{ ...money, price: -1 }] }, { 'offers.0.price': [words.OFFER_PRICE_INVALID] }],
    ['far too much money', { offers: [{ ...money, price: 1e9 }] }, { 'offers.0.price': [words.OFFER_PRICE_INVALID] }],
    ['a price as text', { offers: [{ ...money, price: '10,00' }] }, { 'offers.0.price': [words.OFFER_PRICE_INVALID] }],
    ['three decimals', { offers: [{ ...money, price: 1.005 }] }, { 'offers.0.price': [words.OFFER_PRICE_INVALID] }],
    ['no price', { offers: [{ ...money, price: null }] }, { 'offers.0.price': [words.OFFER_PRICE_REQUIRED] }],
    ['an unknown kind', { offers: [{ kind: 'gift', price: 1 }] }, { 'offers.0.kind': [words.OFFER_KIND_UNKNOWN] }],
    [
      'a field of the wrong type',
      { offers: [{ ...money, price: 9, photos: 3 }] },
      { 'offers.0.photos': ['photos is not a field of this call.'] },
    ],
    ['no list of offers', { offers: 'all' }, { offers: [words.OFFERS_EXPECTED] }],
    ['no name', { name: ' ' }, { name: [words.SHEET_NAME_REQUIRED] }],
    [
      'an early bird of 100 percent',
      { early_bird: { percent: 100, last_day: '2026-12-10' } },
      { 'early_bird.percent': [words.EARLY_BIRD_PERCENT] },
    ],
    [
      'an early bird until no day',
      { early_bird: { percent: 15, last_day: '2026-02-30' } },
      { 'early_bird.last_day': [words.EARLY_BIRD_DAY] },
    ],
    ['an unknown field', { colour: 'red' }, { colour: ['colour is not a field of this call.'] }],
    [
      'steps that get dearer',
      {
        offers: [
          {
            kind: 'steps',
            steps: [
              { from: 1, price: 3 },
              { from: 3, price: 4 },
            ],
          },
        ],
      },
      { 'offers.0.steps': [words.STEPS_CHEAPER] },
    ],
    [
      'steps out of order',
      {
        offers: [
          {
            kind: 'steps',
            steps: [
              { from: 3, price: 4 },
              { from: 1, price: 3 },
            ],
          },
        ],
      },
      { 'offers.0.steps': [words.STEPS_LATER] },
    ],
    [
      'a falling price without steps',
      { offers: [{ kind: 'steps', steps: [] }] },
      { 'offers.0.steps': [words.STEPS_COUNT] },
    ],
    [
      '13 offers',
      { offers: Array.from({ length: 13 }, (_none, at) => ({ kind: 'bundle', photos: at + 2, price: 9 })) },
      { offers: [words.TOO_MANY_OFFERS] },
    ],
    [
      'two falling prices',
      { offers: [1, 2].map(() => ({ kind: 'steps', steps: [{ from: 1, price: 3 }] })) },
      { offers: [words.ONE_OF_A_KIND.steps] },
    ],
  ])('%s', async (_what, wrong, errors) => {
    const answer = await make({ name: 'Fall', offers: [], ...wrong });
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json<{ errors: object }>().errors).toEqual(errors);
  });

  test('several things together', async () => {
    const answer = await make({
      name: '',
      offers: [
        { kind: 'bundle', photos: 1, price: -1 },
        ...Array.from({ length: 12 }, () => ({ ...money, price: 'x' })),
      ],
    });
    const { errors } = answer.json<{ errors: Record<string, string[]> }>();
    expect(Object.keys(errors)).toEqual(
      expect.arrayContaining(['name', 'offers', 'offers.0.photos', 'offers.0.price', 'offers.12.price']),
    );
    expect(errors['offers']).toEqual([words.TOO_MANY_OFFERS, words.ONE_OF_A_KIND.gallery_pass]);
  });

  test('an offer of another sheet, and one that is listed twice', async () => {
    const bundles = [
      { kind: 'bundle', photos: 3, price: 10 },
      { kind: 'bundle', photos: 5, price: 15 },
    ];
    const { id, offers } = (await make({ name: 'Fall', offers: bundles })).json<SavedSheet>();
    const answer = await server.call({
      method: 'PUT',
      url: `/api/v1/price_sheets/${id}`,
      as: people.tokens.owner,
      payload: { price_sheet: { offers: [offers[0], offers[0], { ...offers[1], id: 99 }] } },
    });
    expect(answer.json()).toMatchObject({
      errors: { 'offers.1.id': [words.OFFER_UNKNOWN], 'offers.2.id': [words.OFFER_UNKNOWN] },
    });
  });
});
