import { expect, test } from 'vitest';
import { photosInTurn } from '#src/features/marketing/photos-in-turn.rules.ts';

const small = { photoCount: 2, preview: ['s1', 's2'] };
const large = { photoCount: 36, preview: ['l1', 'l2', 'l3'] };

test.each([
  [[small, large], 5, 0, ['l1', 's1', 'l2', 's2', 'l3']],
  [[small, large], 3, 0, ['l1', 's1', 'l2']],
  [[small, large], 3, 3, ['s2', 'l3']],
  [[large], 2, 0, ['l1', 'l2']],
  [[], 5, 0, []],
])('%j returns at most %i photos after %i, the galleries in turn', (galleries, most, skip, photos) => {
  expect(photosInTurn(galleries, most, skip)).toEqual(photos);
});
