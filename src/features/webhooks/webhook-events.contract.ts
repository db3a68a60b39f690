/** The events that webhooks send: `docs/webhooks.md` describes them for receivers. Fields are only ever added. */
import * as z from 'zod/mini';

export const WEBHOOK_EVENTS = {
  'order.paid': 'An order was paid',
  'order.refunded': 'An order was refunded, in full or in part',
  'photo.ready': 'A photo was uploaded and is ready',
  'photo.approved': 'A contributed photo was approved',
  'gallery.published': 'A gallery appeared on your page',
  'payout.paid': 'A payout was sent',
} as const;
export type WebhookType = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_TYPES = Object.keys(WEBHOOK_EVENTS) as [WebhookType, ...WebhookType[]];

/** The type of "Send a test event"; it cannot be subscribed to. */
export const TEST_TYPE = 'webhook.test';

/** Raised when a field is removed or changes its meaning, and then only for new endpoints. */
export const PAYLOAD_VERSION = 1;

const moment = z.string();
const dollars = z.number();

export const paidPhoto = z.strictObject({ photo_id: z.number(), gallery_id: z.number(), price: dollars });
/** `gallery_id` is null for a pass of one athlete; `valid_until` is its last day. */
export const paidPass = z.strictObject({
  pass_id: z.number(),
  kind: z.enum(['gallery_pass', 'athlete_pass']),
  gallery_id: z.nullable(z.number()),
  price: dollars,
  valid_until: z.string(),
});

/** The `data` of each event. Amounts are in dollars, as in all calls. */
export const WEBHOOK_DATA = {
  'order.paid': z.strictObject({
    order_id: z.number(),
    currency: z.literal('USD'),
    subtotal: dollars,
    tax: dollars,
    donation: dollars,
    total: dollars,
    donation_gallery_id: z.nullable(z.number()),
    paid_at: moment,
    photo_count: z.number(),
    photos: z.array(paidPhoto),
    /** Absent without passes. */
    passes: z.optional(z.array(paidPass)),
  }),
  'order.refunded': z.strictObject({
    order_id: z.number(),
    currency: z.literal('USD'),
    refund: dollars,
    refunded_so_far: dollars,
    total: dollars,
    refunded_in_full: z.boolean(),
  }),
  'photo.ready': z.strictObject({
    photo_id: z.number(),
    gallery_id: z.number(),
    name: z.string(),
    width: z.number(),
    height: z.number(),
    contributed: z.boolean(),
    waits_for_review: z.boolean(),
  }),
  'photo.approved': z.strictObject({ photo_id: z.number(), gallery_id: z.number(), name: z.string() }),
  'gallery.published': z.strictObject({
    gallery_id: z.number(),
    name: z.string(),
    photo_count: z.number(),
    price_per_photo: dollars,
    password_required: z.boolean(),
  }),
  'payout.paid': z.strictObject({
    payout_id: z.number(),
    currency: z.literal('USD'),
    amount: dollars,
    reference: z.string(),
    order_count: z.number(),
    sales_from: z.nullable(moment),
    sales_to: z.nullable(moment),
    paid_at: moment,
  }),
  [TEST_TYPE]: z.strictObject({ message: z.string() }),
} as const;
export type WebhookData = { [Type in keyof typeof WEBHOOK_DATA]: z.infer<(typeof WEBHOOK_DATA)[Type]> };

/** The body of every message. */
export const webhookPayload = z.strictObject({
  type: z.string(),
  version: z.literal(PAYLOAD_VERSION),
  timestamp: moment,
  organization_id: z.number(),
  data: z.unknown(),
});
