/**
 * Two cheap measures of the pixels, made at ingest: a hash that is nearly the same for similar pictures, and how sharp
 * the sharpest parts are. Both are hints for people, never decisions.
 */
import { fieldsOf } from '#src/platform/images/raw-pixels.ts';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';

/** The rendition whose pixels are measured for sharpness: blur that is invisible at this size does not count. */
export const SHARPNESS_SIZE = 640;

const HASH_COLUMNS = 9;
const HASH_ROWS = 8;
/** Parts of a picture along each side; the sharpest tenth of them counts, because backgrounds are blurred on purpose. */
const PARTS = 10;
const SHARPEST = 0.1;

/** dHash: is each of 8 x 8 fields darker than the one to its right? 16 hex digits, row by row. */
export function dhashOf(picture: RawPicture): string {
  const grays = smallGrays(picture);
  let hash = '';
  for (let row = 0; row < HASH_ROWS; row++) {
    let byte = 0;
    for (let column = 0; column < HASH_COLUMNS - 1; column++) {
      const at = row * HASH_COLUMNS + column;
      byte = byte * 2 + ((grays[at] as number) < (grays[at + 1] as number) ? 1 : 0);
    }
    hash += byte.toString(16).padStart(2, '0');
  }
  return hash;
}

/** Mean gray of 9 x 8 fields, in 256ths. */
function smallGrays(picture: RawPicture): Float64Array {
  const { sums, counts } = fieldsOf(picture, HASH_COLUMNS, HASH_ROWS);
  return Float64Array.from(counts, (count, field) => {
    const [red = 0, green = 0, blue = 0] = sums.subarray(field * 3, field * 3 + 3);
    return (red * 77 + green * 150 + blue * 29) / count;
  });
}

/**
 * Variance of the Laplacian of the gray picture, part by part; the mean of the sharpest tenth. Pictures of less than a
 * few pixels are 0.
 */
export function sharpnessOf({ data, width, height }: RawPicture): number {
  if (width < 3 * PARTS || height < 3 * PARTS) return 0;
  const gray = new Int32Array(width * height);
  for (let at = 0; at < gray.length; at++)
    gray[at] =
      ((data[at * 3] as number) * 77 + (data[at * 3 + 1] as number) * 150 + (data[at * 3 + 2] as number) * 29) >> 8;
  const variances: number[] = [];
  for (let row = 0; row < PARTS; row++) {
    for (let column = 0; column < PARTS; column++) {
      const left = Math.max(1, Math.floor((column * width) / PARTS));
      const right = Math.min(width - 1, Math.floor(((column + 1) * width) / PARTS));
      const top = Math.max(1, Math.floor((row * height) / PARTS));
      const bottom = Math.min(height - 1, Math.floor(((row + 1) * height) / PARTS));
      variances.push(varianceOfLaplacian(gray, width, { left, right, top, bottom }));
    }
  }
  const sharpest = variances.toSorted((one, other) => other - one).slice(0, PARTS * PARTS * SHARPEST);
  return sharpest.reduce((sum, variance) => sum + variance, 0) / sharpest.length;
}

type Part = { left: number; right: number; top: number; bottom: number };

function varianceOfLaplacian(gray: Int32Array, width: number, { left, right, top, bottom }: Part): number {
  let sum = 0;
  let squares = 0;
  // Every other row gives the same result in half the time.
  for (let y = top; y < bottom; y += 2) {
    for (let at = y * width + left, end = y * width + right; at < end; at++) {
      const value =
        (gray[at - 1] as number) +
        (gray[at + 1] as number) +
        (gray[at - width] as number) +
        (gray[at + width] as number) -
        4 * (gray[at] as number);
      sum += value;
      squares += value * value;
    }
  }
  const count = (right - left) * Math.ceil((bottom - top) / 2);
  const mean = sum / count;
  return squares / count - mean * mean;
}
