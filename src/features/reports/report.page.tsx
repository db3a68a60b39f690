/** `/:affiliate/report`: what an organisation and its clubs sold, and what they get of it (specification A§2). */
import { PERIODS, readPeriod, type Period } from '#src/features/reports/reports.rules.ts';
import { SalesTable } from '#src/features/reports/ui/sales-table.tsx';
import { formatDollars } from '#src/shared/money.ts';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { TabLinks } from '#src/ui/tab-links.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/report.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

const NAMES: Record<Period, string> = { '30-days': 'Last 30 days', '12-months': 'Last 12 months', all: 'All time' };

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const organization = context.get(affiliateContext);
  const period = readPeriod(url.searchParams.get('period'));
  const report = await app.reports.salesOf(caller, organization, period);
  return { name: organization.name, path: organization.domainName, period, ...report };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: loaderData ? `Reports · ${loaderData.name}` : 'Reports' }, { name: 'robots', content: 'noindex' }];
}

export default function ReportPage({ loaderData }: Route.ComponentProps) {
  const { name, path, period, rows, total } = loaderData;
  return (
    <Main>
      <PageHeader title="Reports" subtitle={name} />
      <TabLinks
        label="Period"
        tabs={PERIODS.map((each) => ({
          label: NAMES[each],
          to: `/${path}/report?period=${each}`,
          current: each === period,
        }))}
      />
      <p className="pt-5 pb-4 text-lg">
        {total.orders === 0 ? (
          'Nothing was sold in this time.'
        ) : (
          <>
            <strong className="font-bold tabular-nums">{formatDollars(total.netCents)}</strong> for the team from{' '}
            {total.orders === 1 ? 'one order' : `${total.orders.toLocaleString('en-US')} orders`}.
          </>
        )}
      </p>
      {rows.length > 0 && <SalesTable rows={rows} total={total} />}
    </Main>
  );
}
