/** Refunds: requested by organizations, given by platform admins; schemas and texts (rule 24; money M8). */
import * as z from 'zod/mini';
import { ORDER_STATUSES } from '#src/features/orders/orders.contract.ts';
import { dayFilter, daysInOrder } from '#src/shared/day-filter.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { dollars, idSchema, requiredText } from '#src/shared/validators.ts';

export const REFUNDS_TITLE = 'Refunds';
export const ORDERS_TITLE = 'Orders';
export const REASON_REQUIRED = 'Please give a reason for the refund.';
export const NOTE_REQUIRED = 'Please give a reason for declining.';
export const AMOUNT_NOT_VALID = 'The amount must be dollars and cents, more than $0.00.';
export const REFUND_KEY_REQUIRED = 'Idempotency key is required.';
export const ORDER_NOT_PAID = 'This order was not paid, so there is nothing to refund.';
export const CREDIT_IS_SPENT = 'This credit has been spent.';
export const ORDER_WAS_FREE = 'Nothing was charged for this order.';
export const FULLY_REFUNDED = 'This order has already been fully refunded.';
export const ORDER_IS_DISPUTED =
  'The payment of this order is disputed with the bank. You can refund it once the dispute is settled.';
export const REFUND_IN_FLIGHT = 'A refund of this order is being confirmed. Please wait.';
/** The reason of an automatic refund. */
export const WITHDRAWN_BEFORE_PAID = 'Withdrawn at a family’s wish before the payment was complete.';
export const REFUND_PENDING = 'The refund is being confirmed.';
export const REFUND_KEY_TAKEN =
  'This refund was already sent with a different amount or reason. Please review the order.';
export const OWN_ACCOUNT_WITHOUT_KEYS =
  'This order was paid through the organization’s own card account, and we don’t have its keys. The organization can refund it there.';
export const REFUND_REFUSED =
  'The card provider refused this refund, so nothing was refunded. Please check the charge in the provider’s dashboard.';
export const REFUNDED_THERE =
  'The card provider reports that this charge was already refunded. Our books are up to date now.';
export const REFUND_NEVER_ARRIVED = 'The refund never reached the card provider, so nothing was refunded.';
export const ALREADY_REQUESTED = 'A refund of this order was already requested.';
export const REQUEST_NOT_FOUND = 'This request cannot be found.';
export const REQUEST_IS_DECIDED = 'This request was already decided.';
export const REQUEST_SENT = 'Your request was sent. You will get the answer by email.';
export const REQUEST_DECLINED = 'The request was declined. We notified the organization.';
export const STATUS_NOT_VALID = 'Please choose a state from the list.';
export const NOT_IN_ORDER = 'A photo or pass is not part of this order.';
export const REFUNDED_BEFORE = 'A photo or pass was already refunded.';
export const NOTHING_GOES_BACK = 'Nothing can be refunded for these: the other photos cost as much without them.';
export const moreThanLeft = (dollarText: string) => `At most ${dollarText} of this order can be refunded.`;
export const refundedText = (dollarText: string) => `${dollarText} was refunded.`;

export const MAX_REASON = 1_000;
/** The most expensive possible order: 200 photos, tax and donation. */
const MAX_CENTS = 260_000_000;

const amount = z.optional(
  z.nullable(dollars({ minimum: 1, maximum: MAX_CENTS, required: AMOUNT_NOT_VALID, invalid: AMOUNT_NOT_VALID })),
);

const MAX_PARTS = 200;
const ids = z.optional(z.nullable(z.array(idSchema).check(z.maxLength(MAX_PARTS, NOT_IN_ORDER))));
/** The photos and passes to refund, by id; their downloads close with the refund. */
const parts = { photos: ids, passes: ids };

/** Without an amount: what is refunded for the given photos and passes, or else everything that is left. */
export const askRefundBody = z.strictObject({ amount, ...parts, reason: requiredText(MAX_REASON, REASON_REQUIRED) });
export type AskRefundBody = z.infer<typeof askRefundBody>;

/** `refund_key`: created once for each refund by the caller; the same key refunds once. */
export const giveRefundBody = z.strictObject({
  amount,
  ...parts,
  reason: requiredText(MAX_REASON, REASON_REQUIRED),
  refund_key: z.uuid({ error: REFUND_KEY_REQUIRED }),
});
/** A preview of the refund for these; without any, everything that is left. */
export const refundQuoteBody = z.strictObject(parts);
export type RefundParts = z.infer<typeof refundQuoteBody>;
/** `text`: why it is not simply their price; null if it is. */
export const refundQuote = z.object({ amount: z.number(), text: z.nullable(z.string()) });
export type RefundQuote = z.infer<typeof refundQuote>;
/** The note is part of the email to the person who asked. */
export const declineRefundBody = z.strictObject({ note: requiredText(MAX_REASON, NOTE_REQUIRED) });
export const orderParams = z.object({ id: z.string() });

const REFUND_STATES = ['pending', 'given', 'refused'] as const;
export type RefundState = (typeof REFUND_STATES)[number];
const REQUEST_STATES = ['open', 'given', 'declined'] as const;

export const refundAnswer = z.object({
  id: z.number(),
  order_id: z.number(),
  amount: z.number(),
  state: z.enum(REFUND_STATES),
  /** If photos or passes were chosen. */
  photos: z.optional(z.array(z.number())),
  passes: z.optional(z.array(z.number())),
  reason: z.nullable(z.string()),
  error: z.nullable(z.string()),
  given_by: z.nullable(z.string()),
  created_at: z.string(),
  decided_at: z.nullable(z.string()),
});
export type RefundAnswer = z.infer<typeof refundAnswer>;

export const refundGiven = z.object({
  refund: refundAnswer,
  /** The order's total refunds, as booked. */
  refunded: z.number(),
  message: z.string(),
});
export type RefundGiven = z.infer<typeof refundGiven>;

export const requestAnswer = z.object({
  id: z.number(),
  order_id: z.number(),
  /** Null for everything that is left. */
  amount: z.nullable(z.number()),
  photos: z.optional(z.array(z.number())),
  passes: z.optional(z.array(z.number())),
  reason: z.string(),
  state: z.enum(REQUEST_STATES),
  asked_by: z.nullable(z.string()),
  asked_at: z.string(),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(z.string()),
  note: z.string(),
});
export type RequestAnswer = z.infer<typeof requestAnswer>;

export const REFUNDS_A_PAGE = 25;

/** Pages of files of orders that a process reads at a time, and that wait for it when one more file may start (threat 72). */
export const ORDER_FILE_READS = { atOnce: 2, waiting: 20 } as const;
export const ORDER_FILES_ARE_BUSY = 'Other files of orders are being created. Please try again in a few seconds.';

const SELLER_NOT_VALID = 'Choose one of these organizations.';
/** Which orders of an organization; empty parts are ignored. */
export const ordersFilter = z
  .object({
    /** An order's number, its vanity id, or a part of a buyer's name or email. */
    search: z.optional(z.string().check(z.maxLength(200, 'At most 200 characters, please.'))),
    status: z.optional(z.enum(['', ...ORDER_STATUSES], { error: STATUS_NOT_VALID })),
    /** A seller: the organization, or one below it. */
    organization_id: z.optional(z.union([z.literal(''), idSchema], { error: SELLER_NOT_VALID })),
    /** Days of the order, in its seller's time zone, as the list and the file show them. */
    ...dayFilter,
  })
  .check(daysInOrder);
export type OrdersFilter = z.infer<typeof ordersFilter>;
/** `GET /api/v1/affiliates/{id}/orders`. `after`: `next` of the previous page. */
export const ordersQuery = z.intersection(
  ordersFilter,
  z.object({ after: z.optional(idSchema), limit: z.optional(countUpTo(100)) }),
);
export type OrdersQuery = z.infer<typeof ordersQuery>;

export const listedOrder = z.object({
  id: z.number(),
  /** Null for an API token, because it opens the receipt and its photos to anyone; and for bought credit, with its code. */
  vanity_id: z.nullable(z.string()),
  status: z.string(),
  created_at: z.string(),
  buyer: z.string(),
  email: z.string(),
  photos: z.number(),
  subtotal: z.number(),
  tax: z.number(),
  donation: z.number(),
  total: z.number(),
  refunded: z.number(),
  /** The seller: the organization, or one below it. */
  organization: z.object({ id: z.number(), name: z.string(), domain_name: z.string() }),
});

/** Newest first. */
export const ordersPage = z.object({ orders: z.array(listedOrder), next: z.nullable(z.number()) });
export type OrdersPage = z.infer<typeof ordersPage>;

/** Responses to the card provider. */
export const BAD_SIGNATURE = 'The signature is missing, wrong or too old.';
export const EVENT_NOT_STORED = 'The event could not be stored. Please send it again.';
