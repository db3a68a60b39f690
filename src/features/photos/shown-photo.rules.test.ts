import { describe, expect, test } from 'vitest';
import { altOf, foundText, showPhoto, showPhotos } from '#src/features/photos/shown-photo.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

describe('what a screen reader says for a photo', () => {
  test.each([
    ['Corner kick.jpg', [], 'Corner kick'],
    ['Corner_kick.JPEG', ['goal', '23'], 'Corner kick: goal, 23'],
    ['final.jpg.png', [], 'final.jpg.png'],
    ['.jpg', [], 'Photo'],
    ['  ', ['23'], 'Photo: 23'],
  ])('%j with %j is %j', (name, keywords, said) => {
    expect(altOf(name, keywords)).toBe(said);
  });

  test.each([
    [['10'], [], 'Photo 214, number 10'],
    [['10', '7'], [], 'Photo 214, numbers 10 and 7'],
    [['10', '7', '23'], ['goal'], 'Photo 214, numbers 10, 7 and 23: goal'],
  ])('with athletes %j and keywords %j is %j', (numbers, keywords, said) => {
    expect(altOf('Photo 214', keywords, numbers)).toBe(said);
  });
});

const answer = {
  id: 7,
  gallery_id: 3,
  galleryId: 3,
  image_url: '/i',
  name: 'a.jpg',
  captured_at: null,
  width: 3,
  height: 2,
  thumbhash: 'x',
  status: 'ready',
  problem: null,
  show_in_gallery: true,
  featured: false,
  sequence_index: 0,
  likes: 2,
  votes: 1,
  liked: true,
  voted: false,
  keywords: [{ id: 1, name: '23' }],
  price_override: 2.5,
  price: 2.5,
  exif: { Model: 'Camera' },
} satisfies PhotoAnswer;

test('a photo’s price is in whole cents, and its owner’s data is left out', () => {
  expect(showPhoto(answer)).toEqual({
    id: 7,
    galleryId: 3,
    name: 'a.jpg',
    takenAt: null,
    alt: 'a: 23',
    imageUrl: '/i',
    width: 3,
    height: 2,
    thumbhash: 'x',
    priceCents: 250,
    likes: 2,
    liked: true,
    votes: 1,
    voted: false,
    keywords: ['23'],
  });
});

test('a member on the public page sees what visitors see', () => {
  const photos: PhotoAnswer[] = [
    answer,
    { ...answer, id: 8, show_in_gallery: false },
    { ...answer, id: 9, status: 'processing', width: null, height: null, thumbhash: null },
  ];
  expect(showPhotos({ photos, next: 'k', total: 3 })).toMatchObject({ photos: [{ id: 7 }], next: 'k' });
});

test.each([
  [1, '1 photo'],
  [2, '2 photos'],
  [999, '999 photos'],
  [1_000, '1,000 or more photos'],
])('a search that found %i says "%s"', (total, text) => {
  expect(foundText(total)).toBe(text);
});

test('the number of an athlete is said once, even if it is also a keyword', () => {
  const shown = showPhoto({ ...answer, name: 'Photo 214', numbers: ['23', '7'] });
  expect([shown.alt, shown.keywords]).toEqual(['Photo 214, numbers 23 and 7', ['23', '7']]);
});
