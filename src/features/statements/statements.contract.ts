/** Monthly statements: texts, schemas and queries. Amounts are in dollars here. */
import * as z from 'zod/mini';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema } from '#src/shared/validators.ts';

export const STATEMENTS_TITLE = 'Statements';
export const NO_STATEMENT = 'There is no statement for this month.';
const MONTH_NOT_VALID = 'Please choose a month, like 2026-10.';
const PLACE_NOT_VALID = 'This is not a valid position in the list.';

export const STATEMENTS_PER_PAGE = 12;
const MAX_STATEMENTS_PER_PAGE = 36;
export const LINES_PER_PAGE = 50;
const MAX_LINES_PER_PAGE = 500;

const MONTH = /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])$/;
/** `YYYY-MM`. */
const monthSchema = z.string().check(z.regex(MONTH, MONTH_NOT_VALID));
export const isMonth = (text: string): boolean => MONTH.test(text);

export const statementParams = z.object({ id: idSchema, month: monthSchema });
/** `next` of the previous page: its last month. */
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

/** Everything that changed the balance: opening plus these is the closing balance, to the cent. Deductions are negative. */
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
  /** Paid to us by invoice, for refunds beyond its sales. */
  settled: z.number(),
  other: z.number(),
});
/** Sales on the organization's own Stripe account. It owes us the share; `settled` of that was paid by invoice. */
export const ownAccount = z.object({ orders: z.number(), sales: z.number(), share: z.number(), settled: z.number() });
/** Shown beside the balance if any of them is not zero. Sales do not include them. */
export const offerAmounts = z.object({
  /** How much more the same photos would have cost one by one. */
  offers_saved: z.number(),
  /** By early birds and codes. */
  reductions: z.number(),
  /** Prepaid credit, less refunds: not a sale until it is used. */
  credit_sold: z.number(),
  /** What prepaid credit paid of sales, donations and taxes, less what was returned to its codes. */
  credit_used: z.number(),
});
const someOfferAmounts = z.partial(offerAmounts).shape;
export const plainAccount = z.object({
  opening_balance: z.number(),
  movements,
  closing_balance: z.number(),
  orders: z.number(),
  /** Collected for the states, never the organization's: what buyers paid less refunds. */
  tax_collected: z.number(),
  /** Of the held amounts, lost permanently in this month. */
  disputes_lost: z.number(),
  /** Held at the end of the month, and not in the balance. */
  held_for_disputes: z.number(),
  own_account: ownAccount,
});
const accountAnswer = z.extend(plainAccount, someOfferAmounts);
export const galleryLine = z.object({
  organization_id: z.number(),
  /** Null: a donation for no particular gallery. */
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
  /** Its first and its last day, `YYYY-MM-DD`, whole days in the organization's time zone. */
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
  /** For a parent: each organization below it (and itself) with an account. */
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
