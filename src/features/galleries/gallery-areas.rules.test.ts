import { describe, expect, test } from 'vitest';
import { afterToggle, areaOf, differsByAreaOnly, searchWithArea } from './gallery-areas.rules.ts';

const search = (text: string) => new URLSearchParams(text);
const url = (path: string) => new URL(path, 'http://site.test');

describe('the areas of the gallery editor', () => {
  test.each([
    ['', null, null],
    ['', 'upload', 'upload'],
    ['area=share', null, 'share'],
    ['area=share', 'upload', 'share'],
    ['area=none', 'upload', null],
    ['area=basement', null, null],
    ['area=basement', 'upload', 'upload'],
  ] as const)('with “?%s” and %s open by default, %s is open', (text, usual, open) => {
    expect(areaOf(search(text), usual)).toBe(open);
  });

  test.each([
    ['', 'share', null, '?area=share'],
    ['area=share', 'settings', null, '?area=settings'],
    ['area=share', null, null, ''],
    ['area=share&filter=all', null, null, '?filter=all'],
    ['', null, 'upload', '?area=none'],
    ['area=none', 'upload', 'upload', ''],
  ] as const)('from “?%s” to %s (default %s) the address becomes “%s”', (text, area, usual, then) => {
    expect(searchWithArea(search(text), area, usual)).toBe(then);
    expect(areaOf(search(then), usual)).toBe(area);
  });

  test('exclude each other, and a second click closes', () => {
    expect(afterToggle(null, 'upload')).toBe('upload');
    expect(afterToggle('upload', 'settings')).toBe('settings');
    expect(afterToggle('settings', 'settings')).toBeNull();
  });

  test.each([
    ['/a/gallery/1/edit', '/a/gallery/1/edit?area=share', true],
    ['/a/gallery/1/edit?area=share', '/a/gallery/1/edit?area=none', true],
    ['/a/gallery/1/edit?filter=all', '/a/gallery/1/edit?filter=all&area=share', true],
    ['/a/gallery/1/edit?filter=all', '/a/gallery/1/edit?area=share', false],
    ['/a/gallery/1/edit', '/a/gallery/2/edit?area=share', false],
    // Requesting the same address again is intended.
    ['/a/gallery/1/edit', '/a/gallery/1/edit', false],
  ])('%s and %s show the same page: %s', (current, next, same) => {
    expect(differsByAreaOnly(url(current), url(next))).toBe(same);
  });
});
