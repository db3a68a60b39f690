import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Watermark } from '#src/platform/images/images.ts';
import { layOutText } from '#src/platform/images/text-layout.ts';
import { seedOf, watermark } from '#src/platform/images/watermark.ts';

const SEED = [0.3, 0.6] as const;
const NAME: Watermark = { kind: 'text', text: 'Hawks Soccer Club' };

/** A plain picture of one gray, with the watermark. */
async function marked(
  mark: Watermark,
  width: number,
  height: number,
  gray = 128,
  seed: readonly [number, number] = SEED,
): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3, gray);
  await watermark({ data, width, height }, mark, seed);
  return data;
}

/** The share of pixels that differ from the gray, in a part of the picture. */
function covered(
  data: Buffer,
  width: number,
  window: { left: number; top: number; width: number; height: number },
  gray = 128,
): number {
  let count = 0;
  for (let y = window.top; y < window.top + window.height; y++) {
    for (let x = window.left; x < window.left + window.width; x++) {
      if (Math.abs((data[(y * width + x) * 3] ?? gray) - gray) > 8) count += 1;
    }
  }
  return count / (window.width * window.height);
}

/** How many separate watermarks a gray picture has. */
function islands(data: Buffer, width: number, height: number): number {
  const marked = new Set<number>();
  for (let at = 0; at < width * height; at++) if (data[at * 3] !== 128) marked.add(at);
  let count = 0;
  for (const first of marked) {
    count += 1;
    const open = [first];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (!marked.delete(at)) continue;
      for (const step of [-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1]) open.push(at + step);
    }
  }
  return count;
}

/** The lightest and the darkest value. */
function extremes(data: Buffer): [number, number] {
  return [
    data.reduce((most, value) => Math.max(most, value), 0),
    data.reduce((least, value) => Math.min(least, value), 255),
  ];
}

function png(width: number, height: number, alpha: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha } } })
    .png()
    .toBuffer();
}

describe('The name of the organization', () => {
  it.each([
    [1440, 960],
    [640, 427],
    [320, 213],
    [213, 320],
    [480, 480],
    [640, 200],
  ])('crosses a picture of %i x %i three times and leaves most of it clear', async (width, height) => {
    const data = await marked(NAME, width, height);
    for (const row of [0, 1, 2]) {
      const third = { left: 0, top: Math.floor((row * height) / 3), width, height: Math.floor(height / 3) };
      expect(covered(data, width, third)).toBeGreaterThan(0.005);
    }
    const whole = covered(data, width, { left: 0, top: 0, width, height });
    expect(whole).toBeGreaterThan(0.02);
    expect(whole).toBeLessThan(0.12);
  });

  it('is at most three times on a picture, so that faces can be read on a tile', async () => {
    const data = await marked({ kind: 'text', text: 'I' }, 640, 427);
    expect(islands(data, 640, 427)).toBe(3);
  });

  it('looks the same at every size', async () => {
    const [large, small] = await Promise.all([marked(NAME, 1440, 960), marked(NAME, 320, 213)]);
    const part = (data: Buffer, width: number, height: number): number =>
      covered(data, width, { left: 0, top: 0, width, height });
    expect(Math.abs(part(large, 1440, 960) - part(small, 320, 213))).toBeLessThan(0.1);
  });

  it('is finer in the lightbox than on a tile, relative to the picture', async () => {
    const [large, tile] = await Promise.all([marked(NAME, 1440, 960), marked(NAME, 480, 320)]);
    const [finer, usual] = [
      covered(large, 1440, { left: 0, top: 0, width: 1440, height: 960 }),
      covered(tile, 480, { left: 0, top: 0, width: 480, height: 320 }),
    ];
    expect(finer).toBeLessThan(usual * 0.75);
    expect(finer).toBeGreaterThan(0.02);
  });

  it.each([0, 40, 128, 215, 255])('is white at 22 %% with a dark edge of 12 %% on a ground of %i', async (gray) => {
    const [lightest, darkest] = extremes(await marked(NAME, 640, 427, gray));
    expect(lightest).toBeLessThanOrEqual(Math.ceil(gray + 0.225 * (255 - gray)));
    expect(darkest).toBeGreaterThanOrEqual(Math.floor(gray * 0.875));
    expect(lightest - darkest).toBeGreaterThan(24);
  });

  it('is fainter when light and clearer when strong', async () => {
    const [light, normal, strong] = await Promise.all(
      (['light', 'normal', 'strong'] as const).map(async (strength) =>
        extremes(await marked({ ...NAME, strength }, 640, 427)),
      ),
    );
    expect(light?.[0]).toBeLessThan(normal?.[0] ?? 0);
    expect(normal?.[0]).toBeLessThan(strong?.[0] ?? 0);
    expect(strong?.[1]).toBeLessThan(normal?.[1] ?? 0);
  });

  it('is not at the same position in every picture', async () => {
    const places = ['1'.repeat(64), 'a'.repeat(64)].map(seedOf);
    const [one, other] = await Promise.all(places.map((seed) => marked(NAME, 320, 213, 128, seed)));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false);
  });

  it('needs no fonts: a machine without any draws the same pixels', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sideline-no-fonts-'));
    try {
      const emptyFonts = join(folder, 'fonts.conf');
      await writeFile(emptyFonts, '<?xml version="1.0"?><fontconfig></fontconfig>');
      const program = `
        import { createHash } from 'node:crypto';
        import { watermark } from '#src/platform/images/watermark.ts';
        const data = Buffer.alloc(640 * 427 * 3, 128);
        await watermark({ data, width: 640, height: 427 }, ${JSON.stringify(NAME)}, [${SEED.join()}]);
        console.log(createHash('sha256').update(data).digest('hex'));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        env: { FONTCONFIG_FILE: emptyFonts, HOME: folder },
        cwd: join(import.meta.dirname, '../../..'),
      });
      expect(stdout.trim()).toBe(
        createHash('sha256')
          .update(await marked(NAME, 640, 427))
          .digest('hex'),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('Every name is drawn, as far as it can be', () => {
  const drawn = (text: string): string => JSON.stringify(layOutText(text).outlines);

  it.each([
    ['lower case is set in capitals', 'hawks', 'HAWKS'],
    ['a letter that is only written otherwise', 'Ｈａｗｋｓ', 'HAWKS'],
    ['one that is two', 'Straße', 'STRASSE'],
    ['Cyrillic that looks Latin', 'СНОР', 'CHOP'],
    ['what the fonts lack is left out', '東京 HAWKS 🦅', 'HAWKS'],
    ['nothing left: the fallback', '東京都', 'SIDELINE'],
    ['nothing given: the fallback', '', 'SIDELINE'],
    ['control characters are spaces', 'A\u0000\u0007B', 'A B'],
  ])('%s', (_, text, same) => {
    expect(drawn(text)).toBe(drawn(same));
  });

  it.each([
    ['a name that has every letter', 'Čápi Brno', 'ČÁPI BRNO'],
    ['one in Greek', 'Αετοί', 'ΑΕΤΟΊ'],
    ['one in Cyrillic', 'Ястребы', 'ЯСТРЕБЫ'],
    ['one in Kazakh', 'Қыран', 'ҚЫРАН'],
    ['one in polytonic Greek', 'Ἀετοί', 'ἈΕΤΟΊ'],
    ['one in Icelandic and Polish', 'Ægir Łódź', 'ÆGIR ŁÓDŹ'],
    ['one in Chinese', '東京都', 'tokyo-hawks'],
    ['one that lacks some letters', '東京 Hawks', 'tokyo-hawks'],
    ['one without any letter', '🦅', 'tokyo-hawks'],
  ])('%s is drawn as its name, or as its domain name', async (_, text, drawn) => {
    const asked = await marked({ kind: 'text', text, fallback: 'tokyo-hawks' }, 320, 213);
    expect(asked.equals(await marked({ kind: 'text', text: drawn }, 320, 213))).toBe(true);
  });

  it.each([
    ['É', 'E'],
    ['Ñ', 'N'],
    ['Ø', 'O'],
    ['Ł', 'L'],
    ['Й', 'И'],
    ['Ç', 'C'],
  ])('%s is not %s', (letter, plain) => {
    expect(drawn(`A${letter}A`)).not.toBe(drawn(`A${plain}A`));
  });

  it('every capital, digit and sign of a name differs from every other', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&.,-/()!?:+#*@ÆŒØÞΔΩЖЯЮ'];
    expect(new Set(letters.map((letter) => drawn(`AA${letter}`))).size).toBe(letters.length);
  });

  it('a long name is drawn on three lines and ends in dots', () => {
    const block = layOutText('The Extraordinarily Long Name of a Regional Youth Sports Association of the North');
    expect(block.height).toBe(44);
    expect(block.width).toBeLessThan(200);
  });

  it('any text is drawn at any size and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 24, max: 200 }),
        async (text, side) => {
          const data = await marked({ kind: 'text', text }, side, side);
          expect(data.some((value) => value !== 128)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('and a picture of one pixel works', async () => {
    expect(await marked(NAME, 1, 1)).toHaveLength(3);
  });
});

describe("The organization's uploaded watermark", () => {
  it('covers the picture evenly when tiled, and its strongest pixel ends at 30 % whether it was solid or faint', async () => {
    for (const alpha of [1, 0.3]) {
      const data = await marked({ kind: 'image', png: await png(250, 250, alpha), placement: 'tiled' }, 640, 427);
      for (const [left, top] of [
        [0, 0],
        [320, 0],
        [0, 213],
        [320, 213],
      ] as const) {
        expect(covered(data, 640, { left, top, width: 320, height: 213 })).toBeGreaterThan(0.3);
      }
      expect(Math.abs(extremes(data)[0] - (128 + 0.3 * 127))).toBeLessThanOrEqual(2);
    }
  });

  it('is in the middle once when centered', async () => {
    const data = await marked({ kind: 'image', png: await png(200, 200, 1), placement: 'centred' }, 600, 400);
    expect(covered(data, 600, { left: 250, top: 150, width: 100, height: 100 })).toBe(1);
    expect(covered(data, 600, { left: 0, top: 0, width: 150, height: 400 })).toBe(0);
  });

  it.each([
    ['an invisible one', () => png(50, 50, 0)],
    ['no picture', () => Promise.resolve(Buffer.from('GIF89a'))],
    ['a damaged one', async () => (await png(50, 50, 1)).fill(7, 40)],
    ['one cut off', async () => (await png(300, 300, 1)).subarray(0, 60)],
    [
      'one that claims 60000 x 60000',
      async () => {
        const bytes = await png(50, 50, 1);
        bytes.writeUInt32BE(60_000, 16);
        bytes.writeUInt32BE(60_000, 20);
        return bytes;
      },
    ],
    [
      'a JPEG',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .jpeg()
          .toBuffer(),
    ],
  ])('%s is replaced by the name', async (_, make) => {
    const mark: Watermark = { kind: 'image', png: await make(), placement: 'tiled', name: 'Hawks Soccer Club' };
    expect((await marked(mark, 320, 213)).equals(await marked(NAME, 320, 213))).toBe(true);
  });
});
