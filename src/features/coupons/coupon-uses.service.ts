/**
 * Codes in an order. A code is read when a cart is priced. Its use is reserved under the coupon's lock, in the
 * transaction that stores the order, so that simultaneous orders cannot exceed its limit. The use counts while the
 * order is pending and when it is paid; the database releases it in the statement that fails the order (migration
 * 0091).
 */
import * as words from '#src/features/coupons/coupons.contract.ts';
import { asMadeUp, isWrong, refusalOf } from '#src/features/coupons/coupons.rules.ts';
import type { CouponTerms } from '#src/features/offers/price-question.rules.ts';
import * as usesSql from '#src/features/coupons/coupon-uses.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Clock } from '#src/platform/clock.ts';
import { tenantOf, type Database, type Writer } from '#src/platform/db/db.ts';
import { refusedWith, type Limits } from '#src/platform/limits/rate-limits.ts';
import type { Keys } from '#src/platform/platform.ts';
import { signValue } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { fieldProblem } from '#src/shared/problem.ts';

/** Wrong codes that one sender may try in ten minutes (A.12). */
const WRONG_CODES = 10;

export type CouponUseService = ReturnType<typeof createCouponUses>;
type CouponUseDeps = { database: Database; limits: Limits; clock: Clock; keys: Pick<Keys, 'couponBuyers'> };

/** The result of typed codes: at most one coupon. Every other code is refused with a reason. */
export type ReadCodes = { coupon: CouponTerms | null; refused: words.RefusedCode[] };

/** A buyer as uses are counted: a keyed hash of the address in lower case. */
function personOf(ctx: CouponUseDeps, email: string): Buffer {
  return Buffer.from(signValue(ctx.keys.couponBuyers, email.trim().toLowerCase()), 'base64url');
}

const refused = (error: string) => fieldProblem({ codes: [error] });

/**
 * What typed codes give at this seller today. Minimum and galleries depend on the cart: see `refusalInCart`. Without
 * codes no query runs. `email`: the buyer, if known.
 * @throws too_many for a sender with ten wrong codes in ten minutes, whatever the next ones are
 */
export async function termsOf(
  ctx: CouponUseDeps,
  caller: Caller,
  { organizationId, codes, email }: { organizationId: number; codes: readonly string[]; email: string | null },
): Promise<ReadCodes> {
  const typed = new Map(codes.map((code) => [words.tidyCode(code) ?? code, code]));
  if (typed.size === 0) return { coupon: null, refused: [] };
  const now = ctx.clock.now();
  const candidates = [...new Set([...typed.keys()].flatMap((code) => [code, asMadeUp(code)]))];
  const person = email === null ? null : personOf(ctx, email);
  const found = await ctx.database.read(tenantOf({ organizationId }), (db) =>
    usesSql.findByCodes(db, organizationId, { codes: candidates, person }),
  );
  const couponOf = (code: string) =>
    found.find((one) => one.code === code) ?? found.find((one) => one.isMadeUp && one.code === asMadeUp(code)) ?? null;
  await countTries(ctx, caller, [...typed.keys()].filter((code) => isWrong(couponOf(code), now)).length);
  const answer: ReadCodes = { coupon: null, refused: [] };
  for (const [code, asTyped] of typed) {
    const coupon = couponOf(code);
    const error = coupon === null ? words.CODE_UNKNOWN : refusalOf(coupon, now);
    if (error !== null) answer.refused.push({ code: asTyped, error });
    else if (answer.coupon === null) answer.coupon = coupon && termsIn(coupon);
    else if (answer.coupon.id !== coupon?.id) answer.refused.push({ code: asTyped, error: words.ONE_CODE });
  }
  return answer;
}

function termsIn({ id, code, kind, value, minimumCents, galleryIds, sheetIds }: usesSql.UsableCoupon): CouponTerms {
  return { id, code, kind, value, minimumCents, galleryIds, sheetIds };
}

/** Counts wrong codes. Right codes run one statement, too, so that the time reveals nothing. */
async function countTries(ctx: CouponUseDeps, caller: Caller, wrong: number): Promise<void> {
  const limit = { bucket: `coupon-codes:ip:${caller.ip}`, limit: WRONG_CODES, windowSeconds: 600 };
  const taken = wrong > 0 ? ctx.limits.take({ ...limit, cost: wrong }) : ctx.limits.check([limit]);
  await refusedWith(words.TOO_MANY_TRIED, taken);
}

type Use = { couponId: number; orderId: number; email: string; soldCents: number; savedCents: number };

/**
 * Reserves a use for an order, in the transaction that has just written it as pending, or as paid where it costs
 * nothing. `soldCents` is the order's subtotal, `savedCents` what the coupon took off.
 * @throws invalid with a sentence under `codes` when the coupon was used up, was used by this buyer or ended meanwhile
 */
export async function reserve(ctx: CouponUseDeps, tx: Writer, { email, ...use }: Use): Promise<void> {
  const person = personOf(ctx, email);
  await usesSql.lockCoupon(tx, use.couponId);
  await requireUse(ctx, tx, use.couponId, person);
  await usesSql.insertUse(tx, { ...use, person });
}

/**
 * Reserves the use of a failed order again, in the transaction that has just reopened it for another card. Does nothing
 * for an order without a coupon.
 * @throws as `reserve`
 */
export async function reserveAgain(ctx: CouponUseDeps, tx: Writer, orderId: number): Promise<void> {
  const released = await usesSql.lockReleased(tx, orderId);
  if (!released) return;
  await requireUse(ctx, tx, released.couponId, released.person);
  await usesSql.reserveAgain(tx, orderId);
}

/** The coupon is locked, so these counts stay true until the transaction ends. */
async function requireUse(ctx: CouponUseDeps, tx: Writer, couponId: number, person: Buffer): Promise<void> {
  const coupon = await usesSql.findCoupon(tx, couponId, person);
  if (!coupon) throw refused(words.CODE_UNKNOWN);
  const error = refusalOf(coupon, ctx.clock.now());
  if (error !== null) throw refused(error);
}

export const createCouponUses = (deps: CouponUseDeps) => bind(deps, { termsOf, reserve, reserveAgain });
