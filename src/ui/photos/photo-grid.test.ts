import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phoneShares, ROW_PX, tileSizes, urgencyOf } from '#src/ui/photos/photo-rows.ts';
import { ratioOf, renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';

describe('two photos share a row of a phone', () => {
  test('have shares that sum to one row, and equal heights', () => {
    const ratio = fc.double({ min: 0.2, max: 2, noNaN: true });
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 2, maxLength: 30 }), (ratios) => {
        const shares = phoneShares(ratios);
        expect(shares.length).toBe(ratios.length);
        for (let index = 0; index + 1 < ratios.length; index += 2) {
          const [left = 0, right = 0] = shares.slice(index, index + 2);
          expect(left + right).toBeCloseTo(1, 6);
          expect(left / (ratios[index] ?? 1)).toBeCloseTo(right / (ratios[index + 1] ?? 1), 2);
        }
      }),
    );
  });

  test.each([
    [[], []],
    [[1.5], [1]],
    [[0.67], [0.55]],
    [
      [1.5, 1.5],
      [0.5, 0.5],
    ],
    [
      [1.5, 0.5],
      [0.75, 0.25],
    ],
    [
      [1, 1, 1.5],
      [0.5, 0.5, 1],
    ],
    [
      [1, 1, 0.67],
      [0.5, 0.5, 0.55],
    ],
    [
      [3, 1, 1],
      [1, 0.5, 0.5],
    ],
    [
      [1, 3, 1, 1],
      [1, 1, 0.5, 0.5],
    ],
    [
      [0.67, 3],
      [0.55, 1],
    ],
  ])('%j is shown as %j', (ratios, shares) => {
    expect(phoneShares(ratios)).toEqual(shares);
  });
});

describe('a browser gets the true width of each rendition', () => {
  const wide = { imageUrl: '/i?v=1', width: 3000, height: 2000 };
  test.each([
    [wide, '320w 480w 640w 960w 1440w'],
    [{ ...wide, width: 2000, height: 3000 }, '213w 320w 427w 640w 960w'],
    [{ ...wide, width: 600, height: 400 }, '320w 480w 600w'],
    [{ ...wide, width: 300, height: 200 }, '300w'],
    [{ ...wide, width: null, height: null }, '320w 480w 640w 960w 1440w'],
  ])('%j', (photo, widths) => {
    expect(
      srcSetOf(photo)
        .split(', ')
        .map((part) => part.split(' ')[1])
        .join(' '),
    ).toBe(widths);
  });

  test('with the size added to an address with or without a query', () => {
    expect(renditionUrl('/i?v=1', 480)).toBe('/i?v=1&size=480');
    expect(renditionUrl('/i', 320)).toBe('/i?size=320');
  });

  test('with exact sizes on phones', () => {
    expect(tileSizes(1.5, 0.5)).toMatch(/^\(width < 600px\) 50vw, /);
    expect(ratioOf({ width: 0, height: 0 })).toBe(1.5);
  });
});

test('photos of the first screen load immediately, the rest when they come near', () => {
  expect([0, 5, 6, 9, 10].map((index) => Object.values(urgencyOf(index)).join(' '))).toEqual([
    'eager high',
    'eager high',
    'lazy auto',
    'lazy auto',
    'lazy low',
  ]);
});

test('the computed row heights are those of the style sheet', () => {
  const css = readFileSync(new URL('./photo-grid.css', import.meta.url), 'utf8');
  expect(css).toContain(`--row: ${ROW_PX.medium}px`);
  expect(css).toContain(`--row: ${ROW_PX.wide}px`);
});
