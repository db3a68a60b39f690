import { describe, expect, test } from 'vitest';
import { HEAD_BYTES, refusalOfHead } from '#src/features/uploads/jpeg-head.rules.ts';
import { DAMAGED, TOO_NARROW } from '#src/shared/photo-limits.ts';
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

/** As a browser reads it: only the beginning of a large file. */
const refusalOf = (bytes: Buffer, readBytes = HEAD_BYTES) => refusalOfHead(bytes.subarray(0, readBytes), bytes.length);

describe('the header of a file', () => {
  test.each([0, 10, 65_520, 65_530, 400_000, 4_000_000])('is found after %d bytes of other segments', (filler) => {
    expect(refusalOf(header({ width: 4000, height: 3000 }, filler))).toBeNull();
    expect(refusalOf(header({ width: 5_100, height: 100 }, filler))).toBe(TOO_NARROW);
    expect(refusalOf(header({ width: 8_001, height: 5_000, marker: 0xc2 }, filler))).toMatch(/progressive/);
  });

  test('is left to the worker if it is longer than what is read', () => {
    expect(refusalOf(header({ width: 5_100, height: 100 }, 4_200_000))).toBeNull();
    expect(refusalOf(header({ width: 5_100, height: 100 }, 400_000), 65_536)).toBeNull();
  });

  test('is required: without it the file is damaged', () => {
    const whole = header({ width: 10, height: 10 });
    expect(refusalOf(whole.subarray(0, 8))).toBe(DAMAGED);
    expect(refusalOf(Buffer.concat([whole.subarray(0, 2), Buffer.alloc(500)]))).toBe(DAMAGED);
    expect(refusalOf(Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))).toBe(DAMAGED);
    // Picture data without a frame before it, also if the file goes on.
    expect(refusalOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]), Buffer.alloc(500)]), 100)).toBe(
      DAMAGED,
    );
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
    expect(refusalOf(header(shape))).toBe(refusal);
    // Long enough that the worker has no other problem.
    const bytes = Buffer.concat([header(shape), Buffer.alloc(500_000)]);
    const checked = checkHeader(bytes);
    expect(checked.ok ? null : checked.problem).toBe(refusal);
  });
});
