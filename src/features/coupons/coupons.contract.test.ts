import { expect, test } from 'vitest';
import * as words from '#src/features/coupons/coupons.contract.ts';
import { codesField, isWrongCode, tidyCode } from '#src/features/coupons/coupons.contract.ts';

test.each([
  [' hawks 20', 'HAWKS20'],
  ['HAWKS-20', 'HAWKS20'],
  ['hawks‑20', 'HAWKS20'],
  ['ＨＡＷＫＳ２０', 'HAWKS20'],
  ['abc', null],
  ['a'.repeat(24), 'A'.repeat(24)],
  ['a'.repeat(25), null],
  ['x'.repeat(5_000), null],
  ['hawks\u200f20', null],
  ['hawks\u202e20', null],
  ['hawks\u000020', null],
  ['straße', null],
  ['hawksı', null],
  ["'; drop", null],
])('%j is read as %j', (typed, code) => {
  expect(tidyCode(typed)).toBe(code);
});

test('thirty codes, a code of 5,000 characters and values that are not text are refused with a sentence', () => {
  const messages = (codes: unknown) => codesField.safeParse(codes).error?.issues.map(({ message }) => message);
  expect(messages(Array.from({ length: 30 }, (_, index) => `CODE${index}`))).toEqual(['At most 5 codes, please.']);
  expect(messages(['x'.repeat(5_000)])).toEqual(['We do not recognize this code.']);
  expect(messages([5])).toEqual(['We do not recognize this code.']);
  expect(messages({ code: 'HAWKS20' })).toEqual(['Codes are a list of texts.']);
  expect(codesField.parse(undefined)).toEqual([]);
});

test('a code that is used up, or that a larger cart could use, may be sent again', () => {
  for (const error of [
    words.CODE_UNKNOWN,
    words.TOO_MANY_TRIED,
    words.codeEnded('10.12.2026'),
    words.codeStarts('10.12.2026'),
  ])
    expect(isWrongCode(error)).toBe(true);
  for (const error of [
    words.CODE_USED_UP,
    words.CODE_USED_ALREADY,
    words.CODE_NOT_FOR_THESE,
    words.codeMinimum('$20.00'),
  ])
    expect(isWrongCode(error)).toBe(false);
});
