import { describe, expect, test } from 'vitest';
import { nearestSize, pictureAddress } from '#src/features/photos/photos.rules.ts';
import {
  cacheControl,
  decidePixels,
  type PixelFacts,
  type PixelRequest,
  type Pixels,
} from '#src/features/photos/pixel-rights.rules.ts';

const LOOK: PixelRequest = { download: false, adminview: false, orderKey: false };
const DOWNLOAD = { ...LOOK, download: true };
const ADMIN = { ...LOOK, adminview: true };
const KEY = { ...LOOK, orderKey: true };

/** A public photo of an open gallery with a watermark, and a visitor. */
const OPEN: PixelFacts = {
  ready: true,
  removed: false,
  shownInGallery: true,
  galleryActive: true,
  locked: false,
  galleryRestricted: false,
  displayWatermark: true,
  editor: false,
  contributor: false,
  paid: false,
};
const EDITOR = { ...OPEN, editor: true };
const BUYER = { ...OPEN, paid: true };
const SENDER = { ...OPEN, contributor: true };

const NONE: Pixels = { kind: 'none' };
const rendition = (mark: 'clean' | 'marked', keeping: 'everyone' | 'visitor' | 'holder'): Pixels => ({
  kind: 'rendition',
  mark,
  cachedFor: keeping,
});
const original = (as: 'uploaded' | 'sold'): Pixels => ({ kind: 'original', as });

describe('who may see which pixels', () => {
  const cases: [string, PixelRequest, PixelFacts, Pixels][] = [
    ['a visitor sees the marked rendition of a public photo', LOOK, OPEN, rendition('marked', 'everyone')],
    [
      'a visitor sees the clean one where the gallery shows no watermark',
      LOOK,
      { ...OPEN, displayWatermark: false },
      rendition('clean', 'everyone'),
    ],
    [
      'a gallery that is not listed or has a password is kept by its visitors only',
      LOOK,
      { ...OPEN, galleryRestricted: true },
      rendition('marked', 'visitor'),
    ],
    ['a hidden photo is nothing to a visitor', LOOK, { ...OPEN, shownInGallery: false }, NONE],
    ['a locked gallery is nothing to a visitor', LOOK, { ...OPEN, locked: true, galleryRestricted: true }, NONE],
    ['an inactive gallery is nothing to a visitor', LOOK, { ...OPEN, galleryActive: false }, NONE],
    ['a removed photo is nothing to a visitor', LOOK, { ...OPEN, removed: true }, NONE],
    ['a photo that is not ready has no pixels, not even for an editor', ADMIN, { ...EDITOR, ready: false }, NONE],
    ['a visitor downloads nothing', DOWNLOAD, OPEN, NONE],
    ['an editor downloads nothing without saying that it is one', DOWNLOAD, EDITOR, NONE],
    ['adminview is nothing to a visitor, though the photo is public', ADMIN, OPEN, NONE],
    ['adminview is nothing to a buyer', { ...ADMIN, orderKey: true, download: true }, BUYER, NONE],
    ['an editor sees the clean rendition by adminview', ADMIN, EDITOR, rendition('clean', 'holder')],
    [
      'also of a hidden photo, behind a password, in an inactive gallery',
      ADMIN,
      { ...EDITOR, shownInGallery: false, locked: true, galleryActive: false },
      rendition('clean', 'holder'),
    ],
    ['not of a removed one', ADMIN, { ...EDITOR, removed: true }, NONE],
    ['an editor downloads the file as it was uploaded', { ...ADMIN, download: true }, EDITOR, original('uploaded')],
    [
      'an editor who names a size downloads the clean rendition',
      { ...ADMIN, download: true, sized: true },
      EDITOR,
      rendition('clean', 'holder'),
    ],
    ['a visitor who names a size downloads nothing', { ...DOWNLOAD, sized: true }, OPEN, NONE],
    [
      'a buyer who names a size downloads the file all the same',
      { ...DOWNLOAD, orderKey: true, sized: true },
      BUYER,
      original('sold'),
    ],
    [
      'an editor without adminview sees a hidden photo as visitors would',
      LOOK,
      { ...EDITOR, shownInGallery: false },
      rendition('marked', 'holder'),
    ],
    ['an editor without adminview sees a public one as everybody does', LOOK, EDITOR, rendition('marked', 'everyone')],
    ['a buyer downloads the sold copy', { ...KEY, download: true }, BUYER, original('sold')],
    ['a buyer looks at the clean rendition', KEY, BUYER, rendition('clean', 'holder')],
    [
      'a buyer keeps it when the photo is removed, hidden and the gallery gone',
      { ...KEY, download: true },
      { ...BUYER, removed: true, shownInGallery: false, galleryActive: false, locked: true },
      original('sold'),
    ],
    [
      'the person who sent a photo sees it while it waits, as visitors would',
      LOOK,
      { ...SENDER, shownInGallery: false, locked: true },
      rendition('marked', 'holder'),
    ],
    ['but not once it is removed', LOOK, { ...SENDER, removed: true }, NONE],
    ['not in a deleted gallery', LOOK, { ...SENDER, galleryActive: false }, NONE],
    ['and never as a file', DOWNLOAD, SENDER, NONE],
    ['nor clean', ADMIN, SENDER, NONE],
    ['a key that pays nothing opens nothing, though the photo is public', KEY, OPEN, NONE],
    ['a key that pays nothing opens no download either', { ...KEY, download: true }, OPEN, NONE],
    ['an editor with a wrong key is told nothing either', KEY, EDITOR, NONE],
  ];
  test.each(cases)('%s', (_name, request, facts, expected) => {
    expect(decidePixels(request, facts)).toEqual(expected);
  });

  test('no combination gives a visitor clean pixels of a watermarked gallery, or a file', () => {
    const flags = ['ready', 'removed', 'shownInGallery', 'galleryActive', 'locked', 'galleryRestricted'] as const;
    let looked = 0;
    for (let bits = 0; bits < 2 ** flags.length; bits++) {
      const facts: PixelFacts = {
        ...OPEN,
        ...Object.fromEntries(flags.map((flag, index) => [flag, (bits & (1 << index)) !== 0])),
      };
      for (const request of [
        LOOK,
        DOWNLOAD,
        ADMIN,
        KEY,
        { ...ADMIN, download: true },
        { ...KEY, download: true },
        { download: true, adminview: true, orderKey: true },
      ]) {
        const pixels = decidePixels(request, facts);
        looked++;
        expect(pixels.kind === 'none' || (pixels.kind === 'rendition' && pixels.mark === 'marked')).toBe(true);
        if (!facts.ready || facts.removed || !facts.shownInGallery || !facts.galleryActive || facts.locked)
          expect(pixels).toEqual(NONE);
      }
    }
    expect(looked).toBe(7 * 64);
  });
});

describe('a requested size', () => {
  test.each([
    [undefined, 1440],
    ['320', 320],
    ['0', 320],
    ['399', 320],
    ['401', 480],
    ['560', 480],
    ['799', 640],
    ['801', 960],
    ['1000', 960],
    ['1199', 960],
    ['1201', 1440],
    ['99999', 1440],
    ['-1', 1440],
    ['abc', 1440],
    ['1440px', 1440],
    ['1e2', 1440],
    ['9'.repeat(40), 1440],
  ] as const)('%s gets %d', (asked, expected) => {
    expect(nearestSize(asked)).toBe(expected);
  });
});

describe('how long pictures may be cached', () => {
  test.each([
    [rendition('marked', 'everyone'), true, 'public, max-age=31536000, immutable'],
    [rendition('marked', 'everyone'), false, 'public, max-age=60'],
    [rendition('marked', 'visitor'), true, 'private, no-cache'],
    [rendition('clean', 'holder'), true, 'private, no-store'],
    [original('sold'), true, 'private, no-store'],
    [original('uploaded'), true, 'private, no-store'],
  ])('%j, this version: %s → %s', (pixels, isThisVersion, expected) => {
    if (pixels.kind === 'none') throw new Error('nothing to keep');
    expect(cacheControl(pixels, isThisVersion)).toBe(expected);
  });

  test('an address changes with the pixels and with the watermark', () => {
    const photo = { galleryId: 1, id: 2, pixelVersion: 3, displayWatermark: true };
    const addresses = [photo, { ...photo, pixelVersion: 4 }, { ...photo, displayWatermark: false }].map(pictureAddress);
    expect(addresses[0]).toBe('/api/v1/galleries/1/gallery_photos/2?v=3.m');
    expect(new Set(addresses).size).toBe(3);
  });
});
