/** The days a report's page covers, from its address (rule 39; default range: specification A§7). */
import { CHOOSE_DATE_RANGE, isRange, PERIODS, type Period } from '#src/features/reports/reports.contract.ts';
import { lastDays, readMachineDay, shownDay, type DayRange } from '#src/shared/day-range.ts';

export { PERIODS, type Period };

export const PERIOD_NAMES_LONG: Record<Period, string> = {
  '7-days': 'Last 7 days',
  '30-days': 'Last 30 days',
  '12-months': 'Last 12 months',
  all: 'All time',
};
/** Short labels for a row of tabs that fits a phone. */
export const PERIOD_NAMES_SHORT: Record<Period, string> = {
  '7-days': '7 days',
  '30-days': '30 days',
  '12-months': '12 months',
  all: 'All time',
};
const LENGTHS: Record<Exclude<Period, 'all'>, number> = { '7-days': 7, '30-days': 30, '12-months': 365 };

export type ReportPeriod = {
  /** Null if the days were entered individually. */
  period: Period | null;
  /** Null: all time. */
  range: DayRange | null;
  /** The text of the two fields as it was entered, valid or not. */
  from: string;
  to: string;
  problem: string | null;
};

/** `?from=YYYY-MM-DD&to=YYYY-MM-DD`, or `?period=`, or the last seven days. */
export function readReportPeriod(params: URLSearchParams, today: string): ReportPeriod {
  const [from, to] = [params.get('from'), params.get('to')];
  if (from !== null || to !== null) {
    const [first, last] = [readMachineDay(from), readMachineDay(to)];
    const range = first !== null && last !== null ? { from: first, to: last } : null;
    const isValid = range !== null && isRange(range);
    return {
      period: null,
      range: isValid ? range : null,
      from: first ?? '',
      to: last ?? '',
      problem: isValid ? null : CHOOSE_DATE_RANGE,
    };
  }
  const period = PERIODS.find((each) => each === params.get('period')) ?? '7-days';
  const range = rangeOf(period, today);
  return { period, range, from: range?.from ?? '', to: range?.to ?? '', problem: null };
}

/** The days of a quick range that ends today; null for all time. */
export function rangeOf(period: Period, today: string): DayRange | null {
  return period === 'all' ? null : lastDays(today, LENGTHS[period]);
}

/** "11.15.2026 to 11.21.2026", or the words for all time; the admin report formats days differently. */
export function rangeText(range: DayRange | null, dayText = shownDay): string {
  if (range === null) return 'All time';
  return range.from === range.to ? dayText(range.from) : `${dayText(range.from)} to ${dayText(range.to)}`;
}
