import { Link } from 'react-router';
import type { Dashboard } from '#src/features/reports/reports.service.ts';
import { ChartOfSales } from '#src/features/reports/ui/chart-of-sales.tsx';
import { formatDollars } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';
import { ChartColumn } from '#src/ui/icon.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';

type MonthCardProps = Pick<Dashboard, 'days' | 'now' | 'before'> & { path: string };

/** The last 30 days on a dashboard, beside the 30 before them; leads to the reports (specification A§2, "Affiliate dashboard"). */
export function MonthCard({ path, days, now, before }: MonthCardProps) {
  const count = (value: number) => value.toLocaleString('en-US');
  const dollars = formatDollars;
  return (
    <Card className="p-5" role="region" aria-label="Last 30 days">
      <div className="-mt-1.5 mb-3 flex items-center justify-between gap-4">
        <h2 className="text-lg">Last 30 days</h2>
        <div className="-mr-3 flex flex-wrap">
          <Link to={`/${path}/orders`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
            Orders
          </Link>
          <Link to={`/${path}/report`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
            <ChartColumn aria-hidden="true" />
            View Reports
          </Link>
        </div>
      </div>
      <div className="grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <FigureList
          className="grid-cols-2 content-start lg:grid-cols-4 xl:grid-cols-2"
          figures={[
            {
              name: 'Revenue',
              value: dollars(now.salesCents),
              note: compared(now.salesCents, before.salesCents, dollars),
            },
            {
              name: 'Donations',
              value: dollars(now.donationsCents),
              note: compared(now.donationsCents, before.donationsCents, dollars),
            },
            { name: 'Orders', value: count(now.orders), note: compared(now.orders, before.orders, count) },
            { name: 'Photos purchased', value: count(now.photos), note: compared(now.photos, before.photos, count) },
          ]}
        />
        <ChartOfSales days={days} unit="day" className="h-28" />
      </div>
    </Card>
  );
}

/** How a number stands to that of the 30 days before. */
function compared<N extends number>(now: N, before: N, text: (value: N) => string): string {
  if (now === before) return now === 0 ? 'none before either' : 'the same as before';
  return `${now > before ? 'up' : 'down'} from ${text(before)}`;
}
