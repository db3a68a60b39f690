import { describe, expect, test } from 'vitest';
import { attachmentHeader, downloadName } from '#src/features/photos/photo-title.rules.ts';
import { readPhotoPlace, writePhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import { cleanFileName, photoName } from '#src/features/uploads/upload-files.rules.ts';

describe('the name of a downloaded file', () => {
  test.each([
    ['IMG_0042', 'IMG_0042.jpg'],
    ['Goal.JPG', 'Goal.jpg'],
    ['../../etc/passwd', 'etc passwd.jpg'],
    ['a"b\r\nSet-Cookie: x', 'a b Set-Cookie x.jpg'],
    ['', 'photo.jpg'],
    ['...', 'photo.jpg'],
    ['CON', 'photo CON.jpg'],
    ['\u202egpj.exe', 'gpj.exe.jpg'],
    ['x'.repeat(300), `${'x'.repeat(80)}.jpg`],
  ])('%j → %s', (name, expected) => {
    expect(downloadName(name)).toBe(expected);
  });

  test('is in the header twice, plain and encoded', () => {
    expect(attachmentHeader('Đội (Bóng) ⚽')).toBe(
      'attachment; filename="_oi (Bong) _.jpg"; filename*=UTF-8\'\'%C4%90%E1%BB%99i%20%28B%C3%B3ng%29%20%E2%9A%BD.jpg',
    );
  });
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

describe('a cursor in the list', () => {
  const place = { featured: false, orderKey: 'Zy0aB', id: 9_007_199_254_740_991, index: 41, total: 500 };
  test('comes back as it was written', () => {
    expect(readPhotoPlace(writePhotoPlace(place))).toEqual(place);
  });
  test.each([
    '',
    'abc',
    btoa('[]'),
    btoa('[0,"a0",1]'),
    btoa('[0,"a0;drop",1,2,3]'),
    btoa('[2,"a0",1,2,3]'),
    btoa('[0,"a0",-1,2,3]'),
    btoa('{"a":1}'),
    '€',
  ])('%j is invalid', (text) => {
    expect(readPhotoPlace(text)).toBeNull();
  });
});
