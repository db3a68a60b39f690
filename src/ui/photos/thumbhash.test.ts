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

type Bitmap = { width: number; height: number; at: (x: number, y: number) => number[] };

function readBitmap(address: string): Bitmap {
  const file = Buffer.from(address.replace('data:image/bmp;base64,', ''), 'base64');
  const [width, height] = [file.readInt32LE(18), file.readInt32LE(22)];
  const row = Math.ceil((width * 3) / 4) * 4;
  expect(file.length).toBe(54 + row * height);
  return {
    width,
    height,
    at: (x, y) => [...file.subarray(54 + (height - 1 - y) * row + x * 3).subarray(0, 3)].reverse(),
  };
}

describe('a placeholder looks like its thumbhash', () => {
  test.each([
    [90, 60],
    [60, 90],
    [80, 80],
    [100, 25],
  ])('at %d × %d', (width, height) => {
    const hash = rgbaToThumbHash(width, height, picture(width, height));
    const drawn = readBitmap(placeholderImage(base64(hash)) ?? '');
    const wanted = thumbHashToRGBA(hash);
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const [ownX, ownY] = [x * (drawn.width - 1), y * (drawn.height - 1)];
      const point =
        (Math.round(((ownY + 0.5) / drawn.height) * wanted.h - 0.5) * wanted.w +
          Math.round(((ownX + 0.5) / drawn.width) * wanted.w - 0.5)) *
        4;
      const theirs = [...wanted.rgba.subarray(point, point + 3)];
      drawn
        .at(ownX, ownY)
        .forEach((channel, index) =>
          expect(Math.abs(channel - (theirs[index] ?? 0)), `corner ${x},${y}`).toBeLessThan(24),
        );
    }
  });

  test('with the mean of the hash', () => {
    const hash = rgbaToThumbHash(90, 60, picture(90, 60));
    const drawn = readBitmap(placeholderImage(base64(hash)) ?? '');
    const sums = [0, 0, 0];
    for (let y = 0; y < drawn.height; y++)
      for (let x = 0; x < drawn.width; x++)
        drawn.at(x, y).forEach((channel, index) => (sums[index] = (sums[index] ?? 0) + channel));
    const { r, g, b } = thumbHashToAverageRGBA(hash);
    sums.forEach((sum, index) =>
      expect(Math.abs(sum / drawn.width / drawn.height / 255 - ([r, g, b][index] ?? 0))).toBeLessThan(0.08),
    );
  });

  test('or draws nothing for other bytes, and never fails', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const drawn = placeholderImage(base64(bytes));
        if (bytes.length < 5) expect(drawn).toBeNull();
        else readBitmap(drawn ?? '');
      }),
    );
    expect(placeholderImage('not base64 at all!')).toBeNull();
  });
});
