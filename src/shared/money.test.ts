import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cents,
  formatDollars,
  parseDollarNumber,
  parseDollarText,
  portionHalfUp,
  sumCents,
  toDollars,
} from '#src/shared/money.ts';

describe('dollars from text become cents without float arithmetic', () => {
  test.each([
    ['$5.00', 500],
    ['5', 500],
    ['2.5', 250],
    ['$1,000.00', 100_000],
    ['1,234,567.89', 123_456_789],
    [' 4 ', 400],
    ['0', 0],
    ['0.05', 5],
    ['5.001', null],
    ['-5', null],
    ['+5', null],
    ['1e9', null],
    ['NaN', null],
    ['Infinity', null],
    ['', null],
    ['$', null],
    ['.5', null],
    ['5.', null],
    ['５', null],
    ['1,00', null],
    ['12,34.00', null],
    ['0x10', null],
    ['5 00', null],
    ['9999999999', null],
  ])('%j → %j', (text, expected) => {
    expect(parseDollarText(text)).toBe(expected);
  });
});

describe('dollars as a JSON number', () => {
  test.each([
    [4, 400],
    [2.5, 250],
    [1.1, 110],
    [0.29, 29],
    [10_000, 1_000_000],
    [1.005, null],
    [0.001, null],
    [-1, null],
    [Number.NaN, null],
    [1e21, null],
    [0, 0],
  ])('%j → %j', (dollars, expected) => {
    expect(parseDollarNumber(dollars)).toBe(expected);
  });

  test('every amount up to a million dollars survives conversion in both directions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (amount) => {
        expect(parseDollarNumber(toDollars(cents(amount)))).toBe(amount);
        expect(parseDollarText(formatDollars(cents(amount)))).toBe(amount);
      }),
    );
  });
});

describe('portions are rounded half up on whole cents', () => {
  test.each([
    [1000, 290, 10_000, 29],
    [50, 290, 10_000, 1],
    [17, 290, 10_000, 0],
    [18, 290, 10_000, 1],
    [1500, 2000, 10_000, 300],
    [5, 1, 2, 3],
    [4, 1, 2, 2],
    [1000, 82_500, 1_000_000, 83],
    [0, 2000, 10_000, 0],
  ])('%i × %i / %i = %i', (amount, rate, scale, expected) => {
    expect(portionHalfUp(cents(amount), rate, scale)).toBe(expected);
  });
});

test('cents are whole or refused', () => {
  expect(() => cents(1.5)).toThrow(RangeError);
  expect(sumCents([cents(1), cents(2)])).toBe(3);
});
