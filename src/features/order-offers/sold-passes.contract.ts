/** Passes that were sold, as their order returns them (offers A.7, A.8). */
import * as z from 'zod/mini';

/** Shown to members. */
export const PASS_LOST_PHOTOS = 'This pass lost most of its photos. Offer a refund?';
/** The first characters of an order's address identify it for its buyer, and give no access. */
export const alreadyYours = (vanityId: string) => `You already have this pass (order ${vanityId.slice(0, 4)}…).`;

/** For a child that the buyer did not open, an unknown child, and a number that is not public (offers specification A.12). */
export const athletePassRefusal = 'An athlete pass needs the child’s card, or a number that everyone can search.';
/** Names no child. */
export const wornBySeveral = (number: string, players: number): string =>
  `${players === 2 ? 'Two' : players} players wear ${number}. Please use your card.`;

export const PASS_KINDS = ['gallery_pass', 'athlete_pass'] as const;
export type PassKind = (typeof PASS_KINDS)[number];

export const passAnswer = z.object({
  id: z.number(),
  kind: z.enum(PASS_KINDS),
  /** As on the receipt. */
  name: z.string(),
  /** Of a gallery pass. */
  gallery_id: z.nullable(z.number()),
  /** The last day on which new photos appear, `YYYY-MM-DD` in the seller's zone. */
  until: z.string(),
  /** "62 photos today. New ones appear here until 06.30.2027." */
  text: z.string(),
  photo_count: z.number(),
  /** Those among them that came since its last download; all before the first. */
  new_since_download: z.number(),
  /** Opens each of its photos; null while the order is not paid, and when the pass was refunded. */
  order_key: z.nullable(z.string()),
});
export type PassAnswer = z.infer<typeof passAnswer>;

/** An athlete pass that may be put into a cart. */
export const offeredPass = z.object({
  athlete_key: z.string(),
  /** "number 10": its name in carts and on receipts. */
  whose: z.string(),
  price: z.number(),
  /** What it opens today, and in how many galleries. */
  photos: z.number(),
  galleries: z.number(),
  /** One of them, which identifies the price sheet. */
  gallery_id: z.number(),
  sheet_id: z.number(),
  /** The last day on which new photos appear, `YYYY-MM-DD` in the seller's zone. */
  until: z.string(),
});
export type OfferedPass = z.infer<typeof offeredPass>;
