/** Builds the body of a message from what a trigger recorded in the transaction of the change (function `write_webhook`). */
import {
  PAYLOAD_VERSION,
  TEST_TYPE,
  type WebhookData,
  type WebhookType,
} from '#src/features/webhooks/webhook-events.contract.ts';
import { toDollars } from '#src/shared/money.ts';

/** What triggers record. Amounts are in cents, times in PostgreSQL's format. */
type WebhookFacts = {
  'order.paid': {
    orderId: number;
    subtotalCents: number;
    taxCents: number;
    donationCents: number;
    totalCents: number;
    donationGalleryId: number | null;
    paidAt: string;
    photoCount: number;
    photos: { photoId: number; galleryId: number; priceCents: number }[];
    /** Only for orders with passes. */
    passes?: {
      passId: number;
      kind: 'gallery_pass' | 'athlete_pass';
      galleryId: number | null;
      priceCents: number;
      validUntil: string;
    }[];
  };
  'order.refunded': { orderId: number; refundCents: number; refundedCents: number; totalCents: number };
  'photo.ready': PhotoFacts;
  'photo.approved': PhotoFacts;
  'gallery.published': {
    galleryId: number;
    name: string;
    photoCount: number;
    priceCents: number;
    passwordRequired: boolean;
  };
  'payout.paid': {
    payoutId: number;
    amountCents: number;
    reference: string;
    orderCount: number;
    salesFrom: string | null;
    salesTo: string | null;
    paidAt: string;
  };
  [TEST_TYPE]: Record<string, never>;
};
type PhotoFacts = {
  photoId: number;
  galleryId: number;
  name: string;
  width: number;
  height: number;
  isContributed: boolean;
  waitsForReview: boolean;
};

type DataOf = { [Type in WebhookType | typeof TEST_TYPE]: (facts: WebhookFacts[Type]) => WebhookData[Type] };

const moment = (written: string) => new Date(written).toISOString();
const momentOrNone = (written: string | null) => (written === null ? null : moment(written));

const DATA: DataOf = {
  'order.paid': (order) => ({
    order_id: order.orderId,
    currency: 'USD',
    subtotal: toDollars(order.subtotalCents),
    tax: toDollars(order.taxCents),
    donation: toDollars(order.donationCents),
    total: toDollars(order.totalCents),
    donation_gallery_id: order.donationGalleryId,
    paid_at: moment(order.paidAt),
    photo_count: order.photoCount,
    photos: order.photos.map(({ photoId, galleryId, priceCents }) => ({
      photo_id: photoId,
      gallery_id: galleryId,
      price: toDollars(priceCents),
    })),
    ...(order.passes && {
      passes: order.passes.map(({ passId, kind, galleryId, priceCents, validUntil }) => ({
        pass_id: passId,
        kind,
        gallery_id: galleryId,
        price: toDollars(priceCents),
        valid_until: validUntil,
      })),
    }),
  }),
  'order.refunded': ({ orderId, refundCents, refundedCents, totalCents }) => ({
    order_id: orderId,
    currency: 'USD',
    refund: toDollars(refundCents),
    refunded_so_far: toDollars(refundedCents),
    total: toDollars(totalCents),
    refunded_in_full: refundedCents >= totalCents,
  }),
  'photo.ready': ({ photoId, galleryId, name, width, height, isContributed, waitsForReview }) => ({
    photo_id: photoId,
    gallery_id: galleryId,
    name,
    width,
    height,
    contributed: isContributed,
    waits_for_review: waitsForReview,
  }),
  'photo.approved': ({ photoId, galleryId, name }) => ({ photo_id: photoId, gallery_id: galleryId, name }),
  'gallery.published': ({ galleryId, name, photoCount, priceCents, passwordRequired }) => ({
    gallery_id: galleryId,
    name,
    photo_count: photoCount,
    price_per_photo: toDollars(priceCents),
    password_required: passwordRequired,
  }),
  'payout.paid': ({ payoutId, amountCents, reference, orderCount, salesFrom, salesTo, paidAt }) => ({
    payout_id: payoutId,
    currency: 'USD',
    amount: toDollars(amountCents),
    reference,
    order_count: orderCount,
    sales_from: momentOrNone(salesFrom),
    sales_to: momentOrNone(salesTo),
    paid_at: moment(paidAt),
  }),
  [TEST_TYPE]: () => ({ message: 'This is a test event. Nothing has happened.' }),
};

type Occurred = { type: string; facts: unknown; occurredAt: Date; organizationId: number };

const isKnown = (type: string): type is keyof DataOf => Object.hasOwn(DATA, type);

/** The text is the same for every attempt, because its signature covers each byte. @throws Error for an unknown type */
export function payloadOf({ type, facts, occurredAt, organizationId }: Occurred): string {
  if (!isKnown(type)) throw new Error(`no one knows webhooks of the type ${type}`);
  const dataOf = DATA[type] as (facts: unknown) => unknown;
  return JSON.stringify({
    type,
    version: PAYLOAD_VERSION,
    timestamp: occurredAt.toISOString(),
    organization_id: organizationId,
    data: dataOf(facts),
  });
}
