import { describe, expect, test } from 'vitest';
import {
  appendPage,
  withAdded,
  withChanged,
  withFreshHead,
  without,
  type EditorList,
} from '#src/features/photos/editor-list.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

const photo = (id: number, facts: Partial<PhotoAnswer> = {}) =>
  ({ id, featured: false, status: 'ready', ...facts }) as PhotoAnswer;
const list = (ids: readonly number[], next: string | null = null, total = ids.length): EditorList => ({
  photos: ids.map((id) => photo(id)),
  next,
  total,
});
const idsOf = ({ photos }: EditorList) => photos.map(({ id }) => id);

describe('the editor’s list', () => {
  test('takes the next portion without what it has already', () => {
    const longer = appendPage(list([1, 2, 3], 'b', 6), list([3, 4, 5], 'c', 6));
    expect(idsOf(longer)).toEqual([1, 2, 3, 4, 5]);
    expect(longer).toMatchObject({ next: 'c', total: 6 });
  });

  test('puts new photos first, the newest before all, behind a featured one, and only once', () => {
    expect(idsOf(withAdded(list([1, 2]), [photo(8), photo(9)]))).toEqual([9, 8, 1, 2]);
    const featured = { ...list([1, 2]), photos: [photo(1, { featured: true }), photo(2)] };
    const longer = withAdded(featured, [photo(9), photo(2)]);
    expect(idsOf(longer)).toEqual([1, 9, 2]);
    expect(longer.total).toBe(3);
    expect(withAdded(longer, [photo(9)])).toBe(longer);
  });

  test('changes and removes one photo', () => {
    expect(withChanged(list([1, 2]), 2, { status: 'failed' }).photos.map(({ status }) => status)).toEqual([
      'ready',
      'failed',
    ]);
    expect(without(list([1, 2]), 1)).toMatchObject({ photos: [{ id: 2 }], total: 1 });
    expect(without(list([1, 2]), 7).total).toBe(2);
  });

  test.each([
    ['a new first photo', [9, 1, 2], 'x', [9, 1, 2, 3, 4], 'd'],
    ['another order', [2, 1, 3], 'x', [2, 1, 3, 4], 'd'],
    ['a photo that is gone', [2, 3], 'x', [2, 3, 4], 'd'],
    ['a photo that moved to the front', [4, 1, 2], 'x', [4, 1, 2, 3], 'd'],
    ['all there is', [4, 3], null, [4, 3], null],
    ['more than was loaded', [1, 2, 3, 4, 5, 6], 'x', [1, 2, 3, 4, 5, 6], 'x'],
    ['nothing', [], null, [], null],
  ])('works in a fresh beginning with %s', (_what, head, headNext, expected, next) => {
    const fresh = withFreshHead(list([1, 2, 3, 4], 'd', 50), list(head, headNext, 51));
    expect(idsOf(fresh)).toEqual(expected);
    expect(fresh).toMatchObject({ next, total: 51 });
  });
});
