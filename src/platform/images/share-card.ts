/**
 * The picture of a shared link: 1200 × 630, a photo with two lines of text, or the text alone. Made in the web process:
 * it decodes only our own renditions, JPEGs of at most 1440 px, and its own drawing, never uploaded files. The text is
 * drawn as outlines, because a bare machine has no fonts. The decoder is loaded with the first card.
 */
import type sharpType from 'sharp';
import { layOutText, penFor, type TextShape } from '#src/platform/images/text-layout.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { accentTokens } from '#src/shared/color.ts';
import { problem } from '#src/shared/problem.ts';

export type CardWords = {
  /** The larger line: a gallery, an organization. */
  title: string;
  /** The smaller line below it; empty: none. */
  subtitle: string;
  /** `#rrggbb` of the organization. */
  color: string;
};

export type ShareCardMaker = ReturnType<typeof openShareCardMaker>;

const CARD = { width: 1200, height: 630 } as const;
/** Beyond this, callers are refused: a crawler retries. */
const MAX_WAITING = 23;
const MAX_PIXELS = 1_440 * 1_440;
/** Wider photos fill the card; others are shown whole on its right. */
const FILLS_FROM_RATIO = 1.25;
const QUALITY = 82;

const PAPER = '#fbfaf7';
const STAGE = '#14161a';
const MARGIN = 64;
const STRIP = 12;
const LINE_GAP = 30;
const TITLE: TextShape = { lineLetters: 22, maxLines: 2, align: 'left' };
const NARROW_TITLE: TextShape = { lineLetters: 15, maxLines: 3, align: 'left' };
const SUBTITLE: TextShape = { lineLetters: 40, maxLines: 1, align: 'left' };
const NARROW_SUBTITLE: TextShape = { lineLetters: 22, maxLines: 2, align: 'left' };
/** Half of the pen on the grid of the letters, whose capitals are 10 high. */
const PEN = 0.95;

type Sharp = typeof sharpType;

export function openShareCardMaker() {
  const limit = createConcurrencyLimit({ atOnce: 1, waiting: MAX_WAITING, full: notNow });
  let decoder: Promise<Sharp> | null = null;

  async function draw(photo: Buffer | null, words: CardWords): Promise<Buffer> {
    const sharp = await (decoder ??= loadDecoder());
    const shown = photo === null ? null : await fitted(sharp, photo);
    const drawing = Buffer.from(drawingOf(words, shown?.left ?? 0, shown !== null));
    return sharp({ create: { ...CARD, channels: 3, background: STAGE } })
      .composite([...(shown ? [shown] : []), { input: drawing }])
      .jpeg({ quality: QUALITY })
      .toBuffer();
  }

  return {
    /**
     * A JPEG of 1200 × 630: the photo (a rendition; null: none) with the text over it. One at a time.
     * @throws unavailable if too many are waiting
     */
    make: (photo: Buffer | null, words: CardWords) => limit.run(() => draw(photo, words)),
  };
}

const notNow = () => problem('unavailable', 'This picture is not available right now.', { retryAfterSeconds: 5 });

async function loadDecoder(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadSvgBuffer'] });
  return sharp;
}

/** The photo over the whole card, or whole on its right. */
async function fitted(sharp: Sharp, photo: Buffer) {
  const picture = sharp(photo, { limitInputPixels: MAX_PIXELS });
  const { width, height } = await picture.metadata();
  const isWide = width / height >= FILLS_FROM_RATIO;
  const sized = picture.resize(isWide ? { ...CARD, fit: 'cover', position: 'attention' } : { height: CARD.height });
  const pixels = sized.removeAlpha().toColourspace('srgb').raw();
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  return { input: data, raw, left: CARD.width - info.width, top: 0 };
}

/** Everything over the photo, as SVG. `photoLeft`: where the photo begins; 0 if it fills the card or there is none. */
function drawingOf(words: CardWords, photoLeft: number, hasPhoto: boolean): string {
  const isNarrow = photoLeft > 0;
  const width = isNarrow ? photoLeft : CARD.width;
  const size = { maxWidth: width - 2 * MARGIN, base: CARD.height - STRIP - MARGIN + 12 };
  const subtitle =
    words.subtitle === ''
      ? null
      : written(words.subtitle, { ...size, shape: isNarrow ? NARROW_SUBTITLE : SUBTITLE, capital: 22, opacity: 0.85 });
  const shape = isNarrow ? NARROW_TITLE : TITLE;
  const title = written(words.title, { ...size, base: subtitle?.top ?? size.base, shape, capital: 50, opacity: 1 });
  const { accent } = accentTokens(words.color).light;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}">
    ${hasPhoto ? '' : FIELD}${isNarrow ? '' : SHADE}
    <rect y="${CARD.height - STRIP}" width="${width}" height="${STRIP}" fill="${accent}"/>
    ${subtitle?.path ?? ''}${title.path}</svg>`;
}

/** The lines of a field, faintly. */
const FIELD = `<g fill="none" stroke="${PAPER}" stroke-width="4" opacity="0.1">
  <circle cx="${CARD.width / 2}" cy="${CARD.height / 2}" r="150"/><path d="M${CARD.width / 2} 0V${CARD.height}"/></g>`;

/** The lower part is darkened, so that text is readable over any photo. */
const SHADE = `<linearGradient id="shade" x2="0" y2="1">${[0, 0.25, 0.5, 0.75, 1]
  .map((depth) => `<stop offset="${depth}" stop-color="${STAGE}" stop-opacity="${0.86 * depth * (2 - depth)}"/>`)
  .join('')}</linearGradient><rect y="45%" width="100%" height="55%" fill="url(#shade)"/>`;

type Line = { shape: TextShape; capital: number; maxWidth: number; base: number; opacity: number };

/** Text above `base`, smaller if it is too long; `top` is the base of the next line above. */
function written(text: string, { shape, capital, maxWidth, base, opacity }: Line): { path: string; top: number } {
  const block = layOutText(text, shape);
  const scale = Math.min(capital / 10, maxWidth / Math.max(block.width, 1));
  const top = base - block.height * scale;
  const [left, middle] = [MARGIN + (block.width * scale) / 2, top + (block.height * scale) / 2];
  const lines = block.outlines.map((outline) => {
    const points = outline.map((value, at) => (value * scale + (at % 2 === 0 ? left : middle)).toFixed(2));
    return `M${points.join(' ')}Z`;
  });
  const pen = 2 * penFor(Math.max(1.2, PEN * scale), scale);
  const path = `<path d="${lines.join('')}" fill="${PAPER}" fill-rule="evenodd" stroke="${PAPER}" stroke-width="${pen}" stroke-linejoin="round" opacity="${opacity}"/>`;
  return { path, top: top - LINE_GAP };
}
