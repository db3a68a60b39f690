/** What offers, passes and codes add to a quote and an order (offers A.4, A.8). Absent where there are none. */
import * as z from 'zod/mini';
import { refusedCode } from '#src/features/coupons/coupons.contract.ts';
import { spentCredit } from '#src/features/credit/credit.contract.ts';
import { PASS_KINDS } from '#src/features/order-offers/sold-passes.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

const TOO_MANY_PASSES = 'At most 20 passes, please.';
const MAX_PASSES = 20;

const wantedPass = z.strictObject({
  kind: z.enum(PASS_KINDS),
  gallery_id: z.optional(z.nullable(idSchema)),
  athlete_key: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
});

/** Passes that the buyer chose. The best price may add others. */
export const passesField = z._default(z.array(wantedPass).check(z.maxLength(MAX_PASSES, TOO_MANY_PASSES)), []);

const OFFER_KINDS = ['bundle', 'steps', ...PASS_KINDS] as const;
const quotedOffer = z.object({
  /** Its id within its price sheet. */
  id: z.number(),
  kind: z.enum(OFFER_KINDS),
  /** "Any 5 for $15.00" */
  name: z.string(),
  /** Photos of the cart that it covers. */
  photo_ids: z.array(z.number()),
  /** Photos that it pays for and that are not chosen yet. */
  open_slots: z.number(),
  price: z.number(),
  /** What its photos cost one by one. */
  single_sum: z.number(),
  /** As on receipts. */
  text: z.string(),
});
const quotedReduction = z.object({
  kind: z.enum(['coupon', 'early_bird']),
  name: z.string(),
  amount: z.number(),
  text: z.string(),
});
/** A line of "How your price is made". */
export const pricingLine = z.object({ text: z.string(), amount: z.number() });
export type PricingLine = z.infer<typeof pricingLine>;

/** Each is absent where there is no price sheet, pass or code. */
export const quotedOffers = {
  /** What the photos cost one by one. */
  singles: z.optional(z.number()),
  offers: z.optional(z.array(quotedOffer)),
  reduction: z.optional(z.nullable(quotedReduction)),
  /** Prepaid credit that pays for a part. */
  credit: z.optional(z.array(spentCredit)),
  /** What the card is charged. */
  charge: z.optional(z.number()),
  /** What would cost little more: this many more photos for this much more. */
  hints: z.optional(z.array(z.object({ text: z.string(), photos: z.number(), costs: z.number() }))),
  refused_codes: z.optional(z.array(refusedCode)),
  /** The lines of "How your price is made", the same as on the receipt. They sum to the subtotal. */
  pricing: z.optional(z.array(pricingLine)),
  /** Why the price has a pass that the buyer did not choose, or a code instead of the early bird. */
  notes: z.optional(z.array(z.string())),
};
const offersQuoted = z.object(quotedOffers);
export type QuotedOffers = z.infer<typeof offersQuoted>;
