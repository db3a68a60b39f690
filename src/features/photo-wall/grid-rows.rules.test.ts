import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { besideInGrid, boxOf, layGrid, rowsBetween } from '#src/features/photo-wall/grid-rows.rules.ts';

const DESKTOP = { width: 1000, gutter: 8, rowHeight: 150, isPhone: false };
const PHONE = { width: 350, gutter: 8, rowHeight: 150, isPhone: true };

const ratios = fc.array(fc.double({ min: 0.4, max: 3, noNaN: true }), { maxLength: 60 });

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('the grid of %s', (_where, shape) => {
  test('keeps every ratio, stays inside its width and leaves no gap', () => {
    fc.assert(
      fc.property(ratios, (given) => {
        const layout = layGrid(given, shape);
        const { rows, height } = layout;
        let end = 0;
        for (const [index, ratio] of given.entries()) {
          const box = boxOf(layout, index) ?? { left: -1, top: -1, width: 0, height: 0 };
          expect(box.width / box.height).toBeCloseTo(ratio, 4);
          expect(box.left).toBeCloseTo(rows.some(({ start }) => start === index) ? 0 : end + shape.gutter, 4);
          end = box.left + box.width;
          expect(end).toBeLessThanOrEqual(shape.width + 0.01);
        }
        expect(boxOf(layout, given.length)).toBe(null);
        let [top, place] = [0, 0];
        for (const row of rows) {
          expect(row.start).toBe(place);
          expect(row.top).toBeCloseTo(top, 4);
          place = row.end;
          top = row.top + row.height + shape.gutter;
        }
        expect(place).toBe(given.length);
        expect(height).toBeCloseTo(Math.max(0, top - shape.gutter), 4);
      }),
    );
  });
});

test('all rows but the last are full, and the last is not enlarged', () => {
  const layout = layGrid(Array(11).fill(1.5), DESKTOP);
  const { rows } = layout;
  expect(rows.map(({ start, end }) => end - start)).toEqual([4, 4, 3]);
  const last = boxOf(layout, 3);
  expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(1000, 4);
  expect(rows[2]?.height).toBe(150);
});

test('two photos share a row of a phone, a panorama has its own', () => {
  const { rows } = layGrid([1.5, 0.7, 2.5, 0.7], PHONE);
  expect(rows.map(({ start, end }) => [start, end])).toEqual([
    [0, 2],
    [2, 3],
    [3, 4],
  ]);
});

test('visible rows are those that touch the window', () => {
  const { rows } = layGrid(Array(40).fill(1.5), DESKTOP);
  const height = rows[0]?.height ?? 0;
  expect(rowsBetween(rows, -500, 10)).toEqual({ first: 0, last: 1 });
  expect(rowsBetween(rows, height + 8, 2 * height + 8)).toEqual({ first: 1, last: 2 });
  expect(rowsBetween(rows, 99_999, 100_999)).toEqual({ first: 10, last: 10 });
  expect(rowsBetween([], 0, 100)).toEqual({ first: 0, last: 0 });
});

test('up and down move to the photo whose middle is nearest', () => {
  const layout = layGrid([1.5, 1.5, 1.5, 1.5, 3, 1.5, 1.5], DESKTOP);
  expect(besideInGrid(layout, 2, 'down')).toBe(5);
  expect(besideInGrid(layout, 4, 'up')).toBe(0);
  expect(besideInGrid(layout, 0, 'up')).toBe(null);
});
