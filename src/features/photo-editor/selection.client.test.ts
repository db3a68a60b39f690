import { expect, test } from 'vitest';
import { extended, NOTHING_SELECTED, keepListed, toggled } from '#src/features/photo-editor/selection.client.ts';

const ORDER = [5, 3, 8, 1, 9];
const chosen = (...ids: number[]) => ids.reduce(toggled, NOTHING_SELECTED);

test('selecting a photo again deselects it', () => {
  expect([...toggled(chosen(5, 3), 5).ids]).toEqual([3]);
});

test.each([
  ['goes forward', chosen(3), 1, [3, 8, 1]],
  ['goes backward', chosen(1), 3, [1, 3, 8]],
  ['is added to what is selected', chosen(9, 5), 8, [9, 5, 3, 8]],
  ['is one photo if none was selected before', NOTHING_SELECTED, 8, [8]],
])('a range %s', (_way, before, id, ids) => {
  expect([...extended(before, ORDER, id).ids]).toEqual(ids);
});

test('photos that have left the list are no longer selected', () => {
  const before = chosen(5, 3);
  expect(keepListed(before, ORDER)).toBe(before);
  expect(keepListed(before, [5, 8])).toEqual({ ids: new Set([5]), anchor: null });
});
