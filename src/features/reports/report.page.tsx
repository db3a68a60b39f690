/**
 * `/:affiliate/report`: what an organization and its clubs sold, per gallery and over time, and what they receive
 * (specification A§2, "Reports").
 */
import { Link, useNavigation } from 'react-router';
import { PayoutsOfOrganization } from '#src/features/payouts/ui/payouts-of-organization.tsx';
import {
  OFFERS_SAVED,
  REDUCTIONS,
  SALES,
  SALES_AND_DONATIONS,
  wordsOfNet,
} from '#src/features/reports/money-words.contract.ts';
import { readReportPeriod } from '#src/features/reports/report-period.rules.ts';
import { useReportFile } from '#src/features/reports/report.client.ts';
import {
  forThePage,
  TOTALS,
  type GallerySales,
  type SellerReport,
  type Totals,
} from '#src/features/reports/reports.rules.ts';
import { callDates, type ReportBody } from '#src/features/reports/reports.contract.ts';
import { countFigure, SalesSummary } from '#src/features/reports/ui/chart-of-sales.tsx';
import { FirstOrganization } from '#src/features/reports/ui/first-organization.tsx';
import { PeriodForm, PeriodHeading } from '#src/features/reports/ui/period-form.tsx';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ChartColumn, Download } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, workingMeta } from '#src/web/working-page.ts';
import type { Route } from './+types/report.page.ts';
import {
  FiguresCard,
  FiguresGrid,
  FiguresTable,
  hiddenBesideTable,
  type FiguresRow,
} from '#src/features/reports/ui/figures-table.tsx';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const organization = context.get(affiliateContext);
  const today = app.reports.today(organization);
  const chosen = readReportPeriod(url.searchParams, today);
  const place = { id: organization.id, name: organization.name, path: organization.domainName };
  const isParent = organization.parentOrganizationId === null;
  const [outlook, first] = await Promise.all([
    app.payouts.outlookOf(caller, organization.id),
    app.payouts.listForOrganization(caller, organization.id, { limit: 5 }),
  ]);
  const payouts = { outlook, first, timeZone: organization.timeZone };
  if (chosen.problem !== null) return { ...place, isParent, today, chosen, payouts, report: null };
  const { sellers, ...report } = await app.reports.salesOf(caller, organization, chosen.range);
  const { baseDomain, port } = app.site;
  const signUpAddress =
    isParent && sellers.length === 1
      ? siteUrl(siteOrigin(baseDomain, port), organization.domainName, '/sign-up')
      : null;
  const shown = { ...report, ...forThePage(sellers, organization.id), signUpAddress };
  return { ...place, isParent, today, chosen, payouts, report: shown };
}

export const meta = workingMeta('Reports');

export default function ReportPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, isParent, today, chosen, payouts, report } = loaderData;
  const isLoading = useNavigation().location?.pathname === `/${path}/report`;
  const { isSaving, save } = useReportFile();
  const days = chosen.range ? `${chosen.range.from}-to-${chosen.range.to}` : 'all-time';
  const body: ReportBody = { responseType: 'csv', ...callDates(chosen.range) };
  return (
    <Main className="pb-12">
      <PageHeader
        title="Reports"
        subtitle={name}
        back={<BackLink to={`/${path}/dashboard`}>Dashboard</BackLink>}
        action={
          <Button
            disabled={report === null || isSaving}
            onClick={() => void save(`/api/v1/affiliates/${id}/reports`, body, `${path}-report-${days}.csv`)}
          >
            <Download aria-hidden="true" />
            {isSaving ? 'Downloading...' : 'Download CSV'}
          </Button>
        }
      />
      <p className="-mt-2 pb-3">
        <Link
          to={`/${path}/statements`}
          className={buttonStyle({ variant: 'quiet', size: 'small', className: '-ml-3' })}
        >
          Monthly statements
        </Link>
        <Link to={`/${path}/orders`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
          Orders
        </Link>
      </p>
      <PeriodForm
        action={`/${path}/report`}
        hrefOf={(period) => `/${path}/report?period=${period}`}
        chosen={chosen}
        today={today}
      />
      {report && (
        <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
          <ReportOf {...loaderData} report={report} />
        </div>
      )}
      <PayoutsOfOrganization key={`${id} ${days}`} organizationId={id} path={path} isParent={isParent} {...payouts} />
    </Main>
  );
}

type Data = Route.ComponentProps['loaderData'];

function ReportOf({ path, isParent, chosen, report }: Data & { report: NonNullable<Data['report']> }) {
  const { total, days, unit, sellers, leftOut, withoutSales, signUpAddress } = report;
  const heading = (
    <div role="status">
      <PeriodHeading chosen={chosen} />
    </div>
  );
  const soldNothing = total.orders === 0 && total.refundsCents === 0;
  if (soldNothing && signUpAddress !== null) return <FirstOrganization signUpAddress={signUpAddress} />;
  if (soldNothing)
    return (
      <>
        {heading}
        <EmptyState
          icon={<ChartColumn />}
          title={chosen.period === 'all' ? 'No sales yet' : 'No sales in this period'}
          level={3}
          action={
            chosen.period === 'all' ? (
              <LinkButton to={`/${path}/dashboard`}>Share a gallery</LinkButton>
            ) : (
              <LinkButton to={`/${path}/report?period=all`}>Show all time</LinkButton>
            )
          }
        >
          Every sale and every donation is listed here as soon as it is paid.
        </EmptyState>
      </>
    );
  return (
    <>
      {heading}
      <SalesSummary
        days={days}
        unit={unit}
        columns="grid-cols-2"
        figures={[
          { name: wordsOfNet(isParent), value: formatDollars(total.netCents) },
          { name: SALES_AND_DONATIONS, value: formatDollars(sumCents([total.salesCents, total.donationsCents])) },
          countFigure('Order', total.orders),
          countFigure('Photo', total.photos),
        ]}
      />
      <div className="pt-6">
        <SalesTable sellers={sellers} total={total} isOne={!isParent} />
      </div>
      <CodesTable sellers={sellers} isOne={!isParent} />
      {leftOut > 0 && (
        <p className="pt-4 text-sm text-quiet">
          {counted(leftOut, 'more gallery is', 'more galleries are')} in the CSV file.
        </p>
      )}
      {withoutSales > 0 && (
        <p className="pt-4 text-sm text-quiet">
          {counted(withoutSales, 'organization', 'organizations')} without sales are in the CSV file, too.
        </p>
      )}
      <p className="pt-4 text-sm text-quiet">
        All amounts are net of refunds.
        {total.refundsCents !== 0 && ' Refunds include the taxes that went back; statements list these separately.'}
        {total.creditUsedCents !== 0 && ' Reductions include the bonus of prepaid credit.'} Days are calendar days in
        the organization’s time zone.
      </p>
    </>
  );
}

type SalesTableProps = {
  sellers: readonly SellerReport[];
  total: Totals;
  /** With one organization, its galleries are the rows. */
  isOne: boolean;
};

/** Organizations with their galleries. A table on wide screens; on narrow ones a card for each, with every number. */
export function SalesTable({ sellers, total, isOne }: SalesTableProps) {
  const columns = TOTALS.filter(({ key, isRare }) => !isRare || total[key] !== 0);
  const labels = columns.map(({ head, label = head, ofSeveral = label }) => (isOne ? label : ofSeveral));
  const shortLabels = columns.map(({ short }, index) => short ?? labels[index] ?? '');
  const cellsOf = (totals: Totals) =>
    columns.map(({ key }) =>
      key === 'orders' || key === 'photos' ? formatCount(totals[key]) : formatDollars(totals[key]),
    );
  const rowOf = ({ id, name, totals }: GallerySales): FiguresRow => ({
    key: String(id),
    name: <span className={cx(!isOne && 'pl-4 font-normal')}>{name}</span>,
    cells: cellsOf(totals),
  });
  return (
    <>
      <FiguresGrid
        caption={isOne ? 'Sales per gallery' : 'Sales per organization and gallery'}
        head={isOne ? 'Gallery' : 'Organization'}
        columns={labels}
        rows={sellers.flatMap((seller) => [
          ...(isOne
            ? []
            : [
                {
                  key: `of ${seller.id}`,
                  name: <SellerName seller={seller} />,
                  cells: cellsOf(seller.totals),
                  isBold: true,
                },
              ]),
          ...seller.galleries.map(rowOf),
        ])}
        total={{ key: 'total', name: 'Total', cells: cellsOf(total), isBold: true }}
      />
      <ul
        aria-label={isOne ? 'Sales per gallery' : 'Sales per organization'}
        className={cx('grid gap-3', hiddenBesideTable(labels))}
      >
        {isOne
          ? sellers
              .flatMap(({ galleries }) => galleries)
              .map(({ id, name, totals }) => (
                <FiguresCard key={id} name={name} cells={cellsOf(totals)} columns={shortLabels} isWide />
              ))
          : sellers.map((seller) => (
              <FiguresCard
                key={seller.id}
                name={<SellerName seller={seller} />}
                cells={cellsOf(seller.totals)}
                columns={shortLabels}
                isWide
              >
                {seller.galleries.length > 0 && (
                  <ul aria-label="Galleries" className="mt-3 border-t border-line pt-2 text-sm tabular-nums">
                    {seller.galleries.map(({ id, name, totals }) => (
                      <li key={id} className="flex items-baseline justify-between gap-4 py-1">
                        <span className="min-w-0 break-words">{name}</span>
                        <span className="text-nowrap">{cellsOf(totals).at(-1)}</span>
                      </li>
                    ))}
                  </ul>
                )}
              </FiguresCard>
            ))}
      </ul>
    </>
  );
}

/** The sales of orders with each code, and how much the code saved. */
function CodesTable({ sellers, isOne }: Pick<SalesTableProps, 'sellers' | 'isOne'>) {
  const codes = sellers.flatMap((seller) => seller.codes.map((code) => ({ ...code, seller: seller.name })));
  if (codes.length === 0) return null;
  return (
    <section aria-labelledby="codes">
      <h3 id="codes" className="pt-8 pb-3 text-lg">
        By code
      </h3>
      <FiguresTable
        caption="Sales by code"
        head="Code"
        columns={['Orders', OFFERS_SAVED, REDUCTIONS, SALES]}
        rows={codes.map(({ id, name, seller, totals }) => ({
          key: String(id),
          name: isOne ? name : `${name} · ${seller}`,
          cells: [
            formatCount(totals.orders),
            formatDollars(totals.offersSavedCents),
            formatDollars(totals.reductionsCents),
            formatDollars(totals.salesCents),
          ],
        }))}
      />
    </section>
  );
}

function SellerName({ seller }: { seller: SellerReport }) {
  return (
    <Link to={`/${seller.path}/dashboard`} className="underline decoration-line-strong underline-offset-4">
      {seller.name}
    </Link>
  );
}
