// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { placeByKey } from '#src/features/photo-wall/grid.client.ts';
import { boxOf, layGrid } from '#src/features/photo-wall/grid-rows.rules.ts';

test('Page Down and Page Up move the focus by most of the window, so that the next arrow goes on from there', () => {
  const layout = layGrid(Array<number>(60).fill(1.5), { width: 1000, gutter: 8, rowHeight: 150, isPhone: false });
  const keyAt = (key: string, at: number) =>
    placeByKey({ key, ctrlKey: false, metaKey: false, altKey: false }, at, layout) ?? -1;
  const topOf = (at: number) => boxOf(layout, at)?.top ?? -1;

  const page = keyAt('PageDown', 1);
  expect(topOf(page)).toBeGreaterThan(topOf(keyAt('ArrowDown', 1)));
  expect(topOf(page)).toBeLessThan(window.innerHeight);
  expect(topOf(keyAt('ArrowDown', page))).toBeGreaterThan(window.innerHeight * 0.8);
  expect(keyAt('PageUp', page)).toBe(1);
  expect(keyAt('PageUp', 1)).toBe(1);
  // In the last rows it ends at the last one.
  expect(topOf(keyAt('PageDown', 56))).toBe(topOf(59));
});
