/**
 * The picture of a shared link: 1200 × 630, a photo with two lines of words, or the words alone. Drawn with the watermark's
 * letters, because a bare machine has no fonts.
 */
import type sharpType from 'sharp';
import { penFor, layOutText, type TextShape } from '#src/platform/images/text-layout.ts';
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';
import { boundsOf, fillInside, squaredDistances } from '#src/platform/images/watermark-text.ts';
import { accentTokens } from '#src/shared/color.ts';
import { problem } from '#src/shared/problem.ts';

export const CARD = { width: 1200, height: 630 } as const;

export type CardWords = {
  /** The larger line: a gallery, an organization. */
  title: string;
  /** Below it, smaller; empty: none. */
  subtitle: string;
  /** `#rrggbb` of whose it is. */
  color: string;
};

type Rgb = readonly [number, number, number];
type Point = { x: number; y: number };

const PAPER: Rgb = [251, 250, 247];
const STAGE: Rgb = [20, 22, 26];
const MARGIN = 64;
const STRIP = 12;
const LINE_GAP = 30;
const TITLE: TextShape = { lineLetters: 22, maxLines: 2, align: 'left' };
const NARROW_TITLE: TextShape = { lineLetters: 15, maxLines: 3, align: 'left' };
const SUBTITLE: TextShape = { lineLetters: 40, maxLines: 1, align: 'left' };
const NARROW_SUBTITLE: TextShape = { lineLetters: 22, maxLines: 2, align: 'left' };
/** Half of the pen on the grid of the letters, whose capitals are 10 high. */
const PEN = 0.95;

/** An even ground in the dark of the stage. */
function darkCard(): RawPicture {
  const card = { data: Buffer.alloc(CARD.width * CARD.height * 3), ...CARD };
  for (let at = 0; at < card.data.length; at += 3) paint(card.data, at, STAGE, 1);
  return card;
}

/** The lines of a field, faintly, if there is no photo; in place. */
function drawField(card: RawPicture): RawPicture {
  const [middleX, middleY] = [CARD.width / 2, CARD.height / 2];
  const circle = Array.from({ length: 97 }, (_, step) => {
    const angle = (step / 96) * 2 * Math.PI;
    return [middleX + 150 * Math.cos(angle), middleY + 150 * Math.sin(angle)];
  }).flat();
  draw(card, [circle, [middleX, 0, middleX, CARD.height]], { pen: 2, color: PAPER, opacity: 0.1 });
  return card;
}

/** Draws the words over the card, in place. `photoLeft`: where the photo begins; 0 if it fills the card. */
function drawWords(card: RawPicture, words: CardWords, photoLeft: number): void {
  const isNarrow = photoLeft > 0;
  const maxWidth = (isNarrow ? photoLeft : CARD.width) - 2 * MARGIN;
  if (!isNarrow) darkenBottom(card);
  const color = rgbOf(accentTokens(words.color).light.accent);
  fill(card, { top: CARD.height - STRIP, height: STRIP, width: isNarrow ? photoLeft : CARD.width }, color);
  let base = CARD.height - STRIP - MARGIN + 12;
  if (words.subtitle !== '')
    base = write(card, words.subtitle, {
      shape: isNarrow ? NARROW_SUBTITLE : SUBTITLE,
      capital: 22,
      maxWidth,
      base,
      opacity: 0.85,
    });
  write(card, words.title, { shape: isNarrow ? NARROW_TITLE : TITLE, capital: 50, maxWidth, base, opacity: 1 });
}

type Line = { shape: TextShape; capital: number; maxWidth: number; base: number; opacity: number };

/** Writes upward from `base`, smaller if the words are too long. Returns the base of the next line above. */
function write(card: RawPicture, text: string, { shape, capital, maxWidth, base, opacity }: Line): number {
  const block = layOutText(text, shape);
  const scale = Math.min(capital / 10, maxWidth / Math.max(block.width, 1));
  const top = base - block.height * scale;
  const middle: Point = { x: MARGIN + (block.width * scale) / 2, y: top + (block.height * scale) / 2 };
  const lines = block.outlines.map((outline) =>
    outline.map((value, at) => value * scale + (at % 2 === 0 ? middle.x : middle.y)),
  );
  draw(card, lines, { pen: penFor(Math.max(1.2, PEN * scale), scale), color: PAPER, opacity, isFilled: true });
  return top - LINE_GAP;
}

function draw(
  card: RawPicture,
  lines: number[][],
  { pen, color, opacity, isFilled = false }: { pen: number; color: Rgb; opacity: number; isFilled?: boolean },
): void {
  if (lines.length === 0) return;
  const box = boundsOf(lines, pen + 2);
  const squares = squaredDistances(lines, box, pen + 1.5);
  if (isFilled) fillInside(squares, lines, box);
  for (let y = Math.max(0, -box.top); y < box.height && box.top + y < card.height; y++) {
    for (let x = Math.max(0, -box.left); x < box.width && box.left + x < card.width; x++) {
      const square = squares[y * box.width + x] ?? Infinity;
      if (square === Infinity) continue;
      const cover = Math.min(1, Math.max(0, pen + 0.5 - Math.sqrt(square)));
      if (cover > 0) paint(card.data, ((box.top + y) * card.width + box.left + x) * 3, color, cover * opacity);
    }
  }
}

function darkenBottom(card: RawPicture): void {
  const from = Math.round(card.height * 0.45);
  for (let y = from; y < card.height; y++) {
    const depth = (y - from) / (card.height - from);
    const opacity = 0.86 * depth * (2 - depth);
    for (let x = 0; x < card.width; x++) paint(card.data, (y * card.width + x) * 3, STAGE, opacity);
  }
}

function fill(card: RawPicture, area: { top: number; height: number; width: number }, color: Rgb): void {
  for (let y = area.top; y < area.top + area.height; y++)
    for (let x = 0; x < area.width; x++) paint(card.data, (y * card.width + x) * 3, color, 1);
}

function paint(data: Buffer, at: number, [red, green, blue]: Rgb, opacity: number): void {
  const keep = 1 - opacity;
  data[at] = Math.round((data[at] ?? 0) * keep + red * opacity);
  data[at + 1] = Math.round((data[at + 1] ?? 0) * keep + green * opacity);
  data[at + 2] = Math.round((data[at + 2] ?? 0) * keep + blue * opacity);
}

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/**
 * Makes share cards in the web process. It decodes only our own renditions, JPEGs of at most 1440 px that the
 * picture process wrote, and never the files of strangers. The decoder is loaded with the first card.
 */
export type ShareCardMaker = {
  /**
   * A JPEG of 1200 × 630: the photo (a rendition; null: none) with the words upon it. One at a time.
   * @throws unavailable when many are waiting already
   */
  make(photo: Buffer | null, words: CardWords): Promise<Buffer>;
};

/** Beyond this, callers are refused: a crawler tries again. */
const MAX_WAITING = 24;
const MAX_PIXELS = 1_440 * 1_440;
/** Wider photos fill the card; others are shown whole at its right. */
const FILLS_FROM_RATIO = 1.25;
const QUALITY = 82;

type Sharp = typeof sharpType;

export function openShareCardMaker(): ShareCardMaker {
  let decoder: Promise<Sharp> | null = null;
  let waiting = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function draw(photo: Buffer | null, words: CardWords): Promise<Buffer> {
    const sharp = await (decoder ??= loadDecoder());
    const { card, photoLeft } =
      photo === null ? { card: drawField(darkCard()), photoLeft: 0 } : await place(sharp, photo);
    drawWords(card, words, photoLeft);
    return sharp(card.data, { raw: { ...CARD, channels: 3 } })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  }

  return {
    make(photo, words) {
      if (waiting >= MAX_WAITING)
        throw problem('unavailable', 'This picture cannot be made just now.', { retryAfterSeconds: 5 });
      waiting += 1;
      const made = queue.then(() => draw(photo, words)).finally(() => (waiting -= 1));
      queue = made.catch(() => undefined);
      return made;
    },
  };
}

async function loadDecoder(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer'] });
  return sharp;
}

async function place(sharp: Sharp, photo: Buffer) {
  const picture = sharp(photo, { limitInputPixels: MAX_PIXELS });
  const { width, height } = await picture.metadata();
  if (width / height >= FILLS_FROM_RATIO) {
    const { data } = await picture
      .resize({ ...CARD, fit: 'cover', position: 'attention' })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { card: { data, ...CARD }, photoLeft: 0 };
  }
  const { data, info } = await picture
    .resize({ height: CARD.height })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const card = darkCard();
  const photoLeft = CARD.width - info.width;
  for (let y = 0; y < info.height; y++)
    data.copy(card.data, (y * CARD.width + photoLeft) * 3, y * info.width * 3, (y + 1) * info.width * 3);
  return { card, photoLeft };
}
