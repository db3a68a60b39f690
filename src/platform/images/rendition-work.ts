/** Lighter work of the picture process: another mark over clean renditions, measures of old photos, previews of a mark. */
import type { PictureMeasures, PreviewRequest, Rendition, RemarkRequest } from '#src/platform/images/images.ts';
import { headerSegments } from '#src/platform/images/jpeg-segments.ts';
import { measuresOf } from '#src/platform/images/picture-measures.ts';
import { encodeJpeg, opened, pixelsOfRendition, rawPixels } from '#src/platform/images/raw-pixels.ts';
import { RENDITION_PLAN } from '#src/platform/images/rendition-plan.ts';
import { samplePicture } from '#src/platform/images/sample-picture.ts';
import { seedOf, watermark } from '#src/platform/images/watermark.ts';

const PREVIEW_SIDE = 640;
const PREVIEW_QUALITY = 80;
const PREVIEW_SEED = [0.4, 0.3] as const;
const DQT = 0xdb;
/** First number of the luminance table of the JPEG standard, which qualities scale. */
const FIRST_STEP = 16;

/**
 * The same pixels under another mark. Each size is decoded from its own clean rendition and written with that rendition's
 * own quality, so that what the mark does not touch loses next to nothing (docs/decisions/0015-pixels.md).
 */
export async function remark({ clean, originalSha256, watermark: mark }: RemarkRequest): Promise<Rendition[]> {
  const renditions: Rendition[] = [];
  for (const { sizes, bytes } of clean) {
    const picture = await pixelsOfRendition(bytes);
    const { width, height } = picture;
    await watermark(picture, mark, seedOf(originalSha256));
    const encoded = await encodeJpeg(picture, qualityOf(bytes, sizes));
    for (const size of sizes) renditions.push({ size, mark: 'marked', format: 'jpeg', width, height, ...encoded });
  }
  return renditions;
}

/** Of a clean rendition. */
export async function measure(rendition: Buffer): Promise<PictureMeasures> {
  return measuresOf(await atMost(await pixelsOfRendition(rendition), PREVIEW_SIDE));
}

/** A JPEG of at most 640 px of the rendition, or of the built-in sample, under the mark. */
export async function preview(request: PreviewRequest): Promise<Buffer> {
  const source = request.rendition === null ? samplePicture() : await pixelsOfRendition(request.rendition);
  const picture = await atMost(source, PREVIEW_SIDE);
  await watermark(picture, request.watermark, PREVIEW_SEED);
  const { bytes } = await encodeJpeg(picture, PREVIEW_QUALITY);
  return bytes;
}

async function atMost(
  picture: Awaited<ReturnType<typeof pixelsOfRendition>>,
  side: number,
): Promise<Awaited<ReturnType<typeof pixelsOfRendition>>> {
  if (Math.max(picture.width, picture.height) <= side) return picture;
  return rawPixels(opened(picture).resize(side, side, { fit: 'inside', kernel: 'cubic' }));
}

/** Which of the plan's two qualities a rendition was written with, by its quantisation table. */
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
