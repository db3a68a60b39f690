import fc from 'fast-check';
import { generateKeyBetween } from 'fractional-indexing';
import { describe, expect, test } from 'vitest';
import { keyInBatch, prefixBefore } from '#src/features/photos/photo-order.rules.ts';

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
  test('its number is smaller than every key, also than those of a batch at the same number', () => {
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

  test('70,000 of them one after the other keep their keys short', () => {
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

  test('of the same second are in the order of the camera’s numbers', () => {
    const takenAt = new Date('2026-05-09T14:03:22Z');
    const keys = ['IMG_0999', 'IMG_1000', 'IMG_1001'].map((name, index) =>
      keyInBatch('a0', { takenAt, name, photoId: 900 - index }),
    );
    expect(keys.toSorted()).toEqual(keys);
  });

  test('have keys between which others can be put', () => {
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
