/** The platform's own report of sales (specification A§2, "Reports"; A§3, "Order report row"; A§7; design of the calls). */
import * as z from 'zod/mini';
import {
  CHOOSE_DATE_RANGE,
  goodDates,
  isObject,
  optionalDay,
  PERIODS,
  totalsAnswer,
  type Period,
} from '#src/features/reports/reports.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

export const ORGANIZATIONS_ERROR = 'Error getting orgs. Please contact support.';

/** Reports of this kind that a process makes at a time, and that wait for it (threat 72). */
export const ADMIN_REPORT_LIMITS = { atOnce: 2, waiting: 8 } as const;
/** At most about so many orders are read at a time where all are asked for; so many parts are on their way at once. */
export const ORDERS_A_PART = 2_500;
export const PARTS_AHEAD = 2;
/** So many orders are written before others get their turn: two or three milliseconds. */
export const ORDERS_A_TURN = 200;
/** A reader who takes nothing for this long has left. */
export const READER_GONE_MS = 60_000;
export const MAX_ORDERS_A_PAGE = 200;
/** What the page shows at first of an organization, and how many organizations. */
export const ORDERS_SHOWN = 20;
export const ORGANIZATIONS_SHOWN = 12;
export const MOST_ORGANIZATIONS_SHOWN = 120;
/** Choices that a picker shows at a time. */
export const CHOICES_SHOWN = 30;

/** Forms send an empty text where nothing is chosen. */
const chosenId = z.optional(z.nullable(z.union([z.literal(''), idSchema], { error: 'Not an id.' })));

export const adminReportBody = z
  .strictObject({
    /** A parent: with everyone below it. */
    org_id: chosenId,
    /** One seller alone: an affiliate or, by its own id, a parent. */
    affiliate_id: chosenId,
    /** Orders that sold a photo of it or gave it a donation; they are told and counted whole. */
    gallery_id: chosenId,
    /** The name of a quick range, for anyone who sends no dates. With dates it may say what it likes. */
    date_range: z.optional(z.unknown()),
    show_reconciled: z.optional(z.nullable(z.boolean({ error: 'Please send true or false here.' }))),
    /** `MM/DD/YYYY`; whole days of each seller's time zone, both ends included. Neither: the last seven days. */
    start_date: optionalDay,
    end_date: optionalDay,
  })
  .check(
    goodDates(),
    z.refine((body) => readPeriod(body.date_range) !== null, {
      error: CHOOSE_DATE_RANGE,
      path: ['date_range'],
      when: ({ value }) => isObject(value) && isNotGiven(value['start_date']) && isNotGiven(value['end_date']),
    }),
  );
export type AdminReportBody = z.infer<typeof adminReportBody>;

const isNotGiven = (value: unknown) => value === undefined || value === null || value === '';

/** The quick range of that name; the first one where there is none, null where no one knows it. */
export function readPeriod(name: unknown): Period | null {
  if (name === undefined || name === null || name === '' || name === false) return PERIODS[0];
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
  /** At most so many orders of each organization. Absent: all. */
  limit: z.optional(pageSize),
  /** `next` of the page before, of the one organization that is asked for. */
  after: z.optional(idSchema),
});
export type AdminReportQuery = z.infer<typeof adminReportQuery>;

/** Amounts in dollars. What buyers paid stays as it was; `refunded` was refunded since; share, fee and net are those of the books. */
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
  /** Of the total, what prepaid credit paid and not the card; only where it paid anything. */
  credit_used: z.optional(z.number()),
  status: z.enum(['paid', 'partially_refunded', 'refunded', 'disputed']),
  /** JSON: `amount` in cents as the card provider counts them, `currency`, and of the card its brand and last four digits. */
  stripe_response: z.string(),
  reconciled: z.boolean(),
  reconciled_at: z.nullable(z.string()),
  payout_id: z.nullable(z.number()),
  /** `created`, `submitted`, `paid`; null while it is in no payout that stands. */
  payout_status: z.nullable(z.string()),
});
export type AdminReportRow = z.infer<typeof adminReportRow>;

export const adminReportEntry = z.object({
  id: z.number(),
  name: z.string(),
  domain_name: z.string(),
  parent_organization_id: z.nullable(z.number()),
  /** Of all its orders that were asked for, however many of them are here. */
  totals: totalsAnswer,
  /** Newest first. */
  complete_orders: z.array(adminReportRow),
  /** For `after`; null where no more follow. */
  next: z.nullable(z.number()),
});
/** Organizations that sold something, by name. */
export const adminReportAnswer = z.array(adminReportEntry);
export type AdminReportAnswer = z.infer<typeof adminReportAnswer>;

export const galleryChoicesQuery = z.object({
  /** Whose galleries: also of those below it. */
  organization_id: idSchema,
  q: z.optional(z.string().check(z.maxLength(200, 'At most 200 characters, please.'))),
});
export const galleryChoice = z.object({
  id: z.number(),
  name: z.string(),
  /** Whose it is. */
  organization: z.string(),
  active: z.boolean(),
});
export type GalleryChoice = z.infer<typeof galleryChoice>;

/** "Error Saving Order #12" (specification A§8, "Marking order"). */
export const errorSavingOrder = (id: number | string) => `Error Saving Order #${id}`;

export const markOrderBody = z.strictObject({
  order: z.strictObject({ reconciled: z.boolean({ error: 'Please send true or false here.' }) }),
});
