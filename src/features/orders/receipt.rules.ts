/** The contents of a receipt, by reader. */
import { presentCredit, presentSpent, type ShownCode, type SoldCredit } from '#src/features/credit/credit.rules.ts';
import type { OrderAnswer, OrderStatus } from '#src/features/orders/orders.contract.ts';
import { presentPass, type SoldPass } from '#src/features/order-offers/sold-passes.rules.ts';
import { frozenPriceList, type FrozenWords } from '#src/features/order-offers/quoted-offers.rules.ts';
import { isDownloadable, type GalleryWithGoal } from '#src/features/orders/orders.rules.ts';
import { taxWords } from '#src/features/taxes/tax.rules.ts';
import { formatDollars, toDollars } from '#src/shared/money.ts';

export type Receipt = {
  id: number;
  vanityId: string;
  status: OrderStatus;
  firstName: string;
  lastName: string;
  email: string;
  subtotalCents: number;
  taxCents: number;
  taxRatePpm: number;
  taxReason: string;
  donationCents: number;
  totalCents: number;
  refundedCents: number;
  /** An order of photos, or of prepaid credit. */
  kind: 'photos' | 'credit';
  /** What credit codes paid of the total, and what was returned to them of refunds. */
  creditCents: number;
  creditReturnedCents: number;
  donationGalleryId: number | null;
  shareBps: number;
  /** `custom`: paid on the seller's own Stripe account. */
  processor: 'platform' | 'custom';
  card: { brand: string; last4: string } | null;
  declineMessage: string | null;
  createdAt: Date;
  /** `hostLabel` and `path` make the address of the seller's pages. */
  seller: {
    id: number;
    name: string;
    path: string;
    parentId: number | null;
    hostLabel: string;
    accent: string;
    taxId: string | null;
    timeZone: string;
  };
  lines: readonly {
    id: number;
    orderKey: string;
    photoId: number;
    galleryId: number;
    priceCents: number;
    /** Its single price. */
    singleCents: number;
    /** The offer that it counts for. */
    offerId: number | null;
    name: string;
    /** Its access was withdrawn: refunded alone, or the photo had to be removed. */
    isRevoked: boolean;
    /** It was refunded alone. */
    isRefunded?: boolean;
    /** A family other than the buyer's own no longer allows it. */
    isWithdrawn?: boolean;
    /** Hidden by a consent while it was being paid. Set only while the order is settled. */
    isUnsold?: true;
  }[];
  /** The offers that it was sold with, in the words of that time; null without an offer, a pass or a code. */
  offered: FrozenWords | null;
  passes: readonly SoldPass[];
  /** What an order of credit bought. */
  soldCredit: SoldCredit | null;
};

/** What is booked, counted and emailed of an order that has just been paid. */
export type Sale = Omit<Receipt, 'lines'> & { lines: readonly Omit<Receipt['lines'][number], 'id'>[] };
/** The same before its card is known. */
export type UnpaidSale = Omit<Sale, 'card'>;

/** 16 random bytes as base64url: vanity ids and order keys. */
const UNGUESSABLE = /^[A-Za-z0-9_-]{22}$/;
export const isVanityId = (text: string) => UNGUESSABLE.test(text);
export const isOrderKey = isVanityId;

/** Why the downloads of an order, or the code of prepaid credit, are not available, for its buyer. */
export function closedSentence({ status }: { status: OrderStatus }, isCredit = false): string {
  if (isCredit && status === 'refunded') return 'This credit was refunded; its code is empty.';
  if (isCredit && status === 'disputed')
    return 'The payment of this credit is disputed with the bank. Its code pays only with what is not disputed.';
  if (status === 'refunded') return 'This order was refunded; its downloads are closed.';
  if (status === 'disputed')
    return 'The payment of this order is disputed with the bank; its downloads are closed until the dispute is settled.';
  return 'Downloads aren’t available for this order.';
}

/** What its tax is for, in the words of that time. */
export const taxOf = ({ taxReason: reason, taxRatePpm: ratePpm }: Pick<Receipt, 'taxReason' | 'taxRatePpm'>): string =>
  taxWords({ reason, ratePpm });

/** The first line of an order's page. */
export function orderHeading(order: OrderAnswer): string {
  const { status, first_name: name, order_photo: lines, passes = [], credit_sold: credit } = order;
  if (credit?.left === 0) return 'Nothing is left of this credit';
  if (credit && (status === 'paid' || status === 'partially_refunded'))
    return credit.gift ? `Your gift is ready, ${name}` : `Your credit is ready, ${name}`;
  if (credit?.left !== undefined) return 'A part of this credit is disputed';
  const inPasses = passes.reduce((sum, pass) => sum + (pass.order_key === null ? 0 : Math.max(2, pass.photo_count)), 0);
  const open = lines.filter((line) => line.order_key !== null).length + inPasses;
  switch (status) {
    case 'paid':
    case 'partially_refunded':
      if (open === 0) return 'Your photos are no longer available';
      return open === 1 ? `Your photo is ready, ${name}` : `Your photos are ready, ${name}`;
    case 'pending':
      return `Thank you, ${name}`;
    case 'failed':
      return 'Your payment did not go through';
    case 'refunded':
      return 'This order was refunded';
    case 'disputed':
      return 'This order is on hold';
  }
}

/** Path of the order confirmation below the seller's host. */
export function orderPath(receipt: Pick<Receipt, 'vanityId' | 'seller'>): string {
  return `/${receipt.seller.path}/order/${receipt.vanityId}`;
}

/** A picture of a bought photo: its key works permanently, even if the gallery is deleted (rule 26). */
export function boughtImageAddress(line: { galleryId: number; photoId: number; orderKey: string | null }): string {
  const address = `/api/v1/galleries/${line.galleryId}/gallery_photos/${line.photoId}?size=640`;
  return line.orderKey === null ? address : `${address}&orderkey=${line.orderKey}`;
}

/** What passes brought to galleries, in the order in which refunds are divided over them. */
export const passPartsOf = ({ passes }: Pick<Receipt, 'passes'>) => passes.flatMap((pass) => pass.galleries);

/** What a paid order brought to each of its galleries, photos and donation together; galleries with nothing are left out. */
export function broughtToGalleries({
  status,
  lines,
  passes,
  donationCents,
  donationGalleryId,
}: Receipt): Map<number, number> {
  const brought = new Map<number, number>();
  if (status !== 'paid') return brought;
  const add = (galleryId: number, amount: number) => {
    if (amount > 0) brought.set(galleryId, (brought.get(galleryId) ?? 0) + amount);
  };
  for (const line of lines) add(line.galleryId, line.priceCents);
  for (const part of passPartsOf({ passes })) add(part.galleryId, part.priceCents);
  if (donationGalleryId !== null) add(donationGalleryId, donationCents);
  return brought;
}

/** The goals that an order supported, largest part first. */
export function helpedGoals(brought: ReadonlyMap<number, number>, galleries: readonly GalleryWithGoal[]) {
  return galleries
    .flatMap(({ id, name, goal }) =>
      goal === null
        ? []
        : {
            gallery_id: id,
            name,
            recipient: goal.recipient,
            raised: toDollars(goal.raisedCents),
            target: toDollars(goal.targetCents),
            brought: toDollars(brought.get(id) ?? 0),
          },
    )
    .toSorted((one, other) => other.brought - one.brought);
}

/**
 * The whitelist of rule 6: of the card only brand and last four digits, of the seller's private facts only the tax id.
 * Without `withKeys` it contains no keys.
 */
export function presentOrder(
  receipt: Receipt,
  goals: OrderAnswer['goals'],
  { withKeys = true, code = null }: { withKeys?: boolean; code?: ShownCode | null } = {},
): OrderAnswer {
  const isPaid = isDownloadable(receipt.status);
  const open = withKeys && isPaid;
  return {
    id: receipt.id,
    vanity_id: withKeys ? receipt.vanityId : null,
    status: receipt.status,
    error: receipt.status === 'failed' ? receipt.declineMessage : null,
    first_name: receipt.firstName,
    last_name: receipt.lastName,
    email_address: receipt.email,
    subtotal: toDollars(receipt.subtotalCents),
    tax: toDollars(receipt.taxCents),
    ...(receipt.taxCents > 0 && { tax_text: taxOf(receipt) }),
    additional_donation: formatDollars(receipt.donationCents),
    total: toDollars(receipt.totalCents),
    refunded: toDollars(receipt.refundedCents),
    created_at: receipt.createdAt.toISOString(),
    organization: {
      id: receipt.seller.id,
      name: receipt.seller.name,
      tax_id: receipt.seller.taxId,
      time_zone: receipt.seller.timeZone,
    },
    goals,
    order_photo: receipt.lines.map((line) => {
      const orderKey = open && !line.isRevoked && !line.isWithdrawn ? line.orderKey : null;
      return {
        id: line.id,
        order_key: orderKey,
        ...(line.isWithdrawn ? { withdrawn: true as const } : {}),
        ...(line.isRefunded ? { refunded: true as const } : {}),
        ...(isPaid && !line.isRevoked && line.priceCents > 0 ? { refundable: true as const } : {}),
        photo: {
          id: line.photoId,
          gallery_id: line.galleryId,
          name: line.name,
          image_url: boughtImageAddress({ ...line, orderKey }),
        },
      };
    }),
    stripe_token: null,
    stripe_token_full:
      receipt.card === null ? null : JSON.stringify({ card: { brand: receipt.card.brand, last4: receipt.card.last4 } }),
    ...(receipt.offered === null
      ? {}
      : {
          pricing: frozenPriceList(receipt.offered, receipt.lines, receipt.subtotalCents),
          passes: receipt.passes.map((pass) => presentPass(pass, open)),
        }),
    ...(receipt.creditCents > 0 && { credit: presentSpent(receipt.offered?.credit ?? []) }),
    ...(receipt.soldCredit && { credit_sold: presentCredit(receipt.soldCredit, withKeys ? code : null) }),
  };
}
