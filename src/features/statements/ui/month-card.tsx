import { Link } from 'react-router';
import { DONATIONS, SALES, wordsOfNet } from '#src/features/reports/money-words.contract.ts';
import type { Dashboard } from '#src/features/reports/reports.service.ts';
import { ChartOfSales } from '#src/features/reports/ui/chart-of-sales.tsx';
import { formatDollars } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';
import { ChartColumn } from '#src/ui/icon.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { formatCount } from '#src/shared/counted.ts';

type MonthCardProps = Pick<Dashboard, 'days' | 'now' | 'before' | 'netCents' | 'clubs'> & {
  path: string;
  /** Nothing is shared yet. */
  isNew: boolean;
};

/**
 * The last 30 days on a dashboard, compared with the 30 before them; links to the reports (specification A§2, "Affiliate
 * dashboard").
 */
export function MonthCard({ path, isNew, days, now, before, netCents, clubs }: MonthCardProps) {
  const isParent = clubs.length > 0;
  const isQuiet = now.orders === 0 && before.orders === 0;
  return (
    <Card className="p-5" role="region" aria-label="Last 30 days">
      <div className="-mt-1.5 mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="py-1.5 text-lg whitespace-nowrap">Last 30 days</h2>
        <div className="-mx-3 flex flex-wrap">
          <Link to={`/${path}/orders`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
            Orders
          </Link>
          <Link to={`/${path}/report`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
            <ChartColumn aria-hidden="true" />
            View Reports
          </Link>
        </div>
      </div>
      {isQuiet ? (
        <p className="text-quiet">
          {isNew ? 'No sales yet. They appear here.' : 'No sales in these days or in the 30 days before.'}
        </p>
      ) : (
        <div className="grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <FigureList
            className="grid-cols-2 content-start *:first:col-span-full lg:grid-cols-4 lg:*:first:col-span-2 xl:grid-cols-2 xl:*:first:col-span-full"
            figures={[
              {
                name: wordsOfNet(isParent),
                value: formatDollars(netCents),
                note: `from ${formatDollars(now.salesCents)} ${SALES.toLowerCase()} + ${formatDollars(now.donationsCents)} ${DONATIONS.toLowerCase()}`,
              },
              { name: 'Orders', value: formatCount(now.orders), note: compared(now.orders, before.orders) },
              { name: 'Photos purchased', value: formatCount(now.photos), note: compared(now.photos, before.photos) },
            ]}
          />
          <ChartOfSales days={days} unit="day" className="h-28" />
        </div>
      )}
    </Card>
  );
}

/** A number compared with that of the 30 days before; undefined without one. */
function compared(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  if (now === before) return 'the same as before';
  return `${now > before ? 'up' : 'down'} from ${formatCount(before)}`;
}
