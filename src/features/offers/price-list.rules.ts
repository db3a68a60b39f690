/** "How your price is made": the lines of a priced cart that a buyer reads. */
import {
  INCLUDED_WITH_REGISTRATION,
  offerLine,
  offerName,
  reductionLine,
  reductionName,
  singlesLine,
} from '#src/features/offers/offer-words.rules.ts';
import type { BestPrice, Offer, PriceQuestion } from '#src/features/offers/price-question.rules.ts';

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
export function groupBy<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
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
