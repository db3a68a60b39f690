import { describe, expect, test } from 'vitest';
import { mayHaveAnotherGallery } from '#src/features/tenancy/organizations.rules.ts';

describe('galleries of the free plan', () => {
  test.each([
    [true, 0, true],
    [true, 1, false],
    [false, 100, true],
  ])('free: %s, %d active galleries → another: %s', (freeTier, active, expected) => {
    expect(mayHaveAnotherGallery(freeTier, active)).toBe(expected);
  });
});
