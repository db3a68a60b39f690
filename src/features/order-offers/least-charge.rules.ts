/**
 * A card is charged nothing or at least the provider's minimum. Where a code, the early bird, included photos or an
 * offer would leave less than that, they take off a little less. The bonus of credit is reduced first, because the rest
 * stays on its code.
 */
import { bonusesFor, lessBonus, lessBonuses, type UsableCode } from '#src/features/credit/credit.rules.ts';
import { shareOut } from '#src/features/offers/share-out.rules.ts';
import { bestPrice, type BestPrice, type PriceQuestion } from '#src/features/offers/best-price.rules.ts';
import { cents, portionHalfUp } from '#src/shared/money.ts';

/** How much the price of photos and passes must rise for a total, with tax and donation, that can be charged. */
export function missingCents(
  subtotalCents: number,
  { taxRatePpm, donationCents, minimumCents }: { taxRatePpm: number; donationCents: number; minimumCents: number },
): number {
  const totalOf = (of: number) => of + portionHalfUp(cents(of), taxRatePpm, 1_000_000) + donationCents;
  let least = subtotalCents;
  while (totalOf(least) < minimumCents) least += 1;
  return least - subtotalCents;
}

type Reducible = {
  best: BestPrice;
  /** Before the bonus of credit. */
  full: BestPrice;
  credit: readonly UsableCode[];
  bonuses: readonly number[];
  bonusCents: number;
};

/** The same price with its reduction lowered by this amount; null when the reduction was smaller. */
export function takeLessOff<Price extends Reducible>(price: Price, lessCents: number): Price | null {
  const bonusCents = Math.max(0, price.bonusCents - lessCents);
  const best = raised(lessBonus(price.full, bonusCents), lessCents - (price.bonusCents - bonusCents));
  return best && { ...price, best, bonusCents, bonuses: bonusesFor(price.credit, bonusCents) };
}

/** Whether a lowered code saves nothing, or no more than the early bird that it replaces. */
export const isCodeInVain = ({ reduction }: BestPrice): boolean =>
  reduction?.kind === 'coupon' && reduction.savedCents <= reduction.insteadOfCents;

/** The price without its code, which stays unused, when the minimum charge would take back all that it saves. */
export function withoutCode<Price extends Reducible & { question: PriceQuestion }>(price: Price): Price {
  const full = bestPrice({ ...price.question, coupon: null });
  return { ...price, ...lessBonuses({ ...full, couponOutcome: 'below least charge' }, price.credit) };
}

/** Divided in proportion to the reduction of each photo and pass. Photos that a pass covers stay free. */
function raised(best: BestPrice, moreCents: number): BestPrice | null {
  const passes = new Set(best.offers.flatMap(({ kind }, at) => (kind === 'bundle' || kind === 'steps' ? [] : [at])));
  const offLines = best.lines.map(({ singleCents, priceCents, offer }) =>
    offer !== null && passes.has(offer) ? 0 : Math.max(0, singleCents - priceCents),
  );
  const offPasses = best.offers.map(({ priceCents, paidCents }, at) => (passes.has(at) ? priceCents - paidCents : 0));
  const taken = [...offLines, ...offPasses];
  if (moreCents > taken.reduce((sum, each) => sum + each, 0)) return null;
  if (moreCents === 0) return best;
  const parts = shareOut(moreCents, taken);
  const { reduction } = best;
  return {
    ...best,
    lines: best.lines.map((line, at) => ({ ...line, priceCents: line.priceCents + (parts[at] ?? 0) })),
    offers: best.offers.map((offer, at) => ({
      ...offer,
      paidCents: offer.paidCents + (parts[best.lines.length + at] ?? 0),
    })),
    reduction: reduction && { ...reduction, savedCents: Math.max(0, reduction.savedCents - moreCents) },
    subtotalCents: best.subtotalCents + moreCents,
  };
}
