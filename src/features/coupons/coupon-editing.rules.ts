/** Decisions about coupons as their seller edits them: their problems, their state, and what they cost the seller. */
import * as words from '#src/features/coupons/coupon-editing.contract.ts';
import type { CouponAnswer, CouponKind, CouponState } from '#src/features/coupons/coupon-editing.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { present } from '#src/shared/field-names.ts';
import { cents, parseDollarNumber, portionHalfUp, toDollars } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** What a seller decides about a coupon, with its value as stored: hundredths of a percent, cents, or photos. */
export type CouponPlan = {
  kind: CouponKind;
  value: number;
  maxUses: number | null;
  maxPerPerson: number | null;
  minimumCents: number;
  firstDay: string | null;
  lastDay: string | null;
  galleryIds: number[] | null;
  sheetIds: number[] | null;
};

export type CouponRow = CouponPlan & {
  id: number;
  code: string;
  createdAt: Date;
  endedAt: Date | null;
  timeZone: string;
  uses: number;
  soldCents: number;
  savedCents: number;
  /** The price of a photo in most of the galleries that it is for; null without such galleries. */
  usualPriceCents: number | null;
};

/** Converts a value from the API to the stored one; null for one that its kind cannot have. */
export function readValue(kind: CouponKind, value: number): number | null {
  if (kind === 'photos') return Number.isInteger(value) && value >= 1 && value <= words.MAX_PHOTOS ? value : null;
  // Percentages have two decimals, like dollars.
  const hundredths = parseDollarNumber(value);
  const most = kind === 'percent' ? 10_000 : words.MAX_AMOUNT_CENTS;
  return hundredths !== null && hundredths >= 1 && hundredths <= most ? hundredths : null;
}

const VALUE_PROBLEMS: Record<CouponKind, string> = {
  percent: words.PERCENT_NOT_VALID,
  amount: words.AMOUNT_NOT_VALID,
  photos: words.PHOTOS_NOT_VALID,
};

/** The smallest card payment (rule 20). */
const SMALLEST_SALE_CENTS = 50;

/**
 * Whether an order may cost nothing with it, also by rounding ($1.00 less 99.5%). Without a limit anyone could then
 * take every photo.
 */
function makesFree({ kind, value, minimumCents }: CouponPlan): boolean {
  if (kind === 'percent') {
    const smallest = Math.max(minimumCents, SMALLEST_SALE_CENTS);
    return portionHalfUp(cents(smallest), value, 10_000) === smallest;
  }
  return kind === 'photos' || minimumCents <= value;
}

/** The given value, else the previous one, else null. */
function givenOrBefore<Value>(given: Value | null | undefined, before: Value | null | undefined): Value | null {
  return given === undefined ? (before ?? null) : given;
}

/** Applies the fields of a call to the existing plan; `value` is null where the kind cannot have it. */
export function planOf(before: CouponPlan | null, given: words.CouponChanges) {
  const kind = given.kind ?? before?.kind ?? 'percent';
  // Another kind needs a new value: 20 percent are not 20 dollars.
  const valueBefore = before?.kind === kind ? before.value : null;
  return {
    kind,
    value: given.value === undefined ? valueBefore : readValue(kind, given.value),
    maxUses: givenOrBefore(given.max_uses, before?.maxUses),
    maxPerPerson: givenOrBefore(given.max_per_person, before?.maxPerPerson),
    minimumCents: givenOrBefore(given.minimum, before?.minimumCents) ?? 0,
    firstDay: givenOrBefore(given.first_day, before?.firstDay),
    lastDay: givenOrBefore(given.last_day, before?.lastDay),
    galleryIds: givenOrBefore(given.gallery_ids, before?.galleryIds),
    sheetIds: givenOrBefore(given.sheet_ids, before?.sheetIds),
  };
}

/** All problems of a plan, by field. `before` is the plan that it replaces; its past days may stay. */
export function problemsOf(
  plan: ReturnType<typeof planOf>,
  { today, before }: { today: string; before: Pick<CouponRow, 'lastDay' | 'uses'> | null },
): FieldErrors {
  const { kind, value, maxUses, firstDay, lastDay } = plan;
  const errors: FieldErrors = {};
  if (value === null) errors['value'] = [VALUE_PROBLEMS[kind]];
  else if (maxUses === null && makesFree({ ...plan, value })) errors['max_uses'] = [words.FREE_NEEDS_LIMIT];
  if (before && maxUses !== null && maxUses < before.uses) errors['max_uses'] = [words.fewerThanUsed(before.uses)];
  if (firstDay !== null && lastDay !== null && lastDay < firstDay) errors['last_day'] = [words.DAYS_CROSSED];
  else if (lastDay !== null && lastDay < today && lastDay !== before?.lastDay)
    errors['last_day'] = [words.LAST_DAY_PAST];
  return errors;
}

/** Warnings for a seller, who may still save the coupon. */
function warningsOf(coupon: CouponRow): string[] {
  const { kind, value, usualPriceCents } = coupon;
  // Something is always paid of the smallest order that it takes.
  if (!makesFree(coupon)) return [];
  if (kind === 'percent') return value === 10_000 ? [words.ALL_COST_NOTHING] : [];
  const free = kind === 'photos' ? value : usualPriceCents ? Math.floor(value / usualPriceCents) : 0;
  return free > 0 ? [words.costNothing(free)] : [];
}

/** The first reason that applies, in the order in which people would name them. */
function stateOf(coupon: CouponRow, now: Date): CouponState {
  const today = machineDay(now, coupon.timeZone);
  if (coupon.endedAt !== null) return 'ended';
  if (coupon.lastDay !== null && coupon.lastDay < today) return 'expired';
  if (coupon.maxUses !== null && coupon.uses >= coupon.maxUses) return 'used_up';
  return coupon.firstDay !== null && coupon.firstDay > today ? 'waiting' : 'active';
}

export function presentCoupon(row: CouponRow, now: Date): CouponAnswer {
  const value = row.kind === 'photos' ? row.value : toDollars(row.value);
  return present(words.couponAnswer, { ...row, value, state: stateOf(row, now), warnings: warningsOf(row) });
}
