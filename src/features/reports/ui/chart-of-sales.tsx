import { SALES_AND_DONATIONS } from '#src/features/reports/money-words.contract.ts';
import type { SalesDay, TimeUnit } from '#src/features/reports/sales-days.rules.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { BarChart } from '#src/ui/bar-chart.tsx';

const STEPS: Record<TimeUnit, { label: string; head: string }> = {
  day: { label: `${SALES_AND_DONATIONS} per day`, head: 'Day' },
  week: { label: `${SALES_AND_DONATIONS} per week`, head: 'Week from' },
  month: { label: `${SALES_AND_DONATIONS} per month`, head: 'Month from' },
};

/** What buyers paid over time, without what they were refunded. */
export function ChartOfSales({
  days,
  unit,
  className,
  dayText = shownDay,
}: {
  days: readonly SalesDay[];
  unit: TimeUnit;
  className?: string;
  /** How days are written here. */
  dayText?: (day: string) => string;
}) {
  const { label, head } = STEPS[unit];
  return (
    <BarChart
      label={label}
      heads={[head, SALES_AND_DONATIONS]}
      {...(className === undefined ? {} : { className })}
      bars={days.map((day) => {
        const amount = sumCents([day.salesCents, day.donationsCents]);
        return { label: dayText(day.day), value: amount, text: formatDollars(amount) };
      })}
    />
  );
}
