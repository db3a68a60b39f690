/** The nightly comparison of our books with the provider's: what is compared, what a difference is called, and every word (money M13). */
import * as z from 'zod/mini';
import { idSchema, optionalText } from '#src/shared/validators.ts';

export const RECONCILIATION_TITLE = 'Reconciliation';
export const RUN_UNDER_WAY = 'The books are being compared just now.';
export const DIFFERENCE_NOT_FOUND = 'This difference cannot be found.';
export const DIFFERENCE_IS_CLOSED = 'This difference is closed: the books agree again.';
export const EXPLANATION_REQUIRED = 'Please say what explains it.';
export const STATE_NOT_VALID = 'Open or explained is expected.';
export const MINE_NOT_VALID = 'True or false is expected.';

/** How far back each night looks (comparison R1). */
export const DAYS_COMPARED = 35;
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
export const DIFFERENCE_STATES = ['open', 'explained', 'closed'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

/** What each kind means, and what to do about it, for somebody who keeps books. */
export const KIND_WORDS: Record<DifferenceKind, { title: string; sentence: string }> = {
  charge_missing_there: {
    title: 'A payment that the provider does not have',
    sentence: 'We booked it as paid, and the provider’s books do not show it. Look for it in the provider’s dashboard.',
  },
  charge_without_order: {
    title: 'Money at the provider without an order',
    sentence:
      'The provider has charged a card, and none of our orders or accounts belongs to it. Find out whose it is before anything is given back.',
  },
  orphan_charge: {
    title: 'A charge of an order that failed',
    sentence:
      'The buyer was told that nothing was charged. We give it back by ourselves; if it is still here tomorrow, give it back in the provider’s dashboard.',
  },
  amount_differs: {
    title: 'A payment of another amount',
    sentence: 'We booked one amount, and the provider charged another.',
  },
  fee_differs: {
    title: 'A card fee of another amount',
    sentence: 'The provider kept another fee than is booked. The organization’s share is off by the difference.',
  },
  refund_differs: {
    title: 'A refund that only one side knows',
    sentence: 'What was given back of this payment is not the same in both books.',
  },
  dispute_differs: {
    title: 'A disputed payment that differs',
    sentence: 'What the provider withdrew because of a dispute is not what we hold back.',
  },
  bank_payout_differs: {
    title: 'A transfer to our bank that does not add up',
    sentence: 'The transfer is not the sum of the payments and refunds in it, or not what we booked.',
  },
  bank_payout_gone: {
    title: 'A transfer to our bank that came back',
    sentence: 'We booked it, and the provider does not show it as sent any more. Look whether the bank returned it.',
  },
  order_undecided: {
    title: 'An order that nobody has decided',
    sentence: 'Its payment has been open for more than 15 minutes, and the provider does not say what became of it.',
  },
  free_order_charged: {
    title: 'A free order with a payment',
    sentence: 'The order cost nothing, and yet a card was asked for money.',
  },
  report_differs: {
    title: 'A report that is not what the books say',
    sentence: 'The organization’s report shows another sum than the ledger owes it.',
  },
  broken_rule: {
    title: 'A rule of the books that does not hold',
    sentence: 'The auditor found rows that cannot be right. Show this to whoever runs the product.',
  },
};

export const differenceBody = z.strictObject({
  /** True: I look after it. False: nobody does. */
  mine: z.optional(z.boolean({ error: MINE_NOT_VALID })),
  note: z.optional(optionalText(MAX_NOTE)),
  state: z.optional(z.enum(['open', 'explained'], { error: STATE_NOT_VALID })),
});
export type DifferenceBody = z.infer<typeof differenceBody>;
export const differenceParams = z.object({ id: idSchema });

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
