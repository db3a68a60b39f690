/**
 * What an order was priced from, kept with it (table `order_prices`): the question that the best-price rule answered, with price
 * sheets by version, less the passes and the code that were not bought with. Asked again of what stays, it tells what a refund of a
 * part gives back (`offers/photo-refunds.rules.ts`).
 */
import type { BestPrice, PriceQuestion } from '#src/features/offers/best-price.rules.ts';

export type AskedPrice = Omit<PriceQuestion, 'sheets'> & { sheets: readonly { id: number; version: number }[] };

/** The question as it is kept; its passes are those of the price, in their order. */
export function toKeep({ sheets, passes, coupon, ...question }: PriceQuestion, best: BestPrice): AskedPrice {
  return {
    ...question,
    sheets: sheets.map(({ id, version }) => ({ id, version })),
    passes: best.offers.flatMap(
      ({ sheetId, offerId, galleryId }) =>
        passes.find((pass) => pass.sheetId === sheetId && pass.offerId === offerId && pass.galleryId === galleryId) ??
        [],
    ),
    coupon: best.reduction?.kind === 'coupon' ? coupon : null,
  };
}
