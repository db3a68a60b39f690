/** Decisions about codes: how typed ones are read, and why one is refused (offers specification A.4, A.7). */
import * as words from '#src/features/coupons/coupons.contract.ts';
import type { CouponOutcome, CouponTerms } from '#src/features/offers/price-question.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { formatDollars } from '#src/shared/money.ts';
import { randomCode } from '#src/shared/random-key.ts';

/** A coupon with its counted uses: whether it may be used now. */
export type CouponFacts = {
  firstDay: string | null;
  lastDay: string | null;
  endedAt: Date | null;
  /** The seller's time zone. */
  timeZone: string;
  maxUses: number | null;
  maxPerPerson: number | null;
  uses: number;
  /** By this buyer; 0 while the buyer is unknown. */
  usesOfPerson: number;
};

/** Why it cannot be used now; null if it can. */
export function refusalOf(coupon: CouponFacts, now: Date): string | null {
  const { timeZone, firstDay, lastDay, endedAt, maxUses, maxPerPerson } = coupon;
  const today = machineDay(now, timeZone);
  if (endedAt !== null) return words.codeEnded(shownDay(machineDay(endedAt, timeZone)));
  if (lastDay !== null && today > lastDay) return words.codeEnded(shownDay(lastDay));
  if (firstDay !== null && today < firstDay) return words.codeStarts(shownDay(firstDay));
  // Buyers who used it get that message, also when it is used up for everyone.
  if (maxPerPerson !== null && coupon.usesOfPerson >= maxPerPerson) return words.CODE_USED_ALREADY;
  if (maxUses !== null && coupon.uses >= maxUses) return words.CODE_USED_UP;
  return null;
}

/** Whether a code counts as a wrong try: every refusal that does not depend on the buyer. */
export const isWrong = (coupon: CouponFacts | null, now: Date): boolean =>
  coupon === null || refusalOf({ ...coupon, maxUses: null, maxPerPerson: null }, now) !== null;

/**
 * Why a coupon gives nothing in this cart, by its outcome in the best price. Null where it reduces the price, where the
 * early bird saves more, and where there is nothing to reduce.
 */
export function refusalInCart(outcome: CouponOutcome, coupon: Pick<CouponTerms, 'minimumCents'>): string | null {
  if (outcome === 'below minimum') return words.codeMinimum(formatDollars(coupon.minimumCents));
  return outcome === 'not for these' ? words.CODE_NOT_FOR_THESE : null;
}

/** Digits and capitals without I, L and O, which look like digits, and without U, so that codes do not spell words. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MADE_UP_CHARACTERS = 8;

export const makeUpCode = (random: (below: number) => number): string =>
  randomCode(MADE_UP_CHARACTERS, random, LETTERS);

/** A typed code in the spelling of generated ones: O becomes 0, I and L become 1. */
export function asMadeUp(code: string): string {
  return code.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
