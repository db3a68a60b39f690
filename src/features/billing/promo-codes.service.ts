/**
 * A promo code belongs to an organization that accepts them (rule 22) and pays for the account that is created with it. Checks
 * are limited, because codes are short (threat 45). `promo-codes.sql.ts` decides whether a code is used up or has expired, in
 * the statement that uses it.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { PROMO_CODE_MAX, PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import * as promoCodesSql from '#src/features/billing/promo-codes.sql.ts';
import { PUBLIC, type Database, type Writer } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { bind } from '#src/shared/bind.ts';
import { fieldProblem } from '#src/shared/problem.ts';

const TRIES = 20;
const TRIES_WINDOW_SECONDS = 600;
type PromoCodesDeps = { database: Database; limits: Limits };

/** Other texts are refused without a query. */
function mayBeCode(text: string) {
  return text.length <= PROMO_CODE_MAX && /^[A-Za-z0-9-]+$/.test(text);
}

/**
 * Whether the code would be accepted now at this organization; does not use it.
 * @throws too_many after 20 tries in ten minutes.
 */
export async function promoIsValid(ctx: PromoCodesDeps, caller: Caller, code: string, organizationId: number) {
  await ctx.limits.take({ bucket: `promo:ip:${caller.ip}`, limit: TRIES, windowSeconds: TRIES_WINDOW_SECONDS });
  const typed = code.trim();
  if (!mayBeCode(typed)) return false;
  return ctx.database.read(PUBLIC, (db) => promoCodesSql.codeIsUsable(db, organizationId, typed));
}

/**
 * Uses the code of `organizationId` once, in the transaction that creates the account `redeemedBy`; its scope covers both
 * organizations.
 * @throws invalid under `promoCode` when it is unknown, expired, used up or someone else's.
 */
export async function redeemPromo(
  tx: Writer,
  { organizationId, code, redeemedBy }: { organizationId: number; code: string; redeemedBy: number },
): Promise<void> {
  const typed = code.trim();
  if (mayBeCode(typed) && (await promoCodesSql.redeem(tx, organizationId, typed, redeemedBy))) return;
  throw fieldProblem({ promoCode: [PROMO_CODE_NOT_VALID] });
}

export const createPromoCodes = (deps: PromoCodesDeps) => ({ redeemPromo, ...bind(deps, { promoIsValid }) });
