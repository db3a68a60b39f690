/** Bytes to pixels and back, in the picture process only: shared by developing, new watermarks and previews. */
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Rendition } from '#src/platform/images/images.ts';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';

export type Encoded = Pick<Rendition, 'bytes' | 'sha256'>;

/** The hash keeps a handful of waves; more pixels cost time and change nothing. */
const THUMBHASH_SIDE = 40;
/** A rendition has at most so many pixels. */
const MAX_RENDITION_PIXELS = 1_440 * 1_440;

/** Fixed code tables: about 1 % more bytes for half the time (docs/decisions/0002-renditions.md). */
export async function encodeJpeg(picture: RawPicture, quality: number): Promise<Encoded> {
  const bytes = await opened(picture).jpeg({ quality, optimiseCoding: false }).toBuffer();
  return { bytes, sha256: sha256(bytes) };
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

/** The pixels of one of our renditions. @throws Error if it is none, or damaged */
export function pixelsOfRendition(bytes: Buffer): Promise<RawPicture> {
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_RENDITION_PIXELS, autoOrient: false });
  return rawPixels(image.toColourspace('srgb').removeAlpha());
}

/** The thumbhash (about 25 bytes) of an upright picture: a blur that a page shows before the picture is loaded. */
export async function thumbhashOf(picture: RawPicture): Promise<Buffer> {
  const size = { width: THUMBHASH_SIDE, height: THUMBHASH_SIDE, fit: 'inside', withoutEnlargement: true } as const;
  const small = opened(picture).resize(size).ensureAlpha().raw();
  const { data, info } = await small.toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data));
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
