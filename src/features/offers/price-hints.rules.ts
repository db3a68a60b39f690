/** Hints about what costs little more than a cart, and why its price has a pass that the buyer did not choose. */
import { bestPrice } from '#src/features/offers/best-price.rules.ts';
import { leastOf } from '#src/features/offers/group-price.rules.ts';
import { oneMoreHint, passHint, passWins } from '#src/features/offers/offer-words.rules.ts';
import { groupBy, offerOf } from '#src/features/offers/price-list.rules.ts';
import {
  isSamePass,
  type BestPrice,
  type CartPhoto,
  type PassCandidate,
  type PriceQuestion,
} from '#src/features/offers/price-question.rules.ts';

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
    .filter(({ pass }) => !price.offers.some((offer) => isSamePass(pass, offer)))
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
    .filter((pass) => !pass.inCart && price.offers.some((offer) => isSamePass(pass, offer)))
    .slice(0, PASSES_EXPLAINED)
    .map((pass) => {
      const without = bestPrice({ ...question, passes: question.passes.filter((one) => one !== pass) });
      const costs = without.subtotalCents > price.subtotalCents ? 'less than' : 'the same as';
      return passWins(pass.kind, costs, pass.photoIds.length, pass.photosInAll, pass.whose);
    });
}
