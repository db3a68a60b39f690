// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { NoPhotos } from '#src/features/public-gallery/ui/no-photos.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const GALLERY = { id: 1, is_private: false, password_required: false } as GalleryAnswer;
const AFFILIATE = { id: 2, name: 'Hawks', path: 'hawks' };

test.each([
  ['has no keywords', false, 'Numbers and names find nothing in this gallery. Please look through all of its photos.'],
  ['has other keywords', true, 'Try another number, or a shorter word.'],
])('a search in a gallery that %s says what helps', (_which, isSearchable, said) => {
  const of = { gallery: GALLERY, affiliate: AFFILIATE, byNumber: undefined, isSearchable, onShowAll: () => undefined };
  show(<NoPhotos {...of} keyword="10" />);
  screen.getByText(said);
  expect(screen.getByRole('button').textContent).toBe('Show all photos');
});
