/** Arithmetic and decisions of an order: its price, whether it needs a card, whether the buyer saw this price. All in cents. */
import type { OrderStatus, PlaceOrderBody, QuoteBody } from '#src/features/orders/orders.contract.ts';
import type { OfferedGallery } from '#src/features/photos/photos.rules.ts';
import { cents, sumCents, type Cents } from '#src/shared/money.ts';

/** A photo that this caller may see and buy, as the photos module prices it. */
type SellablePhoto = {
  id: number;
  galleryId: number;
  organizationId: number;
  name: string;
  priceCents: number;
};
/** With its price sheet. */
export type OfferedPhoto = SellablePhoto & {
  /** Its own price is above its gallery's. */
  hasOwnPrice: boolean;
  /** Null if its gallery has no price sheet. */
  offered: OfferedGallery | null;
};

/** `priceCents` is the single price, `paidCents` what is paid after offers and reduction. */
export type OrderLine = { photoId: number; galleryId: number; name: string; priceCents: Cents; paidCents: Cents };
export type Totals = { subtotalCents: Cents; taxCents: Cents; donationCents: Cents; totalCents: Cents };

/** How often charges that were left behind are checked. The scheduler's minute is too long for a waiting buyer. */
export const SWEEP_EVERY_SECONDS = 10;

/** Card minimum of the platform's processor (rule 20). */
export const MINIMUM_CHARGE_CENTS = cents(50);

/** A gallery of a cart or an order, with the goal that it shows. */
export type GalleryWithGoal = {
  id: number;
  name: string;
  goal: { recipient: string; raisedCents: number; targetCents: number } | null;
};

type Item = { id: number; gallery_id: number };

/** The same photo twice is one line (bad input 92); the first one stays. */
export function distinctItems<Wanted extends Item>(items: readonly Wanted[]): Wanted[] {
  const seen = new Set<number>();
  return items.filter((item) => !seen.has(item.id) && seen.add(item.id));
}

/** Items that this caller cannot buy here: deleted, hidden, of another seller, or sent with another gallery (rule 51). */
export function unavailableItems(items: readonly Item[], photos: readonly SellablePhoto[], organizationId: number) {
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  return items
    .filter((item) => {
      const photo = byId.get(item.id);
      return photo?.galleryId !== item.gallery_id || photo.organizationId !== organizationId;
    })
    .map((item) => item.id);
}

/** Lines in the order of the cart; every item must be among the photos. */
export function linesOf(items: readonly Item[], photos: readonly SellablePhoto[]): OrderLine[] {
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  return items.map(({ id }) => {
    const photo = byId.get(id);
    if (!photo) throw new Error(`photo ${id} was not priced`);
    const priceCents = cents(photo.priceCents);
    return { photoId: photo.id, galleryId: photo.galleryId, name: photo.name, priceCents, paidCents: priceCents };
  });
}

export function subtotalOf(lines: readonly OrderLine[]): Cents {
  return sumCents(lines.map((line) => line.priceCents));
}

export function totalsOf(subtotalCents: Cents, taxCents: Cents, donationCents: Cents): Totals {
  return { subtotalCents, taxCents, donationCents, totalCents: sumCents([subtotalCents, taxCents, donationCents]) };
}

/** Less cannot be charged by card (rule 20). */
export function isBelowMinimum(totalCents: number): boolean {
  return totalCents < MINIMUM_CHARGE_CENTS;
}

/** A charge is needed unless the total is exactly zero. */
export function chargeNeeded(totalCents: Cents): boolean {
  return totalCents !== 0;
}

/** Whether any amount differs from what the buyer saw; then nothing may be charged (rule 15). */
export function differsFromSeen(body: PlaceOrderBody, lines: readonly OrderLine[], totals: Totals): boolean {
  const priceById = new Map(lines.map((line) => [line.photoId, line.priceCents]));
  return (
    body.items.some((item) => priceById.get(item.id) !== item.sales_price) ||
    body.order.subtotal !== totals.subtotalCents ||
    body.order.taxes !== totals.taxCents
  );
}

/** The galleries of a cart in its order, then those of which it has only a pass. */
export function galleriesOf({ items, passes }: Pick<QuoteBody, 'items' | 'passes'>): number[] {
  return [...new Set([...items.map((item) => item.gallery_id), ...passes.flatMap((pass) => pass.gallery_id ?? [])])];
}

/** Where a donation goes unless the buyer chooses: the first gallery of the cart that has a goal, else the first (rule 60). */
export function usualDonationGallery(galleries: readonly { id: number; goal: object | null }[]): number | null {
  return (galleries.find((gallery) => gallery.goal !== null) ?? galleries[0])?.id ?? null;
}

/**
 * What was ordered, as text for its hash: all that the buyer chose and saw, in one spelling, and nothing of the card.
 * The same checkout key must come with the same text (rule 20).
 */
export function orderContent(body: PlaceOrderBody): string {
  const { user, ...order } = body.order;
  return JSON.stringify([
    order.org_id,
    [user.first_name, user.last_name, user.email.toLowerCase(), user.zip || null],
    [
      order.subtotal,
      order.taxes,
      order.donation,
      order.donation_gallery_id ?? null,
      ...(order.charge === undefined ? [] : [order.charge]),
    ],
    distinctItems(body.items)
      .map((item) => [item.id, item.gallery_id, item.sales_price])
      .toSorted(([a = 0], [b = 0]) => a - b),
    // Left out if there are none, so that keys from before there were offers still match.
    ...(body.codes.length + body.passes.length > 0 ? [codesAndPassesOf(body)] : []),
  ]);
}

const codesAndPassesOf = ({ codes, passes }: PlaceOrderBody) => [
  codes.map((code) => code.trim().toLowerCase()).toSorted(),
  passes.map((pass) => JSON.stringify([pass.kind, pass.gallery_id ?? null, pass.athlete_key ?? null])).toSorted(),
];

type Dispute = { status: 'open' | 'won' | 'lost' };

/** An open or lost dispute takes precedence over refunds: the money is held or gone, and none of it may be paid out. */
export function statusOfSold(totalCents: number, refundedCents: number, disputes: readonly Dispute[]) {
  if (disputes.some((dispute) => dispute.status !== 'won')) return 'disputed';
  if (refundedCents <= 0) return 'paid';
  return refundedCents >= totalCents ? 'refunded' : 'partially_refunded';
}

/** The steps from a known status of a dispute to its new one: one that is first seen when it is closed was open before. */
export function stepsOfDispute(known: Dispute['status'] | undefined, now: Dispute['status']) {
  const steps: ('opened' | 'won' | 'lost')[] = known === undefined ? ['opened'] : [];
  if (now !== 'open' && (known === undefined || known === 'open')) steps.push(now);
  return steps;
}

/** What was sold, for the counters; with negative amounts, what was refunded. */
export type CountedSale = {
  /** How often each line was sold: once; -1 for a full refund, 0 for a partial one. */
  count?: -1 | 0 | 1;
  lines: readonly { photoId: number; galleryId: number; priceCents: number }[];
  /** What passes brought to galleries; they count no photos. */
  passParts: readonly { galleryId: number; priceCents: number }[];
  /** Null without a donation. */
  donation: { galleryId: number; cents: number } | null;
};

/** One sale for every line. */
export function salesByPhoto({
  lines,
  count = 1,
}: CountedSale): { photoId: number; count: number; salesCents: number }[] {
  return lines.map((line) => ({ photoId: line.photoId, count, salesCents: line.priceCents }));
}

/** Lines summed by gallery; the donation counts for its own gallery, even without a sale there. */
export function salesByGallery({ lines, passParts, donation, count = 1 }: CountedSale) {
  const sums = new Map<number, { galleryId: number; photos: number; salesCents: number; donationCents: number }>();
  const sumOf = (galleryId: number) => {
    const sum = sums.get(galleryId) ?? { galleryId, photos: 0, salesCents: 0, donationCents: 0 };
    sums.set(galleryId, sum);
    return sum;
  };
  for (const line of lines) {
    sumOf(line.galleryId).photos += count;
    sumOf(line.galleryId).salesCents += line.priceCents;
  }
  for (const part of passParts) sumOf(part.galleryId).salesCents += part.priceCents;
  if (donation) sumOf(donation.galleryId).donationCents += donation.cents;
  return [...sums.values()];
}

/** While an order has one of these, its keys open its photos, unless they are revoked; there is no last day. */
export const DOWNLOADABLE: readonly OrderStatus[] = ['paid', 'partially_refunded'];

export function isDownloadable(status: OrderStatus): boolean {
  return DOWNLOADABLE.includes(status);
}
