import sharp from 'sharp';
import { readFacts } from '#src/platform/images/facts.ts';
import { halved } from '#src/platform/images/halved.ts';
import { checkHeader, type JpegHeader } from '#src/platform/images/header-check.ts';
import type { Developed, DevelopRequest, PictureMeasures, Rendition } from '#src/platform/images/images.ts';
import { dhashOf, sharpnessOf, SHARPNESS_SIZE } from '#src/platform/images/picture-measures.ts';
import { uprightOf, type Upright } from '#src/platform/images/exif.ts';
import {
  encodeJpeg,
  meansOfFour,
  opened,
  rawPixels,
  sha256,
  type Encoded,
  thumbhashOf,
} from '#src/platform/images/raw-pixels.ts';
import { release } from '#src/platform/images/release.ts';
import { RENDITION_PLAN, RICH_BYTES_PER_PIXEL, type RenditionPlan } from '#src/platform/images/rendition-plan.ts';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';
import { seedOf, watermark } from '#src/platform/images/watermark.ts';
import { DAMAGED, MAX_PIXELS } from '#src/shared/photo-limits.ts';

type Size = { width: number; height: number };

/** Decoder messages that mean missing or wrong picture data; other warnings are about odd encoders. */
const DAMAGE = /premature end|bad huffman|found marker/i;
/** Below this size even a picture rich in detail (a small one, an old camera's) loads quickly on a phone. */
const SMALL_FILE = 250_000;
/** The lean file of a rich picture has at most this part of the bytes of the other (docs/decisions/0169-guessed-and-prepared.md). */
const LEAN_PART = 0.76;
const SAMPLED_ROWS = 16;
const SAMPLED_AT = [1 / 6, 1 / 2, 5 / 6];
/** Of 255: what reducing the picture adds to a gray corner. */
const NEARLY_GRAY = 6;
const LARGEST = RENDITION_PLAN[0]?.size ?? 1440;

/**
 * Develops a photo at ingest: reads the header, decodes once at a reduced size, and turns it upright; then from large
 * to small: makes the next size, writes the clean copy, draws the watermark over the same pixels, writes the marked
 * copy. Runs in the picture process only. Returns a refusal as a message for the owner; throws only on our own faults.
 *
 * Renditions are sRGB, 8 bit, three channels, without any metadata. Nothing is enlarged: sizes
 * above the picture's own share the bytes of one rendition.
 */
export async function develop(request: DevelopRequest<Buffer>): Promise<Developed> {
  const { original, turns } = request;
  const check = checkHeader(original);
  if (!check.ok) return check;
  const stored = await decode(original, check.header);
  if (!stored) return { ok: false, problem: DAMAGED };
  const upright = uprightOf(original, turns);
  const picture = await turned(stored, upright);
  const originalSha256 = request.originalSha256 ?? sha256(original);
  const facts = await readFacts(original);
  const { renditions, ...seen } = await makeRenditions(picture, request, seedOf(originalSha256));
  return {
    ok: true,
    originalSha256,
    facts: { ...facts, ...uprightSize(check.header, upright), ...seen },
    renditions,
  };
}

/** The pixels, reduced during decoding, as stored; null if the picture data are broken or cut off. */
async function decode(original: Buffer, header: JpegHeader): Promise<RawPicture | null> {
  const size = fitted(header, LARGEST);
  try {
    const half = isHalvable(header)
      ? await halved(original, (file) => reduced(file, size, 'warning', 'lanczos3'))
      : null;
    return half && !endsGray(half) ? half : await reduced(original, size, 'warning');
  } catch (error) {
    if (DAMAGE.test(String(error))) return null;
  }
  return reduced(original, size, 'truncated').catch(() => null);
}

/** Whether sharp would decode every pixel although half of them in each direction are enough. */
function isHalvable({ width, height }: JpegHeader): boolean {
  return Math.floor(Math.max(width, height) / LARGEST) === 2;
}

/**
 * True if data may be missing in the last rows, which decoders leave gray. libvips looks for missing data before each
 * strip; in halved pictures it does not learn about the last one.
 */
function endsGray({ data }: RawPicture): boolean {
  return data.subarray(-3).every((value) => Math.abs(value - 128) <= NEARLY_GRAY);
}

/** Halving leaves slightly softer pixels than decoding, which the kernel makes up for. */
function reduced(
  source: Buffer | string,
  { width, height }: Size,
  failOn: 'warning' | 'truncated',
  kernel: 'cubic' | 'lanczos3' = 'cubic',
): Promise<RawPicture> {
  const image = sharp(source, { failOn, limitInputPixels: MAX_PIXELS, autoOrient: false });
  return rawPixels(image.resize(width, height, { fit: 'fill', kernel }).toColourspace('srgb').removeAlpha());
}

/** Turns the reduced pixels, not the camera's; most pictures need no turn. */
async function turned(picture: RawPicture, { mirrored, quarterTurns }: Upright): Promise<RawPicture> {
  if (!mirrored && quarterTurns === 0) return picture;
  const upright = await rawPixels(
    opened(picture)
      .flop(mirrored)
      .rotate(quarterTurns * 90),
  );
  release(picture.data);
  return upright;
}

/** Every size with and without watermark, and what needs the pixels: thumbhash, hash, sharpness. */
async function makeRenditions(
  largest: RawPicture,
  { watermark: mark }: Pick<DevelopRequest, 'watermark'>,
  seed: readonly [number, number],
): Promise<{ renditions: Rendition[]; thumbhash: Buffer } & PictureMeasures> {
  const renditions: Rendition[] = [];
  let thumbhash: Buffer = Buffer.alloc(0);
  const measures: PictureMeasures = { dhash: '', sharpness: 0 };
  let picture = largest;
  let rich: boolean | null = null;
  const groups = distinctSizes(largest);
  const halves = new Map<Size, RawPicture>();
  for (const [plans, next] of groups) {
    const [plan] = plans;
    const { width, height } = picture;
    const half = groups.find(([, size]) => size?.width === width / 2 && size.height === height / 2)?.[1];
    if (half) halves.set(half, meansOfFour(picture));
    const smaller = next && (halves.get(next) ?? (await shrunk(picture, next)));
    // Before the watermark is drawn over the same pixels.
    if (plans.some(({ size }) => size === SHARPNESS_SIZE)) measures.sharpness = sharpnessOf(picture);
    if (!smaller) {
      thumbhash = thumbhashOf(picture);
      measures.dhash = dhashOf(picture);
    }
    for (const each of ['clean', 'marked'] as const) {
      if (each === 'marked') await watermark(picture, mark, seed);
      let encoded: Encoded;
      // The first file predicts the others.
      if (rich === null) ({ encoded, rich } = await encodedFirst(picture, plan));
      else encoded = await encodeJpeg(picture, rich ? plan.leanQuality : plan.quality);
      for (const { size } of plans) renditions.push({ size, mark: each, width, height, ...encoded });
    }
    release(picture.data);
    if (smaller) picture = smaller;
  }
  return { renditions, thumbhash, ...measures };
}

function shrunk(picture: RawPicture, { width, height }: Size): Promise<RawPicture> {
  return rawPixels(opened(picture).resize(width, height, { fit: 'fill', kernel: 'cubic' }));
}

/** The planned sizes, with equal results grouped (of a small picture), each with the size to make after it. */
function distinctSizes(largest: Size): [plans: [RenditionPlan, ...RenditionPlan[]], next: Size | null][] {
  const groups: { size: Size; plans: [RenditionPlan, ...RenditionPlan[]] }[] = [];
  for (const plan of RENDITION_PLAN) {
    const size = fitted(largest, plan.size);
    const last = groups.at(-1);
    if (last?.size.width === size.width && last.size.height === size.height) last.plans.push(plan);
    else groups.push({ size, plans: [plan] });
  }
  return groups.map(({ plans }, index) => [plans, groups[index + 1]?.size ?? null]);
}

/** The first file, and whether the picture is rich, which only a whole file says for certain. */
async function encodedFirst(picture: RawPicture, plan: RenditionPlan): Promise<{ encoded: Encoded; rich: boolean }> {
  const lean = (await looksRich(picture, plan)) ? await encodeJpeg(picture, plan.leanQuality) : null;
  if (lean && isRich(lean.bytes.length / LEAN_PART, picture)) return { encoded: lean, rich: true };
  const encoded = await encodeJpeg(picture, plan.quality);
  if (!isRich(encoded.bytes.length, picture)) return { encoded, rich: false };
  return { encoded: lean ?? (await encodeJpeg(picture, plan.leanQuality)), rich: true };
}

/** Guesses by three strips of rows, so that most rich pictures need no file of the higher quality. */
async function looksRich({ data, width, height }: RawPicture, { quality }: RenditionPlan): Promise<boolean> {
  if (width * height * RICH_BYTES_PER_PIXEL < SMALL_FILE) return false;
  const strips = SAMPLED_AT.map((part) => {
    const from = Math.floor(height * part) * width * 3;
    return data.subarray(from, from + SAMPLED_ROWS * width * 3);
  });
  const sample = { data: Buffer.concat(strips), width, height: SAMPLED_ROWS * strips.length };
  return (await encodeJpeg(sample, quality)).bytes.length > width * sample.height * RICH_BYTES_PER_PIXEL;
}

function isRich(bytes: number, { width, height }: Size): boolean {
  return bytes > width * height * RICH_BYTES_PER_PIXEL && bytes > SMALL_FILE;
}

/** The size with this long side; never larger than the picture, never less than a pixel. */
function fitted({ width, height }: Size, longSide: number): Size {
  const part = Math.min(1, longSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) };
}

function uprightSize({ width, height }: Size, { quarterTurns }: Upright): Size {
  return quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width };
}
