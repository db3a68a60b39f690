/** `/admin-report`, in the bar "Sales": what every organization sold, for the platform (specification A§2, "Reports"; rule 36). */
import { useState } from 'react';
import { useNavigation } from 'react-router';
import { saveAdminReport } from '#src/features/admin-reports/admin-report.client.ts';
import { MOST_ORGANIZATIONS_SHOWN, ORGANIZATIONS_SHOWN } from '#src/features/admin-reports/admin-report.contract.ts';
import {
  adminReportAddress,
  adminReportBodyOf,
  exportName,
  readAdminReportAddress,
} from '#src/features/admin-reports/admin-report.rules.ts';
import { ORGANIZATIONS_GET, SALES_AND_DONATIONS } from '#src/features/reports/money-words.contract.ts';
import { PERIOD_NAMES, rangeText, readReportPeriod } from '#src/features/reports/report-period.rules.ts';
import { REPORTING_ERROR } from '#src/features/reports/reports.contract.ts';
import { AdminReportFilters } from '#src/features/admin-reports/ui/admin-report-filters.tsx';
import { ChartOfSales } from '#src/features/reports/ui/chart-of-sales.tsx';
import { SellerSales } from '#src/features/admin-reports/ui/seller-sales.tsx';
import { reportDay } from '#src/shared/day-range.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';
import { ChartColumn, Download } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { showToast } from '#src/ui/toast.ts';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/admin-report.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export async function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  const { app, caller, url } = context.get(requestContext);
  const today = app.adminReports.today();
  const address = readAdminReportAddress(url.searchParams);
  const period = readReportPeriod(url.searchParams, today);
  const { chosen, report } = await app.adminReports.view(caller, {
    organizationId: address.org,
    affiliateId: address.affiliate,
    galleryId: address.gallery,
    range: period.range,
    showReconciled: address.reconciled,
    shown: period.problem === null ? address.shown : 0,
  });
  return { today, address, period, chosen, report: period.problem === null ? report : null };
}

export const meta: Route.MetaFunction = () => [{ title: 'Sales · Sideline' }, { name: 'robots', content: 'noindex' }];

export default function AdminReportPage({ loaderData }: Route.ComponentProps) {
  const { today, address, period, chosen, report } = loaderData;
  const isLoading = useNavigation().location?.pathname === '/admin-report';
  const [isSaving, setSaving] = useState(false);

  async function save(): Promise<void> {
    setSaving(true);
    const whose = chosen.affiliate ?? chosen.organization;
    const problem = await saveAdminReport(
      adminReportBodyOf(address, period.range),
      exportName(period.range, whose?.path ?? null),
    );
    setSaving(false);
    if (problem !== null) showToast(problem, 'error');
  }

  return (
    <Main className="pb-12">
      <PageHeader
        title="Sales"
        action={
          <Button disabled={report === null} busy={isSaving && 'Exporting...'} onClick={() => void save()}>
            <Download aria-hidden="true" />
            Export CSV
          </Button>
        }
      />
      <AdminReportFilters address={address} period={period} today={today} chosen={chosen} />
      {period.problem === null && (
        <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
          <div role="status">
            <h2 className="pt-8 pb-4 text-lg">
              {period.period === null ? '' : `${PERIOD_NAMES[period.period]}${period.range ? ': ' : ''}`}
              {period.range && <span className="inline-block">{rangeText(period.range, reportDay)}</span>}
            </h2>
            {report === null && <NothingFound address={address} />}
          </div>
          {report && <Report {...loaderData} report={report} />}
        </div>
      )}
    </Main>
  );
}

type Data = Route.ComponentProps['loaderData'];

function NothingFound({ address }: Pick<Data, 'address'>) {
  return (
    <EmptyState
      icon={<ChartColumn />}
      title="Nothing was found"
      level={3}
      action={
        address.reconciled ? (
          <LinkButton to="/admin-report?period=all&reconciled=1">Show all sales of all time</LinkButton>
        ) : (
          <LinkButton to={adminReportAddress(address, { reconciled: true })}>Show reconciled orders, too</LinkButton>
        )
      }
    >
      {REPORTING_ERROR}
    </EmptyState>
  );
}

function Report({ address, period, report }: Data & { report: NonNullable<Data['report']> }) {
  const { total, days, unit, sellers, organizations } = report;
  const body = adminReportBodyOf(address, period.range);
  const count = (value: number) => value.toLocaleString('en-US');
  return (
    <>
      <Card className="grid gap-x-10 gap-y-6 p-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <FigureList
          className="grid-cols-2 content-start sm:grid-cols-3"
          figures={[
            { name: SALES_AND_DONATIONS, value: formatDollars(sumCents([total.salesCents, total.donationsCents])) },
            { name: 'Sideline’s share', value: formatDollars(total.shareCents) },
            { name: ORGANIZATIONS_GET, value: formatDollars(total.netCents) },
            { name: total.orders === 1 ? 'Order' : 'Orders', value: count(total.orders) },
            { name: total.photos === 1 ? 'Photo' : 'Photos', value: count(total.photos) },
            { name: organizations === 1 ? 'Organization' : 'Organizations', value: count(organizations) },
          ]}
        />
        <ChartOfSales days={days} unit={unit} dayText={reportDay} className="h-32" />
      </Card>
      <div className="grid grid-cols-1 gap-5 pt-6">
        {sellers.map((seller) => (
          <SellerSales key={`${seller.id} ${JSON.stringify(body)}`} seller={seller} body={body} />
        ))}
      </div>
      {organizations > sellers.length && sellers.length < MOST_ORGANIZATIONS_SHOWN && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-5">
          <LinkButton
            variant="secondary"
            to={adminReportAddress(address, { shown: address.shown + ORGANIZATIONS_SHOWN })}
            preventScrollReset
          >
            Show more organizations
          </LinkButton>
          <span className="text-sm text-quiet">
            {count(sellers.length)} of {count(organizations)}
          </span>
        </div>
      )}
      <p className="pt-4 text-sm text-quiet">
        Sums are net of refunds; the columns of an order say what was charged. Days are whole days of each
        organization’s time zone.
      </p>
    </>
  );
}
