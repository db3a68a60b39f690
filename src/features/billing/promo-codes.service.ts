/**
 * A promo code belongs to an organization that takes them (rule 22) and pays for the account that is made with it.
 * Asking is counted, because codes are short (threat 45). When a code is used up or has expired is decided in `promo-codes.sql.ts`, by the
 * statement that uses it.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { PROMO_CODE_MAX, PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import * as promoCodesSql from '#src/features/billing/promo-codes.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

const PUBLIC = { kind: 'public' } as const;
const TRIES = 20;
const TRIES_WINDOW_SECONDS = 600;
/** What a code may be made of; anything else cannot be one. */
const CODE = /^[A-Za-z0-9-]{1,8}$/;

export type PromoCodesDeps = { database: Database; limits: Limits };

function readable(code: string) {
  return code.length <= PROMO_CODE_MAX && CODE.test(code);
}

/** Whether the code would be taken now at this organization. Uses nothing up. @throws too_many after 20 tries in ten minutes. */
export async function promoIsValid(ctx: PromoCodesDeps, caller: Caller, code: string, organizationId: number) {
  await ctx.limits.take({ bucket: `promo:ip:${caller.ip}`, limit: TRIES, windowSeconds: TRIES_WINDOW_SECONDS });
  const asked = code.trim();
  if (!readable(asked)) return false;
  return ctx.database.read(PUBLIC, (db) => promoCodesSql.codeIsUsable(db, organizationId, asked));
}

/**
 * Uses the code once, in the transaction that makes the account (whose scope covers `organizationId`, the code's
 * owner, and of whom it makes). @throws invalid under `promoCode` when it is unknown, expired, used up or someone else's.
 */
export async function redeemPromo(
  tx: Writer,
  promo: { organizationId: number; code: string; /** The new account. */ redeemedBy?: number },
): Promise<void> {
  const code = promo.code.trim();
  if (readable(code) && (await promoCodesSql.redeem(tx, promo.organizationId, code, promo.redeemedBy ?? null))) return;
  throw problem('invalid', PROMO_CODE_NOT_VALID, { errors: { promoCode: [PROMO_CODE_NOT_VALID] } });
}

export function createPromoCodes(deps: PromoCodesDeps) {
  return {
    redeemPromo,
    ...bind(deps, { promoIsValid }),
  };
}
