/** Texts about coupons for their sellers. */
import type { CouponAnswer, CouponState } from '#src/features/coupons/coupon-editing.contract.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { dollarText } from '#src/shared/money.ts';

/** "20% off", "$5.00 off", "2 photos free" */
export function givesText({ kind, value }: Pick<CouponAnswer, 'kind' | 'value'>): string {
  if (kind === 'percent') return `${value}% off`;
  return kind === 'amount' ? `${dollarText(value)} off` : `${counted(value, 'photo', 'photos')} free`;
}

/** Its conditions, in the order in which people ask. Names of galleries and sheets are shown elsewhere. */
export function conditionsOf(coupon: CouponAnswer): string[] {
  const { first_day: first, last_day: last, minimum, max_per_person: perPerson, gallery_ids, sheet_ids } = coupon;
  const days =
    first !== null && last !== null
      ? `from ${shownDay(first)} to ${shownDay(last)}`
      : first !== null
        ? `from ${shownDay(first)}`
        : last !== null
          ? `until ${shownDay(last)}`
          : null;
  return [
    days,
    minimum > 0 ? `orders of ${dollarText(minimum)} or more` : null,
    perPerson === null ? null : `${counted(perPerson, 'time', 'times')} per person`,
    gallery_ids && counted(gallery_ids.length, 'gallery', 'galleries'),
    sheet_ids && counted(sheet_ids.length, 'price sheet', 'price sheets'),
  ].filter((text) => text !== null);
}

/** "3 of 25", "3" */
export function usesText({ uses, max_uses: most }: Pick<CouponAnswer, 'uses' | 'max_uses'>): string {
  const count = formatCount(uses);
  return most === null ? count : `${count} of ${formatCount(most)}`;
}

export const STATE_WORDS: Record<CouponState, { word: string; tone: 'success' | 'neutral' | 'warning' }> = {
  active: { word: 'Active', tone: 'success' },
  waiting: { word: 'Not started', tone: 'neutral' },
  used_up: { word: 'Used up', tone: 'warning' },
  expired: { word: 'Over', tone: 'neutral' },
  ended: { word: 'Ended', tone: 'neutral' },
};
