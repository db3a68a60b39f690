import fc from 'fast-check';
import { rgbaToThumbHash, thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { placeholderImage } from '#src/ui/photos/thumbhash.ts';

/** Left half red, right half blue, darker towards the bottom. */
function picture(width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = 255 * (1 - y / height / 2);
      rgba.set([x < width / 2 ? light : 20, 40, x < width / 2 ? 20 : light, 255], (y * width + x) * 4);
    }
  }
  return rgba;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** `at`: red, green and blue of a point, each 0 to 255. */
type Bitmap = { width: number; height: number; bytes: number; at: (x: number, y: number) => number[] };

const HEADER_BYTES = 54;
/** Rows of a bitmap are padded to four bytes, and begin at the bottom. */
const bytesPerRow = (width: number) => Math.ceil((width * 3) / 4) * 4;

function readBitmap(address: string | null): Bitmap {
  const file = Buffer.from((address ?? '').replace('data:image/bmp;base64,', ''), 'base64');
  const [width, height] = [file.readInt32LE(18), file.readInt32LE(22)];
  const startOf = (x: number, y: number) => HEADER_BYTES + (height - 1 - y) * bytesPerRow(width) + x * 3;
  const at = (x: number, y: number) => [...file.subarray(startOf(x, y), startOf(x, y) + 3)].reverse();
  return { width, height, bytes: file.length, at };
}

/** The same of the library's own drawing of a hash, which is 32 points wide or high. */
function readReference(hash: Uint8Array) {
  const { w: width, h: height, rgba } = thumbHashToRGBA(hash);
  return {
    /** The color at a position from 0 to 1: that of the point whose center is nearest. */
    near: (across: number, down: number) => {
      const [x, y] = [Math.round(across * width - 0.5), Math.round(down * height - 0.5)];
      const start = (y * width + x) * 4;
      return [...rgba.subarray(start, start + 3)];
    },
  };
}

/** Of 255: the nearest point of the reference lies a little beside ours, which is at most 7 in these pictures. */
const MOST_DIFFERENCE = 10;
/** Of 1: a few points do not have exactly the average of the waves that they are taken from; 0.017 in this picture. */
const MOST_AVERAGE_DIFFERENCE = 0.02;

describe('a placeholder of a thumbhash', () => {
  test.each([
    [90, 60],
    [60, 90],
    [80, 80],
    [100, 25],
  ])('has its colors in the corners, at %d × %d', (width, height) => {
    const hash = rgbaToThumbHash(width, height, picture(width, height));
    const drawn = readBitmap(placeholderImage(base64(hash)));
    const reference = readReference(hash);
    for (const x of [0, drawn.width - 1]) {
      for (const y of [0, drawn.height - 1]) {
        const wanted = reference.near((x + 0.5) / drawn.width, (y + 0.5) / drawn.height);
        drawn.at(x, y).forEach((channel, index) => {
          const difference = Math.abs(channel - (wanted[index] ?? 0));
          expect(difference, `point ${x},${y}`).toBeLessThan(MOST_DIFFERENCE);
        });
      }
    }
  });

  test('has the average color of the hash', () => {
    const hash = rgbaToThumbHash(90, 60, picture(90, 60));
    const drawn = readBitmap(placeholderImage(base64(hash)));
    const sums = [0, 0, 0];
    for (let y = 0; y < drawn.height; y++)
      for (let x = 0; x < drawn.width; x++)
        drawn.at(x, y).forEach((channel, index) => (sums[index] = (sums[index] ?? 0) + channel));
    const { r, g, b } = thumbHashToAverageRGBA(hash);
    sums.forEach((sum, index) => {
      const average = sum / drawn.width / drawn.height / 255;
      expect(Math.abs(average - ([r, g, b][index] ?? 0))).toBeLessThan(MOST_AVERAGE_DIFFERENCE);
    });
  });

  test('is a valid bitmap for a hash of any bytes, and nothing for other texts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const drawn = placeholderImage(base64(bytes));
        if (bytes.length < 5) {
          expect(drawn).toBeNull();
        } else {
          const bitmap = readBitmap(drawn);
          expect(bitmap.bytes).toBe(HEADER_BYTES + bytesPerRow(bitmap.width) * bitmap.height);
        }
      }),
    );
    expect(placeholderImage('not base64 at all!')).toBeNull();
  });
});
