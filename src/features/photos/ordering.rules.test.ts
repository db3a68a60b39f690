import { expect, test } from 'vitest';
import {
  placeBefore,
  gapOf,
  keyBetween,
  MAX_KEY_CHARACTERS,
  respread,
} from '#src/features/photos/photo-order.rules.ts';

test.each([
  ['forward', 2, 5, 5],
  ['backward', 5, 2, 1],
  ['one back', 3, 2, 1],
  ['one forward', 2, 3, 3],
])('a photo that moves %s from %i to %i is after the one at %i', (_way, from, to, place) => {
  expect(placeBefore(from, to)).toBe(place);
});

test.each([
  ['between two', 'a0', 'a1', 'a0V'],
  ['at the beginning', null, 'a0', 'Zz'],
  ['at the end', 'a0', null, 'a1'],
  ['between equal keys there is none', 'a0', 'a0', null],
])('%s', (_where, left, right, key) => {
  expect(keyBetween(left, right)).toBe(key);
});

test('a key that would be too long is not made', () => {
  expect(keyBetween(`a0${'z'.repeat(MAX_KEY_CHARACTERS)}`, 'a1')).toBe(null);
});

test('the key of the featured photo is skipped', () => {
  expect(gapOf(null, 'a0', 'Zz')).toEqual({ left: 'Zz', right: 'a0' });
  expect(gapOf('a0', 'a2', 'a1')).toEqual({ left: 'a1', right: 'a2' });
  expect(gapOf('a0', 'a1', 'a5')).toEqual({ left: 'a0', right: 'a1' });
  expect(gapOf(null, 'a0', null)).toEqual({ left: null, right: 'a0' });
});

const long = (letter: string) => `a0${letter.repeat(60)}`;

test('a run of long keys is rewritten between the short ones around it', () => {
  const before = [
    { id: 3, key: long('c') },
    { id: 2, key: long('b') },
    { id: 1, key: 'a0' },
  ];
  const after = [
    { id: 4, key: long('d') },
    { id: 5, key: 'a1' },
  ];
  const keys = respread(9, before, after, 'a0V');
  expect(keys.map(({ id }) => id)).toEqual([2, 3, 9, 4]);
  expect(keys.map(({ key }) => key)).toEqual(keys.map(({ key }) => key).toSorted());
  for (const { key } of keys) {
    expect(key > 'a0' && key < 'a1' && key.length < 10).toBe(true);
    expect(key).not.toBe('a0V');
  }
});

test('equal keys after the position are rewritten, too', () => {
  const keys = respread(
    9,
    [{ id: 1, key: 'a0' }],
    [
      { id: 2, key: 'a0' },
      { id: 3, key: 'a1' },
    ],
    null,
  );
  expect(keys.map(({ id }) => id)).toEqual([9, 2]);
  expect(new Set(['a0', 'a1', ...keys.map(({ key }) => key)]).size).toBe(4);
});
