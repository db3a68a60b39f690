/** The refund for photos of an order that were bought with offers. */
import { bestPrice } from '#src/features/offers/best-price.rules.ts';
import { LESS_TAKEN_OFF } from '#src/features/offers/offer-words.rules.ts';
import type { BestPrice, PriceQuestion } from '#src/features/offers/price-question.rules.ts';
import { formatDollars } from '#src/shared/money.ts';

/**
 * A paid order as it was priced: its sheets in the versions of that time, the day of the order, and the passes that were
 * bought. The terms of its code are null without one, and when the early bird was better.
 */
export type FrozenOrder = PriceQuestion & {
  /** Subtotal after offers and reduction. */
  paidCents: number;
  /** What was refunded before. */
  refundedCents: number;
};

/**
 * What was paid, less the best price of the photos that are kept, by the frozen versions and with the same reduction,
 * less earlier refunds, and never below zero. Refunding the last photo and pass returns all that is left. `keptPasses`
 * are indexes into the order's passes; without it all are kept.
 */
export function refundOfPhotos(
  order: FrozenOrder,
  keptPhotoIds: readonly number[],
  keptPasses: readonly number[] = order.passes.map((_, at) => at),
): { refundCents: number; keptCents: number; reason: string } {
  const kept = new Set(keptPhotoIds);
  const before = priceOfKept(order, order.photos, order.passes);
  const stays = priceOfKept(
    order,
    order.photos.filter((photo) => kept.has(photo.id)),
    order.passes.filter((_, at) => keptPasses.includes(at)),
  );
  // The reduction was smaller than the rules say, because of the minimum card charge; the photos that are kept would
  // have had it, too.
  const isLeastCharge = order.paidCents > before.subtotalCents && stays.subtotalCents > 0;
  const keptCents = isLeastCharge ? order.paidCents : stays.subtotalCents;
  const refundCents = Math.max(0, order.paidCents - order.refundedCents - keptCents);
  const reason = reasonOf(before, { ...stays, subtotalCents: keptCents });
  return { refundCents, keptCents, reason: isLeastCharge ? `${reason} ${LESS_TAKEN_OFF}` : reason };
}

/** With the order's reduction: its code, without its minimum and without a comparison, else the early bird. */
function priceOfKept(order: FrozenOrder, photos: PriceQuestion['photos'], passes: PriceQuestion['passes']): BestPrice {
  const ids = new Set(photos.map((photo) => photo.id));
  return bestPrice({
    photos,
    today: order.today,
    sheets: order.coupon
      ? order.sheets.map((sheet) => ({ ...sheet, content: { ...sheet.content, earlyBird: null } }))
      : order.sheets,
    passes: passes.map((pass) => ({ ...pass, inCart: true, photoIds: pass.photoIds.filter((id) => ids.has(id)) })),
    coupon: order.coupon && { ...order.coupon, minimumCents: 0 },
    ...(order.included ? { included: order.included } : {}),
  });
}

function reasonOf(before: BestPrice, stays: BestPrice): string {
  const count = stays.lines.length;
  if (count === 0) return 'No photos are left in the order.';
  const bundles = ({ offers }: BestPrice) =>
    offers
      .filter(({ kind }) => kind === 'bundle' || kind === 'steps')
      .map(({ sheetId, offerId, times }) => `${sheetId}/${offerId}/${times}`);
  const left = bundles(stays);
  const without = bundles(before).some((bundle) => !left.includes(bundle)) ? ' without the bundle' : '';
  const discount = stays.reduction ? ', with the same discount' : '';
  const photos = count === 1 ? 'The other photo costs' : `The other ${count} photos cost`;
  return `${photos} ${formatDollars(stays.subtotalCents)}${without}${discount}.`;
}
