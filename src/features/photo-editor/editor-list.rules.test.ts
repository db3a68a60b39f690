import { describe, expect, test } from 'vitest';
import {
  appendPage,
  passes,
  withAdded,
  withChanged,
  withCounted,
  withFreshHead,
  withMoved,
  without,
  type ListedPhoto,
  type EditorList,
} from '#src/features/photo-editor/editor-list.rules.ts';

const cell = (id: number, featured = false): ListedPhoto => ({ id, ratio: 1.5, shown: true, featured, failed: false });
const list = (ids: readonly number[], next: string | null = null): EditorList => ({
  cells: ids.map((id) => cell(id)),
  next,
  total: ids.length,
});
const idsOf = ({ cells }: EditorList) => cells.map(({ id }) => id);

describe('the list of the editor', () => {
  test.each([
    ['a page goes behind the others, without what is known', appendPage(list([1, 2], 'x'), list([2, 3])), [1, 2, 3]],
    ['new photos come first, the newest before the others', withAdded(list([1, 2]), [cell(7), cell(8)]), [8, 7, 1, 2]],
    [
      'new photos come after a featured one',
      withAdded({ ...list([2]), cells: [cell(1, true), cell(2)] }, [cell(7)]),
      [1, 7, 2],
    ],
    ['a photo moves behind a later one', withMoved(list([1, 2, 3, 4]), 2, 4), [1, 3, 4, 2]],
    ['a photo moves behind an earlier one', withMoved(list([1, 2, 3, 4]), 4, 1), [1, 4, 2, 3]],
    ['behind a photo that is gone nothing moves', withMoved(list([1, 2]), 2, 9), [1, 2]],
    ['removed ones go', without(list([1, 2, 3]), new Set([1, 3])), [2]],
    ['a fresh beginning keeps the rest', withFreshHead(list([1, 2, 3, 4], 'x'), list([5, 2, 1], 'y')), [5, 2, 1, 3, 4]],
    ['a fresh beginning that is all is all', withFreshHead(list([1, 2, 3]), list([3, 1])), [3, 1]],
  ])('%s', (_what, after, ids) => {
    expect(idsOf(after)).toEqual(ids);
  });

  test('counts added and removed photos', () => {
    expect(withAdded(list([1]), [cell(2)]).total).toBe(2);
    expect(without(list([1, 2]), new Set([2])).total).toBe(1);
    expect(appendPage({ ...list([1], 'x'), total: 9 }, list([2, 3], 'y')).total).toBe(9);
    expect(appendPage({ ...list([1], 'x'), total: 9 }, list([2, 3])).total).toBe(3);
  });

  test('is the same list when nothing changes', () => {
    const before = list([1, 2]);
    expect(withChanged(before, 1, { shown: true })).toBe(before);
    expect(withChanged(before, 9, { shown: false })).toBe(before);
    expect(withChanged(before, 1, { shown: false }).cells[0]?.shown).toBe(false);
    expect(without(before, new Set([9]))).toBe(before);
  });
});

test.each([
  ['default', true, false, true],
  ['default', false, true, true],
  ['onlyShowInGallery', true, false, true],
  ['onlyShowInGallery', false, false, false],
  ['onlyShowInGallery', true, true, false],
  ['onlyNotShowInGallery', true, false, false],
  ['onlyNotShowInGallery', false, false, true],
  ['onlyNotShowInGallery', true, true, true],
  ['withoutKeywords', true, true, false],
  ['failed', true, true, true],
  ['failed', true, false, false],
] as const)('%s lets a photo that is shown: %s, failed: %s pass: %s', (show, shown, failed, isThere) => {
  expect(passes(show, { shown, failed })).toBe(isThere);
});

test('added and removed photos are counted where they are found; a failed one is never public', () => {
  const counts = { default: 5, onlyShowInGallery: 4, onlyNotShowInGallery: 1, withoutKeywords: 3, failed: 0 };
  const gone = withCounted(counts, [cell(1), cell(2)], -1);
  expect(gone).toEqual({ ...counts, default: 3, onlyShowInGallery: 2 });
  expect(withCounted(gone, [{ shown: true, failed: true }], 1)).toEqual({
    ...counts,
    default: 4,
    onlyShowInGallery: 2,
    onlyNotShowInGallery: 2,
    failed: 1,
  });
});
