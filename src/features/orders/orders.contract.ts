/** Buying photos: schemas and texts (specification P§3, 5, 8). */
import * as z from 'zod/mini';
import { spentCredit } from '#src/features/credit/credit.contract.ts';
import { codesField } from '#src/features/coupons/coupons.contract.ts';
import { MAX_PRICE_CENTS } from '#src/features/offers/offers.contract.ts';
import { pricingLine, passesField, quotedOffers } from '#src/features/order-offers/order-offers.contract.ts';
import { passAnswer } from '#src/features/order-offers/sold-passes.contract.ts';
import { cardToken } from '#src/shared/card-token.ts';
import { parseDollarText, ZERO, type Cents } from '#src/shared/money.ts';
import { dollars, hasVisibleText, idSchema, isEmail, filledText } from '#src/shared/validators.ts';

export { CARD_NOT_READABLE, CARD_REQUIRED, cardToken, PAYMENT_UNAVAILABLE } from '#src/shared/card-token.ts';
export const FIRST_NAME_REQUIRED = 'First name is required.';
export const LAST_NAME_REQUIRED = 'Last name is required.';
export const EMAIL_REQUIRED = 'Email is required.';
export const CONFIRM_EMAIL_REQUIRED = 'Confirm email is required.';
export const EMAILS_DIFFER = 'Emails do not match.';
export const EMAIL_NOT_VALID = 'Emails are not a valid address.';
export const ZIP_REQUIRED = 'Zip is required.';
export const ZIP_NOT_VALID = 'Zip is not a valid US zip code.';
export const CART_IS_EMPTY = 'You have no items in your cart.';
export const DONATION_NOT_VALID = 'Donation must be an amount in dollars, at most $10,000.';
export const PRICES_CHANGED = 'Prices have changed. Please review your cart.';
export const subtotalNow = (now: string, before: string) => `The subtotal is ${now} now instead of ${before}.`;
export const PHOTO_NOT_AVAILABLE = 'A photo in your cart is no longer available.';
export const DONATION_GALLERY_UNKNOWN = 'The donation cannot go to this gallery.';
export const CHECKOUT_KEY_TAKEN =
  'This checkout was already used for another order. Please review your cart and try again.';
/** Follows the provider's message, which has the reason. */
export const NOTHING_CHARGED = 'Nothing was charged. Please check the card or try another one.';
export const ORDER_STATUS_UNKNOWN =
  'The connection was lost while we were placing your order. Your cart is safe, and you won’t be charged twice. We’ll check the status of your order as soon as you’re back online.';
export const ORDER_NOT_RECEIVED = 'Your order didn’t reach us. Your cart is safe; please try again.';
export const ALREADY_ORDERED = 'You already ordered these photos. You weren’t charged again.';
export const CHANGED_IN_OTHER_TAB = 'Your cart was changed in another tab. Please review it.';
export const OFFLINE_AT_CHECKOUT =
  'You’re offline. Your cart is kept in this browser, and nothing is sent or charged until you’re back online.';
export const ORDER_NOT_FOUND = 'Order not found.';
export const NO_DOWNLOADS = 'Downloads aren’t available for this order.';
export const minimumCharge = (dollarText: string) => `The minimum card payment is ${dollarText}.`;

export const MAX_ITEMS = 200;
export const CART_IS_TOO_LARGE = `You can order at most ${MAX_ITEMS} photos at once.`;
/** A full cart with every optional field of the API. */
export const CART_BODY_BYTES = 131_072;
/** Other amounts may be typed (specification P§9). */
export const DONATION_PRESETS = ['$5.00', '$10.00', '$20.00'] as const;
const MAX_DONATION_CENTS = 1_000_000;
/** Photos at the highest price (rule 44). */
const MAX_SUBTOTAL_CENTS = MAX_ITEMS * MAX_PRICE_CENTS;
const NAME_MAX = 100;
const US_ZIP = /^\d{5}(?:-\d{4})?$/;

// No check stops the others (`abort`), so that all problems of the form are reported together.
const blankOr = (valid: (text: string) => boolean) => (text: string) => !hasVisibleText(text) || valid(text);

const buyerShape = {
  first_name: filledText(NAME_MAX, FIRST_NAME_REQUIRED),
  last_name: filledText(NAME_MAX, LAST_NAME_REQUIRED),
  email: filledText(254, EMAIL_REQUIRED).check(z.refine(blankOr(isEmail), { error: EMAIL_NOT_VALID })),
  confirm_email: filledText(254, CONFIRM_EMAIL_REQUIRED),
  zip: z.optional(
    z.nullable(
      z.string({ error: ZIP_NOT_VALID }).check(
        z.trim(),
        z.refine(
          blankOr((text) => US_ZIP.test(text)),
          { error: ZIP_NOT_VALID },
        ),
      ),
    ),
  ),
};

const isFilled = (value: unknown): value is string => typeof value === 'string' && hasVisibleText(value);

function emailsDiffer(buyer: { email?: unknown; confirm_email?: unknown } | null): boolean {
  const { email, confirm_email: again } = buyer ?? {};
  return isFilled(email) && isFilled(again) && email.trim().toLowerCase() !== again.trim().toLowerCase();
}

/** Runs a check even if other fields have problems. */
const always = { when: () => true };

const buyer = z
  .strictObject(buyerShape, { error: (issue) => (issue.code === 'invalid_type' ? FIRST_NAME_REQUIRED : undefined) })
  .check(z.refine((value) => !emailsDiffer(value), { error: EMAILS_DIFFER, path: ['confirm_email'], ...always }));

/** The buyer's part of the checkout form; the zip is required only if a charge is needed (specification P§5). */
export function buyerForm(chargeNeeded: boolean) {
  return chargeNeeded
    ? buyer.check(z.refine((value) => isFilled(value?.zip), { error: ZIP_REQUIRED, path: ['zip'], ...always }))
    : buyer;
}
export type BuyerForm = z.input<typeof buyer>;

/** Donation text such as "$5.00" as cents; blank is zero; null if it is not an amount up to $10,000. */
export function parseDonation(text: string): Cents | null {
  if (!hasVisibleText(text)) return ZERO;
  const amount = parseDollarText(text);
  return amount === null || amount > MAX_DONATION_CENTS ? null : amount;
}

const donation = z.pipe(
  z._default(z.string({ error: DONATION_NOT_VALID }), ''),
  z.transform((text: string, context): Cents => {
    const amount = parseDonation(text);
    if (amount !== null) return amount;
    context.issues.push({ code: 'custom', message: DONATION_NOT_VALID, input: text });
    return z.NEVER;
  }),
);

const amount = (name: string) =>
  dollars({
    maximum: MAX_SUBTOTAL_CENTS,
    required: `${name} is required.`,
    invalid: `${name} must be an amount in dollars.`,
  });

const orderItem = z.strictObject({ id: idSchema, gallery_id: idSchema, sales_price: amount('sales_price') });

const items = <Item extends z.ZodMiniType>(item: Item) =>
  z.array(item, { error: CART_IS_EMPTY }).check(z.maxLength(MAX_ITEMS, CART_IS_TOO_LARGE));

/** A pass may be bought without photos. */
const isEmptyCart = (body: { items?: unknown; passes?: unknown } | null) =>
  Array.isArray(body?.items) && body.items.length === 0 && !(Array.isArray(body.passes) && body.passes.length > 0);
const hasGoods = z.refine((body) => !isEmptyCart(body as Parameters<typeof isEmptyCart>[0]), {
  error: CART_IS_EMPTY,
  path: ['items'],
  ...always,
});

const orderShape = {
  donation,
  org_id: idSchema,
  donation_gallery_id: z.optional(z.nullable(idSchema)),
};

export const checkoutKey = z
  .string({ error: 'checkout_key is required.' })
  .check(z.regex(/^[A-Za-z0-9._:-]{16,100}$/, 'checkout_key must be 16 to 100 letters, digits or one of . _ : -'));

type Unread = { order?: { user?: { zip?: unknown }; subtotal?: unknown; taxes?: unknown; donation?: unknown } } | null;

/** A charge is needed unless the buyer saw a total of exactly 0.00 (specification P§5). Prices are checked later. */
function zipIsMissing(body: Unread): boolean {
  const order = body?.order;
  if (!order) return false;
  const amounts = [order.subtotal, order.taxes, order.donation];
  return amounts.some((value) => typeof value === 'number' && value !== 0) && !isFilled(order.user?.zip);
}

export const placeOrderBody = z
  .strictObject({
    order: z.strictObject(
      {
        user: z.prefault(buyer, {} as never),
        taxes: amount('taxes'),
        subtotal: amount('subtotal'),
        checkout_key: checkoutKey,
        /** The card charge that the buyer saw, when credit pays a part. */
        charge: z.optional(amount('charge')),
        ...orderShape,
      },
      { error: (issue) => (issue.code === 'invalid_type' ? 'order is required.' : undefined) },
    ),
    stripe_token: z.optional(cardToken),
    items: items(orderItem),
    codes: codesField,
    passes: passesField,
  })
  .check(
    hasGoods,
    z.refine((body) => !zipIsMissing(body as Unread), {
      error: ZIP_REQUIRED,
      path: ['order', 'user', 'zip'],
      ...always,
    }),
  );
export type PlaceOrderBody = z.output<typeof placeOrderBody>;

/** The same without user and token. What the buyer saw may be left out. Of a user only the zip is read, for the tax. */
export const quoteBody = z
  .strictObject({
    order: z.strictObject({
      user: z.optional(z.nullable(z.object({ zip: z.optional(z.nullable(z.string())) }))),
      taxes: z.optional(z.nullable(z.number())),
      subtotal: z.optional(z.nullable(z.number())),
      checkout_key: z.optional(z.nullable(z.string())),
      charge: z.optional(z.nullable(z.number())),
      ...orderShape,
    }),
    stripe_token: z.optional(z.unknown()),
    items: items(
      z.strictObject({ id: idSchema, gallery_id: idSchema, sales_price: z.optional(z.nullable(z.number())) }),
    ),
    codes: codesField,
    passes: passesField,
  })
  .check(hasGoods);
export type QuoteBody = z.output<typeof quoteBody>;

/**
 * Why a photo of a cart cannot be bought now: it no longer exists, or its gallery needs a password first. `moved_to`: it
 * can be bought in another gallery of the seller, to which it moved.
 */
export type Unavailable = {
  id: number;
  gallery_id: number;
  reason: 'gone' | 'locked';
  moved_to?: { id: number; gallery_id: number; name: string };
};

/** Status of a checkout whose response was lost. Only keys that no one can guess are answered: those that browsers create. */
export const BROWSER_CHECKOUT_KEY = /^[0-9a-f]{32}$/;
export const checkoutStatusBody = z.strictObject({ checkout_key: checkoutKey });

export const ORDER_STATUSES = ['pending', 'paid', 'failed', 'partially_refunded', 'refunded', 'disputed'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const orderPlaced = z.object({
  vanity_id: z.string(),
  status: z.enum(ORDER_STATUSES),
  total: z.number(),
  /** With "pending": 3-D Secure waits for the buyer. The browser continues with the provider, then sends the order again. */
  requires_action: z.optional(z.object({ client_secret: z.string() })),
});
export type OrderPlaced = z.infer<typeof orderPlaced>;

/** All null while nothing was ordered with the key. */
export const checkoutStatusAnswer = z.object({
  vanity_id: z.nullable(z.string()),
  status: z.nullable(z.enum(ORDER_STATUSES)),
});
export type CheckoutStatusAnswer = z.infer<typeof checkoutStatusAnswer>;

/** A gallery of a cart, and its goal. */
const donationGallery = z.object({
  id: z.number(),
  name: z.string(),
  /** Dollars. Null if the gallery shows none. */
  goal: z.nullable(z.object({ recipient: z.string(), raised: z.number(), target: z.number() })),
});
export type DonationGallery = z.infer<typeof donationGallery>;

const pricedItem = z.object({ id: z.number(), gallery_id: z.number(), name: z.string(), sales_price: z.number() });
export const quoteAnswer = z.object({
  subtotal: z.number(),
  tax: z.number(),
  /** What the tax is for, and its rate; only if there is one. */
  tax_text: z.optional(z.string()),
  donation: z.number(),
  total: z.number(),
  charge_needed: z.boolean(),
  items: z.array(pricedItem),
  /** Where a donation can go, in the order of the cart (rule 60). */
  galleries: z.array(donationGallery),
  ...quotedOffers,
});
export type QuoteAnswer = z.infer<typeof quoteAnswer>;

/** An order as it is read back (specification P§3): the receipt, also for polling a payment. */
export const orderAnswer = z.object({
  id: z.number(),
  /** Gives access to the receipt and its photos; null for an API token, which it would outlive. */
  vanity_id: z.nullable(z.string()),
  status: z.enum(ORDER_STATUSES),
  /** Why the payment failed, in words for the buyer; null otherwise. */
  error: z.nullable(z.string()),
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
  subtotal: z.number(),
  tax: z.number(),
  /** As in a quote. */
  tax_text: z.optional(z.string()),
  additional_donation: z.string(),
  total: z.number(),
  /** What was refunded so far. */
  refunded: z.number(),
  created_at: z.string(),
  /** The seller. The day of the order is that of its time zone. */
  organization: z.object({
    id: z.number(),
    name: z.string(),
    tax_id: z.nullable(z.string()),
    time_zone: z.string(),
  }),
  /** For a paid order: the goals that it supported, and by how much, all in dollars. */
  goals: z.array(
    z.object({
      gallery_id: z.number(),
      name: z.string(),
      recipient: z.string(),
      raised: z.number(),
      target: z.number(),
      brought: z.number(),
    }),
  ),
  order_photo: z.array(
    z.object({
      id: z.number(),
      /** Opens the download; null until the order is paid. */
      order_key: z.nullable(z.string()),
      /** A family withdrew it: it can no longer be downloaded. */
      withdrawn: z.optional(z.literal(true)),
      /** Its money was given back for it alone. */
      refunded: z.optional(z.literal(true)),
      /** It cost something, and was neither refunded nor removed. */
      refundable: z.optional(z.literal(true)),
      photo: z.object({ id: z.number(), gallery_id: z.number(), name: z.string(), image_url: z.string() }),
    }),
  ),
  stripe_token: z.null(),
  /** JSON text of the card's brand and last four digits, and of nothing else (rule 6); null for free orders. */
  stripe_token_full: z.nullable(z.string()),
  /** How the price was made, if there was an offer, a pass or a code. */
  pricing: z.optional(z.array(pricingLine)),
  passes: z.optional(z.array(passAnswer)),
  /** What credit codes paid of the total, in dollars. */
  credit: z.optional(z.array(spentCredit)),
  /** For an order of credit: its `code` once it is paid, for who may see it, and what is `left` of a disputed or partly refunded one with its bonus. */
  credit_sold: z.optional(
    z.object({
      code: z.nullable(z.string()),
      last4: z.string(),
      amount: z.number(),
      bonus: z.number(),
      bonus_until: z.nullable(z.string()),
      left: z.optional(z.number()),
      gift: z.nullable(
        z.object({
          name: z.string(),
          /** Only with `code`, and until the receiver is forgotten. */
          email: z.nullable(z.string()),
          message: z.string(),
          send_on: z.string(),
          sent: z.boolean(),
          /** The email could not be delivered so far. */
          returned: z.boolean(),
          opened: z.boolean(),
        }),
      ),
    }),
  ),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

/** The message after an email was sent. */
export const mailAnswer = z.object({ message: z.string() });
