import { expect, test } from 'vitest';
import { hidesFirst, mostHiddenFirst } from '#src/features/takedowns/takedowns.rules.ts';

const first = { mode: 'hide_first', hiddenOfAsker: 0, hiddenOfGallery: 0, shownPhotos: 100, wasKept: false } as const;

test.each([
  ['the first request', {}, true],
  ['the third of one asker', { hiddenOfAsker: 2, hiddenOfGallery: 2 }, true],
  ['the fourth of one asker', { hiddenOfAsker: 3, hiddenOfGallery: 3 }, false],
  ['a request where the owners look first', { mode: 'review' }, false],
  ['a request for a photo that was kept before', { wasKept: true }, false],
  ['the tenth of a gallery of a hundred', { hiddenOfGallery: 9, shownPhotos: 91 }, true],
  ['the eleventh of a gallery of a hundred, from anyone', { hiddenOfGallery: 10, shownPhotos: 90 }, false],
  ['the only photo of a gallery', { shownPhotos: 1 }, true],
] as const)('%s', (_what, facts, hides) => {
  expect(hidesFirst({ ...first, ...facts })).toBe(hides);
});

test.each([
  [1, 5],
  [50, 5],
  [51, 6],
  [300, 30],
  [5_000, 30],
])('of %i photos at most %i are hidden before review', (photos, most) => {
  expect(mostHiddenFirst(photos)).toBe(most);
});
