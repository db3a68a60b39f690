import { describe, expect, test } from 'vitest';
import { attachmentHeader, downloadName, photoTitle } from '#src/features/photos/photo-title.rules.ts';

describe('visitors see a title and never a file name', () => {
  test.each([
    ['Corner Kick', 'Corner Kick'],
    ['Half-time', 'Half-time'],
    ['Number 23', 'Number 23'],
    ['The Bench Holds Its Breath', 'The Bench Holds Its Breath'],
    ['Under 12 Final', 'Under 12 Final'],
    ['IMG_1001', 'Photo 1001'],
    ['IMG_1001_no14.jpg', 'Photo 1001'],
    ['_DSC0042.JPG', 'Photo 42'],
    ['DSC01234', 'Photo 1234'],
    ['P1000023.jpg', 'Photo 23'],
    ['sony-d700.jpg', 'Photo 700'],
    ['kodak-dc210', 'Photo 210'],
    ['fence-2.jpg', 'Photo 2'],
    ['IMG_0007 (1).jpeg', 'Photo 7'],
    ['PXL_20260516_120000123.jpg', 'Photo 1011'],
    ['20260516_120000', 'Photo 1011'],
    ['2026-05-16 12.00.01.jpg', 'Photo 1011'],
    ['WhatsApp Image 2026-05-16 at 12.00.01', 'Photo 1011'],
    ['team picture.jpg', 'Photo 1011'],
    ['team_picture', 'Photo 1011'],
    ['', 'Photo 1011'],
  ])('%j is %j', (name, title) => {
    expect(photoTitle(name, 9_000_000_011)).toBe(title);
  });
});

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

  test('is in the header twice, as ASCII and encoded', () => {
    expect(attachmentHeader('Đội (Bóng) ⚽')).toBe(
      'attachment; filename="_oi (Bong) _.jpg"; filename*=UTF-8\'\'%C4%90%E1%BB%99i%20%28B%C3%B3ng%29%20%E2%9A%BD.jpg',
    );
  });
});
