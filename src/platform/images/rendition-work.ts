/**
 * Lighter work of the picture process: another watermark over clean renditions, previews of a watermark, pictures of
 * organizations.
 */
import sharp from 'sharp';
import type {
  PreviewRequest,
  Rendition,
  RemarkRequest,
  RewriteRequest,
  RewrittenPicture,
} from '#src/platform/images/images.ts';
import { headerSegments } from '#src/shared/jpeg-header.ts';
import { encodeJpeg, opened, pixelsOfRendition, rawPixels } from '#src/platform/images/raw-pixels.ts';
import { RENDITION_PLAN } from '#src/platform/images/rendition-plan.ts';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';
import { seedOf, watermark } from '#src/platform/images/watermark.ts';

const PREVIEW_SIDE = 640;
const PREVIEW_QUALITY = 80;
const PREVIEW_SEED = [0.4, 0.3] as const;
const DQT = 0xdb;
/** First number of the luminance table of the JPEG standard, which qualities scale. */
const FIRST_STEP = 16;

/**
 * The same pixels with another watermark. Each size is decoded from its own clean rendition and written with that
 * rendition's own quality, so that pixels outside the watermark lose almost nothing (docs/decisions/0015-pixels.md).
 */
export async function remark({ clean, originalSha256, watermark: mark }: RemarkRequest): Promise<Rendition[]> {
  const renditions: Rendition[] = [];
  for (const { sizes, bytes } of clean) {
    const picture = await pixelsOfRendition(bytes);
    const { width, height } = picture;
    await watermark(picture, mark, seedOf(originalSha256));
    const encoded = await encodeJpeg(picture, qualityOf(bytes, sizes));
    for (const size of sizes) renditions.push({ size, mark: 'marked', width, height, ...encoded });
  }
  return renditions;
}

/** A JPEG of at most 640 px of the rendition, or of the built-in sample, with the watermark. */
export async function preview(request: PreviewRequest): Promise<Buffer> {
  const source = request.rendition === null ? samplePicture() : await pixelsOfRendition(request.rendition);
  const picture = await atMost(source, PREVIEW_SIDE);
  await watermark(picture, request.watermark, PREVIEW_SEED);
  const { bytes } = await encodeJpeg(picture, PREVIEW_QUALITY);
  return bytes;
}

async function atMost(picture: Awaited<ReturnType<typeof pixelsOfRendition>>, side: number) {
  if (Math.max(picture.width, picture.height) <= side) return picture;
  return rawPixels(opened(picture).resize(side, side, { fit: 'inside', kernel: 'cubic' }));
}

/** Which of the plan's two qualities a rendition was written with, judged by its quantization table. */
export function qualityOf(bytes: Buffer, sizes: RemarkRequest['clean'][number]['sizes']): number {
  const plan = RENDITION_PLAN.find(({ size }) => sizes.includes(size)) ?? RENDITION_PLAN[0];
  if (!plan) throw new Error('no rendition is planned');
  const table = headerSegments(bytes).segments.find(({ marker }) => marker === DQT);
  const first = table === undefined ? firstStep(plan.quality) : bytes[table.start + 1];
  return first === firstStep(plan.leanQuality) ? plan.leanQuality : plan.quality;
}

/** As libjpeg scales its tables, for qualities from 50 on. */
function firstStep(quality: number): number {
  return Math.floor((FIRST_STEP * (200 - 2 * quality) + 50) / 100);
}

const ORGANIZATION_PICTURE_MAX_PIXELS = 4_096 * 4_096;
const ORGANIZATION_PICTURE_QUALITY = 88;

/** A small picture of an organization encoded again: upright, in sRGB and without metadata. Null if it cannot be decoded. */
export async function rewrite({ picture, box, to }: RewriteRequest): Promise<RewrittenPicture | null> {
  try {
    const source = sharp(picture, { limitInputPixels: ORGANIZATION_PICTURE_MAX_PIXELS, failOn: 'error' }).autoOrient();
    const { format, autoOrient } = await source.metadata();
    const type = to === 'kept' ? (format === 'png' ? 'png' : 'jpeg') : to;
    const sized = box ? source.resize({ ...box, fit: 'inside', withoutEnlargement: true }) : source;
    const upright = sized.toColourspace('srgb');
    const bytes = await (
      type === 'png'
        ? upright.png({ compressionLevel: 9 })
        : upright.flatten({ background: '#ffffff' }).jpeg({ quality: ORGANIZATION_PICTURE_QUALITY, mozjpeg: true })
    ).toBuffer();
    return { bytes, type, source: { width: autoOrient.width, height: autoOrient.height } };
  } catch {
    return null;
  }
}

const SAMPLE_WIDTH = 640;
const SAMPLE_HEIGHT = 427;
const HORIZON = 0.42;

type Rgb = readonly [number, number, number];
const SKY: readonly [Rgb, Rgb] = [
  [88, 132, 178],
  [232, 206, 172],
];
const GRASS: readonly [Rgb, Rgb] = [
  [98, 140, 76],
  [44, 92, 48],
];
const LINE: Rgb = [232, 236, 226];

/**
 * For organizations that want to see their watermark before they have a photo: a field at dusk with a touch line, so that
 * the watermark is seen over light and dark.
 */
function samplePicture(): RawPicture {
  const data = Buffer.alloc(SAMPLE_WIDTH * SAMPLE_HEIGHT * 3);
  for (let y = 0; y < SAMPLE_HEIGHT; y++) {
    for (let x = 0; x < SAMPLE_WIDTH; x++) {
      const color = colorAt(x / SAMPLE_WIDTH, y / SAMPLE_HEIGHT);
      data.set(color, (y * SAMPLE_WIDTH + x) * 3);
    }
  }
  return { data, width: SAMPLE_WIDTH, height: SAMPLE_HEIGHT };
}

function colorAt(x: number, y: number): number[] {
  if (y < HORIZON) return between(SKY, y / HORIZON);
  const depth = (y - HORIZON) / (1 - HORIZON);
  // Mowing stripes run towards a point above the horizon.
  const across = (x - 0.5) / (0.25 + depth);
  const isLight = Math.floor(across * 7 + 100) % 2 === 0;
  if (Math.abs(across - 0.55) < 0.02 || Math.abs(depth - 0.18) < 0.008) return [...LINE];
  return between(GRASS, depth).map((level) => Math.min(255, level * (isLight ? 1.12 : 0.94)));
}

function between([from, to]: readonly [Rgb, Rgb], part: number): number[] {
  return from.map((level, channel) => level + ((to[channel] ?? level) - level) * part);
}
