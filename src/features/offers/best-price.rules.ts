/**
 * The best-price rule: what photos cost with the offers of their price sheets (decision record 0090). A cart has one
 * price: on the server, in the browser that shows it, and years later in a refund. Money is whole cents.
 */
import {
  cheapest,
  groupsOf,
  inScope,
  includedPhotos,
  priced,
  sumOf,
  type Group,
  type Priced,
} from '#src/features/offers/group-price.rules.ts';
import type {
  BestPrice,
  CartPhoto,
  CouponOutcome,
  CouponTerms,
  IncludedPhotos,
  PriceQuestion,
  Reduction,
} from '#src/features/offers/price-question.rules.ts';
import { shareOut } from '#src/features/offers/share-out.rules.ts';
import { cents, portionHalfUp } from '#src/shared/money.ts';

export type * from '#src/features/offers/price-question.rules.ts';

/**
 * The lowest allowed price of a cart, and the offers that make it. The order of photos, sheets and passes makes no
 * difference.
 */
export function bestPrice(question: PriceQuestion): BestPrice {
  if (!question.included?.length) return bestOfRest(question);
  const { included, rest, freed } = takeIncluded(question, question.included);
  const price = bestOfRest(rest);
  const lines = freed.map(({ id, singleCents }) => ({ photoId: id, singleCents, priceCents: 0, offer: null }));
  return { ...price, lines: [...price.lines, ...lines].toSorted((a, b) => a.photoId - b.photoId), included };
}

function bestOfRest(question: PriceQuestion): BestPrice {
  const groups = groupsOf(question);
  const plain = priced(cheapest(groups, 0, null));
  const early = earlyBirdParts(plain, question);
  const earlyCents = sumOf(early, (part) => part.amountCents);
  const coupon = question.coupon && judged(question.coupon, question, groups, plain, earlyCents);
  if (coupon?.outcome === 'used') return reduced(coupon.priced, coupon.parts, coupon.reduction, 'used');
  const percents = new Set(early.map((part) => part.percentBp));
  const reduction: Reduction = {
    kind: 'early_bird',
    couponId: null,
    percentBp: percents.size === 1 ? (early[0]?.percentBp ?? null) : null,
    amountCents: earlyCents,
    savedCents: earlyCents,
    freePhotoIds: [],
    insteadOfCents: 0,
  };
  return reduced(plain, early, earlyCents > 0 ? reduction : null, coupon?.outcome ?? null);
}

/** Removes photos that are included with registration, one allowance after another (offers A.5, step 3). */
function takeIncluded(question: PriceQuestion, allowances: readonly IncludedPhotos[]) {
  const included: { allowanceId: number; photoIds: number[] }[] = [];
  const freed: CartPhoto[] = [];
  let rest = question;
  // How many photos of each scope save nothing of the rest, so that fewer need not be tried.
  const inVain = new Map<number | null, number>();
  for (const allowance of allowances) {
    if (allowance.photos <= (inVain.get(allowance.sheetId) ?? 0)) continue;
    const photos = includedPhotos(rest, allowance);
    if (photos.length === 0) {
      inVain.set(allowance.sheetId, allowance.photos);
      continue;
    }
    inVain.clear();
    const ids = new Set(photos.map(({ id }) => id));
    included.push({ allowanceId: allowance.allowanceId, photoIds: [...ids].toSorted((a, b) => a - b) });
    freed.push(...photos);
    rest = {
      ...rest,
      photos: rest.photos.filter(({ id }) => !ids.has(id)),
      passes: rest.passes.map((pass) => ({ ...pass, photoIds: pass.photoIds.filter((id) => !ids.has(id)) })),
    };
  }
  return { included, rest, freed };
}

/** Part of a reduction: an amount over some lines and passes, given by their indexes. */
type Part = { amountCents: number; percentBp: number | null; items: readonly Item[] };
type Item = { priceCents: number; galleryId: number | null; sheetId: number | null; at: number; isPass: boolean };

/** What a reduction can apply to: lines, then passes. */
function itemsOf({ lines, offers }: Priced, { photos, sheets }: PriceQuestion): Item[] {
  const byId = new Map(photos.map((photo) => [photo.id, photo]));
  const known = new Set(sheets.map((sheet) => sheet.id));
  return [
    ...lines.map(({ photoId, priceCents }, at) => {
      const { galleryId = null, sheetId = null } = byId.get(photoId) ?? {};
      return {
        priceCents,
        galleryId,
        sheetId: sheetId !== null && known.has(sheetId) ? sheetId : null,
        at,
        isPass: false,
      };
    }),
    ...offers.flatMap(({ paidCents, galleryId, sheetId }, at) =>
      paidCents > 0 ? [{ priceCents: paidCents, galleryId, sheetId, at, isPass: true }] : [],
    ),
  ];
}

const partOf = (percentBp: number, items: readonly Item[]): Part => ({
  amountCents: portionHalfUp(cents(sumOf(items, (item) => item.priceCents)), percentBp, 10_000),
  percentBp,
  items,
});

/** The early birds that apply today: a percentage off everything on their sheets. */
function earlyBirdParts(plain: Priced, question: PriceQuestion): Part[] {
  const percents = new Map<number, number>();
  for (const { id, content } of question.sheets)
    if (content.earlyBird && question.today <= content.earlyBird.lastDay)
      percents.set(id, Math.round(content.earlyBird.percent * 100));
  const items = percents.size === 0 ? [] : itemsOf(plain, question);
  return [...new Set(percents.values())]
    .map((bp) =>
      partOf(
        bp,
        items.filter(({ sheetId }) => sheetId !== null && percents.get(sheetId) === bp),
      ),
    )
    .filter((part) => part.amountCents > 0);
}

type Judged =
  | { outcome: Exclude<CouponOutcome, 'used' | 'below least charge' | null> }
  | { outcome: 'used'; priced: Priced; parts: readonly Part[]; reduction: Reduction };

/**
 * The code or the early bird, whichever saves more. If they save the same, the early bird, so that the code can be used
 * later.
 */
function judged(
  coupon: CouponTerms,
  question: PriceQuestion,
  groups: readonly Group[],
  plain: Priced,
  earlyCents: number,
): Judged {
  const items = itemsOf(plain, question).filter(({ galleryId, sheetId }) => inScope(coupon, galleryId, sheetId));
  if (items.length === 0) return { outcome: 'not for these' };
  if (plain.subtotalCents < coupon.minimumCents) return { outcome: 'below minimum' };
  const givesPhotos = coupon.kind === 'photos';
  const best = givesPhotos ? priced(cheapest(groups, coupon.value, coupon)) : plain;
  const percentBp = coupon.kind === 'percent' ? coupon.value : null;
  const inAll = sumOf(items, (item) => item.priceCents);
  const parts: Part[] = givesPhotos
    ? []
    : [
        percentBp === null
          ? { amountCents: Math.min(coupon.value, inAll), percentBp, items }
          : partOf(percentBp, items),
      ];
  const amountCents = sumOf(parts, (part) => part.amountCents);
  const savedCents = amountCents + plain.subtotalCents - best.subtotalCents;
  if (savedCents === 0 && earlyCents === 0) return { outcome: 'saves nothing' };
  if (savedCents <= earlyCents) return { outcome: 'early bird is better' };
  // Photos that already cost nothing are not counted as free by the code: a receipt could not distinguish them.
  const free = best.free.filter((photo) => photo.singleCents > 0);
  const freePhotoIds = free.map((photo) => photo.id).toSorted((a, b) => a - b);
  const reduction: Reduction = {
    kind: 'coupon',
    couponId: coupon.id,
    percentBp,
    amountCents,
    savedCents,
    freePhotoIds,
    insteadOfCents: earlyCents,
  };
  return { outcome: 'used', priced: best, parts, reduction };
}

/** Subtracts the parts from their lines and passes. */
function reduced(from: Priced, parts: readonly Part[], reduction: Reduction | null, outcome: CouponOutcome): BestPrice {
  const lines = [...from.lines];
  const offers = [...from.offers];
  for (const { amountCents, items } of parts) {
    const prices = items.map((item) => item.priceCents);
    const shares = shareOut(amountCents, prices);
    for (const [place, { at, isPass }] of items.entries()) {
      const [line, offer, share] = [lines[at], offers[at], shares[place] ?? 0];
      if (isPass && offer) offers[at] = { ...offer, paidCents: offer.paidCents - share };
      if (!isPass && line) lines[at] = { ...line, priceCents: line.priceCents - share };
    }
  }
  const subtotalCents = from.subtotalCents - sumOf(parts, (part) => part.amountCents);
  return { subtotalCents, lines, offers, reduction, couponOutcome: outcome };
}
