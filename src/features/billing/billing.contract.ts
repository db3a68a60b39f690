/** Paying for an account: promo codes and upgrades; schemas and texts (specification P§2.4, 4, 7, 8). */
import * as z from 'zod/mini';
import { publicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import { CARD_REQUIRED, cardToken } from '#src/shared/card-token.ts';
import { idSchema } from '#src/shared/validators.ts';

export const PAYMENT_PENDING = 'Payment is being confirmed.';
/** 3-D Secure was not completed in time. */
export const BANK_DID_NOT_CONFIRM =
  'Your bank didn’t confirm the payment in time. You weren’t charged. Please try again.';
export const PROMO_CODE_MAX = 8;
export const PROMO_CODE_NOT_VALID = 'This promo code is not valid.';
export const CARD_ADDED = 'Credit Card Added';
export const UPGRADED = 'Upgraded Successfully';
export const ALREADY_UPGRADED = 'This account is already upgraded.';
export const UPGRADE_RUNNING = 'A payment for this upgrade is already in progress.';
const UPGRADE_TYPE = "type must be 'upgrade'.";
export const SIGN_UP_PAYMENT_UNCLEAR =
  'We couldn’t confirm your payment, so no account was created. If your card was charged, we’ll refund you. Please try again.';
/** A card whose bank confirms every payment cannot be charged without its holder. */
export const CARD_NEEDS_HOLDER =
  'Your bank requires you to confirm each payment with this card. Please use another card.';
export const PLAN_TITLE = 'Plan';
export const NOTHING_RENEWS = 'This account has no yearly plan that renews. Please reload the page to see its plan.';
export const RENEWAL_UNDER_WAY = 'A payment for this plan is being confirmed. Please try again in a few minutes.';
const RENEWS_REQUIRED = 'renews must be true or false.';
export const NO_CARD_ON_FILE = 'No card is on file for this account.';

/** Any text is accepted here: one that cannot be a code is not valid, like an unknown code. */
export const promoCodeBody = z.strictObject({
  promo_code: z.string({ error: 'promo_code is required.' }).check(z.maxLength(200, PROMO_CODE_NOT_VALID)),
});
export const promoCodeAnswer = z.object({ status: z.boolean() });

/** As at the checkout, but never free. */
const chargedCard = z.pipe(
  z.nullish(cardToken),
  z.transform((id: string | null | undefined, context): string => {
    if (typeof id === 'string') return id;
    context.issues.push({ code: 'custom', message: CARD_REQUIRED, input: id });
    return z.NEVER;
  }),
);

/** `POST /api/v1/charges/`. */
export const chargeBody = z.strictObject({
  token: chargedCard,
  type: z.literal('upgrade', { error: UPGRADE_TYPE }),
  affiliate_id: idSchema,
});
export type ChargeBody = z.output<typeof chargeBody>;

/** What a page may show of a card. */
const shownCard = z.object({ last4: z.string(), exp_month: z.number(), exp_year: z.number() });
export type ShownCard = z.infer<typeof shownCard>;

export const upgradedAnswer = z.object({ affiliate: publicOrganization, card: shownCard });

/** Status of the latest upgrade of an account; for anyone who got 202. */
export const upgradeState = z.object({
  status: z.enum(['none', 'pending', 'paid', 'failed']),
  /** Why it failed, for the payer; null otherwise. */
  error: z.nullable(z.string()),
});
export type UpgradeState = z.infer<typeof upgradeState>;

/** 202: the outcome is not known yet; `free_tier` of the affiliate becomes false once it is paid. */
export const pendingAnswer = z.object({
  affiliate: publicOrganization,
  card: z.null(),
  status: z.literal('pending'),
  message: z.string(),
  /** 3-D Secure waits for the cardholder: Stripe.js continues with the secret. */
  requires_action: z.optional(z.object({ client_secret: z.string() })),
});

export const renewalBody = z.strictObject({ renews: z.boolean({ error: RENEWS_REQUIRED }) });

/** The plan of an account, for its members. */
export const accountPlan = z.object({
  plan: z.enum(['free', 'premium', 'enterprise']),
  /** What is paid for it yearly; null if nothing is. */
  subscription: z.nullable(
    z.object({
      price: z.number(),
      paid_until: z.string(),
      /** False: it ends then. */
      renews: z.boolean(),
      /** The card was declined at the last renewal. */
      past_due: z.boolean(),
      card_brand: z.nullable(z.string()),
      card_last4: z.nullable(z.string()),
    }),
  ),
});
export type AccountPlan = z.infer<typeof accountPlan>;
