/** Spending prepaid credit: schemas and texts (offers specification A.4, A.8, A.9). */
import * as z from 'zod/mini';
import { CODE_UNKNOWN } from '#src/features/coupons/coupons.contract.ts';

export const TOO_MANY_BALANCES = 'Too many codes were tried. Please wait an hour.';
export const NOT_NEEDED = 'This order is paid without this code. Keep it for later.';
export const CREDIT_CHANGED = 'Prices have changed. Please review your cart.';

/** Accepts any text: one that cannot be a code is answered like an unknown code. */
export const balanceBody = z.strictObject({
  code: z.string({ error: CODE_UNKNOWN }).check(z.maxLength(60, CODE_UNKNOWN)),
  /** The code was in the link of a gift's email: its giver sees that the gift was opened. */
  from_email: z.optional(z.boolean({ error: 'Must be yes or no.' })),
});

export type BalanceBody = z.infer<typeof balanceBody>;

export const balanceAnswer = z.object({
  /** Dollars that were paid. They never expire. */
  balance: z.number(),
  /** Additional dollars for photos; spent first. */
  bonus: z.number(),
  /** The bonus's last day; null without a bonus or an end. */
  bonus_until: z.nullable(z.string()),
});
export type BalanceAnswer = z.infer<typeof balanceAnswer>;

/** What a code pays of an order, and its balance afterwards, in dollars. */
export const spentCredit = z.object({ last4: z.string(), amount: z.number(), left: z.optional(z.number()) });
