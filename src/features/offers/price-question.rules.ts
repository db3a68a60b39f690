/** What a cart is priced from, and the result (best-price.rules.ts). Money is whole cents. */

export type Offer =
  | { id: number; kind: 'bundle'; photos: number; priceCents: number }
  | { id: number; kind: 'steps'; steps: readonly { from: number; priceCents: number }[] }
  | { id: number; kind: 'gallery_pass'; priceCents: number }
  | { id: number; kind: 'athlete_pass'; priceCents: number };

/** `lastDay` is a day in the seller's zone ("2026-10-12"), included. */
export type EarlyBird = { percent: number; lastDay: string };
export type SheetContent = {
  offers: readonly Offer[];
  /** Whether photos with a higher price of their own count for bundles and steps. */
  ownPricesTakePart: boolean;
  earlyBird: EarlyBird | null;
};
export type FrozenSheet = { id: number; version: number; content: SheetContent };
/** A photo whose sheet is not in the question costs its single price. */
export type CartPhoto = {
  id: number;
  galleryId: number;
  singleCents: number;
  /** Its own price is above its gallery's. */
  hasOwnPrice: boolean;
  sheetId: number | null;
};
/** A pass that may be sold. One in the cart is always bought, others where they make the best price. */
export type PassCandidate = {
  sheetId: number;
  offerId: number;
  kind: 'gallery_pass' | 'athlete_pass';
  galleryId: number | null;
  /**
   * Of an athlete pass: whose it is (`order-offers/athlete-key.rules.ts`), and its public name: "number 10". Never the
   * athlete's name.
   */
  athleteKey?: string;
  whose?: string;
  priceCents: number;
  /** Photos of the cart that it covers. */
  photoIds: readonly number[];
  inCart: boolean;
  photosInAll: number;
};
export type CouponTerms = {
  id: number;
  code: string;
  kind: 'percent' | 'amount' | 'photos';
  /** Hundredths of a percent, cents, or photos. */
  value: number;
  minimumCents: number;
  galleryIds: readonly number[] | null;
  sheetIds: readonly number[] | null;
};
/** Photos that are included with the registration of a family's child: this many more cost nothing. */
export type IncludedPhotos = {
  allowanceId: number;
  photos: number;
  /** Only photos of galleries with this price sheet; null: any photo of the seller. */
  sheetId: number | null;
};
export type PriceQuestion = {
  photos: readonly CartPhoto[];
  sheets: readonly FrozenSheet[];
  passes: readonly PassCandidate[];
  coupon: CouponTerms | null;
  /** Applied in this order, before everything else; absent where there are none. */
  included?: readonly IncludedPhotos[];
  /** A day in the seller's zone. */
  today: string;
};

/** `offer` is an index into the offers; `priceCents` is what is paid for the photo. */
export type PricedLine = { photoId: number; singleCents: number; priceCents: number; offer: number | null };
export type PricedOffer = {
  sheetId: number;
  version: number;
  offerId: number;
  kind: Offer['kind'];
  galleryId: number | null;
  athleteKey?: string;
  /** How often it was used. */
  times: number;
  priceCents: number;
  /** What its photos would cost one by one. */
  singleSumCents: number;
  photoIds: readonly number[];
  /** Photos that are paid for and not chosen yet. */
  openSlots: number;
  /** Of a pass, after the reduction. 0 for other offers: their lines have it. */
  paidCents: number;
};
export type Reduction = {
  kind: 'coupon' | 'early_bird';
  couponId: number | null;
  /** Null for amounts, for free photos, and for early birds of several sheets that differ. */
  percentBp: number | null;
  /** What is taken off offers and single photos. 0 for free photos, whose lines cost nothing. */
  amountCents: number;
  /** How much more the order would cost without it. */
  savedCents: number;
  /** Photos that the code makes free. */
  freePhotoIds: readonly number[];
  /** Of a code: what the early bird that it replaces would have saved. */
  insteadOfCents: number;
};
export type CouponOutcome =
  | 'used'
  | 'early bird is better'
  | 'below minimum'
  | 'not for these'
  | 'saves nothing'
  /** The minimum card charge would take back all that it saves (`order-offers/least-charge.rules.ts`). */
  | 'below least charge'
  | null;
/** Lines are in the order of their photo ids. */
export type BestPrice = {
  /** After offers and reduction. */
  subtotalCents: number;
  lines: readonly PricedLine[];
  offers: readonly PricedOffer[];
  reduction: Reduction | null;
  couponOutcome: CouponOutcome;
  /**
   * Photos that were included with registration: their lines cost nothing and count for no offer. Absent where there
   * are none.
   */
  included?: readonly { allowanceId: number; photoIds: readonly number[] }[];
};

/** Whether a candidate is the pass that was bought. */
export const isSamePass = (
  a: PassCandidate,
  b: Pick<PricedOffer, 'sheetId' | 'offerId' | 'galleryId' | 'athleteKey'>,
): boolean =>
  a.sheetId === b.sheetId && a.offerId === b.offerId && a.galleryId === b.galleryId && a.athleteKey === b.athleteKey;
