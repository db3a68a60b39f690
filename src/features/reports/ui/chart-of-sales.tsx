import type { SalesDay, TimeUnit } from '#src/features/reports/sales-days.rules.ts';
import { reportDay } from '#src/shared/day-range.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { BarChart } from '#src/ui/bar-chart.tsx';

const STEPS: Record<TimeUnit, { label: string; head: string }> = {
  day: { label: 'Sales and donations per day', head: 'Day' },
  week: { label: 'Sales and donations per week', head: 'Week from' },
  month: { label: 'Sales and donations per month', head: 'Month from' },
};

/** What buyers paid over time, without what they were given back. */
export function ChartOfSales({
  days,
  unit,
  className,
}: {
  days: readonly SalesDay[];
  unit: TimeUnit;
  className?: string;
}) {
  const { label, head } = STEPS[unit];
  return (
    <BarChart
      label={label}
      heads={[head, 'Sales and donations']}
      {...(className === undefined ? {} : { className })}
      bars={days.map((day) => {
        const amount = sumCents([day.salesCents, day.donationsCents]);
        return { label: reportDay(day.day), value: amount, text: formatDollars(amount) };
      })}
    />
  );
}
