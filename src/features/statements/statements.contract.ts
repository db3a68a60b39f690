/** Monthly statements: words, shapes of the calls and how they are asked for. Amounts are dollars at this edge. */
import * as z from 'zod/mini';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema } from '#src/shared/validators.ts';

export const STATEMENTS_TITLE = 'Statements';
export const NO_STATEMENT = 'There is no statement for this month.';
export const MONTH_NOT_VALID = 'Please choose a month, like 2026-10.';
export const PLACE_NOT_VALID = 'This is not a valid position in the list.';

export const STATEMENTS_PER_PAGE = 12;
export const MAX_STATEMENTS_PER_PAGE = 36;
export const LINES_PER_PAGE = 50;
export const MAX_LINES_PER_PAGE = 500;

const MONTH = /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])$/;
/** `YYYY-MM`. */
export const monthSchema = z.string().check(z.regex(MONTH, MONTH_NOT_VALID));
export const isMonth = (text: string): boolean => MONTH.test(text);

export const statementsParams = z.object({ id: idSchema });
export const statementParams = z.object({ id: idSchema, month: monthSchema });
/** `next` of the page before: the last month that it told of. */
export const statementsQuery = z.object({
  after: z.optional(monthSchema),
  limit: z.optional(countUpTo(MAX_STATEMENTS_PER_PAGE)),
});
export type StatementsQuery = z.infer<typeof statementsQuery>;
export const linesQuery = z.object({
  after: z.optional(z.string().check(z.regex(/^\d{1,17}-\d{1,16}$/, PLACE_NOT_VALID))),
  limit: z.optional(countUpTo(MAX_LINES_PER_PAGE)),
});
export type LinesQuery = z.infer<typeof linesQuery>;

const organization = z.object({ id: z.number(), name: z.string(), domain_name: z.string() });

/** All that moved the balance: opening and these are the closing balance, to the cent. What takes from it is below nothing. */
export const movements = z.object({
  sales: z.number(),
  donations: z.number(),
  card_fees: z.number(),
  share: z.number(),
  refunds: z.number(),
  disputes_held: z.number(),
  disputes_freed: z.number(),
  payouts: z.number(),
  payouts_returned: z.number(),
  /** Paid to us by invoice, for what refunds took beyond its sales. */
  settled: z.number(),
  other: z.number(),
});
/** Paid to the organization's own card account: never owed to it; it owes the share; `settled` of it was paid by invoice. */
export const ownAccount = z.object({ orders: z.number(), sales: z.number(), share: z.number(), settled: z.number() });
/** Beside the balance, where any of them is something. Sales are without them. */
export const offerAmounts = z.object({
  /** What the same photos would have cost more one by one. */
  offers_saved: z.number(),
  /** By early birds and codes. */
  reductions: z.number(),
  /** Prepaid credit, less what was refunded of it: no sale until it is used. */
  credit_sold: z.number(),
  /** What of sales, donations and taxes was paid with prepaid credit, less what went back to its codes. */
  credit_used: z.number(),
});
const someOfferAmounts = z.partial(offerAmounts).shape;
export const plainAccount = z.object({
  opening_balance: z.number(),
  movements,
  closing_balance: z.number(),
  orders: z.number(),
  /** Collected for the states, and never the organization's: what buyers paid less what they got back. */
  tax_collected: z.number(),
  /** Of what was held, lost for good in this month. */
  disputes_lost: z.number(),
  /** Held at the end of the month, and not in the balance. */
  held_for_disputes: z.number(),
  own_account: ownAccount,
});
export const accountAnswer = z.extend(plainAccount, someOfferAmounts);
export const galleryLine = z.object({
  organization_id: z.number(),
  /** Null: a donation for no gallery in particular. */
  gallery_id: z.nullable(z.number()),
  name: z.string(),
  photos: z.number(),
  sales: z.number(),
  donations: z.number(),
  refunds: z.number(),
  card_fees: z.number(),
  share: z.number(),
  disputes: z.number(),
  net: z.number(),
});
export const statementHead = z.object({
  number: z.string(),
  month: z.string(),
  /** Its first and its last day, `YYYY-MM-DD`, whole days of the organization's time zone. */
  from: z.string(),
  to: z.string(),
  /** Whether the month is over. Nothing is ever added to a month that is. */
  closed: z.boolean(),
});

export const statementAnswer = z.object({
  ...statementHead.shape,
  organization,
  ...accountAnswer.shape,
  galleries: z.array(galleryLine),
  /** Of a parent: each organization below it (and itself) that has an account. */
  organizations: z.array(z.object({ ...organization.shape, ...accountAnswer.shape })),
});
export type StatementAnswer = z.infer<typeof statementAnswer>;

export const listedStatement = z.extend(statementHead, {
  opening_balance: z.number(),
  earned: z.number(),
  paid_out: z.number(),
  closing_balance: z.number(),
});
export const statementsAnswer = z.object({
  organization,
  statements: z.array(listedStatement),
  next: z.nullable(z.string()),
});
export type StatementsAnswer = z.infer<typeof statementsAnswer>;

export const plainLine = z.object({
  at: z.string(),
  kind: z.string(),
  words: z.string(),
  organization,
  order_id: z.nullable(z.number()),
  sales: z.number(),
  donations: z.number(),
  tax: z.number(),
  card_fees: z.number(),
  share: z.number(),
  refunds: z.number(),
  disputes: z.number(),
  payouts: z.number(),
  other: z.number(),
  change: z.number(),
});
const lineAnswer = z.extend(plainLine, someOfferAmounts);
/** In the order of posting. */
export const linesAnswer = z.object({ lines: z.array(lineAnswer), next: z.nullable(z.string()) });
export type LinesAnswer = z.infer<typeof linesAnswer>;
