import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { checkHeader, NOT_A_JPEG, UNUSUAL } from '#src/platform/images/header-check.ts';
import { DAMAGED, TOO_NARROW } from '#src/shared/photo-limits.ts';
import { exifSegment, headerOnlyJpeg, quartersJpeg, segment, withSegments } from '#tests/support/pictures.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } });

describe('A file that is not a JPEG is refused by its bytes, whatever its name', () => {
  it.each([
    ['PNG', () => picture.clone().png().toBuffer()],
    ['GIF', () => picture.clone().gif().toBuffer()],
    ['WebP', () => picture.clone().webp().toBuffer()],
    ['TIFF', () => picture.clone().tiff().toBuffer()],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['PDF', () => Buffer.from('%PDF-1.7\n')],
    ['ZIP', () => Buffer.from('PK\x03\x04')],
    ['HEIC', () => Buffer.from('\0\0\0\x18ftypheic')],
    ['nothing', () => Buffer.alloc(0)],
    ['two bytes', () => Buffer.from([0xff, 0xd8])],
  ])('%s', async (_, make) => {
    expect(checkHeader(await make())).toEqual({ ok: false, problem: NOT_A_JPEG });
  });
});

describe('A header is refused for its contents', () => {
  it.each([
    [
      '100 megapixels are the limit',
      headerOnlyJpeg(10_001, 10_000),
      'This image has 101 megapixels. An image can have at most 100.',
    ],
    [
      'a lying header',
      headerOnlyJpeg(65_000, 65_000),
      'This image has 4225 megapixels. An image can have at most 100.',
    ],
    [
      'a progressive bomb',
      headerOnlyJpeg(16_000, 16_000, { marker: 0xc2 }),
      'This image has 256 megapixels. A progressive JPEG can have at most 40.',
    ],
    ['more megapixels than there are bytes for', headerOnlyJpeg(9_000, 9_000), DAMAGED],
    ['a line of 20000 pixels', Buffer.concat([headerOnlyJpeg(20_000, 1), Buffer.alloc(20_000)]), TOO_NARROW],
    ['no width', headerOnlyJpeg(0, 100), DAMAGED],
    ['no height', headerOnlyJpeg(100, 0), DAMAGED],
    ['12 bits a color', headerOnlyJpeg(8, 8, { marker: 0xc1, depth: 12 }), UNUSUAL],
    ['lossless JPEG', headerOnlyJpeg(8, 8, { marker: 0xc3 }), UNUSUAL],
    ['arithmetic coding', headerOnlyJpeg(8, 8, { marker: 0xc9 }), UNUSUAL],
    ['two components', headerOnlyJpeg(8, 8, { components: 2 }), UNUSUAL],
  ])('%s', (_, bytes, problem) => {
    expect(checkHeader(bytes)).toEqual({ ok: false, problem });
  });

  it('a progressive file of a hundred and more scans is refused', () => {
    const scan = Buffer.from([0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x01, 0x3f, 0x00, 0x00]);
    const scans = Buffer.concat(Array.from({ length: 101 }, () => scan));
    expect(checkHeader(Buffer.concat([headerOnlyJpeg(8, 8, { marker: 0xc2 }), scans]))).toEqual({
      ok: false,
      problem: UNUSUAL,
    });
  });
});

describe('A valid header is read', () => {
  it.each([
    ['one pixel', () => quartersJpeg(1, 1), { width: 1, height: 1, components: 3, progressive: false }],
    ['baseline', () => quartersJpeg(60, 40), { width: 60, height: 40, components: 3, progressive: false }],
    [
      'progressive',
      () => quartersJpeg(60, 40, { progressive: true }),
      { width: 60, height: 40, components: 3, progressive: true },
    ],
    [
      'grayscale',
      () => picture.clone().toColourspace('b-w').jpeg().toBuffer(),
      { width: 8, height: 6, components: 1, progressive: false },
    ],
    [
      'CMYK',
      () => picture.clone().toColourspace('cmyk').jpeg().toBuffer(),
      { width: 8, height: 6, components: 4, progressive: false },
    ],
    [
      'behind 64 kB of EXIF, stray and fill bytes, with another file hung on',
      async () => {
        const exif = exifSegment({ main: [[0x010e, 'x'.repeat(64_900)]] });
        const jpeg = withSegments(await quartersJpeg(60, 40), exif, Buffer.from([0x00, 0x12, 0xff, 0xff]));
        return Buffer.concat([jpeg, Buffer.from('PK\x03\x04 and the rest of an archive')]);
      },
      { width: 60, height: 40, components: 3, progressive: false },
    ],
  ])('%s', async (_, make, header) => {
    expect(checkHeader(await make())).toEqual({ ok: true, header });
  });
});

describe('Hostile bytes cost almost nothing', () => {
  const tenMegabytes = 10_485_760;
  it.each([
    ['empty segments without end', Buffer.alloc(tenMegabytes, segment(0xfe, Buffer.alloc(0)))],
    ['fill bytes without end', Buffer.alloc(tenMegabytes, 0xff)],
    ['nothing but 0xFF00', Buffer.alloc(tenMegabytes, Buffer.from([0xff, 0x00]))],
    ['zeros', Buffer.alloc(tenMegabytes)],
  ])('%s', async (_, tail) => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0x00, 0x02]), tail]);
    const check = () => expect(checkHeader(bytes)).toEqual({ ok: false, problem: DAMAGED });
    // Reading once takes a tenth of it, reading quadratically takes minutes.
    expect(await processorMsOf(check)).toBeLessThan(1_000);
  });

  it('every truncation of a real file is refused or read, without an exception', async () => {
    const jpeg = await quartersJpeg(60, 40);
    for (let length = 0; length < jpeg.length; length++)
      expect(() => checkHeader(jpeg.subarray(0, length))).not.toThrow();
  });
});
