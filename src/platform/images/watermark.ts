import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Watermark } from '#src/platform/images/images.ts';
import { textToDraw } from '#src/platform/images/text-layout.ts';
import { imageStamp } from '#src/platform/images/watermark-image.ts';
import { stampOver, type RawPicture, type Stamp } from '#src/platform/images/watermark-stamp.ts';
import { textStamp } from '#src/platform/images/watermark-text.ts';

/** Cache of the last stamps by watermark and size; a gallery needs five or ten of them, the largest is about 500 kB. */
const MAX_STAMPS = 48;

const stamps = new LRUCache<string, Stamp>({ max: MAX_STAMPS });

/**
 * Draws the watermark over the picture, in place (rule 57): an organization's name or text as one thin slanted line,
 * white with a soft dark edge, three times or once; or its own picture at 30 %, tiled or centered. It scales with the
 * picture, so that every size of a photo looks the same. Needs no fonts of the machine. Never fails because of a
 * watermark: a picture that cannot be drawn is replaced by text.
 *
 * `seed` is two numbers from 0 to 1 that shift the pattern; see `stampOver`.
 */
export async function watermark(picture: RawPicture, mark: Watermark, seed: readonly [number, number]): Promise<void> {
  stampOver(picture, await stampFor(mark, picture), seed);
}

/** The seed of a picture: derived from its content, so that the same bytes always get the same pixels. */
export function seedOf(sha256: string): readonly [number, number] {
  return [Number.parseInt(sha256.slice(0, 6), 16) / 0x1000000, Number.parseInt(sha256.slice(6, 12), 16) / 0x1000000];
}

async function stampFor(mark: Watermark, picture: RawPicture): Promise<Stamp> {
  const key = keyOf(mark, picture);
  const stamp = stamps.get(key) ?? (await makeStamp(mark, picture));
  stamps.set(key, stamp);
  return stamp;
}

function keyOf(mark: Watermark, { width, height }: RawPicture): string {
  if (mark.kind === 'text') return `text ${width}x${height} ${JSON.stringify(mark)}`;
  const { png, ...rest } = mark;
  return `image ${width}x${height} ${createHash('sha256').update(png).digest('base64')} ${JSON.stringify(rest)}`;
}

async function makeStamp(mark: Watermark, picture: RawPicture): Promise<Stamp> {
  const drawn = mark.kind === 'image' ? await imageStamp(mark.png, mark.placement, picture) : null;
  if (drawn) return drawn;
  const { placement = 'tiled', strength = 'normal' } = mark;
  const wanted = mark.kind === 'image' ? mark.name : mark.text;
  return textStamp({ text: textToDraw(wanted ?? '', mark.fallback), placement, strength }, picture);
}
