import fc from 'fast-check';
import { generateKeyBetween } from 'fractional-indexing';
import { describe, expect, test } from 'vitest';
import {
  gapOf,
  keyBetween,
  keyInBatch,
  MAX_KEY_CHARACTERS,
  placeBefore,
  prefixBefore,
  readPhotoPlace,
  respread,
  writePhotoPlace,
} from '#src/features/photos/photo-order.rules.ts';

const anyTime = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('6000-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const anyId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const member = fc.record({
  takenAt: anyTime,
  name: fc.constantFrom('IMG_0012', 'IMG_0013', 'DSC9', 'goal'),
  photoId: anyId,
});

describe('a new batch comes before everything', () => {
  test('its number is smaller than every key, including keys of a batch at the same number', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), member), { maxLength: 60 }), (steps) => {
        let first: string | null = null;
        for (const [inBatch, photo] of steps) {
          const prefix = prefixBefore(first);
          if (first !== null) expect(prefix < first).toBe(true);
          const key: string = inBatch ? keyInBatch(prefix, photo) : prefix;
          if (first !== null) expect(key < first).toBe(true);
          first = key;
        }
      }),
    );
  });

  test('70,000 of them keep their keys short', () => {
    let first: string | null = null;
    for (let step = 0; step < 70_000; step++) {
      const key = prefixBefore(first);
      if (first !== null && key >= first) throw new Error(`${key} does not come before ${first}`);
      first = key;
    }
    expect(first?.length).toBeLessThanOrEqual(4);
  });
});

describe('photos of a batch', () => {
  test('are in the order in which they were taken, between the batch’s number and the next', () => {
    fc.assert(
      fc.property(fc.array(member, { minLength: 2, maxLength: 30 }), (photos) => {
        const prefix = prefixBefore('Zx');
        const sorted = photos.toSorted((one, other) => (keyInBatch(prefix, one) < keyInBatch(prefix, other) ? -1 : 1));
        for (const [index, photo] of sorted.entries()) {
          const before = sorted[index - 1];
          if (before) expect(before.takenAt.getTime()).toBeLessThanOrEqual(photo.takenAt.getTime());
          const key = keyInBatch(prefix, photo);
          expect(key > prefix && key < 'Zx').toBe(true);
        }
      }),
    );
  });

  test('of the same second are sorted by the camera’s numbers', () => {
    const takenAt = new Date('2026-05-09T14:03:22Z');
    const keys = ['IMG_0999', 'IMG_1000', 'IMG_1001'].map((name, index) =>
      keyInBatch('a0', { takenAt, name, photoId: 900 - index }),
    );
    expect(keys.toSorted()).toEqual(keys);
  });

  test('have keys with space between them for others', () => {
    fc.assert(
      fc.property(member, member, (one, other) => {
        fc.pre(one.photoId !== other.photoId);
        const [low = '', high = ''] = [keyInBatch('a0', one), keyInBatch('a0', other)].toSorted();
        expect(low).not.toBe(high);
        const between = generateKeyBetween(low, high);
        expect(low < between && between < high).toBe(true);
      }),
    );
  });
});

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

test('a key that would be too long is not created', () => {
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

describe('a cursor in the list', () => {
  const place = { featured: false, orderKey: 'Zy0aB', id: 9_007_199_254_740_991, index: 41, total: 500 };
  test('comes back as it was written', () => {
    expect(readPhotoPlace(writePhotoPlace(place))).toEqual(place);
  });
  test.each([
    '',
    'abc',
    btoa('[]'),
    btoa('[0,"a0",1]'),
    btoa('[0,"a0;drop",1,2,3]'),
    btoa('[2,"a0",1,2,3]'),
    btoa('[0,"a0",-1,2,3]'),
    btoa('{"a":1}'),
    '€',
  ])('%j is invalid', (text) => {
    expect(readPhotoPlace(text)).toBeNull();
  });
});
