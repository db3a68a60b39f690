import { SALES_AND_DONATIONS } from '#src/features/reports/money-words.contract.ts';
import type { SalesDay, TimeUnit } from '#src/features/reports/sales-days.rules.ts';
import { formatCount } from '#src/shared/counted.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { BarChart } from '#src/features/reports/ui/bar-chart.tsx';
import { Card } from '#src/ui/card.tsx';
import { FigureList, type NamedFigure } from '#src/ui/figure-list.tsx';

/** Header of the first column of a chart's table. */
export const STEP_HEADS: Record<TimeUnit, string> = { day: 'Day', week: 'Week from', month: 'Month from' };

type ChartOfSalesProps = {
  days: readonly SalesDay[];
  unit: TimeUnit;
  className: string;
  /** Formats days. */
  dayText?: (day: string) => string;
};

/** Sales over time, net of refunds. */
export function ChartOfSales({ days, unit, className, dayText = shownDay }: ChartOfSalesProps) {
  return (
    <BarChart
      label={`${SALES_AND_DONATIONS} per ${unit}`}
      heads={[STEP_HEADS[unit], SALES_AND_DONATIONS]}
      className={className}
      bars={days.map((day) => {
        const amount = sumCents([day.salesCents, day.donationsCents]);
        return { label: dayText(day.day), value: amount, text: formatDollars(amount) };
      })}
    />
  );
}

type SalesSummaryProps = Omit<ChartOfSalesProps, 'className'> & { figures: readonly NamedFigure[]; columns: string };

/** The sums of a report next to its chart. */
export function SalesSummary({ figures, columns, ...chart }: SalesSummaryProps) {
  return (
    <Card className="grid gap-x-10 gap-y-6 p-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <FigureList className={`content-start ${columns}`} figures={figures} />
      <ChartOfSales {...chart} className="h-32" />
    </Card>
  );
}

/** "3 Orders". */
export const countFigure = (name: string, count: number): NamedFigure => ({
  name: count === 1 ? name : `${name}s`,
  value: formatCount(count),
});
