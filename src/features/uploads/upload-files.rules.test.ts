import { describe, expect, test } from 'vitest';
import {
  beginsLikeHeic,
  cleanFileName,
  fingerprintOf,
  isImageLike,
  photoName,
  refusalOf,
  uploadNameOf,
} from '#src/features/uploads/upload-files.rules.ts';
import { looksLikeJpeg } from '#src/shared/jpeg-header.ts';
import { EMPTY_FILE, TOO_LARGE } from '#src/features/uploads/upload-tray.contract.ts';
import { MAX_UPLOAD_BYTES, ONLY_JPEG, ONLY_JPEG_NOT_HEIC, policyBody } from '#src/features/uploads/uploads.contract.ts';

const file = (facts: Partial<{ name: string; size: number; type: string; lastModified: number }>) => ({
  name: 'a.jpg',
  size: 1_000,
  type: 'image/jpeg',
  lastModified: 1,
  ...facts,
});

describe('a chosen file', () => {
  test.each([
    ['a JPEG', {}, null],
    ['a JPEG of exactly 10 MB', { size: MAX_UPLOAD_BYTES }, null],
    ['a JPEG that is one byte larger', { size: MAX_UPLOAD_BYTES + 1 }, TOO_LARGE],
    ['a JPEG by name, of a system that knows no types', { type: '', name: 'DSC_1.JPG' }, null],
    ['an old Windows JPEG', { type: 'image/pjpeg' }, null],
    ['an empty JPEG', { size: 0 }, EMPTY_FILE],
    ['a PNG', { type: 'image/png', name: 'a.png' }, ONLY_JPEG],
    ['an iPhone original', { type: 'image/heic', name: 'IMG_1.HEIC' }, ONLY_JPEG_NOT_HEIC],
    ['an iPhone original, of a system that knows no types', { type: '', name: 'IMG_1.HEIC' }, ONLY_JPEG_NOT_HEIC],
    ['a raw file without a type', { type: '', name: 'DSC_1.NEF' }, ONLY_JPEG],
    ['a text that calls itself JPEG', { type: 'text/plain', name: 'a.jpg' }, ONLY_JPEG],
    ['a huge PNG', { type: 'image/png', size: MAX_UPLOAD_BYTES + 1 }, ONLY_JPEG],
  ])('that is %s is uploaded or refused with a reason', (_what, facts, refusal) => {
    expect(refusalOf(file(facts))).toBe(refusal);
  });

  test('has a different fingerprint in each gallery', () => {
    expect(fingerprintOf(file({}), 7)).toBe(fingerprintOf(file({}), 7));
    for (const [other, gallery] of [
      [file({}), 8],
      [file({ lastModified: 2 }), 7],
      [file({ size: 9 }), 7],
    ] as const)
      expect(fingerprintOf(other, gallery)).not.toBe(fingerprintOf(file({}), 7));
  });
});

test.each([
  ['a.jpg', 'image/jpeg', true],
  ['logo.png', 'image/png', true],
  ['DSC_1.JPG', '', true],
  ['DSC_1.NEF', '', true],
  ['players.csv', 'text/csv', false],
  ['clip.mp4', 'video/mp4', false],
  ['Thumbs.db', '', false],
])('dropped, “%s” (%s) counts as an image: %s', (name, type, expected) => {
  expect(isImageLike({ name, type })).toBe(expected);
});

test.each([
  [[0xff, 0xd8, 0xff, 0xe1], true],
  [[0xff, 0xd8], false],
  [[0x89, 0x50, 0x4e], false],
  [[], false],
])('the bytes %j begin a JPEG: %s', (bytes, expected) => {
  expect(looksLikeJpeg(Uint8Array.from(bytes))).toBe(expected);
});

test.each([
  ['\0\0\0\x24ftypheic', true],
  ['\0\0\0\x1cftypmif1', true],
  ['\0\0\0\x1cftypavif', false],
  ['\xff\xd8\xff\xe1', false],
])('the bytes %j begin an HEIC file: %s', (text, expected) => {
  expect(beginsLikeHeic(Uint8Array.from(text, (sentEmail) => sentEmail.charCodeAt(0)))).toBe(expected);
});

test.each([
  ['DSC_1.JPG', 'DSC_1.JPG'],
  [' a.jpeg ', 'a.jpeg'],
  ['image.jfif', 'image.jpg'],
  ['IMG_0042', 'IMG_0042.jpg'],
  ['match.final', 'match.final.jpg'],
  ['.jpe', 'photo.jpg'],
])('the upload of “%s” is signed for “%s”, which the call accepts', (name, expected) => {
  expect(uploadNameOf(name)).toBe(expected);
  expect(policyBody.safeParse({ filename: uploadNameOf(name) }).success).toBe(true);
});

describe('names of uploads', () => {
  test.each([
    ['IMG_1.jpg', 'IMG_1.jpg'],
    ['../../etc/passwd.jpg', 'passwd.jpg'],
    ['C:\\Users\\me\\a\u0007.jpeg', 'a.jpeg'],
    ['CON.jpg', 'CON.jpg'],
    ['.jpg', 'photo.jpg'],
    [`${'n'.repeat(1_000)}.jpg`, `${'n'.repeat(196)}.jpg`],
  ])('%j → %j', (filename, expected) => {
    expect(cleanFileName(filename)).toBe(expected);
  });

  test.each([
    [undefined, 'IMG_1.jpg', 'IMG_1'],
    ['  Winning   goal ', 'IMG_1.jpg', 'Winning goal'],
    ['\u0000\u200b', 'IMG_1.jpg', 'IMG_1'],
  ])('a photo named %j with file %s is %j', (given, filename, expected) => {
    expect(photoName(given, filename)).toBe(expected);
  });
});
