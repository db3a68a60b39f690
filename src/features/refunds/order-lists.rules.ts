/** How orders and their refunds are shown in the office and to members. Plain data, so that it travels to the browser. */
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import { isVanityId } from '#src/features/orders/receipt.rules.ts';
import type { RefundAnswer, RequestAnswer } from '#src/features/refunds/refunds.contract.ts';
import { leftOf, whyNot } from '#src/features/refunds/refunds.rules.ts';
import { readId } from '#src/shared/read-id.ts';

export const ORDERS_A_PAGE = 25;
export const SEARCH_MAX = 100;

export const ORDER_STATES: Record<OrderStatus, string> = {
  pending: 'Being confirmed',
  failed: 'Not paid',
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

/** What someone typed; null for nothing. */
export function readSearch(text: string | null): { id: number | null; vanityId: string | null; text: string } | null {
  const wanted = (text ?? '').trim().slice(0, SEARCH_MAX);
  if (wanted === '') return null;
  return { id: readId(wanted.replace(/^#/, '')), vanityId: isVanityId(wanted) ? wanted : null, text: wanted };
}

export type OrderCard = {
  id: number;
  vanityId: string;
  status: OrderStatus;
  processor: 'platform' | 'custom';
  createdAt: Date;
  buyer: string;
  email: string;
  photos: number;
  subtotalCents: number;
  taxCents: number;
  donationCents: number;
  totalCents: number;
  refundedCents: number;
  shareBps: number;
  leftCents: number;
  /** Why nothing can be refunded now; null when something can. */
  whyNot: string | null;
  seller: { id: number; name: string; path: string; timeZone: string };
  refunds: RefundAnswer[];
  /** The newest first. */
  requests: RequestAnswer[];
};

type Facts = Omit<OrderCard, 'buyer' | 'leftCents' | 'whyNot' | 'seller' | 'refunds' | 'requests'> & {
  firstName: string;
  lastName: string;
  inFlightCents: number;
  sellerId: number;
  sellerName: string;
  sellerPath: string;
  sellerTimeZone: string;
};

export function cardOf(order: Facts, refunds: RefundAnswer[], requests: RequestAnswer[]): OrderCard {
  const {
    firstName,
    lastName,
    inFlightCents: _inFlight,
    sellerId,
    sellerName,
    sellerPath,
    sellerTimeZone,
    ...facts
  } = order;
  return {
    ...facts,
    buyer: `${firstName} ${lastName}`,
    leftCents: leftOf(order),
    whyNot: whyNot(order),
    seller: { id: sellerId, name: sellerName, path: sellerPath, timeZone: sellerTimeZone },
    refunds: refunds.filter((refund) => refund.order_id === order.id),
    requests: requests.filter((request) => request.order_id === order.id),
  };
}
