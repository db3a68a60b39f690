/** Sales over time: days without gaps, summed to weeks or months where there are many. */
import type { StatsAnswer } from '#src/features/reports/reports.contract.ts';
import { addDays, daysIn, daysOf, type DayRange } from '#src/shared/day-range.ts';
import { cents, formatDollars, sumCents, toDollars, type Cents } from '#src/shared/money.ts';

/** Net of refunds. */
export type SalesCount = { orders: number; photos: number; salesCents: Cents; donationsCents: Cents };
/** `day` is `YYYY-MM-DD`; of a week or month its first that belongs to the range. */
export type SalesDay = SalesCount & { day: string };

export type TimeUnit = 'day' | 'week' | 'month';

/** More bars than that cannot be told apart on a phone. */
const MOST_DAYS = 62;
const MOST_WEEKS = 62;

/** In what steps a range is drawn. */
export function unitFor(range: DayRange): TimeUnit {
  const days = daysIn(range);
  if (days <= MOST_DAYS) return 'day';
  return days <= MOST_WEEKS * 7 ? 'week' : 'month';
}

/** The first day of the step that the day belongs to; weeks begin where the range does. */
export function stepOf(day: string, range: DayRange, unit: TimeUnit): string {
  if (unit === 'day') return day;
  if (unit === 'week') {
    const weeks = Math.floor((daysIn({ from: range.from, to: day }) - 1) / 7);
    return addDays(range.from, weeks * 7);
  }
  const first = `${day.slice(0, 8)}01`;
  return first < range.from ? range.from : first;
}

/** Every step of the range in order, with what `empty` makes of it where nothing happened. */
export function stepsOf(range: DayRange, unit: TimeUnit): string[] {
  return [...new Set(daysOf(range).map((day) => stepOf(day, range, unit)))];
}

const NOTHING: SalesCount = { orders: 0, photos: 0, salesCents: cents(0), donationsCents: cents(0) };

/** The sum of counts. */
export function sumOfDays(days: readonly SalesCount[]): SalesCount {
  return {
    orders: days.reduce((sum, day) => sum + day.orders, 0),
    photos: days.reduce((sum, day) => sum + day.photos, 0),
    salesCents: sumCents(days.map((day) => day.salesCents)),
    donationsCents: sumCents(days.map((day) => day.donationsCents)),
  };
}

/** Days of sales as steps of the whole range, without gaps. */
export function spread(days: readonly SalesDay[], range: DayRange, unit: TimeUnit): SalesDay[] {
  const found = Map.groupBy(days, ({ day }) => stepOf(day, range, unit));
  return stepsOf(range, unit).map((day) => ({ day, ...sumOfDays(found.get(day) ?? [NOTHING]) }));
}

/** The range that covers a range without ends: from the first sale to today; the last 30 days where nothing was sold. */
export function coveredBy(days: readonly { day: string }[], today: string): DayRange {
  const first = days[0]?.day ?? addDays(today, -29);
  return { from: first < today ? first : today, to: today };
}

/** The members' numbers of an affiliate, in dollars (specification P§3, A§3). */
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
