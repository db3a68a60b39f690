/**
 * The nightly comparison of our ledger with the provider's: what is compared, the names of differences, and all texts (money
 * M13).
 */
import * as z from 'zod/mini';
import { dayFilter, daysInOrder } from '#src/shared/day-filter.ts';
import { optionalText } from '#src/shared/validators.ts';

export const RECONCILIATION_TITLE = 'Reconciliation';
export const RUN_UNDER_WAY = 'A comparison is already running.';
export const DIFFERENCE_NOT_FOUND = 'This difference cannot be found.';
export const DIFFERENCE_IS_CLOSED = 'This difference is closed because the books agree again.';
export const EXPLANATION_REQUIRED = 'Please enter an explanation.';
export const STATE_NOT_VALID = 'Must be open or explained.';
export const MINE_NOT_VALID = 'Must be true or false.';

/** How far back each night goes (comparison R1). */
export const DAYS_COMPARED = 35;
/** Younger changes are not compared yet: the provider may not list them. */
export const SETTLING_MINUTES = 10;
/** Nor is a payment that only one side has; its outcome may still be unknown. */
export const UNEXPLAINED_MINUTES = 60;
/** Orders that have no result for longer are reported, and for this long while a bank asks its customer. */
export const UNDECIDED_MINUTES = 15;
export const ASKED_BY_BANK_MINUTES = 40;
export const MAX_NOTE = 2_000;
export const DIFFERENCES_A_PAGE = 25;
export const RUNS_SHOWN = 10;

export const DIFFERENCE_KINDS = [
  'charge_missing_there',
  'charge_without_order',
  'orphan_charge',
  'amount_differs',
  'fee_differs',
  'refund_differs',
  'dispute_differs',
  'bank_payout_differs',
  'bank_payout_gone',
  'order_undecided',
  'free_order_charged',
  'report_differs',
  'broken_rule',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];
const DIFFERENCE_STATES = ['open', 'explained', 'closed'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

/** What each kind means, and what to do about it, for bookkeepers. */
export const KIND_WORDS: Record<DifferenceKind, { title: string; sentence: string }> = {
  charge_missing_there: {
    title: 'A payment missing at the provider',
    sentence: 'We booked it as paid, and the provider’s books do not show it. Look for it in the provider’s dashboard.',
  },
  charge_without_order: {
    title: 'Money at the provider without an order',
    sentence:
      'The provider charged a card, but none of our orders or accounts matches. Find out whose charge it is before you refund it.',
  },
  orphan_charge: {
    title: 'A charge of an order that failed',
    sentence:
      'The buyer saw that nothing was charged. We refund it automatically; if it is still here tomorrow, refund it in the provider’s dashboard.',
  },
  amount_differs: {
    title: 'A payment with a different amount',
    sentence: 'We booked one amount, but the provider charged another.',
  },
  fee_differs: {
    title: 'A card fee with a different amount',
    sentence: 'The provider’s fee differs from the one we booked. The organization’s share is off by the difference.',
  },
  refund_differs: {
    title: 'A refund in only one set of books',
    sentence: 'The refunded amount of this payment differs between the two books.',
  },
  dispute_differs: {
    title: 'A disputed payment that differs',
    sentence: 'The amount the provider withdrew for a dispute differs from the amount we hold back.',
  },
  bank_payout_differs: {
    title: 'A transfer to our bank that does not add up',
    sentence: 'The transfer is not the sum of the payments and refunds in it, or not what we booked.',
  },
  bank_payout_gone: {
    title: 'A transfer to our bank that was returned',
    sentence: 'We booked it, but the provider no longer shows it as sent. Check whether the bank returned it.',
  },
  order_undecided: {
    title: 'An order without a result',
    sentence: 'Its payment has been open for more than 15 minutes, and the provider doesn’t report its status.',
  },
  free_order_charged: {
    title: 'A free order with a payment',
    sentence: 'The order was free, but a card was charged.',
  },
  report_differs: {
    title: 'A report that differs from the books',
    sentence: 'The organization’s report and the ledger show different sums.',
  },
  broken_rule: {
    title: 'A broken rule of the books',
    sentence: 'The auditor found inconsistent rows. Show this to the person who runs this installation.',
  },
};

export const differenceBody = z.strictObject({
  /** True: assigned to me. False: to no one. */
  mine: z.optional(z.boolean({ error: MINE_NOT_VALID })),
  note: z.optional(optionalText(MAX_NOTE)),
  state: z.optional(z.enum(['open', 'explained'], { error: STATE_NOT_VALID })),
});
export type DifferenceBody = z.infer<typeof differenceBody>;

const side = z.object({ count: z.number(), cents: z.number() });
export const figuresSchema = z.record(z.string(), z.object({ ours: side, theirs: side }));
export type Figures = z.infer<typeof figuresSchema>;

export const runAnswer = z.object({
  id: z.number(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  asked_by: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
  figures: figuresSchema,
  found: z.number(),
});
export type RunAnswer = z.infer<typeof runAnswer>;

export const differenceAnswer = z.object({
  id: z.number(),
  kind: z.enum(DIFFERENCE_KINDS),
  subject: z.string(),
  order_id: z.nullable(z.number()),
  organization: z.nullable(z.string()),
  ours: z.string(),
  theirs: z.string(),
  difference: z.nullable(z.number()),
  state: z.enum(DIFFERENCE_STATES),
  owner: z.nullable(z.string()),
  mine: z.boolean(),
  note: z.string(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  closed_at: z.nullable(z.string()),
});
export type DifferenceAnswer = z.infer<typeof differenceAnswer>;

/** Days of the files for an auditor, `YYYY-MM-DD` of the platform's time zone, both included; without them all. */
export const bookDays = z.object(dayFilter).check(daysInOrder);
export type BookDays = z.infer<typeof bookDays>;
