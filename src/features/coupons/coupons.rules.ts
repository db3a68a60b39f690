/** Decisions about codes: how typed ones are read, and why one is refused (offers specification A.4, A.7). */
import * as words from '#src/features/coupons/coupons.contract.ts';
import type { CouponOutcome, CouponTerms } from '#src/features/offers/price-question.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { cents, formatDollars } from '#src/shared/money.ts';

/** Whether it may be used now, as its row and its counted uses tell. */
export type CouponFacts = {
  firstDay: string | null;
  lastDay: string | null;
  endedAt: Date | null;
  /** The seller's. */
  timeZone: string;
  maxUses: number | null;
  maxPerPerson: number | null;
  uses: number;
  /** Of this buyer; 0 while it is not known who buys. */
  usesOfPerson: number;
};

/** Why it cannot be used now; null where it can. */
export function refusalOf(coupon: CouponFacts, now: Date): string | null {
  const { timeZone, firstDay, lastDay, endedAt, maxUses, maxPerPerson } = coupon;
  const today = machineDay(now, timeZone);
  if (endedAt !== null) return words.codeEnded(shownDay(machineDay(endedAt, timeZone)));
  if (lastDay !== null && today > lastDay) return words.codeEnded(shownDay(lastDay));
  if (firstDay !== null && today < firstDay) return words.codeStarts(shownDay(firstDay));
  // Whoever has used it is told so, also when no one else can use it any more.
  if (maxPerPerson !== null && coupon.usesOfPerson >= maxPerPerson) return words.CODE_USED_ALREADY;
  if (maxUses !== null && coupon.uses >= maxUses) return words.CODE_USED_UP;
  return null;
}

/** Wrong ones count against the sender: those that tell nothing of a coupon that could be used today. */
export const isWrong = (coupon: CouponFacts | null, now: Date): boolean =>
  coupon === null || refusalOf({ ...coupon, maxUses: null, maxPerPerson: null }, now) !== null;

/**
 * Why a coupon gives nothing in this cart, by what the best price says became of it; null where it does, where the early bird gives
 * more, and where there is nothing to take off.
 */
export function refusalInCart(outcome: CouponOutcome, coupon: Pick<CouponTerms, 'minimumCents'>): string | null {
  if (outcome === 'below minimum') return words.codeMinimum(formatDollars(cents(coupon.minimumCents)));
  return outcome === 'not for these' ? words.CODE_NOT_FOR_THESE : null;
}

/** Digits and capitals without the letters that look like digits: I, L and O; nor U, so that no word comes about. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const MADE_UP_CHARACTERS = 8;

/** A code of eight characters; `random(n)` answers 0 to n - 1. */
export function makeUpCode(random: (below: number) => number): string {
  return Array.from({ length: MADE_UP_CHARACTERS }, () => LETTERS[random(LETTERS.length)]).join('');
}

/** A typed code as one that we made up is written: O is 0, I and L are 1. */
export function asMadeUp(code: string): string {
  return code.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
