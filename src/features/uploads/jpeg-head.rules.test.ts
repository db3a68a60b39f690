import { describe, expect, test } from 'vitest';
import { findJpegHead, HEAD_STARTS_AT, refusalOfHead } from '#src/features/uploads/jpeg-head.rules.ts';
import { DAMAGED, TOO_NARROW } from '#src/shared/jpeg-limits.ts';
import { checkHeader } from '#src/platform/images/header-check.ts';

type Shape = { width: number; height: number; marker?: number };

/** The header of a JPEG with `filler` bytes of other segments before its frame, and nothing after. */
function header({ width, height, marker = 0xc0 }: Shape, filler = 0): Buffer {
  const segments: Buffer[] = [];
  for (let left = filler; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000);
    segments.push(Buffer.from([0xff, 0xe2, (length + 2) >> 8, (length + 2) & 0xff]), Buffer.alloc(length, 0x41));
  }
  const frame = Buffer.from([
    0xff,
    marker,
    0,
    11,
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    1,
    1,
    17,
    0,
  ]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, Buffer.from([0xff, 0xda, 0, 2])]);
}

/** As a browser reads it: in pieces. */
function read(bytes: Buffer, pieceBytes = 65_536) {
  for (let at = HEAD_STARTS_AT; ;) {
    const found = findJpegHead(bytes.subarray(at, at + pieceBytes), at, bytes.length);
    if (!('readOnAt' in found)) return found;
    expect(found.readOnAt).toBeGreaterThan(at);
    at = found.readOnAt;
  }
}

describe('the header of a file', () => {
  test.each([0, 10, 65_520, 65_530, 400_000])('is found after %d bytes of other segments', (filler) => {
    expect(read(header({ width: 4000, height: 3000 }, filler))).toEqual({
      head: { width: 4000, height: 3000, progressive: false },
    });
    expect(read(header({ width: 40, height: 30, marker: 0xc2 }, filler), 64)).toEqual({
      head: { width: 40, height: 30, progressive: true },
    });
  });

  test('is required: without it the file is damaged', () => {
    const whole = header({ width: 10, height: 10 });
    expect(read(whole.subarray(0, 8))).toEqual({ damaged: true });
    expect(read(Buffer.concat([whole.subarray(0, 2), Buffer.alloc(500)]))).toEqual({ damaged: true });
    expect(read(Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))).toEqual({ damaged: true });
  });
});

describe('a picture', () => {
  test.each<[Shape, string | null]>([
    [{ width: 10_000, height: 10_000 }, null],
    [{ width: 10_001, height: 10_000 }, 'This image has 101 megapixels. An image can have at most 100.'],
    [{ width: 8_000, height: 5_000, marker: 0xc2 }, null],
    [
      { width: 8_001, height: 5_000, marker: 0xc2 },
      'This image has 41 megapixels. A progressive JPEG can have at most 40.',
    ],
    [{ width: 5_100, height: 100 }, TOO_NARROW],
    [{ width: 0, height: 100 }, DAMAGED],
  ])('of %j gets the worker’s result here', (shape, refusal) => {
    const found = read(header(shape));
    expect('head' in found && refusalOfHead(found.head)).toBe(refusal);
    // Long enough that the worker has no other problem.
    const bytes = Buffer.concat([header(shape), Buffer.alloc(500_000)]);
    const checked = checkHeader(bytes);
    expect(checked.ok ? null : checked.problem).toBe(refusal);
  });
});
