import { expect, test } from 'vitest';
import { unlessWithinGallery } from '#src/web/within-gallery.ts';

/** Whether the frames are loaded again on the way between two addresses. */
const loads = (from: string, to: string, ids: readonly [string, string] = ['7', '7']) =>
  unlessWithinGallery({
    currentUrl: new URL(from, 'http://club.test'),
    nextUrl: new URL(to, 'http://club.test'),
    currentParams: { affiliate: 'hawks', id: ids[0] },
    nextParams: { affiliate: 'hawks', id: ids[1] },
    defaultShouldRevalidate: true,
  });

test.each([
  ['a photo of a gallery is opened', '/hawks/gallery/7', '/hawks/gallery/7/photo/1', false],
  ['a gallery is searched', '/hawks/gallery/7', '/hawks/gallery/7?search=10', false],
  ['a bought photo is opened', '/hawks/order/x', '/hawks/order/x?photo=bought-1', false],
  ['the next one is shown', '/hawks/order/x?photo=bought-1', '/hawks/order/x?photo=bought-2', false],
  ['it is closed', '/contributor?gallery=7&photo=2', '/contributor?gallery=7', false],
  ['another child is shown', '/hawks/family?child=1&photo=2', '/hawks/family?child=2', true],
  ['a page is left', '/hawks/order/x?photo=bought-1', '/hawks', true],
  ['a page is asked for again', '/hawks/order/x', '/hawks/order/x', true],
])('when %s, the frames around it are loaded again: %s to %s: %s', (_what, from, to, isLoaded) => {
  expect(loads(from, to)).toBe(isLoaded);
});

test('another gallery loads them again', () => {
  expect(loads('/hawks/gallery/7', '/hawks/gallery/8', ['7', '8'])).toBe(true);
});
