/** How a price is made up, in words: for a quote, and for an order's receipt years later. */
import { NOT_NEEDED } from '#src/features/credit/credit.contract.ts';
import { bonusLine, hiddenCode, type SpentCredit, type UsableCode } from '#src/features/credit/credit.rules.ts';
import {
  CODE_BELOW_LEAST_CHARGE,
  CODE_SAVES_NOTHING,
  codeWins,
  EARLY_BIRD_WINS,
  LESS_TAKEN_OFF,
  offerLine,
  offerName,
  reductionLine,
  reductionName,
  singlesLine,
} from '#src/features/offers/offer-words.rules.ts';
import type { BestPrice, Offer, PriceQuestion } from '#src/features/offers/best-price.rules.ts';
import { hintsOf, passNotes } from '#src/features/offers/price-hints.rules.ts';
import { offerOf, priceList, type PriceNames } from '#src/features/offers/price-list.rules.ts';
import type { PricingLine, QuotedOffers } from '#src/features/order-offers/order-offers.contract.ts';
import { toDollars, dollarText, fromDollars } from '#src/shared/money.ts';

type PriceInWords = {
  question: PriceQuestion;
  /** After the bonuses of `credit`. */
  best: BestPrice;
  /** Before them. */
  full: BestPrice;
  /** Names of passes. */
  names: PriceNames;
  refusedCodes: readonly { code: string; error: string }[];
  credit: readonly UsableCode[];
};

export const nameOfOffer = (
  { question, names }: Pick<PriceInWords, 'question' | 'names'>,
  offer: BestPrice['offers'][number],
) => offerName(offerOf(question, offer.sheetId, offer.offerId), names.passName(offer));

export function quoteOffers(
  price: PriceInWords,
  { credit, chargeCents }: { credit: readonly SpentCredit[]; chargeCents: number },
): QuotedOffers {
  const { question, best, full, names } = price;
  const isLeastCharge = best.subtotalCents > full.subtotalCents || best.couponOutcome === 'below least charge';
  const singles = question.photos.reduce((sum, photo) => sum + photo.singleCents, 0);
  return {
    singles: toDollars(singles),
    offers: best.offers.map((offer) => {
      const name = nameOfOffer(price, offer);
      return {
        id: offer.offerId,
        kind: offer.kind,
        name,
        photo_ids: [...offer.photoIds],
        open_slots: offer.openSlots,
        price: toDollars(offer.priceCents),
        single_sum: toDollars(offer.singleSumCents),
        text: offerLine(offer.kind, name, offer.photoIds.length),
      };
    }),
    reduction: best.reduction && quotedReduction(best.reduction, question),
    credit: credit
      .filter((spent) => spent.cents > 0)
      .map(({ id, last4, cents: spentCents }) => {
        const balanceCents = price.credit.find((code) => code.id === id)?.cents ?? 0;
        return { last4, amount: toDollars(spentCents), left: toDollars(balanceCents - spentCents) };
      }),
    charge: toDollars(chargeCents),
    // With the minimum card charge, more photos may cost nothing more: a hint would name a wrong amount.
    hints: (isLeastCharge ? [] : hintsOf(question, full)).map(({ text, photos, costsCents }) => ({
      text,
      photos,
      costs: toDollars(costsCents),
    })),
    refused_codes: [...price.refusedCodes, ...unusedCodes(price), ...unusedCredit(price, credit)],
    pricing: upToSubtotal(
      [
        ...priceList(question, best, names).map(({ text, amountCents }) => ({ text, amount: toDollars(amountCents) })),
        ...bonusLines(credit),
      ],
      best.subtotalCents,
    ),
    notes: [...passNotes(question, best), ...codeNotes(price), ...lessCreditNotes(price, credit, chargeCents)],
  };
}

function quotedReduction(reduction: NonNullable<BestPrice['reduction']>, { coupon }: PriceQuestion) {
  const name = reductionName(reduction, coupon);
  const { kind, amountCents } = reduction;
  return { kind, name, amount: toDollars(amountCents), text: reductionLine(name, amountCents) };
}

/** A valid code that saves nothing now. It is not used, and the order is not refused. */
function unusedCodes({ question: { coupon }, best: { couponOutcome } }: PriceInWords) {
  const error = couponOutcome === null ? undefined : UNUSED[couponOutcome];
  return coupon === null || error === undefined ? [] : [{ code: coupon.code, error }];
}

const UNUSED: Partial<Record<NonNullable<BestPrice['couponOutcome']>, string>> = {
  'early bird is better': EARLY_BIRD_WINS,
  'saves nothing': CODE_SAVES_NOTHING,
  'below least charge': CODE_BELOW_LEAST_CHARGE,
};

/** Valid credit that is not needed, because earlier codes pay for everything. */
const unusedCredit = ({ credit }: PriceInWords, spent: readonly SpentCredit[]) =>
  credit
    .filter(({ id }) => !spent.some((one) => one.id === id))
    .map(({ last4 }) => ({ code: hiddenCode(last4), error: NOT_NEEDED }));

const bonusLines = (credit: readonly { last4: string; bonusCents: number }[]): PricingLine[] =>
  credit
    .filter(({ bonusCents }) => bonusCents > 0)
    .map(({ last4, bonusCents }) => ({ text: bonusLine(last4, bonusCents), amount: toDollars(0 - bonusCents) }));

/** Lines raised to the subtotal: a smaller rest could not have been charged (`least-charge.rules.ts`). */
function upToSubtotal(lines: PricingLine[], subtotalCents: number): PricingLine[] {
  const missing = subtotalCents - lines.reduce((sum, { amount }) => sum + fromDollars(amount), 0);
  return missing > 0 ? [...lines, { text: LESS_TAKEN_OFF, amount: toDollars(missing) }] : lines;
}

/** Credit that was held back for the card. */
function lessCreditNotes({ credit }: PriceInWords, spent: readonly SpentCredit[], chargeCents: number): string[] {
  const sum = (codes: readonly { cents: number }[]) => codes.reduce((total, code) => total + code.cents, 0);
  return chargeCents > 0 && sum(spent) < sum(credit) ? [LESS_TAKEN_OFF] : [];
}

function codeNotes({ question: { coupon }, best: { reduction } }: PriceInWords): string[] {
  if (coupon === null || reduction?.kind !== 'coupon' || reduction.insteadOfCents === 0) return [];
  return [codeWins(coupon.code, reduction.savedCents, reduction.insteadOfCents)];
}

/** What an order stores of its price, in words. */
export type FrozenWords = {
  offers: readonly { id: number; kind: Offer['kind'] | 'included'; name: string; priceCents: number }[];
  reduction: { name: string; amountCents: number } | null;
  /** Codes of credit that paid for it. */
  credit: readonly { last4: string; cents: number; bonusCents: number; organizationId: number; isHeld: boolean }[];
};
type FrozenLine = { offerId: number | null; singleCents: number; priceCents: number };

/** The lines that `priceList` had when the order was placed. They sum to its subtotal. */
export function frozenPriceList(
  { offers, reduction, credit }: FrozenWords,
  lines: readonly FrozenLine[],
  subtotalCents: number,
): PricingLine[] {
  const makesPhotosFree = reduction?.amountCents === 0;
  // With a bonus all photos cost less.
  const hasBonus = credit.some(({ bonusCents }) => bonusCents > 0);
  const isFree = (line: FrozenLine) => line.priceCents < (hasBonus ? Math.min(1, line.singleCents) : line.singleCents);
  const singles = lines.filter((line) => line.offerId === null && !(makesPhotosFree && isFree(line)));
  const byPrice = Map.groupBy(singles, (line) => line.singleCents);
  const list = [
    ...offers.map(({ id, kind, name, priceCents }) => {
      const count = lines.filter((line) => line.offerId === id).length;
      return { text: offerLine(kind, name, count), amount: toDollars(priceCents) };
    }),
    ...[...byPrice]
      .toSorted(([a], [b]) => b - a)
      .map(([singleCents, same]) => ({
        text: singlesLine(same.length, singleCents),
        amount: toDollars(singleCents * same.length),
      })),
    ...(reduction
      ? [{ text: reductionLine(reduction.name, reduction.amountCents), amount: toDollars(0 - reduction.amountCents) }]
      : []),
    ...bonusLines(credit),
  ];
  return upToSubtotal(list, subtotalCents);
}

/** A line in two columns. A reduction does not repeat its amount, which is in the second column. */
export const pricingRow = ({ text, amount }: PricingLine): { name: string; value: string } => ({
  name: text.replace(/: −\$[\d,.]+$/, ''),
  value: `${amount < 0 ? '−' : ''}${dollarText(Math.abs(amount))}`,
});
