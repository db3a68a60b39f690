/** What of an order may be refunded, and who bears it. */
import { refundEntries } from '#src/features/ledger/ledger.rules.ts';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import {
  FULLY_REFUNDED,
  moreThanLeft,
  ORDER_IS_DISPUTED,
  ORDER_NOT_PAID,
  ORDER_WAS_FREE,
  REFUND_IN_FLIGHT,
  type RefundAnswer,
  type RefundState,
  type RequestAnswer,
  type RequestState,
  AMOUNT_NOT_VALID,
  REASON_REQUIRED,
} from '#src/features/refunds/refunds.contract.ts';
import { cents, formatDollars, toDollars, type Cents, parseDollarText } from '#src/shared/money.ts';
import { problem, type Problem, type FieldErrors } from '#src/shared/problem.ts';
import { isVanityId } from '#src/features/orders/receipt.rules.ts';
import { readId } from '#src/shared/read-id.ts';

export type Refundable = {
  status: OrderStatus;
  totalCents: number;
  refundedCents: number;
  /** Sent to the provider, and not decided. */
  inFlightCents: number;
};

/** What is left to be refunded; nothing while a refund that may take it is on its way. */
export function leftOf({ totalCents, refundedCents, inFlightCents }: Refundable): Cents {
  return cents(Math.max(0, totalCents - refundedCents - inFlightCents));
}

/** Why nothing of an order can be refunded now; null when something can. */
export function whyNot(order: Refundable): string | null {
  if (order.status === 'pending' || order.status === 'failed') return ORDER_NOT_PAID;
  if (order.totalCents === 0) return ORDER_WAS_FREE;
  if (order.status === 'disputed') return ORDER_IS_DISPUTED;
  if (order.refundedCents >= order.totalCents) return FULLY_REFUNDED;
  return leftOf(order) === 0 ? REFUND_IN_FLIGHT : null;
}

/** The amount that is refunded when `amountCents` is asked for; null asks for all that is left. Or the refusal. */
export function amountToGive(order: Refundable, amountCents: Cents | null): Cents | Problem {
  const refusal = whyNot(order);
  if (refusal !== null) return problem('conflict', refusal);
  const left = leftOf(order);
  if (amountCents === null) return left;
  if (amountCents <= left) return amountCents;
  const message = moreThanLeft(formatDollars(left));
  return problem('invalid', message, { errors: { amount: [message] } });
}

export type SoldParts = {
  subtotalCents: number;
  taxCents: number;
  donationCents: number;
  shareBps: number;
  processor: 'platform' | 'custom';
  refundedCents: number;
};
/** What each loses by a refund: + less than before. Over the seller's own account the organization bears all but the platform's share. */
export type Burden = { organizationCents: Cents; platformCents: Cents; taxCents: Cents };

/** As the books will have it, for showing before the refund is given. */
export function burdenOf(order: SoldParts, amountCents: Cents): Burden {
  const sale = {
    orderId: 0,
    organizationId: 0,
    subtotalCents: cents(order.subtotalCents),
    taxCents: cents(order.taxCents),
    donationCents: cents(order.donationCents),
    shareBps: order.shareBps,
    feeCents: null,
  };
  const beforeCents = cents(order.refundedCents);
  const afterCents = cents(order.refundedCents + amountCents);
  const of = (ownAccount: boolean, kind: string) =>
    refundEntries(sale, { beforeCents, afterCents }, ownAccount)
      .filter((entry) => entry.kind === kind)
      .reduce((sum, entry) => sum + entry.amountCents, 0);
  const platformCents = cents(of(false, 'platform_fee'));
  const taxCents = order.processor === 'custom' ? cents(0) : cents(of(false, 'tax_payable'));
  return { platformCents, taxCents, organizationCents: cents(amountCents - platformCents - taxCents) };
}

const STATES: Record<'created' | 'sent' | 'unknown' | 'succeeded' | 'failed', RefundState> = {
  created: 'pending',
  sent: 'pending',
  unknown: 'pending',
  succeeded: 'given',
  failed: 'refused',
};

export type RefundFacts = {
  id: number;
  orderId: number;
  amountCents: number;
  state: keyof typeof STATES;
  reason: string | null;
  error: string | null;
  givenBy: string | null;
  createdAt: Date;
  decidedAt: Date | null;
};

export function presentRefund(refund: RefundFacts): RefundAnswer {
  return {
    id: refund.id,
    order_id: refund.orderId,
    amount: toDollars(cents(refund.amountCents)),
    state: STATES[refund.state],
    reason: refund.reason,
    error: refund.state === 'failed' ? refund.error : null,
    given_by: refund.givenBy,
    created_at: refund.createdAt.toISOString(),
    decided_at: refund.decidedAt?.toISOString() ?? null,
  };
}

export type RequestFacts = {
  id: number;
  orderId: number;
  amountCents: number | null;
  reason: string;
  state: RequestState;
  askedBy: string | null;
  askedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  note: string;
};

export function presentRequest(request: RequestFacts): RequestAnswer {
  return {
    id: request.id,
    order_id: request.orderId,
    amount: request.amountCents === null ? null : toDollars(cents(request.amountCents)),
    reason: request.reason,
    state: request.state,
    asked_by: request.askedBy,
    asked_at: request.askedAt.toISOString(),
    decided_by: request.decidedBy,
    decided_at: request.decidedAt?.toISOString() ?? null,
    note: request.note,
  };
}

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

export type ListedOrder = Omit<OrderCard, 'buyer' | 'leftCents' | 'whyNot' | 'seller' | 'refunds' | 'requests'> & {
  firstName: string;
  lastName: string;
  inFlightCents: number;
  sellerId: number;
  sellerName: string;
  sellerPath: string;
  sellerTimeZone: string;
};

export function cardOf(order: ListedOrder, refunds: RefundAnswer[], requests: RequestAnswer[]): OrderCard {
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

/** As it is typed; the amount is dollars. */
export type RefundValues = { amount: string; reason: string };

/** `left`: how much of the order can still be refunded. */
export function refundProblems({ amount: text, reason }: RefundValues, left: Cents): FieldErrors {
  const amount = parseDollarText(text);
  return {
    ...(amount === null || amount === 0 ? { amount: [AMOUNT_NOT_VALID] } : {}),
    ...(amount !== null && amount > left ? { amount: [moreThanLeft(formatDollars(left))] } : {}),
    ...(reason.trim() === '' ? { reason: [REASON_REQUIRED] } : {}),
  };
}
