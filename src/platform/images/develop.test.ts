import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { develop } from '#src/platform/images/develop.ts';
import { encodeJpeg, loadEncoder, rawPixels } from '#src/platform/images/raw-pixels.ts';
import { RENDITION_PLAN } from '#src/platform/images/rendition-plan.ts';
import { qualityOf } from '#src/platform/images/rendition-work.ts';
import { DAMAGED } from '#src/shared/photo-limits.ts';
import { type Developed, type RenditionMark } from '#src/platform/images/images.ts';
import { RENDITION_SIZES, type RenditionSize } from '#src/shared/picture-sizes.ts';
import {
  BLUE,
  exifSegment,
  gpsTags,
  GREEN,
  iptcSegment,
  quarters,
  quartersJpeg,
  RED,
  WHITE,
  withSegments,
  xmpSegment,
} from '#tests/support/pictures.ts';

const MARK = { kind: 'text', text: 'Hawks Soccer Club' } as const;
const PHOTOS = join(import.meta.dirname, '../../../../shared/photos');

type Ready = Extract<Developed, { ok: true }>;
type Turns = 0 | 1 | 2 | 3;

async function developed(original: Buffer, turns: Turns = 0): Promise<Ready> {
  const result = await develop({ original, turns, watermark: MARK });
  if (!result.ok) throw new Error(result.problem);
  return result;
}

function rendition(result: Ready, size: RenditionSize, mark: RenditionMark): Ready['renditions'][number] {
  const found = result.renditions.find((each) => each.size === size && each.mark === mark);
  if (!found) throw new Error(`no ${mark} rendition of ${size}`);
  return found;
}

/** The colors in the middle of the four quarters: above left, above right, below left, below right. */
async function colors(bytes: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
      return [...data.subarray(at, at + 3)];
    }),
  );
}

function expectColors(actual: number[][], expected: readonly (readonly number[])[], tolerance = 14): void {
  for (const [at, color] of expected.entries()) {
    for (const [channel, value] of color.entries()) {
      expect(Math.abs((actual[at]?.[channel] ?? -999) - value)).toBeLessThanOrEqual(tolerance);
    }
  }
}

/** Pixels as a camera stores them that was held so that viewers must apply this orientation. */
async function storedFor(orientation: number): Promise<Buffer> {
  const upright = sharp(quarters(120, 80), { raw: { width: 120, height: 80, channels: 3 } });
  const undo: Record<number, (image: Sharp) => Sharp> = {
    1: (image) => image,
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.flip().rotate(90),
    6: (image) => image.rotate(270),
    7: (image) => image.flop().rotate(90),
    8: (image) => image.rotate(90),
  };
  const jpeg = await (undo[orientation] ?? ((image) => image))(upright).jpeg({ quality: 95 }).toBuffer();
  return withSegments(jpeg, exifSegment({ little: orientation % 2 === 0, main: [[0x0112, [orientation]]] }));
}

describe('Orientation', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('%i is applied exactly once, in every rendition', async (orientation) => {
    const result = await developed(await storedFor(orientation));
    expect([result.facts.width, result.facts.height]).toEqual([120, 80]);
    for (const { bytes, width, height, mark } of result.renditions) {
      expect([width, height]).toEqual([120, 80]);
      if (mark === 'clean') expectColors(await colors(bytes), [RED, GREEN, BLUE, WHITE]);
    }
  });

  it.each([
    [1, [BLUE, RED, WHITE, GREEN], [80, 120]],
    [2, [WHITE, BLUE, GREEN, RED], [120, 80]],
    [3, [GREEN, WHITE, RED, BLUE], [80, 120]],
  ] as const)('%i clockwise quarter turns by the owner are added to each', async (turns, expected, size) => {
    for (const orientation of [1, 5, 6, 7, 8]) {
      const result = await developed(await storedFor(orientation), turns);
      expect([result.facts.width, result.facts.height]).toEqual(size);
      expectColors(await colors(rendition(result, 1440, 'clean').bytes), expected);
    }
  });

  it.each([0, 9, 255])('%i is not an orientation and counts as none', async (orientation) => {
    const result = await developed(
      withSegments(await quartersJpeg(120, 80), exifSegment({ main: [[0x0112, [orientation]]] })),
    );
    expect(result.facts).toMatchObject({ width: 120, height: 80 });
    expectColors(await colors(rendition(result, 320, 'clean').bytes), [RED, GREEN, BLUE, WHITE]);
  });
});

/** Structure of several sizes, without the finest grain. */
async function leaves(width: number, height: number): Promise<Buffer> {
  const create = {
    width: Math.ceil(width / 5),
    height: Math.ceil(height / 5),
    channels: 3,
    background: 'gray',
    noise: { type: 'gaussian', mean: 128, sigma: 50 },
  } as const;
  const grown = sharp({ create }).resize(width, height, { fit: 'fill', kernel: 'cubic' });
  return grown.jpeg({ quality: 92 }).toBuffer();
}

function meanDifference(one: Buffer, other: Buffer): number {
  expect(one).toHaveLength(other.length);
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}

describe('Sizes', () => {
  it('have the long side they are named for, and the proportions of the picture', async () => {
    const result = await developed(await quartersJpeg(3000, 2000));
    const sizes = Object.fromEntries(result.renditions.map(({ size, width, height }) => [size, [width, height]]));
    expect(sizes).toEqual({ 1440: [1440, 960], 960: [960, 640], 640: [640, 427], 480: [480, 320], 320: [320, 213] });
    expect(result.renditions).toHaveLength(10);
    expect(result.facts).toMatchObject({ width: 3000, height: 2000 });
  });

  // Both ends of what is halved while it is decoded, and a file between them.
  it.each([
    [2880, 400],
    [3334, 404],
    [4318, 406],
    // Sizes that are half of another one.
    [2880, 2160],
  ])('a picture of %i x %i pixels keeps its details, in their places', async (width, height) => {
    const original = await leaves(width, height);
    const result = await developed(original);
    for (const size of [1440, 480, 320] as const) {
      const clean = rendition(result, size, 'clean');
      const careful = await sharp(original).resize(clean.width, clean.height, { fit: 'fill' }).raw().toBuffer();
      const plain = await sharp(careful, { raw: { width: clean.width, height: clean.height, channels: 3 } })
        .jpeg({ quality: qualityOf(clean.bytes, [size]) })
        .toBuffer();
      const lossOf = async (jpeg: Buffer) => meanDifference(await sharp(jpeg).raw().toBuffer(), careful);
      expect(await lossOf(clean.bytes)).toBeLessThan((await lossOf(plain)) * 1.1);
    }
  });

  it('never enlarge: sizes above the picture share the bytes of one rendition', async () => {
    const result = await developed(await quartersJpeg(500, 400));
    for (const mark of ['clean', 'marked'] as const) {
      const large = rendition(result, 1440, mark);
      expect([large.width, large.height]).toEqual([500, 400]);
      expect(rendition(result, 640, mark)).toMatchObject({ width: 500, height: 400, sha256: large.sha256 });
      expect(rendition(result, 640, mark).bytes).toBe(large.bytes);
      expect(rendition(result, 480, mark)).toMatchObject({ width: 480, height: 384 });
    }
  });

  it.each([
    [1, 1],
    [50, 1],
    [1, 50],
    [5000, 100],
  ])('a picture of %i x %i has all of them', async (width, height) => {
    const result = await developed(await quartersJpeg(width, height));
    expect(result.renditions.map(({ size }) => size).toSorted()).toEqual(
      [...RENDITION_SIZES, ...RENDITION_SIZES].toSorted(),
    );
    for (const { bytes, ...said } of result.renditions) {
      const { width: w, height: h } = await sharp(bytes).metadata();
      expect([w, h]).toEqual([said.width, said.height]);
      expect(Math.max(w, h)).toBeLessThanOrEqual(said.size);
    }
  });
});

describe('Quality', () => {
  const SIDE = 1440;
  // The rows by which the first file's quality is guessed.
  const isSampled = (row: number) => [240, 720, 1200].some((from) => row >= from && row < from + 16);

  it.each([
    ['has detail everywhere', 'lean', () => true],
    ['has none', 'full', () => false],
    ['has detail only where it is guessed from', 'full', isSampled],
    ['has detail everywhere else', 'lean', (row: number) => !isSampled(row)],
  ] as const)('of a picture that %s is %s in each file', async (_, quality, isRich) => {
    const create = { width: SIDE, height: SIDE, channels: 3, background: 'gray' } as const;
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const pixels = await sharp({ create: { ...create, noise } })
      .raw()
      .toBuffer();
    for (let row = 0; row < SIDE; row++) if (!isRich(row)) pixels.fill(128, row * SIDE * 3, (row + 1) * SIDE * 3);
    const original = await sharp(pixels, { raw: create }).jpeg({ quality: 95 }).toBuffer();
    const { renditions } = await developed(original);
    for (const { size, bytes } of renditions) {
      const plan = RENDITION_PLAN.find((one) => one.size === size);
      expect(qualityOf(bytes, [size])).toBe(quality === 'lean' ? plan?.leanQuality : plan?.quality);
    }
  });
});

describe('Color', () => {
  it.each([
    ['grayscale', (image: Sharp) => image.toColourspace('b-w')],
    ['CMYK', (image: Sharp) => image.toColourspace('cmyk')],
    ['progressive', (image: Sharp) => image],
  ])('%s becomes plain sRGB', async (kind, change) => {
    const image = sharp(quarters(60, 40), { raw: { width: 60, height: 40, channels: 3 } });
    const jpeg = await change(image)
      .jpeg({ progressive: kind === 'progressive', quality: 95 })
      .toBuffer();
    const { bytes } = rendition(await developed(jpeg), 320, 'clean');
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3, chromaSubsampling: '4:2:0' });
    const [, , , white] = await colors(bytes);
    expect(Math.min(...(white ?? []))).toBeGreaterThan(215);
  });

  it('wide colors (Display P3) come out as the same colors in sRGB', async () => {
    const image = sharp(quarters(60, 40), { raw: { width: 60, height: 40, channels: 3 } });
    const wide = await image.withIccProfile('p3').jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer();
    const plain = await sharp(wide).raw().toBuffer();
    const { data: stored } = await sharp(wide, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
    // The file does store other numbers than sRGB has for these colors, else this test would show nothing.
    expect(stored.equals(plain)).toBe(false);
    expectColors(await colors(rendition(await developed(wide), 320, 'clean').bytes), [RED, GREEN, BLUE, WHITE]);
  });
});

describe.each([
  ['a small picture', 400],
  ['a picture that is halved while it is decoded', 3000],
])('Damage of %s', (_, width) => {
  const rich = sharp({
    create: {
      width,
      height: 300,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

  it.each([
    [0.3, false],
    [0.9, false],
    [0.5, true],
  ])('a file cut at %d (progressive: %s) is refused', async (part, progressive) => {
    const jpeg = await rich.clone().jpeg({ progressive }).toBuffer();
    const result = await develop({
      original: jpeg.subarray(0, Math.floor(jpeg.length * part)),
      turns: 0,
      watermark: MARK,
    });
    expect(result).toEqual({ ok: false, problem: DAMAGED });
  });

  it('a file with a hole, or with zeros to its end, is refused', async () => {
    const jpeg = await rich.clone().jpeg().toBuffer();
    const middle = jpeg.length >> 1;
    const hole = Buffer.concat([jpeg.subarray(0, middle), jpeg.subarray(middle + 2_000)]);
    const zeros = Buffer.from(jpeg).fill(0, middle);
    for (const original of [hole, zeros]) {
      expect(await develop({ original, turns: 0, watermark: MARK })).toEqual({ ok: false, problem: DAMAGED });
    }
  });

  it('odd scan parameters and stray bytes, which cameras do write, are forgiven', async () => {
    const jpeg = await rich.clone().jpeg().toBuffer();
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const odd = Buffer.from(jpeg);
    odd[scan + 2 + odd.readUInt16BE(scan + 2) - 2] = 0;
    const stray = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([1, 2, 3]), jpeg.subarray(-2)]);
    for (const original of [odd, stray]) expect((await developed(original)).renditions).toHaveLength(10);
  });
});

describe('What a rendition carries', () => {
  it('no metadata and nothing that hung on the file', async () => {
    const secret = 'TELL-NOBODY';
    const original = Buffer.concat([
      withSegments(
        await quartersJpeg(700, 500),
        exifSegment({ main: [[0x010e, secret]], gps: gpsTags(40.5, -73.9) }),
        xmpSegment(`<x xmp:Note="${secret}"/>`),
        iptcSegment([[120, secret]]),
      ),
      Buffer.from(`<script>${secret}</script>`),
    ]);
    const result = await developed(original);
    expect(result.facts.iptc.caption).toBe(secret);
    for (const { bytes, sha256 } of result.renditions) {
      const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, icc }).toEqual({});
      expect(bytes.includes(secret)).toBe(false);
      expect(bytes.length).toBeLessThan(400_000);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('the watermark in the marked copies only, the same for the same bytes', async () => {
    const original = await quartersJpeg(1600, 1200);
    const [first, second] = [await developed(original), await developed(original)];
    for (const size of RENDITION_SIZES) {
      const [clean, marked] = [rendition(first, size, 'clean'), rendition(first, size, 'marked')];
      expect(marked.sha256).not.toBe(clean.sha256);
      expect(rendition(second, size, 'marked').sha256).toBe(marked.sha256);
    }
    expect(first.originalSha256).toBe(second.originalSha256);
    expect(first.facts.thumbhash.length).toBeGreaterThan(4);
  });

  it('the watermark where the hash of the file puts it, computed or known', async () => {
    const original = await quartersJpeg(1600, 1200);
    const computed = await developed(original);
    const { originalSha256 } = computed;
    expect(await develop({ original, originalSha256, turns: 0, watermark: MARK })).toEqual(computed);
    const other = await develop({ original, originalSha256: 'ab'.repeat(32), turns: 0, watermark: MARK });
    expect(other).toMatchObject({ originalSha256: 'ab'.repeat(32) });
    expect(other).not.toMatchObject({ renditions: computed.renditions });
  });

  it('even a picture that is nothing but detail stays quick on a phone', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 70 } as const;
    const original = await sharp({ create: { width: 1440, height: 1080, channels: 3, background: 'gray', noise } })
      .jpeg({ quality: 92 })
      .toBuffer();
    const result = await developed(original);
    const plain = await sharp(original).jpeg({ quality: 78 }).toBuffer();
    expect(rendition(result, 1440, 'clean').bytes.length).toBeLessThan(plain.length * 0.85);
  });

  it('the same pixels where only sharp can write it', async () => {
    const picture = await rawPixels(sharp(await quartersJpeg(700, 500)));
    const encoder = loadEncoder();
    expect(encoder).not.toBeNull();
    const [one, other] = [await encodeJpeg(picture, 78, encoder), await encodeJpeg(picture, 78, null)];
    expect(one.sha256).not.toBe(other.sha256);
    expect(Math.abs(one.bytes.length / other.bytes.length - 1)).toBeLessThan(0.02);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect(meanDifference(await pixels(one.bytes), await pixels(other.bytes))).toBeLessThan(1);
  });

  it('a picture that is larger than any rendition, by sharp', async () => {
    const picture = (width: number, height: number) => ({ data: Buffer.alloc(width * height * 3, 99), width, height });
    const both = (of: ReturnType<typeof picture>) => Promise.all([encodeJpeg(of, 78), encodeJpeg(of, 78, null)]);
    const [wide, wideBySharp] = await both(picture(1441, 8));
    expect(wide).toEqual(wideBySharp);
    const [tall, tallBySharp] = await both(picture(8, 1441));
    expect(tall).toEqual(tallBySharp);
    const [largest, largestBySharp] = await both(picture(1440, 8));
    expect(largest).not.toEqual(largestBySharp);
  });
});

describe.skipIf(!existsSync(PHOTOS))('Real photographs (skipped where ../shared/photos is missing)', () => {
  const files = (folder: string): string[] =>
    existsSync(PHOTOS) ? readdirSync(join(PHOTOS, folder)).map((name) => join(PHOTOS, folder, name)) : [];

  it('orientation/landscape_2 to landscape_8 land upright, like landscape_1', async () => {
    const pixels = async (n: number): Promise<Buffer> => {
      const result = await developed(readFileSync(join(PHOTOS, `orientation/landscape_${n}.jpg`)));
      expect([result.facts.width, result.facts.height]).toEqual([600, 450]);
      return sharp(rendition(result, 480, 'clean').bytes)
        .resize(60, 45)
        .raw()
        .toBuffer();
    };
    const upright = await pixels(1);
    for (const number of [2, 3, 4, 5, 6, 7, 8])
      expect(meanDifference(upright, await pixels(number)), String(number)).toBeLessThan(6);
  });

  it.each(['cameras', 'nature', 'phones'])('every file of %s develops, without a byte of EXIF', async (folder) => {
    for (const file of files(folder)) {
      const { renditions } = await developed(readFileSync(file));
      for (const { bytes } of renditions) {
        expect(bytes.includes('Exif')).toBe(false);
        expect(bytes.length).toBeLessThan(400_000);
      }
    }
  });
});
