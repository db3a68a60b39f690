import { expect, test } from 'vitest';
import { salesByGallery, salesByPhoto } from '#src/features/orders/orders.rules.ts';

const lines = [
  { photoId: 1, galleryId: 10, priceCents: 400 },
  { photoId: 2, galleryId: 10, priceCents: 250 },
  { photoId: 3, galleryId: 20, priceCents: 0 },
];

test('each photo counts one sale at its price', () => {
  expect(salesByPhoto({ lines, passParts: [], donation: null })).toEqual([
    { photoId: 1, count: 1, salesCents: 400 },
    { photoId: 2, count: 1, salesCents: 250 },
    { photoId: 3, count: 1, salesCents: 0 },
  ]);
});

test('galleries sum their photos, and a donation counts for its gallery', () => {
  expect(salesByGallery({ lines, passParts: [], donation: { galleryId: 20, cents: 500 } })).toEqual([
    { galleryId: 10, photos: 2, salesCents: 650, donationCents: 0 },
    { galleryId: 20, photos: 1, salesCents: 0, donationCents: 500 },
  ]);
  expect(salesByGallery({ lines: [], passParts: [], donation: { galleryId: 30, cents: 100 } })).toEqual([
    { galleryId: 30, photos: 0, salesCents: 0, donationCents: 100 },
  ]);
});
