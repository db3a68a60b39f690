import { describe, expect, test } from 'vitest';
import { galleryPath, laterPath, photoPath, readPhotoIndex } from '#src/features/galleries/gallery-link.rules.ts';

const place = (query: string) => ({ affiliate: 'hawks-soccer', galleryId: 12, search: new URLSearchParams(query) });

describe('addresses within a gallery', () => {
  test.each([
    ['', '/hawks-soccer/gallery/12/photo/7'],
    ['publicView=true', '/hawks-soccer/gallery/12/photo/7?publicView=true'],
    ['photoIndex=3&after=x&search=goal+23', '/hawks-soccer/gallery/12/photo/7?search=goal+23'],
    ['contributeKey=secret', '/hawks-soccer/gallery/12/photo/7'],
  ])('with %j a photo is at %s', (query, address) => {
    expect(photoPath(place(query), 7)).toBe(address);
  });

  test('closing a photo leads to its position in the gallery, counted from 0', () => {
    expect(galleryPath(place('publicView=true'), 0)).toBe('/hawks-soccer/gallery/12?publicView=true&photoIndex=0');
    expect(galleryPath(place(''))).toBe('/hawks-soccer/gallery/12');
    expect(laterPath(place('search=a'), 'k=')).toBe('/hawks-soccer/gallery/12?search=a&after=k%3D');
  });
});

describe('photoIndex', () => {
  test.each([
    ['photoIndex=0', 0],
    ['photoIndex=12', 12],
    ['photoIndex=-1', null],
    ['photoIndex=1e3', null],
    ['photoIndex=12345678', null],
    ['photoIndex=', null],
    ['', null],
  ])('%j is %j', (query, index) => {
    expect(readPhotoIndex(new URLSearchParams(query))).toBe(index);
  });
});
