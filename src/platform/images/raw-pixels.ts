/** Bytes to pixels and back, in the picture process only: shared by developing, new watermarks and previews. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as JpegTurbo from '@julusian/jpeg-turbo';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Rendition } from '#src/platform/images/images.ts';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';

export type Encoded = Pick<Rendition, 'bytes' | 'sha256'>;

/** The hash contains only a few frequencies; more pixels cost time and change nothing. */
const THUMBHASH_SIDE = 40;
const LARGEST_SIDE = 1_440;
/** A rendition has at most this many pixels. */
const MAX_RENDITION_PIXELS = LARGEST_SIDE * LARGEST_SIDE;

/** `output` is where each file is written, and then copied from. */
type Encoder = { library: typeof JpegTurbo; output: Buffer };

let encoder: Encoder | null | undefined;

/**
 * Loads the library that writes JPEGs with half of sharp's CPU (docs/decisions/0170-encoding-without-pipelines.md); null
 * on machines for which it is not built. A process that drops its rights calls this before; otherwise the first picture
 * does.
 */
export function loadEncoder(): Encoder | null {
  if (encoder === undefined) encoder = openEncoder();
  return encoder;
}

function openEncoder(): Encoder | null {
  const require = createRequire(import.meta.url);
  try {
    const library = require('@julusian/jpeg-turbo') as Encoder['library'];
    const side = { width: LARGEST_SIDE, height: LARGEST_SIDE, subsampling: library.SAMP_420 };
    return { library, output: Buffer.allocUnsafeSlow(library.bufferSize(side)) };
  } catch {
    return null;
  }
}

/**
 * Uses fixed code tables: about 1 % more bytes for half the time (docs/decisions/0002-renditions.md). sharp encodes
 * pictures that are too large for the encoder's buffer.
 */
export async function encodeJpeg(picture: RawPicture, quality: number, by = loadEncoder()): Promise<Encoded> {
  const fits = Math.max(picture.width, picture.height) <= LARGEST_SIDE;
  const bytes =
    by && fits
      ? encodeWith(by, picture, quality)
      : await opened(picture).jpeg({ quality, optimiseCoding: false }).toBuffer();
  return { bytes, sha256: sha256(bytes) };
}

function encodeWith({ library, output }: Encoder, { data, width, height }: RawPicture, quality: number): Buffer {
  const { FORMAT_RGB: format, SAMP_420: subsampling } = library;
  const written = library.compressSync(data, output, { format, width, height, subsampling, quality });
  const bytes = Buffer.allocUnsafeSlow(written.length);
  written.copy(bytes);
  return bytes;
}

export function opened({ data, width, height }: RawPicture): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** @throws Error if the picture does not have three channels */
export async function rawPixels(image: Sharp): Promise<RawPicture> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`expected three channels, got ${info.channels}`);
  return { data, width: info.width, height: info.height };
}

/** The pixels of one of our renditions. @throws Error if it is not one, or damaged */
export function pixelsOfRendition(bytes: Buffer): Promise<RawPicture> {
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_RENDITION_PIXELS, autoOrient: false });
  return rawPixels(image.toColourspace('srgb').removeAlpha());
}

/** Halves each side, which must be even. Each pixel is the mean of four; this takes less CPU than sharp's own resizing. */
export function meansOfFour({ data, width, height }: RawPicture): RawPicture {
  const half = { data: Buffer.allocUnsafeSlow((width / 2) * (height / 2) * 3), width: width / 2, height: height / 2 };
  const line = width * 3;
  let to = 0;
  for (let top = 0; top < data.length; top += 2 * line) {
    for (let left = top; left < top + line; left += 6) {
      for (let at = left; at < left + 3; at++) {
        const above = (data[at] as number) + (data[at + 3] as number);
        const below = (data[at + line] as number) + (data[at + line + 3] as number);
        half.data[to++] = (above + below + 2) >> 2;
      }
    }
  }
  return half;
}

/** The thumbhash (about 25 bytes) of an upright picture: a blurred preview that a page shows before the picture is loaded. */
export function thumbhashOf(picture: RawPicture): Buffer {
  const part = Math.min(1, THUMBHASH_SIDE / Math.max(picture.width, picture.height));
  const columns = Math.max(1, Math.round(picture.width * part));
  const rows = Math.max(1, Math.round(picture.height * part));
  const { sums, counts } = fieldsOf(picture, columns, rows);
  const pixels = new Uint8Array(counts.length * 4).fill(255);
  counts.forEach((count, field) => {
    for (let channel = 0; channel < 3; channel++)
      pixels[field * 4 + channel] = Math.round((sums[field * 3 + channel] as number) / count);
  });
  return Buffer.from(rgbaToThumbHash(columns, rows, pixels));
}

/** Divides a picture into fields: the sums of red, green and blue of each, row by row, and the number of pixels. */
export function fieldsOf({ data, width, height }: RawPicture, columns: number, rows: number) {
  const sums = new Float64Array(columns * rows * 3);
  const counts = new Int32Array(columns * rows);
  for (let field = 0; field < counts.length; field++) {
    const [row, column] = [Math.floor(field / columns), field % columns];
    const [top, bottom] = stretch(row, rows, height);
    const [left, right] = stretch(column, columns, width);
    let [red, green, blue] = [0, 0, 0];
    for (let y = top; y < bottom; y++) {
      for (let at = (y * width + left) * 3, end = (y * width + right) * 3; at < end; at += 3) {
        red += data[at] as number;
        green += data[at + 1] as number;
        blue += data[at + 2] as number;
      }
    }
    sums.set([red, green, blue], field * 3);
    counts[field] = (right - left) * (bottom - top);
  }
  return { sums, counts };
}

/** The part of a side that a field covers, at least one pixel. */
function stretch(field: number, fields: number, side: number): [from: number, to: number] {
  const from = Math.floor((field * side) / fields);
  return [from, Math.max(from + 1, Math.floor(((field + 1) * side) / fields))];
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
