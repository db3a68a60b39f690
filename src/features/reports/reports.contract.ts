/** Reports of sales, of a gallery, and the numbers of the last 30 days (specification A§2, A§7, P§3). */
import * as z from 'zod/mini';
import { callDay, daysIn, readCallDay, type DayRange } from '#src/shared/day-range.ts';
import { isObject } from '#src/shared/is-object.ts';
import { idSchema } from '#src/shared/validators.ts';

export const REPORTING_ERROR =
  'Reporting Error — There may be no galleries, or sales associated with the query you chose.';
export const CHOOSE_DATE_RANGE = 'Please choose a valid date range.';
export const REPORTS_ARE_BUSY = 'Other reports are being created. Please try again in a few seconds.';

/** Quick ranges; the first is the default (specification A§7). */
export const PERIODS = ['7-days', '30-days', '12-months', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** The stats of dashboards and answers (specification A§9). */
export const STATS_DAYS = 30;
/** Ten years: longer ranges are considered typing errors. */
const MAX_RANGE_DAYS = 3_660;
/** Reports that a process creates at a time, and that wait for it (threat 72). */
export const REPORT_LIMITS = { atOnce: 2, waiting: 20 } as const;
export const BEST_SELLERS = 5;

const responseType = z.enum(['json', 'csv'], { error: 'Please choose json or csv.' });
const forOrg = z.union([z.boolean(), idSchema, z.null()], {
  error: 'Must be yes, no or the id of an organization.',
});
export const optionalDay = z.optional(z.nullable(z.string({ error: CHOOSE_DATE_RANGE })));

/**
 * The dates of a body: both, `MM/DD/YYYY`, in order and at most ten years apart; or neither, which is null and means all time.
 * Used by every report with dates.
 */
export function readDates(body: {
  start_date?: string | null | undefined;
  end_date?: string | null | undefined;
}): DayRange | null | 'invalid' {
  const [start, end] = [body.start_date ?? '', body.end_date ?? ''];
  // The specification's payload always has both keys: empty means not given.
  if (start === '' && end === '') return null;
  const [from, to] = [readCallDay(start), readCallDay(end)];
  return from !== null && to !== null && isRange({ from, to }) ? { from, to } : 'invalid';
}

/** The days of a body; none for all time. */
export function callDates(range: DayRange | null) {
  return range ? { start_date: callDay(range.from), end_date: callDay(range.to) } : {};
}

/** Whether a range ends on or after its start, and is not too long. */
export function isRange(range: DayRange): boolean {
  const days = daysIn(range);
  return days >= 1 && days <= MAX_RANGE_DAYS;
}

/** Checks both dates, reported together with the other fields' problems. */
export function validDates() {
  const isDayText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
  return z.refine<Parameters<typeof readDates>[0]>((body) => readDates(body) !== 'invalid', {
    error: CHOOSE_DATE_RANGE,
    path: ['start_date'],
    when: ({ value }) => isObject(value) && isDayText(value['start_date']) && isDayText(value['end_date']),
  });
}

export const reportBody = z
  .strictObject({
    responseType,
    /** True: including affiliates; false: itself alone; an id: that affiliate only. Absent: true if it has no parent. */
    for_org: z.optional(forOrg),
    /** `MM/DD/YYYY`; whole days of the organization's time zone, both ends included. */
    start_date: optionalDay,
    end_date: optionalDay,
  })
  .check(validDates());
export type ReportBody = z.infer<typeof reportBody>;

/**
 * Present if any of them is not zero. Sales are after offers and reductions. Fully refunded orders do not count; a partial
 * refund changes neither the savings nor the reductions.
 */
export const offerTotals = z.object({
  offers_saved: z.number(),
  /** Part of `offers_saved`: what the photos included with registration would have cost. Present if there are any. */
  included: z.optional(z.number()),
  /** By early birds and codes. */
  reductions: z.number(),
  /** The part of sales, donations and taxes paid with prepaid credit. */
  credit_used: z.number(),
  /** Prepaid credit sold; no sale until it is used. */
  credit_sold: z.number(),
});
/** Dollars, net of refunds. */
export const plainTotals = z.object({
  /** Orders that were not fully refunded. */
  orders: z.number(),
  /** Photos sold. */
  photos: z.number(),
  sales: z.number(),
  donations: z.number(),
  tax: z.number(),
  /** Refunds to buyers; the other amounts exclude them. */
  refunds: z.number(),
  /** Card fees. */
  fees: z.number(),
  /** The platform's share. */
  share: z.number(),
  /** Held back or withdrawn because a buyer's bank disputes a payment. */
  disputed: z.number(),
  /** What the organization gets: sales and donations less fees, share and disputed amounts. */
  net: z.number(),
  /** The sales as text, "$1,234.50". */
  revenue: z.string(),
  sales_rev: z.number(),
  gallery_donation: z.number(),
});
export const totalsAnswer = z.extend(plainTotals, z.partial(offerTotals).shape);
export type TotalsAnswer = z.infer<typeof totalsAnswer>;

const organizationReport = z.object({
  name: z.string(),
  promo_code: z.nullable(z.string()),
  domain_name: z.string(),
  totals: totalsAnswer,
  /** By gallery id: galleries with sales or donations. */
  galleries: z.record(z.string(), z.object({ name: z.string(), totals: totalsAnswer })),
  /** By coupon id: complete orders with that code. Absent without any. */
  codes: z.optional(z.record(z.string(), z.object({ name: z.string(), totals: totalsAnswer }))),
});
/** By organization id. */
export const reportAnswer = z.record(z.string(), organizationReport);
export type ReportAnswer = z.infer<typeof reportAnswer>;

/** The last 30 days, for members (specification P§3). */
const statsPreview = z.object({
  /** Orders. */
  total_sales: z.number(),
  photos_purchased: z.number(),
  revenue: z.string(),
});
const statsAnswer = z.object({
  stats_preview: statsPreview,
  preview_order_count: z.number(),
  preview_photo_count: z.number(),
  preview_price: z.number(),
  total_order_count: z.number(),
  total_photo_count: z.number(),
  total_price: z.number(),
});
export type StatsAnswer = z.infer<typeof statsAnswer>;
/** With a promo code that is still valid, as in the report (specification A§3). */
export const ownFigures = z.extend(statsAnswer, { promo_code: z.nullable(z.string()) });
export type OwnFigures = z.infer<typeof ownFigures>;

export const galleryReportQuery = z.object({
  days: z.optional(z.enum(['30', 'all'], { error: 'Please choose 30 or all.' })),
});

/** One day; or the week or month starting on it, for long ranges. */
const galleryReportStep = z.object({
  day: z.string(),
  orders: z.number(),
  photos: z.number(),
  sales: z.number(),
  donations: z.number(),
  likes: z.number(),
  votes: z.number(),
  visits: z.number(),
});
const bestSeller = z.object({
  id: z.number(),
  name: z.string(),
  image_url: z.string(),
  width: z.number(),
  height: z.number(),
  sold: z.number(),
  sales: z.number(),
});
export const galleryReport = z.object({
  unit: z.enum(['day', 'week', 'month']),
  totals: z.omit(galleryReportStep, { day: true }),
  /** In order, without gaps. */
  steps: z.array(galleryReportStep),
  best_sellers: z.array(bestSeller),
});
export type GalleryReport = z.infer<typeof galleryReport>;
