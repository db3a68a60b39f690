import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '#tests/load/open-bench.ts';
import sharp, { type Sharp } from 'sharp';

/** Real camera and phone files, if the machine has them; never copied into the repository. */
export const SHARED_PHOTOS = new URL('../../../shared/photos/', import.meta.url).pathname;

/** Dimensions and quality of common cameras' pictures. */
type Size = readonly [width: number, height: number, quality: number];
const SIZES: readonly Size[] = [
  [4032, 3024, 86],
  [5184, 3456, 88],
  [6000, 4000, 90],
];

/** Wavelength in pixels, and amplitude. */
const WAVES = [
  [400, 60],
  [60, 40],
  [12, 24],
  [3, 14],
  [1, 4],
] as const;

/** Draws photos with structure at every scale and grain, as large as camera files (3-8 MB); their files. */
async function drawCameraPhotos(sizes: readonly Size[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sideline-photos-'));
  const files: string[] = [];
  for (const [width, height, quality] of sizes) {
    const file = join(folder, `${width}x${height}.jpg`);
    await writeFile(file, await (await drawPhoto(width, height)).jpeg({ quality }).toBuffer());
    files.push(file);
  }
  return files;
}

/** The drawn photos, once for all rows of a run. */
export const cameraPhotos = (bench: Bench): Promise<string[]> =>
  bench.once('camera photos', () => drawCameraPhotos(bench.pick(SIZES, SIZES.slice(0, 1))));

/** The shared files of the named folders (`phones`, `cameras`, …), none if they are missing. */
export async function sharedPhotos(...folders: string[]): Promise<string[]> {
  const lists = folders.map(async (folder) => {
    const names = await readdir(join(SHARED_PHOTOS, folder)).catch(() => []);
    return names.filter((name) => name.endsWith('.jpg')).map((name) => join(SHARED_PHOTOS, folder, name));
  });
  return (await Promise.all(lists)).flat();
}

/** The pixels of a drawn photo: layers of noise of several wavelengths, like clouds, leaves, grass and grain. */
async function drawPhoto(width: number, height: number): Promise<Sharp> {
  const sum = Buffer.alloc(width * height * 3, 128);
  for (const [grain, sigma] of WAVES) {
    const layer = await noise(width, height, grain, sigma);
    for (let at = 0; at < sum.length; at++) {
      sum[at] = Math.min(255, Math.max(0, (sum[at] as number) + (layer[at] as number) - 128));
    }
  }
  return sharp(sum, { raw: { width, height, channels: 3 } });
}

function noise(width: number, height: number, grain: number, sigma: number): Promise<Buffer> {
  const [columns, rows] = [Math.ceil(width / grain), Math.ceil(height / grain)];
  const create = {
    width: columns,
    height: rows,
    channels: 3,
    background: 'grey',
    noise: { type: 'gaussian', mean: 128, sigma },
  } as const;
  return sharp({ create }).resize(width, height, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer();
}
