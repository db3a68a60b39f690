import { expect, test } from 'vitest';
import { counted, formatCount } from '#src/shared/counted.ts';

test.each([
  [0, '0'],
  [7, '7'],
  [999, '999'],
  [1_000, '1,000'],
  [50_000, '50,000'],
  [123_456, '123,456'],
  [1_234_567, '1,234,567'],
  [-1_200, '-1,200'],
])('people read %d as %s', (count, words) => {
  expect(formatCount(count)).toBe(words);
  expect(words).toBe(count.toLocaleString('en-US'));
});

test('a count of one has the noun for one', () => {
  expect([1, 0, 2, 1_200].map((count) => counted(count, 'photo', 'photos'))).toEqual([
    '1 photo',
    '0 photos',
    '2 photos',
    '1,200 photos',
  ]);
});
