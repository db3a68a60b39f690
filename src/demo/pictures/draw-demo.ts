/** Draws the demo's pictures into files: JPEGs with EXIF, home images and marks. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { homeImages, marks, sponsorBanners } from './banners.ts';
import { gallerySlugs, picturesOf } from './catalogue.ts';
import type { PictureEntry } from './catalogue.ts';
import { exifOf } from './exif.ts';
import { takePicture } from './render.ts';
import type { Scene } from './render.ts';
import { scenes } from './scenes.ts';

/** A picture that weighs more is packed again at a lower quality. */
const maxBytes = 430_000;

export type DrawWish = {
  /** Only this gallery, or `homes`. */
  readonly gallery?: string;
  /** Only files that begin with this. */
  readonly file?: string;
  readonly told?: (line: string) => void;
};

/** Draws into `folder` (the project's `demo/pictures`); the same code always draws the same bytes on one machine. */
export async function drawDemo(folder: string, wish: DrawWish = {}): Promise<void> {
  for (const gallery of gallerySlugs) {
    if (wish.gallery && wish.gallery !== gallery) continue;
    await mkdir(join(folder, gallery), { recursive: true });
    for (const entry of picturesOf(gallery)) {
      if (wish.file && !entry.file.startsWith(wish.file)) continue;
      const scene = scenes[gallery][entry.file.replace('.jpg', '')];
      if (!scene) throw new Error(`no scene is called ${gallery}/${entry.file}`);
      const bytes = await photograph(scene(), entry);
      await writeFile(join(folder, gallery, entry.file), bytes);
      wish.told?.(`${gallery}/${entry.file} ${bytes.length}`);
    }
  }
  if (!wish.gallery || wish.gallery === 'homes') await drawHomes(folder, wish);
}

async function photograph(scene: Scene, entry: PictureEntry): Promise<Buffer> {
  const { data, width, height } = takePicture(scene);
  const upright = sharp(data, { raw: { width, height, channels: 3 } });
  const turn = entry.orientation === 6 ? 270 : entry.orientation === 8 ? 90 : 0;
  const stored = turn ? upright.rotate(turn) : upright;
  const pixels = await stored.raw().toBuffer({ resolveWithObject: true });
  const fresh = (): Sharp =>
    sharp(pixels.data, {
      raw: { width: pixels.info.width, height: pixels.info.height, channels: 3 },
    })
      .withExif(exifOf(entry, scene))
      .withMetadata({ orientation: entry.orientation });
  return packed(fresh, maxBytes);
}

async function packed(fresh: () => Sharp, limit: number): Promise<Buffer> {
  let quality = 82;
  for (;;) {
    const bytes = await fresh()
      .jpeg({
        quality,
        chromaSubsampling: '4:2:0',
        trellisQuantisation: true,
        overshootDeringing: true,
        quantisationTable: 3,
      })
      .toBuffer();
    if (bytes.length <= limit || quality <= 56) return bytes;
    quality = Math.max(56, quality - Math.ceil((bytes.length / limit - 1) * 22) - 1);
  }
}

async function drawHomes(folder: string, wish: DrawWish): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, scene] of Object.entries(homeImages)) {
    const { data, width, height } = takePicture(scene());
    const bytes = await packed(() => sharp(data, { raw: { width, height, channels: 3 } }).resize(1278, 500), 260_000);
    await writeFile(join(folder, `${name}.jpg`), bytes);
    wish.told?.(`${name}.jpg ${bytes.length}`);
  }
  for (const [name, drawing] of Object.entries({ ...marks, ...sponsorBanners })) {
    await writeFile(
      join(folder, `${name}.png`),
      await sharp(Buffer.from(drawing)).png({ palette: true, quality: 90 }).toBuffer(),
    );
    wish.told?.(`${name}.png`);
  }
}
