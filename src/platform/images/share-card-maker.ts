/**
 * Makes share cards in the web process. It decodes only our own renditions, JPEGs of at most 1440 px that the
 * picture process wrote, and never the files of strangers. The decoder is loaded with the first card.
 */
import type sharpType from 'sharp';
import { CARD, darkCard, drawField, drawWords, type CardWords } from '#src/platform/images/share-card.ts';
import { problem } from '#src/shared/problem.ts';

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
