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
import { layOutText } from '#src/platform/images/watermark-lines.ts';
import { seedOf, watermark } from '#src/platform/images/watermark.ts';

const SEED = [0.3, 0.6] as const;
const NAME: Watermark = { kind: 'text', text: 'Hawks Soccer Club' };

/** A plain picture of one grey, marked. */
async function marked(
  mark: Watermark,
  width: number,
  height: number,
  grey = 128,
  seed: readonly [number, number] = SEED,
): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3, grey);
  await watermark({ data, width, height }, mark, seed);
  return data;
}

/** Part of the pixels that differ from the grey, in a window of the picture. */
function covered(
  data: Buffer,
  width: number,
  window: { left: number; top: number; width: number; height: number },
  grey = 128,
): number {
  let count = 0;
  for (let y = window.top; y < window.top + window.height; y++) {
    for (let x = window.left; x < window.left + window.width; x++) {
      if (Math.abs((data[(y * width + x) * 3] ?? grey) - grey) > 8) count += 1;
    }
  }
  return count / (window.width * window.height);
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

describe('The name of the organisation', () => {
  it.each([
    [1440, 960],
    [640, 427],
    [320, 213],
    [213, 320],
    [480, 480],
  ])('covers a picture of %i x %i evenly: every sixteenth of it is marked', async (width, height) => {
    const data = await marked(NAME, width, height);
    for (const column of [0, 1, 2, 3]) {
      for (const row of [0, 1, 2, 3]) {
        const cell = {
          left: Math.floor((column * width) / 4),
          top: Math.floor((row * height) / 4),
          width: Math.floor(width / 4),
          height: Math.floor(height / 4),
        };
        expect(covered(data, width, cell)).toBeGreaterThan(0.03);
      }
    }
    expect(covered(data, width, { left: 0, top: 0, width, height })).toBeGreaterThan(0.1);
  });

  it('looks alike at every size', async () => {
    const [large, small] = await Promise.all([marked(NAME, 1440, 960), marked(NAME, 320, 213)]);
    const part = (data: Buffer, width: number, height: number): number =>
      covered(data, width, { left: 0, top: 0, width, height });
    expect(Math.abs(part(large, 1440, 960) - part(small, 320, 213))).toBeLessThan(0.1);
  });

  it.each([0, 40, 128, 215, 255])('stands out from a ground of %i, by 30 % and never more', async (grey) => {
    const data = await marked(NAME, 640, 427, grey);
    const [lightest, darkest] = extremes(data);
    expect(lightest - darkest).toBeGreaterThan(50);
    expect(lightest).toBeLessThanOrEqual(Math.ceil(grey + 0.305 * (255 - grey)));
    expect(darkest).toBeGreaterThanOrEqual(Math.floor(grey * 0.695));
  });

  it('is not at the same place in every picture', async () => {
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
  const drawn = (text: string): string => JSON.stringify(layOutText(text).strokes);

  it.each([
    ['lower case is set in capitals', 'hawks', 'HAWKS'],
    ['a letter that is only written otherwise', 'Ｈａｗｋｓ', 'HAWKS'],
    ['one that is two', 'Straße', 'STRASSE'],
    ['Cyrillic that looks Latin', 'СНОР', 'CHOP'],
    ['what the alphabet lacks is left out', '東京 HAWKS 🦅', 'HAWKS'],
    ['nothing left: the fallback', '東京都', 'SIDELINE'],
    ['nothing given: the fallback', '', 'SIDELINE'],
    ['control characters are spaces', 'A\u0000\u0007B', 'A B'],
  ])('%s', (_, text, same) => {
    expect(drawn(text)).toBe(drawn(same));
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

  it('a long name is set on three lines and ends in dots', () => {
    const block = layOutText('The Extraordinarily Long Name of a Regional Youth Sports Association of the North');
    expect(block.height).toBe(44);
    expect(block.width).toBeLessThan(200);
  });

  it('any text at all, at any size, is marked and never fails', async () => {
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

  it('and a picture of one pixel survives it', async () => {
    expect(await marked(NAME, 1, 1)).toHaveLength(3);
  });
});

describe("The organisation's own mark", () => {
  it('tiled, covers the picture evenly, and its strongest pixel ends at 30 % whether it comes solid or faint', async () => {
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

  it('centred, stands in the middle once', async () => {
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
