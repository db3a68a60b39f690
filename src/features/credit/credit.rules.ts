/** Decisions about credit: the format of codes, and what they pay of an order (offers specification A.5 rule 8, A.9). */
import { tidyCode } from '#src/features/coupons/coupons.contract.ts';
import type { BestPrice } from '#src/features/offers/price-question.rules.ts';
import { shareOut } from '#src/features/offers/share-out.rules.ts';
import { shownDay } from '#src/shared/day-range.ts';
import type { CreditPart } from '#src/features/ledger/ledger.rules.ts';
import { cents, formatDollars, toDollars, type Cents } from '#src/shared/money.ts';
import { randomCode } from '#src/shared/random-key.ts';

/** 16 characters of 30 are 78 bits. */
const CHARACTERS = 16;
const CREDIT_CODE = /^[2-9A-HJKMNP-TV-Z]{16}$/;

export const makeUpCreditCode = (random: (below: number) => number): string => randomCode(CHARACTERS, random);

/** A typed code, normalized; null for a text that cannot be one of our codes. */
export function creditCodeOf(typed: string): string | null {
  const code = tidyCode(typed);
  return code !== null && CREDIT_CODE.test(code) ? code : null;
}

/** "ABCD-EFGH-JKMN-PQRS" */
export const shownCode = (code: string) => code.match(/.{4}/g)?.join('-') ?? code;
/** "••••7K3M" */
export const hiddenCode = (last4: string) => `••••${last4}`;

export const creditLine = (last4: string, amountCents: number) =>
  `Paid with credit ${hiddenCode(last4)}: −${formatDollars(amountCents)}`;
export const bonusLine = (last4: string, amountCents: number) =>
  `Bonus of credit ${hiddenCode(last4)}: −${formatDollars(amountCents)}`;

/** A code that may be spent, with its balance less what other orders have reserved. */
export type UsableCode = {
  id: number;
  /** The seller of the credit. */
  organizationId: number;
  last4: string;
  cents: number;
  bonusCents: number;
  /** We hold its money, and not its seller's own Stripe account. */
  isHeld: boolean;
};
export type SpentCredit = Omit<UsableCode, 'cents' | 'bonusCents'> & { cents: number; bonusCents: number };

/** Takes from each code in turn, until the amount is reached. */
function takeInTurn(amountCents: number, available: readonly number[]): number[] {
  let left = amountCents;
  return available.map((most) => {
    const taken = Math.min(most, left);
    left -= taken;
    return taken;
  });
}

/** What the bonuses of codes take off photos of this price, for each code. */
export const bonusesFor = (codes: readonly UsableCode[], subtotalCents: number): number[] =>
  takeInTurn(
    subtotalCents,
    codes.map(({ bonusCents }) => bonusCents),
  );

/** The best price less the bonuses of codes, with the part of each code and their sum; `full` is the price before that. */
export function lessBonuses(full: BestPrice, codes: readonly UsableCode[]) {
  const bonuses = bonusesFor(codes, full.subtotalCents);
  const bonusCents = bonuses.reduce((sum, bonus) => sum + bonus, 0);
  return { best: lessBonus(full, bonusCents), full, credit: codes, bonuses, bonusCents };
}

/**
 * What codes pay of a total, for each code. If less than `minimumCents` would be left for the card, less credit is
 * used, so that the card pays exactly that. If the total itself is less, no credit is held back.
 */
function creditFor(codes: readonly UsableCode[], totalCents: number, minimumCents: number): number[] {
  const available = codes.map((code) => code.cents);
  const most = Math.min(
    totalCents,
    available.reduce((sum, each) => sum + each, 0),
  );
  const rest = totalCents - most;
  const spent = rest > 0 && rest < minimumCents ? Math.max(0, totalCents - minimumCents) : most;
  return takeInTurn(spent, available);
}

/** The best price less a bonus, which is divided over all photos and passes like a reduction. */
export function lessBonus(best: BestPrice, bonusCents: number): BestPrice {
  if (bonusCents === 0) return best;
  const weights = [...best.lines.map((line) => line.priceCents), ...best.offers.map((offer) => offer.paidCents)];
  const parts = shareOut(bonusCents, weights);
  return {
    ...best,
    lines: best.lines.map((line, at) => ({ ...line, priceCents: line.priceCents - (parts[at] ?? 0) })),
    offers: best.offers.map((offer, at) => ({
      ...offer,
      paidCents: offer.paidCents - (parts[best.lines.length + at] ?? 0),
    })),
    subtotalCents: best.subtotalCents - bonusCents,
  };
}

/** Codes that pay a part, with that part. */
function spentOf(codes: readonly UsableCode[], bonuses: readonly number[], credit: readonly number[]): SpentCredit[] {
  return codes
    .map((code, at) => ({ ...code, cents: credit[at] ?? 0, bonusCents: bonuses[at] ?? 0 }))
    .filter((spent) => spent.cents + spent.bonusCents > 0);
}

/** Divides a refund over the codes that paid, less what each got back before. */
export function returnedTo<Code extends { cents: number; returnedCents: number }>(
  codes: readonly Code[],
  amountCents: number,
): (Code & { backCents: number })[] {
  const notReturned = codes.map((code) => code.cents - code.returnedCents);
  const parts = takeInTurn(amountCents, notReturned);
  return codes.map((code, at) => ({ ...code, backCents: parts[at] ?? 0 }));
}

type SoldGift = {
  name: string;
  /** Null once the receiver is forgotten. */
  email: string | null;
  message: string;
  sendOn: string;
  isSent: boolean;
  /** Its email could not be delivered so far. */
  isReturned: boolean;
  /** Its receiver has looked at the code, or someone has spent some of it. */
  isOpened: boolean;
};

/** The credit that an order bought. `sealed`: the encrypted code. */
export type SoldCredit = {
  sealed: string;
  last4: string;
  cents: number;
  bonusCents: number;
  bonusUntil: string | null;
  /** Without a name the receiver was already forgotten; `message` is what the giver wrote. */
  gift: SoldGift | null;
};

/** A code for its reader. `leftCents`: of a disputed or partly refunded one, what can be spent, with its bonus; null for any other. */
export type ShownCode = { code: string; leftCents: number | null };

/** As its order shows it; `shown` is null where the reader may not see the code. */
export function presentCredit(
  { last4, cents: paid, bonusCents, bonusUntil, gift }: SoldCredit,
  shown: ShownCode | null,
) {
  const { code, leftCents } = shown ?? { code: null, leftCents: null };
  return {
    code: code === null ? null : shownCode(code),
    last4,
    amount: toDollars(paid),
    bonus: toDollars(bonusCents),
    bonus_until: bonusUntil,
    ...(leftCents !== null && { left: toDollars(leftCents) }),
    // Only the buyer reads what the giver wrote.
    gift: gift && {
      name: gift.name,
      email: code === null ? null : gift.email,
      message: code === null ? '' : gift.message,
      send_on: gift.sendOn,
      sent: gift.isSent,
      returned: gift.isReturned,
      opened: gift.isOpened,
    },
  };
}

/** Credit comes last: it pays tax and donation, too (offers specification A.5). The card pays the rest. */
export function paidWithCredit(
  price: { credit: readonly UsableCode[]; bonuses: readonly number[] } | null,
  totalCents: Cents,
  minimumCents: number,
): { credit: SpentCredit[]; chargeCents: Cents } {
  if (price === null || price.credit.length === 0) return { credit: [], chargeCents: totalCents };
  const parts = creditFor(price.credit, totalCents, minimumCents);
  const paidCents = parts.reduce((sum, part) => sum + part, 0);
  return { credit: spentOf(price.credit, price.bonuses, parts), chargeCents: cents(totalCents - paidCents) };
}

/** Credit that paid for an order, as the ledger takes it. */
export const creditParts = (
  credit: readonly { organizationId: number; isHeld: boolean; cents: number }[],
): CreditPart[] =>
  credit
    .filter((code) => code.cents > 0)
    .map(({ organizationId, isHeld, cents: amount }) => ({ organizationId, isHeld, amountCents: cents(amount) }));

export const presentSpent = (credit: readonly { last4: string; cents: number }[]) =>
  credit.filter((spent) => spent.cents > 0).map((spent) => ({ last4: spent.last4, amount: toDollars(spent.cents) }));

export function creditSentence({ cents: paid, bonusCents, gift }: SoldCredit): string {
  const worth =
    bonusCents > 0 ? `${formatDollars(paid)} and a bonus of ${formatDollars(bonusCents)}` : formatDollars(paid);
  if (!gift) return `Your code is worth ${worth}. Enter it when you pay for photos.`;
  if (gift.name === '') return `A code worth ${worth}, as a gift.`;
  return `A code worth ${worth} for ${gift.name}. We send it on ${shownDay(gift.sendOn)}.`;
}
