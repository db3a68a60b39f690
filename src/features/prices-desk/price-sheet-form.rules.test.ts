import { expect, test } from 'vitest';
import { BUNDLE_PHOTOS, OFFER_PRICE_REQUIRED, SHEET_NAME_REQUIRED } from '#src/features/offers/offers.contract.ts';
import {
  bodyOf,
  contentOf,
  earlyBirdState,
  EMPTY_SHEET,
  movedRow,
  newRow,
  problemsOf,
  valuesOf,
} from '#src/features/prices-desk/price-sheet-form.rules.ts';
import { READY_SHEETS, readySheet } from '#src/features/prices-desk/ready-sheets.rules.ts';

test('ready-made sheets are based on the price of a photo, and can be saved unchanged', () => {
  const pricesAt = (singleCents: number) =>
    readySheet('passes', singleCents).offers.map((offer) => ('price' in offer ? offer.price : null));
  expect(pricesAt(400)).toEqual([10, 15, 40]);
  expect(pricesAt(250)).toEqual([6.5, 9.5, 25]);
  expect(pricesAt(0)).toEqual([10, 15, 40]);
  for (const which of READY_SHEETS) expect(problemsOf(valuesOf(readySheet(which, 1)))).toEqual({});
});

test('an unchanged sheet is sent as it was received', () => {
  const sheet = {
    ...EMPTY_SHEET,
    name: 'Fall',
    offers: [
      { id: 4, kind: 'bundle' as const, photos: 3, price: 10 },
      {
        id: 2,
        kind: 'steps' as const,
        steps: [
          { from: 1, price: 5 },
          { from: 3, price: 4.5 },
        ],
      },
    ],
    early_bird: { percent: 15, last_day: '2026-12-10' },
  };
  expect(bodyOf(valuesOf(sheet))).toEqual(sheet);
});

test('every problem is shown at its field, and incomplete rows are left out of prices', () => {
  const rows = [newRow('bundle', [])];
  const values = { ...valuesOf(EMPTY_SHEET), offers: [...rows, newRow('gallery_pass', rows)] };
  expect(problemsOf(values)).toEqual({
    name: [SHEET_NAME_REQUIRED],
    'offers.0.photos': [BUNDLE_PHOTOS],
    'offers.0.price': [OFFER_PRICE_REQUIRED],
    'offers.1.price': [OFFER_PRICE_REQUIRED],
  });
  expect(contentOf(values).offers).toEqual([]);
});

test.each([
  ['2026-11-30', 'applies'],
  ['2026-12-01', 'applies'],
  ['2026-11-29', 'over'],
  ['2026-02-30', null],
  ['', null],
] as const)('an early bird until "%s" on 11.30.2026: %s', (lastDay, state) => {
  expect(earlyBirdState({ isEarly: true, lastDay }, '2026-11-30')).toBe(state);
  expect(earlyBirdState({ isEarly: false, lastDay }, '2026-11-30')).toBe(null);
});

test('a row moves to another position', () => {
  const rows = valuesOf(readySheet('passes', 400)).offers;
  expect(movedRow(rows, 0, 2).map(({ key }) => key)).toEqual([1, 2, 0]);
  expect(movedRow(rows, 2, 0).map(({ key }) => key)).toEqual([2, 0, 1]);
});
