import { describe, expect, test } from 'vitest';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { nextToLoad } from '#src/features/public-gallery/stage-photos.rules.ts';

const TOTAL = 100;
const idAt = (index: number) => 1_000 + ((index + TOTAL) % TOTAL);

/** Asks like the lightbox, with these positions loaded by the list and those with their neighbors. */
function ask(
  index: number,
  listed: readonly number[],
  withNeighbors: readonly number[] = [],
  coming: readonly number[] = [],
) {
  const known = new Map(
    withNeighbors.map((at) => [
      at,
      { photo: { id: idAt(at) } as ShownPhoto, previousId: idAt(at - 1), nextId: idAt(at + 1) },
    ]),
  );
  return nextToLoad({
    index,
    total: TOTAL,
    known,
    photoAt: (at) => (listed.includes(at) || known.has(at) ? { id: idAt(at) } : null),
    isComing: (at) => coming.includes(at),
  });
}

describe('the lightbox asks for', () => {
  test.each([
    ['nothing where both neighbors are loaded', 5, [4, 5, 6], [], [], null],
    ['nothing that comes with the list', 9, [8, 9], [], [10], null],
    ['the next photo of one that a link opened', 50, [], [50], [], idAt(51)],
    ['the one before when the next one is there', 50, [], [50, 51], [], idAt(49)],
    ['the neighbors of a photo that only the list told of', 0, [0, 1, 2], [], [], idAt(0)],
    ['the last photo before the first', 0, [0, 1, 2], [0], [], idAt(99)],
    ['the first photo after the last', 99, [0, 1], [98, 99], [], null],
    ['step by step what quick presses ran ahead of', 53, [], [49, 50, 51], [], idAt(52)],
  ] as const)('%s', (_what, index, listed, withNeighbors, coming, expected) => {
    expect(ask(index, listed, withNeighbors, coming)).toBe(expected);
  });

  test('nothing in a gallery of one photo', () => {
    const photoAt = () => ({ id: 7 });
    expect(nextToLoad({ index: 0, total: 1, known: new Map(), photoAt, isComing: () => false })).toBeNull();
  });
});
