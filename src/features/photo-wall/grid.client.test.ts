// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { placeByKey, useHasRested } from '#src/features/photo-wall/grid.client.ts';
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

test('tiles are completed when the page has not scrolled for a moment, twelve in a frame', () => {
  vi.useFakeTimers();
  const tiles = Array.from({ length: 30 }, () => renderHook(() => useHasRested()));
  const complete = () => tiles.filter(({ result }) => result.current).length;
  const pass = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  for (let scrolls = 0; scrolls < 5; scrolls++) {
    pass(200);
    window.dispatchEvent(new Event('scroll'));
  }
  expect(complete()).toBe(0);
  tiles.pop()?.unmount();

  pass(299);
  expect(complete()).toBe(0);
  pass(1);
  expect(complete()).toBe(12);
  window.dispatchEvent(new Event('scroll'));
  pass(299);
  expect(complete()).toBe(12);
  pass(1 + 16);
  expect(complete()).toBe(29);

  // Those that come later wait again.
  const later = renderHook(() => useHasRested());
  pass(299);
  expect(later.result.current).toBe(false);
  pass(1);
  expect(later.result.current).toBe(true);
});
