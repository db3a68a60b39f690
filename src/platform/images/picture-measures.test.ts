import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { MOST_BITS_APART, SOFT_BELOW } from '#src/features/contributors/similar-photos.rules.ts';
import { develop } from '#src/platform/images/develop.ts';
import { dhashOf, sharpnessOf } from '#src/platform/images/picture-measures.ts';
import { pixelsOfRendition, thumbhashOf } from '#src/platform/images/raw-pixels.ts';

/** The number of bits in which two hashes differ. */
function bitsApart(one: string, other: string): number {
  const bits = (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2);
  return bits.replaceAll('0', '').length;
}

/** Light and dark fields in an order that depends on the seed, with fine grain. */
function scene(seed: number, grain = 40, width = 640, height = 420) {
  let state = seed;
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const fields = Array.from({ length: 108 }, () => 40 + random() * 170);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const field = fields[Math.floor((y * 9) / height) * 12 + Math.floor((x * 12) / width)] ?? 0;
      data.fill(Math.round(field + (random() - 0.5) * grain), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { data, width, height };
}
const jpegOf = ({ data, width, height }: ReturnType<typeof scene>) =>
  sharp(data, { raw: { width, height, channels: 3 } });

describe('the thumbhash of a picture', () => {
  test('looks like one that is made from a careful reduction of the same picture', async () => {
    for (const [seed, width, height] of [
      [3, 320, 213],
      [4, 213, 320],
      [5, 320, 7],
    ] as const) {
      const picture = scene(seed, 40, width, height);
      const { data, info } = await jpegOf(picture)
        .resize(40, 40, { fit: 'inside' })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const careful = thumbHashToRGBA(rgbaToThumbHash(info.width, info.height, data));
      const ours = thumbHashToRGBA(thumbhashOf(picture));
      expect([ours.w, ours.h]).toEqual([careful.w, careful.h]);
      const apart = ours.rgba.reduce((sum, level, at) => sum + Math.abs(level - (careful.rgba[at] ?? 0)), 0);
      expect(apart / ours.rgba.length).toBeLessThan(10);
    }
  });

  test('of a few pixels is made from just these', () => {
    const hash = thumbhashOf({ data: Buffer.from([200, 100, 50, 10, 20, 30]), width: 2, height: 1 });
    expect(hash).toEqual(Buffer.from(rgbaToThumbHash(2, 1, [200, 100, 50, 255, 10, 20, 30, 255])));
  });
});

describe('dHash', () => {
  test('has sixteen hex digits, all zeros for an even area', () => {
    expect(dhashOf(scene(1))).toMatch(/^[0-9a-f]{16}$/);
    expect(dhashOf({ data: Buffer.alloc(300, 9), width: 10, height: 10 })).toBe('0'.repeat(16));
    expect(dhashOf({ data: Buffer.from([1, 2, 3]), width: 1, height: 1 })).toBe('0'.repeat(16));
  });

  test('is nearly the same for the same scene in other sizes, light and quality, and differs for others', async () => {
    const picture = scene(7);
    const of = async (image: Sharp) => {
      const developed = await develop({
        original: await image.jpeg({ quality: 70 }).toBuffer(),
        turns: 0,
        watermark: { kind: 'text', text: 'x' },
      });
      return developed.ok ? developed.facts.dhash : '';
    };
    const base = await of(jpegOf(picture));
    for (const same of [
      jpegOf(picture).resize(300),
      jpegOf(picture).modulate({ brightness: 1.15 }),
      jpegOf(picture).extract({ left: 6, top: 4, width: 628, height: 412 }),
    ])
      expect(bitsApart(base, await of(same))).toBeLessThanOrEqual(MOST_BITS_APART);
    for (const seed of [8, 9, 10, 11])
      expect(bitsApart(base, await of(jpegOf(scene(seed))))).toBeGreaterThan(MOST_BITS_APART);
  });
});

describe('sharpness', () => {
  test('falls with blur, is 0 for an even area and for pictures that are too small', async () => {
    const sharpOnes = sharpnessOf(scene(3));
    const { data } = await jpegOf(scene(3)).blur(4).raw().toBuffer({ resolveWithObject: true });
    expect(sharpOnes).toBeGreaterThan(SOFT_BELOW);
    expect(sharpnessOf({ data, width: 640, height: 420 })).toBeLessThan(SOFT_BELOW);
    expect(sharpnessOf({ data: Buffer.alloc(640 * 420 * 3, 100), width: 640, height: 420 })).toBe(0);
    expect(sharpnessOf({ data: Buffer.alloc(300), width: 10, height: 10 })).toBe(0);
  });

  test('does not fall for a sharp player before a blurred background', async () => {
    const { data } = await jpegOf(scene(3)).blur(6).raw().toBuffer({ resolveWithObject: true });
    const player = scene(4);
    for (let y = 120; y < 300; y++)
      player.data.copy(data, (y * 640 + 240) * 3, (y * 640 + 240) * 3, (y * 640 + 400) * 3);
    expect(sharpnessOf({ data, width: 640, height: 420 })).toBeGreaterThan(SOFT_BELOW);
  });
});

test('both are nearly the same when measured later from the clean rendition', async () => {
  const original = await jpegOf(scene(5)).jpeg({ quality: 92 }).toBuffer();
  const developed = await develop({ original, turns: 0, watermark: { kind: 'text', text: 'x' } });
  if (!developed.ok) throw new Error(developed.problem);
  const clean = developed.renditions.find(({ size, mark }) => size === 640 && mark === 'clean');
  const later = await pixelsOfRendition(clean?.bytes ?? Buffer.alloc(0));
  expect(bitsApart(dhashOf(later), developed.facts.dhash)).toBeLessThanOrEqual(3);
  expect(sharpnessOf(later) / developed.facts.sharpness).toBeGreaterThan(0.6);
  expect(sharpnessOf(later) / developed.facts.sharpness).toBeLessThan(1.6);
});

const PHOTOS = join(import.meta.dirname, '../../../../shared/photos/nature');

test.skipIf(!existsSync(PHOTOS))('real photographs: none is similar to another, none is blurred', async () => {
  const measures = [];
  for (const name of readdirSync(PHOTOS).filter((file) => file.endsWith('.jpg'))) {
    const original = readFileSync(join(PHOTOS, name));
    const developed = await develop({ original, turns: 0, watermark: { kind: 'text', text: 'x' } });
    if (developed.ok) measures.push(developed.facts);
  }
  for (const [at, one] of measures.entries()) {
    expect(one.sharpness).toBeGreaterThan(SOFT_BELOW);
    for (const other of measures.slice(at + 1))
      expect(bitsApart(one.dhash, other.dhash)).toBeGreaterThan(MOST_BITS_APART);
  }
});
