/**
 * Which orders are paid out, to whom and how much (rule 25; money M7, M12). The amount of an order is what the ledger says is
 * owed for it, which already includes refunds, disputes and late fees.
 */
import { STATUS_WORDS, type PayoutStatus, type Reason } from '#src/features/payouts/payouts.contract.ts';
import { csvChunks, type CsvCell } from '#src/shared/csv.ts';
import { cents } from '#src/shared/money.ts';
import { DAY_MS } from '#src/shared/dates.ts';

/** Orders that were paid at this time or before are past their hold time, `PAYOUT_HOLD_DAYS`. */
export function holdEnds(now: Date, holdDays: number): Date {
  return new Date(now.getTime() - holdDays * DAY_MS);
}

export type OrderFacts = {
  id: number;
  organizationId: number;
  status: 'pending' | 'paid' | 'failed' | 'partially_refunded' | 'refunded' | 'disputed';
  processor: 'platform' | 'custom';
  paidAt: Date | null;
  /** It has an undecided dispute. */
  isInDispute: boolean;
};

/** What is owed for an order; negative when more was taken than is left. */
type Payable = { orderId: number; organizationId: number; payableCents: number };
type Line = { orderId: number; amountCents: number; kind: 'sale' | 'carry' };
export type Draft = {
  organizationId: number;
  lines: Line[];
  /** The sum of its lines, always positive. */
  amountCents: number;
  orderCount: number;
  salesFrom: Date | null;
  salesTo: Date | null;
};

/**
 * Why an order is not paid out; null when it may be. An amount after a refund or a lost dispute is due as well: another payout
 * may already have deducted it when the payout of the sale itself was returned. `judgedOrders` in payout-lists.sql.ts says the
 * same in SQL, for the review; payout-kinds.test.ts compares both.
 */
export function reasonAgainst(order: OrderFacts | undefined, payableCents: number, paidUntil: Date): Reason | null {
  if (!order) return 'unknown';
  if (order.paidAt === null || order.status === 'pending' || order.status === 'failed') return 'unpaid';
  if (order.processor === 'custom') return 'own_account';
  if (order.isInDispute) return 'disputed';
  if (payableCents <= 0 && (order.status === 'disputed' || order.status === 'refunded')) return order.status;
  if (order.paidAt > paidUntil) return 'too_new';
  return payableCents > 0 ? null : 'nothing_left';
}

export type PlanInput = {
  /** Orders that may be paid out now. */
  wanted: readonly number[];
  facts: ReadonlyMap<number, OrderFacts>;
  /** All open amounts of the organizations of these orders. */
  payables: readonly Payable[];
  /** The active payout of orders whose sale was paid out. */
  paidOut: ReadonlyMap<number, number>;
  paidUntil: Date;
  /** Whether carried amounts are paid to an organization without new sales. */
  alone: boolean;
};

export type Plan = { drafts: Draft[]; reasons: Map<number, Reason>; sums: Map<number, number> };

/**
 * One payout per organization: its wanted orders that may be paid out, and all changes of other orders since by refunds,
 * disputes and late fees. No one is sent zero or less: such an organization is held, and the deduction waits for its next
 * sales. `sums`: the sum of each organization's lines, also if it is zero or less.
 */
export function planPayouts({ wanted, facts, payables, paidOut, paidUntil, alone }: PlanInput): Plan {
  const owed = new Map(payables.map((payable) => [payable.orderId, payable.payableCents]));
  const reasons = new Map<number, Reason>();
  const sales = new Set<number>();
  for (const id of wanted) {
    if (paidOut.has(id)) continue;
    const reason = reasonAgainst(facts.get(id), owed.get(id) ?? 0, paidUntil);
    if (reason === null) sales.add(id);
    else reasons.set(id, reason);
  }
  const lines = new Map<number, Line[]>();
  for (const { orderId, organizationId, payableCents: amountCents } of payables) {
    const kind = sales.has(orderId) ? 'sale' : amountCents < 0 || paidOut.has(orderId) ? 'carry' : null;
    if (kind === null) continue;
    const own = lines.get(organizationId) ?? [];
    own.push({ orderId, amountCents, kind });
    lines.set(organizationId, own);
  }
  const drafts: Draft[] = [];
  const sums = new Map<number, number>();
  for (const [organizationId, own] of [...lines].toSorted(([a], [b]) => a - b)) {
    const sold = own.filter((line) => line.kind === 'sale');
    const amountCents = own.reduce((sum, line) => sum + line.amountCents, 0);
    sums.set(organizationId, amountCents);
    if (sold.length === 0 && !alone) continue;
    if (amountCents <= 0) {
      for (const { orderId } of sold) reasons.set(orderId, 'negative_balance');
      continue;
    }
    const times = sold.map(({ orderId }) => facts.get(orderId)?.paidAt?.getTime() ?? 0);
    drafts.push({
      organizationId,
      lines: own,
      amountCents,
      orderCount: sold.length,
      salesFrom: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.min(a, b))),
      salesTo: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b))),
    });
  }
  return { drafts, reasons, sums };
}

/** Whether a payout of this amount needs a second person (ASVS 2.3.5); with a null threshold none does. */
export function needsSecondPerson(amountCents: number, thresholdCents: number | null): boolean {
  return thresholdCents !== null && amountCents >= thresholdCents;
}

/** The text on the bank transfer. */
export function transferText(payoutId: number): string {
  return `Sideline payout ${payoutId}`;
}

export type Billing = {
  billingName: string | null;
  street: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
};
export type Payee = { name: string; address: string | null };

/** Whom a check is written to, and where it is sent; null without a street. */
export function payeeOf(organizationName: string, { billingName, street, city, state, zip }: Billing): Payee {
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean);
  return { name: billingName ?? organizationName, address: street === null ? null : [street, ...place].join(', ') };
}

const BANK_HEAD = [
  'Payee',
  'Amount',
  'Currency',
  'Reference',
  'Organization',
  'Address',
  'City',
  'State',
  'Zip',
] as const;

/** A file for the bank with one line per transfer, streamed page by page, without a limit. */
export const bankFile = (
  pages: AsyncIterable<readonly (Billing & { id: number; organizationName: string; amountCents: number })[]>,
) =>
  csvChunks(BANK_HEAD, pages, ({ id, organizationName, amountCents, ...billing }) => {
    const transfer = [billing.billingName ?? organizationName, { cents: cents(amountCents) }, 'USD', transferText(id)];
    const place = [billing.street, billing.city, billing.state, billing.zip].map((part) => part ?? '');
    return [...transfer, organizationName, ...place];
  });

type FilePayout = {
  id: number;
  organizationId: number;
  organizationName: string;
  amountCents: number;
  status: PayoutStatus;
  orderCount: number;
  salesFrom: Date | null;
  salesTo: Date | null;
  createdAt: Date;
  createdBy: { name: string } | null;
  decidedAt: Date | null;
  approvedBy: { name: string } | null;
  reference: string | null;
  returnedAt: Date | null;
  returnedBy: { name: string } | null;
  failureReason: string | null;
};

const moment = (at: Date | null) => at?.toISOString() ?? '';
const PAYOUT_COLUMNS: readonly (readonly [string, (payout: FilePayout) => CsvCell])[] = [
  ['Payout', ({ id }) => id],
  ['Organization ID', ({ organizationId }) => organizationId],
  ['Organization', ({ organizationName }) => organizationName],
  ['Amount', ({ amountCents }) => ({ cents: cents(amountCents) })],
  ['State', ({ status, returnedAt }) => STATUS_WORDS[returnedAt === null ? status : 'returned']],
  ['Orders', ({ orderCount }) => orderCount],
  ['Sold from', ({ salesFrom }) => moment(salesFrom)],
  ['Sold to', ({ salesTo }) => moment(salesTo)],
  ['Made', ({ createdAt }) => moment(createdAt)],
  ['Made by', ({ createdBy }) => createdBy?.name ?? ''],
  ['Decided', ({ decidedAt }) => moment(decidedAt)],
  ['Decided by', ({ approvedBy }) => approvedBy?.name ?? ''],
  ['Reference', ({ reference }) => reference ?? ''],
  ['Returned', ({ returnedAt }) => moment(returnedAt)],
  ['Returned by', ({ returnedBy }) => returnedBy?.name ?? ''],
  ['Reason', ({ failureReason }) => failureReason ?? ''],
];

/** Payouts with their outcome, for an auditor. */
export function payoutFile(pages: AsyncIterable<readonly FilePayout[]>): AsyncGenerator<string> {
  const head = PAYOUT_COLUMNS.map(([name]) => name);
  return csvChunks(head, pages, (payout) => PAYOUT_COLUMNS.map(([, cell]) => cell(payout)));
}
