import { describe, expect, test } from 'vitest';
import { similarOf, isSoft, MOST_BITS_APART, SOFT_BELOW } from '#src/features/contributors/similar-photos.rules.ts';

const FIRST = { id: 1, dhash: '0123456789abcdef' };
const withBits = (id: number, bits: bigint) => ({
  id,
  dhash: (0x0123456789abcdefn ^ bits).toString(16).padStart(16, '0'),
});

describe('similar photos', () => {
  test.each<[string, bigint, boolean]>([
    ['the same hash', 0n, true],
    ['six bits at either end', 0xe0000000_00000007n, true],
    ['seven bits', 0xe0000000_0000000fn, false],
    ['all bits', 0xffffffff_ffffffffn, false],
  ])('%s: %s', (_what, bits, isSimilar) => {
    const other = withBits(2, bits);
    expect(similarOf([FIRST], [FIRST, other]).get(1)).toEqual(isSimilar ? other : undefined);
    expect(MOST_BITS_APART).toBe(6);
  });

  test('are the nearest one, and never the photo itself', () => {
    expect(similarOf([FIRST], [withBits(2, 0xfn), withBits(3, 1n), withBits(4, 3n)]).get(1)?.id).toBe(3);
    expect(similarOf([FIRST], [FIRST]).size).toBe(0);
  });

  test('are not found among pictures of one color', () => {
    const [one, other] = [
      { id: 1, dhash: '0000000000000000' },
      { id: 2, dhash: '0000000000000000' },
    ];
    expect(similarOf([one, other], [one, other]).size).toBe(0);
  });
});

test.each([
  [null, false],
  [SOFT_BELOW - 1, true],
  [SOFT_BELOW, false],
])('a sharpness of %s is blurred: %s', (sharpness, soft) => expect(isSoft(sharpness)).toBe(soft));
