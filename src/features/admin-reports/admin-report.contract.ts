/** The platform's own report of sales (specification A§2, "Reports"; A§3, "Order report row"; A§7; design of the calls). */
import * as z from 'zod/mini';
import {
  CHOOSE_DATE_RANGE,
  validDates,
  optionalDay,
  PERIODS,
  totalsAnswer,
  type Period,
} from '#src/features/reports/reports.contract.ts';
import { isObject } from '#src/shared/is-object.ts';
import { idSchema } from '#src/shared/validators.ts';

export const ORGANIZATIONS_ERROR = 'Error getting orgs. Please contact support.';

/** Reports of this kind that a process creates at a time, and that wait for it (threat 72). */
export const ADMIN_REPORT_LIMITS = { atOnce: 2, waiting: 8 } as const;
/** About how many orders are read at a time when all are requested, and how many of these parts are read ahead. */
export const ORDERS_A_PART = 2_500;
export const PARTS_AHEAD = 2;
/** Orders written before other requests get their turn: two or three milliseconds. */
export const ORDERS_A_TURN = 200;
/** A reader that takes nothing for this long has left. */
export const READER_GONE_MS = 60_000;
export const MAX_ORDERS_A_PAGE = 200;
/** What the page initially shows of an organization, and how many organizations. */
export const ORDERS_SHOWN = 20;
export const ORGANIZATIONS_SHOWN = 12;
export const MOST_ORGANIZATIONS_SHOWN = 120;
/** Choices that a picker shows at a time. */
export const CHOICES_SHOWN = 30;

/** Forms send an empty text if nothing is selected. */
const chosenId = z.optional(z.nullable(z.union([z.literal(''), idSchema], { error: 'Not an id.' })));

export const adminReportBody = z
  .strictObject({
    /** A parent: including its affiliates. */
    org_id: chosenId,
    /** One seller alone: an affiliate or, by its own id, a parent. */
    affiliate_id: chosenId,
    /** Orders that sold a photo of it or have a donation to it; they are listed and counted completely. */
    gallery_id: chosenId,
    /** The name of a quick range, used if no dates are given. Ignored with dates. */
    date_range: z.optional(z.unknown()),
    show_reconciled: z.optional(z.nullable(z.boolean({ error: 'Please send true or false here.' }))),
    /** `MM/DD/YYYY`; whole days of each seller's time zone, both ends included. Neither: the last seven days. */
    start_date: optionalDay,
    end_date: optionalDay,
  })
  .check(
    validDates(),
    z.refine((body) => readPeriod(body.date_range) !== null, {
      error: CHOOSE_DATE_RANGE,
      path: ['date_range'],
      when: ({ value }) => isObject(value) && isNotGiven(value['start_date']) && isNotGiven(value['end_date']),
    }),
  );
export type AdminReportBody = z.infer<typeof adminReportBody>;

const isNotGiven = (value: unknown) => value === undefined || value === null || value === '';

/** The quick range with that name; the first one without a name, null for an unknown one. */
export function readPeriod(name: unknown): Period | null {
  if (isNotGiven(name) || name === false) return PERIODS[0];
  return PERIODS.find((period) => period === name) ?? null;
}

const pageSize = z.pipe(
  z.string(),
  z.transform((text: string, context): number => {
    const size = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (size >= 1 && size <= MAX_ORDERS_A_PAGE) return size;
    context.issues.push({ code: 'custom', message: `From 1 to ${MAX_ORDERS_A_PAGE}, please.`, input: text });
    return z.NEVER;
  }),
);
export const adminReportQuery = z.object({
  /** The maximum number of orders per organization. Absent: all. */
  limit: z.optional(pageSize),
  /** `next` of the previous page, with a single organization. */
  after: z.optional(idSchema),
});
export type AdminReportQuery = z.infer<typeof adminReportQuery>;

/**
 * Amounts in dollars. The buyer's amounts stay unchanged; `refunded` is what was refunded later; share, fee and net come from
 * the ledger.
 */
export const adminReportRow = z.object({
  id: z.number(),
  created_at: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
  subtotal: z.number(),
  /** "$5.00" */
  additional_donation: z.string(),
  tax: z.number(),
  total: z.number(),
  refunded: z.number(),
  /** The card fee. */
  fee: z.number(),
  share: z.number(),
  disputed: z.number(),
  /** What the organization gets of it. */
  net: z.number(),
  /** The part of the total paid with prepaid credit instead of the card; only if there is any. */
  credit_used: z.optional(z.number()),
  status: z.enum(['paid', 'partially_refunded', 'refunded', 'disputed']),
  /** JSON: `amount` in cents as the card provider counts them, `currency`, and brand and last four digits of the card. */
  stripe_response: z.string(),
  reconciled: z.boolean(),
  reconciled_at: z.nullable(z.string()),
  payout_id: z.nullable(z.number()),
  /** `created`, `submitted`, `paid`; null while it is in no valid payout. */
  payout_status: z.nullable(z.string()),
});
export type AdminReportRow = z.infer<typeof adminReportRow>;

const adminReportEntry = z.object({
  id: z.number(),
  name: z.string(),
  domain_name: z.string(),
  parent_organization_id: z.nullable(z.number()),
  /** Totals of all its matching orders, however many are included here. */
  totals: totalsAnswer,
  /** Newest first. */
  complete_orders: z.array(adminReportRow),
  /** For `after`; null on the last page. */
  next: z.nullable(z.number()),
});
/** Organizations with sales, by name. */
export const adminReportAnswer = z.array(adminReportEntry);
export type AdminReportAnswer = z.infer<typeof adminReportAnswer>;

export const galleryChoicesQuery = z.object({
  /** Its galleries, including those of its affiliates. */
  organization_id: idSchema,
  q: z.optional(z.string().check(z.maxLength(200, 'At most 200 characters, please.'))),
});
export const galleryChoice = z.object({
  id: z.number(),
  name: z.string(),
  organization: z.string(),
  active: z.boolean(),
});
export type GalleryChoice = z.infer<typeof galleryChoice>;

/** "Error Saving Order #12" (specification A§8, "Marking order"). */
export const errorSavingOrder = (id: number | string) => `Error Saving Order #${id}`;

export const markOrderBody = z.strictObject({
  order: z.strictObject({ reconciled: z.boolean({ error: 'Please send true or false here.' }) }),
});
