/** What of an order may be refunded, and who bears it. */
import { refundEntries } from '#src/features/ledger/ledger.rules.ts';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';
import * as words from '#src/features/refunds/refunds.contract.ts';
import type { CsvCell } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { cents, formatDollars, type Cents, parseDollarText } from '#src/shared/money.ts';
import { problem, fieldProblem, type Problem, type FieldErrors } from '#src/shared/problem.ts';
import { isVanityId, taxOf } from '#src/features/orders/receipt.rules.ts';
import { readId } from '#src/shared/read-id.ts';

export type Refundable = {
  status: OrderStatus;
  totalCents: number;
  refundedCents: number;
  /** Sent to the provider, and not decided. */
  inFlightCents: number;
  /** Of an order of credit: what no one has spent or reserved; null for photos. */
  unusedCents: number | null;
};

/** What can still be refunded; nothing while a refund that may take it is pending. */
function leftOf({ totalCents, refundedCents, inFlightCents, unusedCents }: Refundable): Cents {
  return cents(Math.max(0, Math.min(totalCents - refundedCents - inFlightCents, unusedCents ?? totalCents)));
}

/** The part of a refund that is returned to codes: all that they paid, before the card gets anything. */
export function creditPartOf(
  order: { creditCents: number; creditReturnedCents: number; creditInFlightCents: number },
  amountCents: number,
): Cents {
  const left = order.creditCents - order.creditReturnedCents - order.creditInFlightCents;
  return cents(Math.max(0, Math.min(amountCents, left)));
}

/** Why nothing of an order can be refunded now; null if something can. */
function whyNot(order: Refundable): string | null {
  if (order.status === 'pending' || order.status === 'failed') return words.ORDER_NOT_PAID;
  if (order.totalCents === 0) return words.ORDER_WAS_FREE;
  if (order.status === 'disputed') return words.ORDER_IS_DISPUTED;
  if (order.refundedCents >= order.totalCents) return words.FULLY_REFUNDED;
  if (order.unusedCents === 0 && order.inFlightCents === 0) return words.CREDIT_IS_SPENT;
  return leftOf(order) === 0 ? words.REFUND_IN_FLIGHT : null;
}

/** The amount to refund when `amountCents` is requested; null requests everything that is left. Or the refusal. */
export function amountToGive(order: Refundable, amountCents: Cents | null): Cents | Problem {
  const refusal = whyNot(order);
  if (refusal !== null) return problem('conflict', refusal);
  const left = leftOf(order);
  if (amountCents === null) return left;
  if (amountCents <= left) return amountCents;
  const message = words.moreThanLeft(formatDollars(left));
  return fieldProblem({ amount: [message] });
}

/** Photos and passes are in answers only if they were chosen. */
export const named = <Row extends { photos: number[] | null; passes: number[] | null }>(row: Row) => ({
  ...row,
  photos: row.photos ?? undefined,
  passes: row.passes ?? undefined,
});

type SoldParts = {
  subtotalCents: number;
  taxCents: number;
  donationCents: number;
  shareBps: number;
  processor: 'platform' | 'custom';
  refundedCents: number;
};
/**
 * What each loses by a refund: + less than before. On the seller's own Stripe account the organization bears everything except
 * the platform's share.
 */
type Burden = { organizationCents: Cents; platformCents: Cents; taxCents: Cents };

/** As the ledger will book it, for the preview of a refund. */
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
  const of = (kind: string) =>
    refundEntries(sale, { beforeCents, afterCents }, false)
      .filter((entry) => entry.kind === kind)
      .reduce((sum, entry) => sum + entry.amountCents, 0);
  const platformCents = cents(of('platform_fee'));
  const taxCents = order.processor === 'custom' ? cents(0) : cents(of('tax_payable'));
  return { platformCents, taxCents, organizationCents: cents(amountCents - platformCents - taxCents) };
}

export const ORDERS_A_PAGE = 25;
/** More sellers than these are not listed as a choice, but searched. */
export const SELLERS_LISTED = 20;
export const SEARCH_MAX = 100;

export const ORDER_STATES: Record<OrderStatus, string> = {
  pending: 'Being confirmed',
  failed: 'Not paid',
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

/** A search: an order's number, its vanity id, or text. */
export type OrderSearch = { id: number | null; vanityId: string | null; text: string };

/** Parses a search; null for blank text. */
export function readSearch(text: string | null): OrderSearch | null {
  const wanted = (text ?? '').trim().slice(0, SEARCH_MAX);
  if (wanted === '') return null;
  return { id: readId(wanted.replace(/^#/, '')), vanityId: isVanityId(wanted) ? wanted : null, text: wanted };
}

/** The page of a listed order; members may open it by its number. */
export const listedOrderPath = ({ id, vanityId, seller }: Pick<ListedOrder, 'id' | 'vanityId' | 'seller'>): string =>
  `/${seller.path}/order/${vanityId ?? id}`;

/** An order in the lists of the office and of members. */
export type ListedOrder = {
  id: number;
  /** Null for members if the order bought credit: its page shows the code, which is its buyer's money. */
  vanityId: string | null;
  status: OrderStatus;
  processor: 'platform' | 'custom';
  createdAt: Date;
  buyer: string;
  email: string;
  photos: number;
  passes: number;
  /** One of its passes lost most of its photos. */
  lostPass: boolean;
  subtotalCents: number;
  taxCents: number;
  taxReason: string;
  taxRatePpm: number;
  donationCents: number;
  totalCents: number;
  refundedCents: number;
  inFlightCents: number;
  /** As `Refundable`. */
  unusedCents: number | null;
  kind: 'photos' | 'credit';
  /** What credit codes paid of the total. */
  creditCents: number;
  shareBps: number;
  seller: { id: number; name: string; path: string; timeZone: string };
};

/** The columns of the file of orders; days are those of the seller. */
export const ORDER_COLUMNS: readonly (readonly [head: string, cell: (order: ListedOrder) => CsvCell])[] = [
  ['Order', ({ id }) => id],
  ['Date', ({ createdAt, seller }) => machineDay(createdAt, seller.timeZone)],
  ['Buyer', ({ buyer }) => buyer],
  ['Email', ({ email }) => email],
  ['Organization', ({ seller }) => seller.name],
  ['Photos', ({ photos }) => photos],
  ['Passes', ({ passes }) => passes],
  ['Subtotal', ({ subtotalCents }) => ({ cents: cents(subtotalCents) })],
  ['Donation', ({ donationCents }) => ({ cents: cents(donationCents) })],
  ['Tax', ({ taxCents }) => ({ cents: cents(taxCents) })],
  ['Name of the tax', (order) => (order.taxCents > 0 ? taxOf(order) : '')],
  ['Total', ({ totalCents }) => ({ cents: cents(totalCents) })],
  ['Paid with credit', ({ creditCents }) => ({ cents: cents(creditCents) })],
  ['Refunded', ({ refundedCents }) => ({ cents: cents(refundedCents) })],
  ['State', ({ status }) => ORDER_STATES[status]],
];

export const orderCells = (order: ListedOrder) => ORDER_COLUMNS.map(([, cell]) => cell(order));

/** What was bought in an order of credit; what paid in an order of photos. */
export const PREPAID_CREDIT = 'Prepaid credit';

export type OrderCard = ReturnType<typeof cardOf>;

/** `whyNot`: why nothing can be refunded now; null if something can. `requests`: newest first. */
export function cardOf(
  listed: ListedOrder,
  refunds: readonly words.RefundAnswer[],
  requests: readonly words.RequestAnswer[],
) {
  const { inFlightCents: _inFlight, unusedCents: _unused, ...order } = listed;
  const leftCents: number = leftOf(listed);
  return {
    ...order,
    leftCents,
    whyNot: whyNot(listed),
    refunds: refunds.filter((refund) => refund.order_id === order.id),
    requests: requests.filter((request) => request.order_id === order.id),
  };
}

/** As typed; the amount is in dollars. */
type RefundValues = { amount: string; reason: string };

/** `left`: how much of the order can still be refunded. */
export function refundProblems({ amount: text, reason }: RefundValues, left: Cents): FieldErrors {
  const amount = parseDollarText(text);
  return {
    ...(amount === null || amount === 0 ? { amount: [words.AMOUNT_NOT_VALID] } : {}),
    ...(amount !== null && amount > left ? { amount: [words.moreThanLeft(formatDollars(left))] } : {}),
    ...(reason.trim() === '' ? { reason: [words.REASON_REQUIRED] } : {}),
  };
}

/** A refund's key, which is a uuid, of a random key or a hash: the same digits give the same uuid again. */
export const keyAsUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
