/** The terms that the platform agreed with an organization: plan, share and flags (rules 18, 22). The fields are our own. */
import * as z from 'zod/mini';

const PLAN_IDS = ['free', 'premium', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export const PLAN_NOT_VALID = 'Please choose Free, Premium or Enterprise.';
export const KEEPS_NOT_VALID = 'The share must be a percentage with at most two decimals.';
export const YES_OR_NO = 'Must be yes or no.';
/** `usual`: what an organization on Free or Premium keeps, as "80%". */
export const keepsOfEnterprise = (usual: string) =>
  `With Enterprise an organization keeps more than ${usual}, up to 100%.`;
export const keepsOfPlan = (usual: string) =>
  `Free and Premium keep ${usual}. Any other share requires an Enterprise contract.`;
export const PAYMENT_UNDER_WAY = 'A payment for this account is in progress. Please try again in a minute.';
export const stillPaidFor = (day: string) =>
  `This account pays for a yearly plan until ${day}. If the plan is not renewed, the account then moves to the free tier.`;
/** Shown before an Enterprise contract replaces a subscription. */
export const endsSubscription = (day: string) =>
  `The yearly subscription, paid until ${day}, ends immediately and is not charged again. Nothing is refunded automatically.`;
export const SUBSCRIPTION_IS_PAID = 'A yearly plan is already paid for.';

export const TERMS_SAVED = 'Saved. It applies from now on; earlier orders don’t change.';

/** What an organization keeps, in basis points. */
const keepsPercent = z.pipe(
  z.number({ error: KEEPS_NOT_VALID }),
  z.transform((percent: number, context): number => {
    const bps = Math.round(percent * 100);
    if (percent >= 0 && percent <= 100 && Math.abs(percent * 100 - bps) < 1e-6) return bps;
    context.issues.push({ code: 'custom', message: KEEPS_NOT_VALID, input: percent });
    return z.NEVER;
  }),
);
const flag = z.optional(z.boolean({ error: YES_OR_NO }));

/** `PUT /api/v1/organizations/{id}/terms`; absent fields stay. */
export const termsBody = z.strictObject({
  terms: z.strictObject({
    plan: z.optional(z.enum(PLAN_IDS, { error: PLAN_NOT_VALID })),
    keeps_percent: z.optional(keepsPercent),
    takes_promo_codes: flag,
    reports_buyer_columns: flag,
    /** Its galleries may be shown as examples on the product's home page (rule 52). */
    shown_on_home_page: flag,
  }),
});
/** `keeps_percent` in basis points. */
export type TermsChanges = z.output<typeof termsBody>['terms'];

export const subscriptionAnswer = z.object({
  plan: z.string(),
  status: z.enum(['active', 'past_due', 'ended']),
  paid_until: z.string(),
  /** False: a member has stopped it, and it ends then. */
  renews: z.boolean(),
  price: z.number(),
});
export const termsAnswer = z.object({
  id: z.number(),
  plan: z.enum(PLAN_IDS),
  /** What the organization keeps of sales and donations, before card fees. */
  keeps_percent: z.number(),
  takes_promo_codes: z.boolean(),
  reports_buyer_columns: z.boolean(),
  shown_on_home_page: z.boolean(),
  /** The yearly plan that a card is charged for. */
  subscription: z.nullable(subscriptionAnswer),
});
export type TermsAnswer = z.infer<typeof termsAnswer>;
