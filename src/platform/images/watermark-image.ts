/** An organization's own picture as its watermark: its size, its gaps and its opacity. */
import sharp from 'sharp';
import { pngSize } from '#src/platform/images/header-check.ts';
import {
  MARK_OPACITY,
  stampOf,
  type RawPicture,
  type Stamp,
  type StampPlacement,
} from '#src/platform/images/watermark-stamp.ts';

/** The fraction of the long side for one copy of a tiled watermark, and of both sides for a centered one. */
const TILE_SIDE = 0.22;
const CENTERED_PART = 0.7;
/** Space between tiled copies, as a fraction of the copy. */
const GAP = 0.35;
/** A larger watermark is refused before anything is decoded. */
const MAX_PNG_SIDE = 4096;
/** A watermark fainter than this (0-255) everywhere counts as empty. */
const FAINTEST = 8;

/**
 * The organization's own picture as a stamp, or null if it is not usable (not a PNG, too large, damaged, or empty): the
 * caller then falls back to text.
 *
 * The specification asks for watermarks "at 30% opacity"; some are already faint and some are solid: the strongest
 * pixel always ends at 30 %.
 */
export async function imageStamp(
  png: Buffer,
  placement: 'tiled' | 'centred',
  picture: Pick<RawPicture, 'width' | 'height'>,
): Promise<Stamp | null> {
  if (!isModestPng(png)) return null;
  const side = Math.max(8, Math.round(Math.max(picture.width, picture.height) * TILE_SIDE));
  const box =
    placement === 'tiled'
      ? { width: side, height: side }
      : { width: Math.round(picture.width * CENTERED_PART), height: Math.round(picture.height * CENTERED_PART) };
  const mark = await decoded(png, box);
  if (!mark) return null;
  const { data, width, height } = mark;
  const strongest = strongestAlpha(data);
  if (strongest < FAINTEST) return null;
  const levels = new Uint16Array(width * height);
  const colors = new Uint8Array(width * height * 3);
  for (let at = 0; at < levels.length; at++) {
    levels[at] = Math.round(((data[at * 4 + 3] ?? 0) / strongest) * MARK_OPACITY * 256);
    colors.set(data.subarray(at * 4, at * 4 + 3), at * 3);
  }
  return stampOf(
    { width, height, levels, colors },
    placement === 'tiled' ? brickLattice(width, height) : { kind: 'middle' },
  );
}

function brickLattice(width: number, height: number): StampPlacement {
  const [right, down] = [Math.ceil(width * (1 + GAP)), Math.ceil(height * (1 + GAP))];
  return { kind: 'lattice', right: [right, 0], down: [Math.round(right / 2), down] };
}

/** Checked by its own bytes, because they also choose the decoder. */
function isModestPng(png: Buffer): boolean {
  const { width, height } = pngSize(png) ?? { width: 0, height: 0 };
  return width > 0 && height > 0 && width <= MAX_PNG_SIDE && height <= MAX_PNG_SIDE;
}

async function decoded(png: Buffer, box: { width: number; height: number }): Promise<RawPicture | null> {
  try {
    const { data, info } = await sharp(png, { limitInputPixels: MAX_PNG_SIDE ** 2 })
      .resize(Math.max(1, box.width), Math.max(1, box.height), { fit: 'inside' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return info.channels === 4 ? { data, width: info.width, height: info.height } : null;
  } catch {
    // A damaged watermark must not stop the organization's photos: they get the text instead.
    return null;
  }
}

function strongestAlpha(data: Buffer): number {
  let strongest = 0;
  for (let at = 3; at < data.length; at += 4) strongest = Math.max(strongest, data[at] ?? 0);
  return strongest;
}
