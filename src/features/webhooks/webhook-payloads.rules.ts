/** Builds the body of a message from what a trigger recorded in the transaction of the change (function `write_webhook`). */
import * as z from 'zod/mini';
import {
  paidPass,
  paidPhoto,
  PAYLOAD_VERSION,
  TEST_TYPE,
  WEBHOOK_DATA,
  type WebhookData,
  type WebhookType,
} from '#src/features/webhooks/webhook-events.contract.ts';
import { present } from '#src/shared/field-names.ts';

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

const orderPaid = z.omit(WEBHOOK_DATA['order.paid'], { passes: true });

type DataOf = { [Type in WebhookType | typeof TEST_TYPE]: (facts: WebhookFacts[Type]) => WebhookData[Type] };

const moment = (written: string) => new Date(written).toISOString();
const momentOrNone = (written: string | null) => (written === null ? null : moment(written));
const currency = 'USD' as const;

const DATA: DataOf = {
  'order.paid': ({ photos, passes, paidAt, ...order }) => ({
    ...present(orderPaid, {
      ...order,
      currency,
      paidAt: moment(paidAt),
      photos: photos.map((photo) => present(paidPhoto, photo)),
    }),
    ...(passes && { passes: passes.map((pass) => present(paidPass, pass)) }),
  }),
  'order.refunded': (order) =>
    present(WEBHOOK_DATA['order.refunded'], {
      ...order,
      currency,
      refundedSoFarCents: order.refundedCents,
      refundedInFull: order.refundedCents >= order.totalCents,
    }),
  'photo.ready': (photo) => present(WEBHOOK_DATA['photo.ready'], { ...photo, contributed: photo.isContributed }),
  'photo.approved': (photo) => present(WEBHOOK_DATA['photo.approved'], photo),
  'gallery.published': (gallery) =>
    present(WEBHOOK_DATA['gallery.published'], { ...gallery, pricePerPhotoCents: gallery.priceCents }),
  'payout.paid': ({ salesFrom, salesTo, paidAt, ...payout }) =>
    present(WEBHOOK_DATA['payout.paid'], {
      ...payout,
      currency,
      salesFrom: momentOrNone(salesFrom),
      salesTo: momentOrNone(salesTo),
      paidAt: moment(paidAt),
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
