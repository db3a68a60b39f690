/** Coupons as their seller edits them: schemas and texts (offers specification A.8). */
import * as z from 'zod/mini';
import { MAX_CODE, MIN_CODE, tidyCode } from '#src/features/coupons/coupons.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { readMachineDay } from '#src/shared/day-range.ts';
import { dollars, idSchema, must } from '#src/shared/validators.ts';

export const CODES_TITLE = 'Codes';
export const COUPONS_PER_PAGE = 25;
/** Of one organization, at a time. */
export const MAX_COUPONS = 500;
export const MAX_USES = 100_000;
export const MAX_AMOUNT_CENTS = 100_000;
export const MAX_MINIMUM_CENTS = 1_000_000;
export const MAX_PHOTOS = 200;
export const MAX_CHOSEN = 100;

export const KIND_REQUIRED = 'Please choose what the code is worth: a percentage, an amount or photos.';
export const VALUE_REQUIRED = 'Please enter how much the code is worth.';
export const PERCENT_NOT_VALID = 'A percentage must be above 0 and at most 100, with at most two decimals.';
export const AMOUNT_NOT_VALID = 'An amount must be from $0.01 to $1,000.00.';
export const PHOTOS_NOT_VALID = `Photos must be a whole number from 1 to ${MAX_PHOTOS}.`;
export const CODE_NOT_VALID = `A code must have ${MIN_CODE} to ${MAX_CODE} letters and digits.`;
export const CODE_TAKEN = 'You already have this code. Please choose another one.';
export const USES_NOT_VALID = `A limit must be a whole number from 1 to ${formatCount(MAX_USES)}.`;
export const MINIMUM_NOT_VALID = 'The minimum order must be an amount in dollars, at most $10,000.';
export const FIRST_DAY_NOT_VALID = 'The first day must be a date like 2027-06-30.';
export const LAST_DAY_NOT_VALID = 'The last day must be a date like 2027-06-30.';
export const LAST_DAY_PAST = 'The last day must be today or later. To stop a code now, end it.';
export const DAYS_CROSSED = 'The last day must not be before the first one.';
export const GALLERIES_NOT_VALID = 'Please choose galleries of your own.';
export const SHEETS_NOT_VALID = 'Please choose price sheets that your galleries can use.';
export const TOO_MANY_CHOSEN = `At most ${MAX_CHOSEN}, please. To include all of them, choose none.`;
export const FREE_NEEDS_LIMIT = 'A code that makes photos free needs a limit.';
export const COUPON_NOT_FOUND = 'This code cannot be found.';
export const COUPON_HAS_ENDED = 'This code has ended. Please create a new one.';
export const TOO_MANY_COUPONS = `An organization can have ${MAX_COUPONS} codes at a time. Please end one first.`;
export const fewerThanUsed = (uses: number) =>
  `The limit can’t be less than the number already used: ${formatCount(uses)}.`;
export const costNothing = (photos: number) =>
  photos === 1 ? 'With this code 1 photo costs nothing.' : `With this code ${photos} photos cost nothing.`;
export const ALL_COST_NOTHING = 'With this code all photos cost nothing.';

export const COUPON_KINDS = ['percent', 'amount', 'photos'] as const;
export type CouponKind = (typeof COUPON_KINDS)[number];

/** Generated when blank. */
const code = z.pipe(
  z.nullable(
    z
      .string({ error: CODE_NOT_VALID })
      .check(must((typed) => typed.trim() === '' || tidyCode(typed) !== null, CODE_NOT_VALID)),
  ),
  z.transform((typed: string | null) => (typed === null ? null : tidyCode(typed))),
);

const uses = z.nullable(
  z
    .number({ error: USES_NOT_VALID })
    .check(z.refine((count) => Number.isInteger(count) && count >= 1 && count <= MAX_USES, { error: USES_NOT_VALID })),
);

const day = (message: string) =>
  z.pipe(
    z.nullable(
      z.string({ error: message }).check(must((text) => text === '' || readMachineDay(text) !== null, message)),
    ),
    z.transform((text: string | null) => (text === '' ? null : text)),
  );

/** An empty list means any. */
const chosen = (message: string) =>
  z.pipe(
    z.nullable(z.array(idSchema, { error: message }).check(z.maxLength(MAX_CHOSEN, TOO_MANY_CHOSEN))),
    z.transform((ids: number[] | null) => (ids === null || ids.length === 0 ? null : [...new Set(ids)])),
  );

const shape = {
  kind: z.enum(COUPON_KINDS, { error: KIND_REQUIRED }),
  /** Percent, dollars or photos. The kind decides, so it is checked together with it. */
  value: z.number({ error: VALUE_REQUIRED }),
  code: z.optional(code),
  max_uses: z.optional(uses),
  max_per_person: z.optional(uses),
  minimum: z.optional(
    z.nullable(dollars({ maximum: MAX_MINIMUM_CENTS, required: MINIMUM_NOT_VALID, invalid: MINIMUM_NOT_VALID })),
  ),
  first_day: z.optional(day(FIRST_DAY_NOT_VALID)),
  last_day: z.optional(day(LAST_DAY_NOT_VALID)),
  gallery_ids: z.optional(chosen(GALLERIES_NOT_VALID)),
  sheet_ids: z.optional(chosen(SHEETS_NOT_VALID)),
};

/** `POST /api/v1/affiliates/{id}/coupons`. */
export const newCouponBody = z.strictObject({ coupon: z.strictObject(shape) });
export type NewCoupon = z.output<typeof newCouponBody>['coupon'];
/** `PUT …/coupons/{couponId}`; absent fields stay. */
export const couponChangesBody = z.strictObject({
  coupon: z.strictObject({ ...shape, kind: z.optional(shape.kind), value: z.optional(shape.value) }),
});
export type CouponChanges = z.output<typeof couponChangesBody>['coupon'];

export const couponParams = z.object({ id: idSchema, couponId: idSchema });

const COUPON_STATES = ['active', 'waiting', 'used_up', 'expired', 'ended'] as const;
/** `waiting`: its first day is in the future. */
export type CouponState = (typeof COUPON_STATES)[number];

export const couponAnswer = z.object({
  id: z.number(),
  code: z.string(),
  kind: z.enum(COUPON_KINDS),
  /** Percent, dollars or photos. */
  value: z.number(),
  max_uses: z.nullable(z.number()),
  max_per_person: z.nullable(z.number()),
  /** Dollars; 0 for none. */
  minimum: z.number(),
  first_day: z.nullable(z.string()),
  last_day: z.nullable(z.string()),
  /** Null for any. */
  gallery_ids: z.nullable(z.array(z.number())),
  sheet_ids: z.nullable(z.array(z.number())),
  state: z.enum(COUPON_STATES),
  /** Orders that were paid with it, also if they were refunded, and orders whose payment is pending. */
  uses: z.number(),
  /** What the photos of its orders cost, and how much was taken off, in dollars, before refunds. */
  sold: z.number(),
  saved: z.number(),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
  warnings: z.array(z.string()),
});
export type CouponAnswer = z.infer<typeof couponAnswer>;
export const couponsPage = z.object({ coupons: z.array(couponAnswer), next: z.nullable(z.number()) });
export type CouponsPage = z.infer<typeof couponsPage>;
