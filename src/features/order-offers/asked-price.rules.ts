/**
 * What an order was priced from, stored with it (table `order_prices`): the question that the best-price rule answered,
 * with price sheets by version, without passes and codes that were not used. Pricing the photos that are kept with it
 * again gives the amount of a partial refund (`offers/photo-refunds.rules.ts`).
 */
import {
  isSamePass,
  type BestPrice,
  type IncludedPhotos,
  type PriceQuestion,
} from '#src/features/offers/price-question.rules.ts';

export type AskedPrice = Omit<PriceQuestion, 'sheets'> & { sheets: readonly { id: number; version: number }[] };

/** The question to store; its passes are those of the price, in their order. */
export function askedPriceOf(
  { sheets, passes, coupon, included, ...question }: PriceQuestion,
  best: BestPrice,
): AskedPrice {
  return {
    ...question,
    ...(best.included?.length ? { included: includedIn(best, included ?? []) } : {}),
    sheets: sheets.map(({ id, version }) => ({ id, version })),
    passes: best.offers.flatMap((offer) => passes.find((pass) => isSamePass(pass, offer)) ?? []),
    coupon: best.reduction?.kind === 'coupon' ? coupon : null,
  };
}

/** What was used of each allowance: a refund must not use more. */
const includedIn = ({ included: used = [] }: BestPrice, allowances: readonly IncludedPhotos[]): IncludedPhotos[] =>
  allowances.flatMap((allowance) => {
    const photos = used.find(({ allowanceId }) => allowanceId === allowance.allowanceId)?.photoIds.length ?? 0;
    return photos === 0 ? [] : [{ ...allowance, photos }];
  });
