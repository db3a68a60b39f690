/** Offering and buying prepaid credit: schemas, limits and texts (offers specification A.9). */
import * as z from 'zod/mini';
import { readMachineDay } from '#src/shared/day-range.ts';
import { CARD_REQUIRED, cardToken } from '#src/shared/card-token.ts';
import { buyerForm, checkoutKey } from '#src/features/orders/orders.contract.ts';
import { dollars, hasVisibleText, idSchema, isEmail, must, tidy } from '#src/shared/validators.ts';

export { CARD_REQUIRED };
export const CREDIT_TITLE = 'Credit';
const MAX_AMOUNTS = 4;
export const LEAST_CENTS = 500;
export const MOST_CENTS = 20_000;
export const DEFAULT_AMOUNTS = [1_000, 2_500, 5_000, 10_000];
export const MAX_MESSAGE = 300;
/** Larger balances are refunded to the card. */
export const MAX_PAID_OUT_CENTS = 1_000;
export const CODES_PER_PAGE = 25;
/** How many days ahead a gift may be scheduled. */
export const MAX_DAYS_AHEAD = 365;
/** How long the receiver of a gift is known after it was opened, or was not paid; and if no one opens it. */
export const RECEIVER_DAYS = 30;
export const UNOPENED_DAYS = 365;

export const BOUGHT_BEFORE = 'Your earlier order went through. You weren’t charged again.';
export const NO_CREDIT_HERE = 'This organization does not sell credit.';
export const AMOUNT_NOT_OFFERED = 'Please choose one of the amounts.';
export const BONUS_CHANGED = 'The bonus has changed. Please review it.';
export const AMOUNTS_NOT_VALID = 'An amount must be from $5.00 to $200.00.';
const AMOUNTS_COUNT = `Please offer 1 to ${MAX_AMOUNTS} amounts.`;
export const AMOUNTS_TWICE = 'Each amount can be offered once.';
export const BONUS_NOT_VALID = 'A bonus can’t be more than the amount paid.';
export const BONUS_DAY_NOT_VALID = 'The bonus’s last day must be a date like 2027-06-30, today or later.';
const NAME_REQUIRED = 'Please enter who the gift is for.';
const GIFT_EMAIL_REQUIRED = 'Please enter the recipient’s email address.';
const MESSAGE_TOO_LONG = `At most ${MAX_MESSAGE} characters, please.`;
export const DAY_NOT_VALID = 'Please choose a day within the next year.';
export const GIFT_NOT_FOUND = 'This gift cannot be found.';
export const GIFT_OPENED = 'This gift was opened already, so its address cannot be changed.';
export const GIFT_ADDRESS_CHANGED = 'Address changed.';
export const CODE_NOT_FOUND = 'This credit cannot be found.';
export const NOTHING_LEFT = 'This credit has no balance left.';
export const TOO_MUCH_TO_PAY_OUT = 'Only balances below $10.00 are paid out. Larger ones are refunded to the card.';
export const NOT_OURS_TO_PAY_OUT = 'This credit was sold through the seller’s own account, so the seller pays it out.';

/** What is offered, in dollars. */
const offered = z.strictObject({
  amount: dollars({ maximum: MOST_CENTS, required: AMOUNTS_NOT_VALID, invalid: AMOUNTS_NOT_VALID }),
  bonus: z.optional(dollars({ maximum: MOST_CENTS, required: BONUS_NOT_VALID, invalid: BONUS_NOT_VALID })),
});
/** `PUT /api/v1/affiliates/{id}/credit`. */
export const settingsBody = z.strictObject({
  credit: z.strictObject({
    active: z.boolean(),
    amounts: z
      .array(offered, { error: AMOUNTS_COUNT })
      .check(z.minLength(1, AMOUNTS_COUNT), z.maxLength(MAX_AMOUNTS, AMOUNTS_COUNT)),
    bonus_until: z.optional(
      z.nullable(
        z
          .string({ error: BONUS_DAY_NOT_VALID })
          .check(must((text) => text === '' || readMachineDay(text) !== null, BONUS_DAY_NOT_VALID)),
      ),
    ),
  }),
});
export type CreditSettings = z.output<typeof settingsBody>['credit'];

export const settingsAnswer = z.object({
  active: z.boolean(),
  amounts: z.array(z.object({ amount: z.number(), bonus: z.number() })),
  bonus_until: z.nullable(z.string()),
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;

/** A code as members see it, without the code itself. Dollars. */
export const soldCode = z.object({
  id: z.number(),
  order_id: z.number(),
  last4: z.string(),
  bought: z.number(),
  bonus: z.number(),
  left: z.number(),
  is_gift: z.boolean(),
  bought_at: z.string(),
});
export type SoldCode = z.infer<typeof soldCode>;
export const creditPage = z.object({
  settings: settingsAnswer,
  codes: z.array(soldCode),
  next: z.nullable(z.number()),
});
export type CreditPage = z.infer<typeof creditPage>;

export const paidOutAnswer = z.object({ paid_out: z.number(), message: z.string() });

const giftEmail = z
  .string({ error: GIFT_EMAIL_REQUIRED })
  .check(tidy(), z.maxLength(254, GIFT_EMAIL_REQUIRED), z.refine(isEmail, { error: GIFT_EMAIL_REQUIRED }));

/** `PUT /api/v1/orders/{id}/gift`. */
export const giftAddressBody = z.strictObject({ email: giftEmail });

const gift = z.strictObject({
  name: z
    .string({ error: NAME_REQUIRED })
    .check(
      tidy(),
      z.refine(hasVisibleText, { error: NAME_REQUIRED }),
      z.maxLength(100, 'At most 100 characters, please.'),
    ),
  email: giftEmail,
  message: z.optional(z.string().check(tidy(), z.maxLength(MAX_MESSAGE, MESSAGE_TOO_LONG))),
  /** Today when absent. */
  send_on: z.optional(
    z.nullable(z.string({ error: DAY_NOT_VALID }).check(must((text) => readMachineDay(text) !== null, DAY_NOT_VALID))),
  ),
});

/** `POST /api/v1/credit_orders`. */
export const buyCreditBody = z.strictObject({
  org_id: idSchema,
  amount: dollars({ maximum: MOST_CENTS, required: AMOUNT_NOT_OFFERED, invalid: AMOUNT_NOT_OFFERED }),
  /** The bonus that the buyer saw; if it has changed, nothing is charged. */
  bonus: z.optional(dollars({ maximum: MOST_CENTS, required: BONUS_NOT_VALID, invalid: BONUS_NOT_VALID })),
  gift: z.optional(z.nullable(gift)),
  user: z.prefault(buyerForm(true), {} as never),
  checkout_key: checkoutKey,
  stripe_token: z.optional(cardToken),
});
export type BuyCredit = z.output<typeof buyCreditBody>;
