/** Payouts: schemas and texts (money M12). */
import * as z from 'zod/mini';
import { countUpTo } from '#src/shared/paging.ts';
import { dollars, idSchema, requiredText } from '#src/shared/validators.ts';

export const PAYOUTS_TITLE = 'Payouts';
export const ORDERS_REQUIRED = 'Please choose at least one order.';
const ORDERS_AT_MOST = 10_000;
export const TOO_MANY_ORDERS = 'Please choose at most 10,000 orders at a time.';
export const ORDERS_TWICE = 'Please list each order once.';
export const NOT_AN_ORDER = 'Every id must be an order number.';
export const ORGANIZATIONS_REQUIRED = 'Please choose at least one organization.';
const ORGANIZATIONS_AT_MOST = 1_000;
const TOO_MANY_ORGANIZATIONS = 'Please choose at most 1,000 organizations at a time.';
const ORGANIZATIONS_TWICE = 'Please list each organization once.';
const AMOUNT_REQUIRED = 'Please send the amount you saw.';
const MOMENT_REQUIRED = 'Please send the time you looked.';
export const NOTHING_TO_PAY_OUT = 'None of these orders can be paid out.';
export const NOTHING_TO_SEND =
  'None of these organizations can be paid out with the amounts you saw. Please review them again.';
export const KEY_USED = 'This Idempotency-Key was used for something else.';
export const KEY_TOO_LONG = 'An Idempotency-Key can have at most 200 characters.';
export const REFERENCE_REQUIRED = 'Please enter the reference of the transfer or the number of the check.';
export const FAILURE_REQUIRED = 'Please enter why the payout failed.';
export const PAYOUT_NOT_FOUND = 'This payout cannot be found.';
export const ALREADY_CONFIRMED = 'This payout is already confirmed.';
export const NOTHING_TO_TRANSFER = 'This payout is no longer in progress, so there is nothing to transfer.';
export const INVOICE_REFERENCE_REQUIRED = 'Please enter the number of the invoice, or the reference of its payment.';
export const OWED_AMOUNT_REQUIRED = 'Please enter the amount that was paid.';
export const NOTHING_OWED = 'This organization owes nothing.';
export const DEBT_HAS_CHANGED = 'The amount this organization owes has changed. Please review it again.';
export const SETTLED_WITH_OTHER_AMOUNT = 'This reference is already used for another amount.';
export const debtSettled = (name: string) => `${name} has paid what it owed.`;
export const PAYOUT_DECIDED = {
  confirm: 'The payout is confirmed.',
  fail: 'The payout is marked as failed.',
  return: 'The payout is marked as returned.',
} as const;
export const manyConfirmed = (payouts: string) => `${payouts} confirmed.`;
export const notConfirmed = (id: number, message: string, others: number) =>
  `Payout ${id}${others === 0 ? ' is' : ` and ${others} more are`} not confirmed: ${message}`;
export const ALREADY_RETURNED = 'The bank has already returned this payout.';
export const NOT_CONFIRMED = 'This payout is not confirmed. If it did not arrive, mark it as failed.';
export const RETURN_REASON_REQUIRED = 'Please enter why the bank returned it.';
export const TRANSFER_UNKNOWN = 'We don’t know yet whether the transfer was sent. Please try again in a few minutes.';
export const TRANSFER_ON_ITS_WAY = 'The transfer is in progress at the bank and can’t be marked as failed here.';
export const TRANSFER_WAS_SENT = 'The transfer was already sent, so this payout is confirmed.';
export const ALREADY_FAILED = 'This payout has already failed.';
export const SECOND_PERSON_NEEDED = 'This payout needs approval from a second administrator.';

/** Why an order is not paid out, with its sentence. */
export const REASONS = {
  unknown: 'This order doesn’t exist.',
  unpaid: 'This order is not paid.',
  own_account: 'This order was paid into the organization’s own account.',
  disputed: 'The buyer disputes this payment.',
  refunded: 'This order was refunded in full.',
  too_new: 'This order is still within the hold time.',
  nothing_left: 'Nothing of this order is left to pay out.',
  negative_balance:
    'Refunds and disputes exceed what is due. The difference comes out of the organization’s next sales.',
} as const;
export type Reason = keyof typeof REASONS;
const REASON_NAMES = Object.keys(REASONS) as [Reason, ...Reason[]];

const distinct = <T>(message: string, keyOf: (item: T) => unknown) =>
  z.refine<readonly T[]>((items) => new Set(items.map(keyOf)).size === items.length, { error: message });

export const bulkPayOutBody = z.strictObject({
  ids: z.array(z.int({ error: NOT_AN_ORDER }).check(z.positive(NOT_AN_ORDER)), { error: ORDERS_REQUIRED }).check(
    z.minLength(1, ORDERS_REQUIRED),
    z.maxLength(ORDERS_AT_MOST, TOO_MANY_ORDERS),
    distinct(ORDERS_TWICE, (id: number) => id),
  ),
});
const RESULTS = ['paid_out', 'already_paid', 'not_eligible'] as const;

export const madePayout = z.object({ id: z.number(), organization_id: z.number(), amount: z.number() });

export const bulkPayOutAnswer = z.object({
  payouts: z.array(madePayout),
  results: z.array(
    z.object({
      id: z.number(),
      result: z.enum(RESULTS),
      payout_id: z.nullable(z.number()),
      reason: z.nullable(z.enum(REASON_NAMES)),
      /** The reason as a sentence. */
      message: z.nullable(z.string()),
    }),
  ),
});
export type BulkPayOutAnswer = z.infer<typeof bulkPayOutAnswer>;

/** All that is due to some organizations, as it was reviewed: an organization whose amount has changed since is skipped. */
export const payOutBody = z.strictObject({
  reviewed_at: z.iso.datetime({ error: MOMENT_REQUIRED }),
  organizations: z
    .array(
      z.strictObject({
        id: z.int({ error: 'Not an id.' }).check(z.positive('Not an id.')),
        amount: dollars({
          minimum: 1,
          maximum: 1_000_000_000_00,
          required: AMOUNT_REQUIRED,
          invalid: AMOUNT_REQUIRED,
        }),
      }),
      { error: ORGANIZATIONS_REQUIRED },
    )
    .check(
      z.minLength(1, ORGANIZATIONS_REQUIRED),
      z.maxLength(ORGANIZATIONS_AT_MOST, TOO_MANY_ORGANIZATIONS),
      distinct(ORGANIZATIONS_TWICE, (organization: { id: number }) => organization.id),
    ),
});
export type PayOutBody = z.infer<typeof payOutBody>;

export const payOutAnswer = z.object({
  payouts: z.array(madePayout),
  results: z.array(
    z.object({
      organization_id: z.number(),
      /** `changed`: `amount` is what is due now. */
      result: z.enum(['paid_out', 'changed', 'nothing_due']),
      payout_id: z.nullable(z.number()),
      amount: z.number(),
    }),
  ),
});
export type PayOutAnswer = z.infer<typeof payOutAnswer>;

export const confirmBody = z.strictObject({ reference: requiredText(100, REFERENCE_REQUIRED) });
const PAYOUTS_REQUIRED = 'Please choose at least one payout.';
const PAYOUTS_AT_MOST = 1_000;
const TOO_MANY_PAYOUTS = 'Please choose at most 1,000 payouts at a time.';
const PAYOUTS_TWICE = 'Please list each payout once.';
/** Payouts that one transfer to the bank has sent together, under one reference. */
export const confirmManyBody = z.strictObject({
  ids: z.array(z.int({ error: 'Not an id.' }).check(z.positive('Not an id.')), { error: PAYOUTS_REQUIRED }).check(
    z.minLength(1, PAYOUTS_REQUIRED),
    z.maxLength(PAYOUTS_AT_MOST, TOO_MANY_PAYOUTS),
    distinct(PAYOUTS_TWICE, (id: number) => id),
  ),
  reference: requiredText(100, REFERENCE_REQUIRED),
});
export type ConfirmManyBody = z.infer<typeof confirmManyBody>;
export const failBody = z.strictObject({ reason: requiredText(500, FAILURE_REQUIRED) });
export const returnBody = z.strictObject({ reason: requiredText(500, RETURN_REASON_REQUIRED) });

/** A debt as the admin saw it, paid by invoice. */
export const settleBody = z.strictObject({
  organization_id: z.int({ error: 'Not an id.' }).check(z.positive('Not an id.')),
  amount: dollars({
    minimum: 1,
    maximum: 1_000_000_000_00,
    required: OWED_AMOUNT_REQUIRED,
    invalid: OWED_AMOUNT_REQUIRED,
  }),
  reference: requiredText(100, INVOICE_REFERENCE_REQUIRED),
});
export type SettleBody = z.infer<typeof settleBody>;
export const settlementAnswer = z.object({
  id: z.number(),
  organization_id: z.number(),
  amount: z.number(),
  reference: z.string(),
});
export type SettlementAnswer = z.infer<typeof settlementAnswer>;

const PAYOUT_STATUSES = ['created', 'submitted', 'paid', 'failed', 'canceled'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
/** As shown: one that was confirmed and returned has failed, too, and its orders are due again. */
const STATUSES_WITH_RETURNED = [...PAYOUT_STATUSES, 'returned'] as const;
export type StatusWithReturned = (typeof STATUSES_WITH_RETURNED)[number];

/** The labels of these states. */
export const STATUS_WORDS: Record<StatusWithReturned, string> = {
  created: 'On the way',
  submitted: 'On the way',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Canceled',
  returned: 'Returned',
};

const person = z.nullable(z.object({ id: z.number(), name: z.string() }));

/** What members see of a payout. */
export const memberPayout = z.object({
  id: z.number(),
  organization_id: z.number(),
  organization_name: z.string(),
  amount: z.number(),
  status: z.enum(STATUSES_WITH_RETURNED),
  reference: z.nullable(z.string()),
  order_count: z.number(),
  /** When the first and the last of its orders were paid by the buyers; null if it has only adjustments. */
  sales_from: z.nullable(z.string()),
  sales_to: z.nullable(z.string()),
  created_at: z.string(),
  decided_at: z.nullable(z.string()),
  /** When the bank returned it after it was confirmed. */
  returned_at: z.nullable(z.string()),
});

/** What platform admins also see. */
export const officePayout = z.extend(memberPayout, {
  failure_reason: z.nullable(z.string()),
  created_by: person,
  approved_by: person,
  returned_by: person,
  /** So large that someone other than its creator must confirm it. */
  needs_second_person: z.boolean(),
  /** Whom a check is written to and where it is sent, as its settings say; `address` is null without a street. */
  payee: z.object({ name: z.string(), address: z.nullable(z.string()) }),
});
export type OfficePayout = z.infer<typeof officePayout>;
export const confirmManyAnswer = z.object({
  /** All of them, as they are now. */
  payouts: z.array(officePayout),
  refused: z.array(z.object({ id: z.number(), message: z.string() })),
});
export type ConfirmManyAnswer = z.infer<typeof confirmManyAnswer>;

export const PAYOUTS_PER_PAGE = 25;
const MAX_PAYOUTS_PER_PAGE = 100;
export const LINES_PER_PAGE = 50;
export const SEARCH_MAX = 100;

export const payoutsQuery = z.object({
  /** `next` of the previous page. */
  after: z.optional(idSchema),
  limit: z.optional(countUpTo(MAX_PAYOUTS_PER_PAGE)),
});
export type PayoutsQuery = z.infer<typeof payoutsQuery>;

export const payoutsFilter = z.object({
  status: z.optional(z.enum(['open', 'all'], { error: 'Must be open or all.' })),
  /** The number of a payout, its reference, or a part of an organization’s name. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX, `At most ${SEARCH_MAX} characters, please.`))),
});
export type PayoutsFilter = z.infer<typeof payoutsFilter>;
export const officePayoutsQuery = z.extend(payoutsQuery, payoutsFilter.shape);
export type OfficePayoutsQuery = z.infer<typeof officePayoutsQuery>;

/** Newest first. */
export const memberPayoutsPage = z.object({ payouts: z.array(memberPayout), next: z.nullable(z.number()) });
export type MemberPayoutsPage = z.infer<typeof memberPayoutsPage>;
export const officePayoutsPage = z.object({ payouts: z.array(officePayout), next: z.nullable(z.number()) });
export type OfficePayoutsPage = z.infer<typeof officePayoutsPage>;

export const payoutLine = z.object({
  order_id: z.number(),
  vanity_id: z.string(),
  paid_at: z.nullable(z.string()),
  amount: z.number(),
  /** `sale`: what the order brought; `carry`: what refunds, disputes and late fees took from it later. */
  kind: z.enum(['sale', 'carry']),
});
/** By order. */
export const payoutLinesPage = z.object({ lines: z.array(payoutLine), next: z.nullable(z.number()) });
export type PayoutLinesPage = z.infer<typeof payoutLinesPage>;
