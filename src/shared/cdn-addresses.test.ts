import { describe, expect, test } from 'vitest';
import { cdnAddressOf, cdnPath, lastingAddress } from '#src/shared/cdn-addresses.ts';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';

const picture = { galleryId: 12, photoId: 9_007_199_254_740_991, version: '3.m' };
const address = `https://cdn.example${cdnPath(picture, '1790000000.abc-_')}`;
const OWN = '/api/v1/galleries/12/gallery_photos/9007199254740991?v=3.m';

describe('the address of a picture at a CDN', () => {
  test('has everything that distinguishes pictures in its path, and ends like a file', () => {
    expect(address).toBe('https://cdn.example/api/v1/pictures/12/9007199254740991/3.m/1790000000.abc-_/1440.jpg');
  });

  test('differs between sizes in its last part only', () => {
    expect(cdnAddressOf(address, 480)).toBe(address.replace('1440.jpg', '480.jpg'));
    expect(renditionUrl(address, 320)).toBe(address.replace('1440.jpg', '320.jpg'));
  });

  test('leads to our own, which does not expire', () => {
    expect(lastingAddress(address)).toBe(OWN);
    expect(lastingAddress(cdnAddressOf(address, 320) ?? '')).toBe(OWN);
  });
});

test('our own address is not changed', () => {
  expect(cdnAddressOf(OWN, 480)).toBeNull();
  expect(lastingAddress(OWN)).toBe(OWN);
  expect(renditionUrl(OWN, 480)).toBe(`${OWN}&size=480`);
});
