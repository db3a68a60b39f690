import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { develop } from '#src/platform/images/develop.ts';
import type { Developed, Rendition, RemarkRequest, Watermark } from '#src/platform/images/images.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { RENDITION_PLAN } from '#src/platform/images/rendition-plan.ts';
import { qualityOf, remark } from '#src/platform/images/rendition-work.ts';
import { watermark } from '#src/platform/images/watermark.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';

const lab = openPictureLab({ concurrency: 1 });
afterAll(() => lab.close());

const OLD: Watermark = { kind: 'text', text: 'Old' };
const NEW: Watermark = { kind: 'text', text: 'New mark', placement: 'centred' };
const logo = await sharp({
  create: { width: 60, height: 60, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 1 } },
})
  .png()
  .toBuffer();

async function developed(original: Buffer, mark: Watermark): Promise<Extract<Developed, { ok: true }>> {
  const result = await develop({ original, turns: 0, watermark: mark });
  if (!result.ok) throw new Error(result.problem);
  return result;
}

function cleanOf(renditions: readonly Rendition[]): RemarkRequest['clean'] {
  const same = Map.groupBy(
    renditions.filter(({ mark }) => mark === 'clean'),
    ({ sha256 }) => sha256,
  );
  return [...same.values()].map((group) => ({
    sizes: group.map(({ size }) => size),
    bytes: group[0]?.bytes ?? Buffer.alloc(0),
  }));
}

/** A picture so rich in detail that it is written with the leaner qualities. */
const rich = await sharp({
  create: {
    width: 1600,
    height: 1200,
    channels: 3,
    background: 'gray',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .jpeg({ quality: 95 })
  .toBuffer();

describe('a new watermark over clean renditions', () => {
  test('makes every size, as large as before, almost as developing would have made it', async () => {
    const original = await quartersJpeg(1600, 1000);
    const [first, direct] = [await developed(original, OLD), await developed(original, NEW)];
    const made = await lab.remark({
      clean: cleanOf(first.renditions),
      originalSha256: first.originalSha256,
      watermark: NEW,
    });
    expect(made.map(({ size }) => size).toSorted((one, other) => one - other)).toEqual([320, 480, 640, 960, 1440]);
    for (const rendition of made) {
      const wanted = direct.renditions.find(({ size, mark }) => size === rendition.size && mark === 'marked');
      expect(rendition).toMatchObject({ mark: 'marked', width: wanted?.width, height: wanted?.height });
      const [pixels, wantedPixels] = await Promise.all(
        [rendition, wanted].map((one) => sharp(one?.bytes).raw().toBuffer()),
      );
      const apart = (pixels ?? Buffer.alloc(0)).reduce(
        (sum, level, at) => sum + Math.abs(level - (wantedPixels?.[at] ?? 0)),
        0,
      );
      expect(apart / (pixels?.length ?? 1)).toBeLessThan(2);
      expect(Math.abs(rendition.bytes.length / (wanted?.bytes.length ?? 1) - 1)).toBeLessThan(0.1);
    }
  });

  test('uses one file for all sizes of a small picture', async () => {
    const first = await developed(await quartersJpeg(200, 150), OLD);
    const made = await remark({
      clean: cleanOf(first.renditions),
      originalSha256: first.originalSha256,
      watermark: { kind: 'image', png: logo, placement: 'tiled' },
    });
    expect(made).toHaveLength(5);
    expect(new Set(made.map(({ sha256 }) => sha256)).size).toBe(1);
  });

  test('has the quality of the clean file, rich or not', async () => {
    for (const [original, quality] of [
      [await quartersJpeg(1600, 1200), 'quality'],
      [rich, 'leanQuality'],
    ] as const) {
      const { renditions } = await developed(original, OLD);
      for (const plan of RENDITION_PLAN) {
        const clean = renditions.find(({ size, mark }) => size === plan.size && mark === 'clean');
        expect(qualityOf(clean?.bytes ?? Buffer.alloc(0), [plan.size])).toBe(plan[quality]);
      }
    }
  });

  test('fails for a damaged rendition, and the next picture works', async () => {
    const bytes = (await quartersJpeg(640, 480)).subarray(0, 900);
    await expect(
      lab.remark({ clean: [{ sizes: [640], bytes }], originalSha256: '0'.repeat(64), watermark: NEW }),
    ).rejects.toThrow();
    await expect(lab.preview({ rendition: bytes, watermark: NEW })).rejects.toThrow();
    const photo = await lab.preview({ rendition: await quartersJpeg(640, 480), watermark: NEW });
    expect(await sharp(photo).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 });
  });
});

describe('a preview', () => {
  test.each<Watermark>([
    OLD,
    NEW,
    { kind: 'image', png: logo, placement: 'centred', name: 'Hawks' },
    { kind: 'image', png: Buffer.from('no picture'), placement: 'tiled', name: 'Hawks' },
  ])('of %j is a small JPEG, of a photo and of the sample', async (mark) => {
    const photo = await lab.preview({ rendition: await quartersJpeg(1440, 960), watermark: mark });
    expect(await sharp(photo).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 427 });
    const sample = await lab.preview({ rendition: null, watermark: mark });
    expect(await sharp(sample).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 427 });
  });
});

describe('a centered text', () => {
  const touched = async (text: string, width: number, height: number) => {
    const data = Buffer.alloc(width * height * 3, 128);
    await watermark({ data, width, height }, { kind: 'text', text, placement: 'centred' }, [0.4, 0.3]);
    const at = (x: number, y: number) => data[(y * width + x) * 3] !== 128;
    let [inside, border] = [0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (!at(x, y)) continue;
        inside += 1;
        if (x === 0 || y === 0 || x === width - 1 || y === height - 1) border += 1;
      }
    }
    return { inside: inside / (width * height), border };
  };

  test.each([
    [1440, 960],
    [960, 1440],
    [320, 213],
    [640, 160],
  ])('is complete in a picture of %d x %d', async (width, height) => {
    for (const text of ['Hi', 'Hawks Soccer Club', 'Youth Soccer Association of the Great Lakes']) {
      const { inside, border } = await touched(text, width, height);
      expect(inside).toBeGreaterThan(0.005);
      expect(border).toBe(0);
    }
  });

  test('never fails, whatever the text and the size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 200 }),
        async (text, width, height) => {
          await touched(text, width, height);
        },
      ),
      { numRuns: 60 },
    );
  });
});
