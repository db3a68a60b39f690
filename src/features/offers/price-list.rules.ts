/** "How your price is made": the lines of a priced cart that a buyer reads, and hints about what costs little more. */
import { bestPrice } from '#src/features/offers/best-price.rules.ts';
import { leastOf } from '#src/features/offers/group-price.rules.ts';
import {
  INCLUDED_WITH_REGISTRATION,
  offerLine,
  offerName,
  oneMoreHint,
  passHint,
  passWins,
  reductionLine,
  reductionName,
  singlesLine,
} from '#src/features/offers/offer-words.rules.ts';
import type {
  BestPrice,
  CartPhoto,
  Offer,
  PassCandidate,
  PriceQuestion,
} from '#src/features/offers/price-question.rules.ts';

/** One line. `amountCents` is negative for a reduction. Single photos with the same price share a line. */
type PriceListLine = {
  kind: Offer['kind'] | 'included' | 'single' | 'reduction';
  text: string;
  amountCents: number;
  photoIds: readonly number[];
  openSlots: number;
};

/** What a price list needs to say besides the price. */
export type PriceNames = {
  /** For a gallery pass the gallery's name, for an athlete pass the athlete's public name ("number 10"). */
  passName: (pass: {
    kind: Offer['kind'];
    galleryId: number | null;
    athleteKey?: string | undefined;
    offerId: number;
  }) => string;
};

/** Some buyers' phones do not have `Map.groupBy`. */
function groupBy<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/** The sheet's offer that a priced offer was bought with. */
export function offerOf(question: PriceQuestion, sheetId: number, offerId: number): Offer {
  const sheet = question.sheets.find(({ id }) => id === sheetId);
  const offer = sheet?.content.offers.find(({ id }) => id === offerId);
  if (!offer) throw new Error(`sheet ${sheetId} has no offer ${offerId}`);
  return offer;
}

/** Offers, then single photos (most expensive first), then the reduction. The amounts sum to the subtotal. */
export function priceList(question: PriceQuestion, price: BestPrice, names: PriceNames): PriceListLine[] {
  const offers = price.offers.map((offer): PriceListLine => {
    const name = offerName(offerOf(question, offer.sheetId, offer.offerId), names.passName(offer));
    return {
      kind: offer.kind,
      text: offerLine(offer.kind, name, offer.photoIds.length),
      amountCents: offer.priceCents,
      photoIds: offer.photoIds,
      openSlots: offer.openSlots,
    };
  });
  const included = (price.included ?? []).flatMap(({ photoIds }) => photoIds);
  const free = new Set([...(price.reduction?.freePhotoIds ?? []), ...included]);
  const singles = price.lines.filter((line) => line.offer === null && !free.has(line.photoId));
  const byPrice = groupBy(singles, (line) => line.singleCents);
  const prices = [...byPrice.keys()].toSorted((a, b) => b - a);
  return [
    ...offers,
    ...(included.length > 0 ? [includedOf(included)] : []),
    ...prices.map((singleCents): PriceListLine => {
      const photoIds = (byPrice.get(singleCents) ?? []).map((line) => line.photoId);
      const text = singlesLine(photoIds.length, singleCents);
      return { kind: 'single', text, amountCents: singleCents * photoIds.length, photoIds, openSlots: 0 };
    }),
    ...(price.reduction ? [reductionOf(price.reduction, question)] : []),
  ];
}

function includedOf(photoIds: readonly number[]): PriceListLine {
  const text = offerLine('included', INCLUDED_WITH_REGISTRATION, photoIds.length);
  return { kind: 'included', text, amountCents: 0, photoIds, openSlots: 0 };
}

function reductionOf(reduction: NonNullable<BestPrice['reduction']>, { coupon }: PriceQuestion): PriceListLine {
  const { amountCents, freePhotoIds } = reduction;
  const text = reductionLine(reductionName(reduction, coupon), amountCents);
  return { kind: 'reduction', text, amountCents: 0 - amountCents, photoIds: freePhotoIds, openSlots: 0 };
}

/** `photos` counts the additional photos for `costsCents`. */
export type Hint = { text: string; photos: number; costsCents: number };

/** Each hint prices a cart, so a cart of many galleries needs a limit. */
const SHEETS_HINTED = 3;
const PASSES_HINTED = 3;
const PASSES_EXPLAINED = 6;

/** What costs little more, cheapest first: one photo at half its price or less, or a pass for one photo's price. */
export function hintsOf(question: PriceQuestion, price: BestPrice): Hint[] {
  const bySheet = groupBy(question.photos, (photo) => photo.sheetId);
  const sheets = [...bySheet].flatMap(([sheetId, photos]) => {
    const typical = sheetId === null ? null : typicalPhoto(photos);
    return typical ? { sheetId, photos, typical } : [];
  });
  const largest = sheets.toSorted((a, b) => b.photos.length - a.photos.length).slice(0, SHEETS_HINTED);
  const passes = sheets.flatMap(({ sheetId, typical }) =>
    question.passes
      .filter((pass) => pass.sheetId === sheetId)
      .map((pass) => ({
        pass,
        upToCents: typical.singleCents,
        dearerCents: pass.priceCents - coveredCents(question, pass),
      })),
  );
  const nearest = passes
    .filter(({ pass }) => !price.offers.some((offer) => isSame(pass, offer)))
    .toSorted((a, b) => a.dearerCents - b.dearerCents)
    .slice(0, PASSES_HINTED);
  const hints = [
    ...largest.flatMap(({ typical }) => oneMore(question, price, typical)),
    ...nearest.flatMap((pass) => wholePass(question, price, pass)),
  ];
  return hints.toSorted((a, b) => a.costsCents - b.costsCents);
}

/** A photo at the most common price (at a tie, the lower one) among those without a price of their own. */
function typicalPhoto(photos: readonly CartPhoto[]): CartPhoto | null {
  const usual = photos.filter((photo) => !photo.hasOwnPrice && photo.singleCents > 0);
  const byPrice = [...groupBy(usual, (photo) => photo.singleCents)];
  const [first] = byPrice.toSorted(([a, some], [b, others]) => others.length - some.length || a - b);
  return first?.[1][0] ?? null;
}

function oneMore(question: PriceQuestion, price: BestPrice, typical: CartPhoto): Hint[] {
  const added = { ...typical, id: Math.max(...question.photos.map((photo) => photo.id)) + 1 };
  const passes = question.passes.map((pass) =>
    pass.galleryId === added.galleryId ? { ...pass, photoIds: [...pass.photoIds, added.id] } : pass,
  );
  const more = { ...question, passes, photos: [...question.photos, added] };
  // Without a reduction the sum alone shows, for most carts, that there is no hint. Pricing each photo costs as much again.
  const isReduced = price.reduction !== null || price.included !== undefined || question.coupon !== null;
  if (!isReduced && (leastOf(more) - price.subtotalCents) * 2 > typical.singleCents) return [];
  const next = bestPrice(more);
  const costsCents = next.subtotalCents - price.subtotalCents;
  if (costsCents * 2 > typical.singleCents) return [];
  const before = (offerId: number) =>
    price.offers.find((offer) => offer.offerId === offerId && offer.sheetId === typical.sheetId)?.times ?? 0;
  const [won] = next.offers.filter(
    (offer) => offer.kind === 'bundle' && offer.sheetId === typical.sheetId && offer.times > before(offer.offerId),
  );
  if (!won || next.offers.some((offer) => offer.kind !== 'bundle' && before(offer.offerId) === 0)) return [];
  return [{ text: oneMoreHint(costsCents, offerOf(question, won.sheetId, won.offerId)), photos: 1, costsCents }];
}

/** Whether a candidate is the pass that was bought. */
export const isSame = (
  a: PassCandidate,
  b: Pick<PassCandidate, 'sheetId' | 'offerId' | 'galleryId' | 'athleteKey'>,
): boolean =>
  a.sheetId === b.sheetId && a.offerId === b.offerId && a.galleryId === b.galleryId && a.athleteKey === b.athleteKey;

function coveredCents({ photos }: PriceQuestion, { photoIds }: PassCandidate): number {
  const covered = new Set(photoIds);
  return photos.reduce((sum, photo) => sum + (covered.has(photo.id) ? photo.singleCents : 0), 0);
}

type PassNearby = { pass: PassCandidate; upToCents: number; dearerCents: number };

function wholePass(question: PriceQuestion, price: BestPrice, { pass, upToCents, dearerCents }: PassNearby): Hint[] {
  // This is the least that it costs; skip computing the exact amount.
  if (dearerCents > upToCents && !price.reduction) return [];
  const passes = question.passes.map((one) => (one === pass ? { ...one, inCart: true } : one));
  const costsCents = bestPrice({ ...question, passes }).subtotalCents - price.subtotalCents;
  if (costsCents <= 0 || costsCents > upToCents) return [];
  return [
    { text: passHint(costsCents, pass.kind, pass.photosInAll, pass.whose), photos: pass.photosInAll, costsCents },
  ];
}

/** Why the price has passes that the buyer did not choose. */
export function passNotes(question: PriceQuestion, price: BestPrice): string[] {
  return question.passes
    .filter((pass) => !pass.inCart && price.offers.some((offer) => isSame(pass, offer)))
    .slice(0, PASSES_EXPLAINED)
    .map((pass) => {
      const without = bestPrice({ ...question, passes: question.passes.filter((one) => one !== pass) });
      const costs = without.subtotalCents > price.subtotalCents ? 'less than' : 'the same as';
      return passWins(pass.kind, costs, pass.photoIds.length, pass.photosInAll, pass.whose);
    });
}
