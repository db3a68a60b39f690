/** Sales over time, and a gallery's activity: days without gaps, grouped into weeks or months for long ranges. */
import type { GalleryReport, StatsAnswer } from '#src/features/reports/reports.contract.ts';
import { addDays, daysIn, daysOf, type DayRange } from '#src/shared/day-range.ts';
import { cents, formatDollars, toDollars, type Cents } from '#src/shared/money.ts';
import { pictureAddress } from '#src/features/photos/photos.rules.ts';

/** Net of refunds. */
export type SalesCount = { orders: number; photos: number; salesCents: Cents; donationsCents: Cents };
/** A parent's affiliate with its sales. */
export type Club = { id: number; name: string; path: string; sales: SalesCount };
/** `day` is `YYYY-MM-DD`; for a week or month, its first day in the range. */
export type SalesDay = SalesCount & { day: string };

export type TimeUnit = 'day' | 'week' | 'month';

/** More bars would not be readable on a phone. */
const MOST_DAYS = 62;
const MOST_WEEKS = 62;

/** The step size for a range. */
export function unitFor(range: DayRange): TimeUnit {
  const days = daysIn(range);
  if (days <= MOST_DAYS) return 'day';
  return days <= MOST_WEEKS * 7 ? 'week' : 'month';
}

/** The first day of the step that contains the day; weeks start on the first day of the range. */
export function stepOf(day: string, range: DayRange, unit: TimeUnit): string {
  if (unit === 'day') return day;
  if (unit === 'week') {
    const weeks = Math.floor((daysIn({ from: range.from, to: day }) - 1) / 7);
    return addDays(range.from, weeks * 7);
  }
  const first = `${day.slice(0, 8)}01`;
  return first < range.from ? range.from : first;
}

/** The first days of all steps of the range, in order. */
export function stepsOf(range: DayRange, unit: TimeUnit): string[] {
  return [...new Set(daysOf(range).map((day) => stepOf(day, range, unit)))];
}

/** The sum of rows, for each of these keys. */
export function sumOfRows<Key extends string, Row extends Record<Key, number>>(
  rows: readonly Row[],
  keys: readonly Key[],
) {
  const sums = keys.map((key) => [key, cents(rows.reduce((sum, row) => sum + row[key], 0))]);
  return Object.fromEntries(sums) as Pick<Row, Key>;
}

const COUNTS = ['orders', 'photos', 'salesCents', 'donationsCents'] as const;

/** The sum of counts. */
export function sumOfDays(days: readonly SalesCount[]): SalesCount {
  return sumOfRows(days, COUNTS);
}

/** Days of sales as steps of the whole range, without gaps. */
export function spread(days: readonly SalesDay[], range: DayRange, unit: TimeUnit): SalesDay[] {
  const found = Map.groupBy(days, ({ day }) => stepOf(day, range, unit));
  return stepsOf(range, unit).map((day) => ({ day, ...sumOfDays(found.get(day) ?? []) }));
}

/** The range to use for an open range: from the first sale to today; the last 30 days if nothing was sold. */
export function coveredBy(days: readonly { day: string }[], today: string): DayRange {
  const first = days[0]?.day ?? addDays(today, -29);
  return { from: first < today ? first : today, to: today };
}

/** The members' figures of an affiliate, in dollars (specification P§3, A§3). */
export function presentStats(preview: SalesCount, total: SalesCount): StatsAnswer {
  return {
    stats_preview: {
      total_sales: preview.orders,
      photos_purchased: preview.photos,
      revenue: formatDollars(preview.salesCents),
    },
    preview_order_count: preview.orders,
    preview_photo_count: preview.photos,
    preview_price: toDollars(preview.salesCents),
    total_order_count: total.orders,
    total_photo_count: total.photos,
    total_price: toDollars(total.salesCents),
  };
}

export type GalleryDay = SalesDay & { likes: number; votes: number; visits: number };
export type SoldPhoto = {
  id: number;
  name: string;
  width: number;
  height: number;
  pixelVersion: number;
  sold: number;
  salesCents: Cents;
};

function sumOfGalleryDays(days: readonly GalleryDay[]) {
  const { salesCents, donationsCents, ...counts } = sumOfRows(days, [...COUNTS, 'likes', 'votes', 'visits']);
  return { ...counts, sales: toDollars(salesCents), donations: toDollars(donationsCents) };
}

/** Days of activity as in the API, in steps without gaps. */
export function presentGalleryReport(
  gallery: { id: number; displayWatermark: boolean },
  found: { days: readonly GalleryDay[]; bestSellers: readonly SoldPhoto[] },
  range: DayRange,
): GalleryReport {
  const unit = unitFor(range);
  const byStep = Map.groupBy(found.days, ({ day }) => stepOf(day, range, unit));
  return {
    unit,
    totals: sumOfGalleryDays(found.days),
    steps: stepsOf(range, unit).map((day) => ({ day, ...sumOfGalleryDays(byStep.get(day) ?? []) })),
    best_sellers: found.bestSellers.map(({ pixelVersion, salesCents, ...photo }) => ({
      ...photo,
      image_url: pictureAddress({ ...gallery, galleryId: gallery.id, id: photo.id, pixelVersion }),
      sales: toDollars(salesCents),
    })),
  };
}
