/** `/admin-report`, "Sales" in the navigation: what every organization sold (specification A§2, "Reports"; rule 36). */
import { useNavigate, useNavigation } from 'react-router';
import {
  MOST_ORGANIZATIONS_SHOWN,
  ORGANIZATIONS_SHOWN,
  ORGANIZATIONS_ERROR,
} from '#src/features/admin-reports/admin-report.contract.ts';
import {
  adminReportAddress,
  adminReportBodyOf,
  exportName,
  readAdminReportAddress,
  type AdminReportAddress,
} from '#src/features/admin-reports/admin-report.rules.ts';
import { ORGANIZATIONS_GET, SALES_AND_DONATIONS } from '#src/features/reports/money-words.contract.ts';
import { useReportFile } from '#src/features/reports/report.client.ts';
import { readReportPeriod, type ReportPeriod } from '#src/features/reports/report-period.rules.ts';
import { REPORTING_ERROR } from '#src/features/reports/reports.contract.ts';
import { countFigure, SalesSummary } from '#src/features/reports/ui/chart-of-sales.tsx';
import { PeriodForm, PeriodHeading } from '#src/features/reports/ui/period-form.tsx';
import { SellerSales } from '#src/features/admin-reports/ui/seller-orders.tsx';
import { reportDay } from '#src/shared/day-range.ts';
import { formatDollars, sumCents } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ChartColumn, Download } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/admin-report.page.ts';
import { useState } from 'react';
import { choiceLabel } from '#src/features/organization-picker/organization-choices.contract.ts';
import { api } from '#src/web/api-client.ts';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { Combobox, type ComboboxOption } from '#src/ui/form/combobox.tsx';
import { showToast } from '#src/ui/toast.ts';
import { formatCount } from '#src/shared/counted.ts';

export const handle = WORKING_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  const { app, caller, url } = context.get(requestContext);
  const today = app.adminReports.today();
  const address = readAdminReportAddress(url.searchParams);
  const period = readReportPeriod(url.searchParams, today);
  const { chosen, report, isNew } = await app.adminReports.view(caller, {
    organizationId: address.org,
    affiliateId: address.affiliate,
    galleryId: address.gallery,
    range: period.range,
    showReconciled: address.reconciled,
    shown: period.problem === null ? address.shown : 0,
  });
  return { today, address, period, chosen, isNew, report: period.problem === null ? report : null };
}

export const meta = () => unlistedPage('Sales · Sideline');

export default function AdminReportPage({ loaderData }: Route.ComponentProps) {
  const { today, address, period, chosen, isNew, report } = loaderData;
  const isLoading = useNavigation().location?.pathname === '/admin-report';
  const { isSaving, save } = useReportFile();
  const fileName = exportName(period.range, (chosen.affiliate ?? chosen.organization)?.path ?? null);
  const body = adminReportBodyOf(address, period.range);
  return (
    <Main className="pb-12">
      <PageHeader
        title="Sales"
        action={
          <Button
            disabled={report === null}
            busy={isSaving && 'Exporting...'}
            onClick={() => void save('/api/v1/orders/admin-report-csv.csv', body, fileName)}
          >
            <Download aria-hidden="true" />
            Export CSV
          </Button>
        }
      />
      <AdminReportFilters address={address} period={period} today={today} chosen={chosen} />
      {period.problem === null && (
        <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
          <div role="status">
            <PeriodHeading chosen={period} dayText={reportDay} />
            {report === null && <NothingFound address={address} isNew={isNew} />}
          </div>
          {report && <Report {...loaderData} report={report} />}
        </div>
      )}
    </Main>
  );
}

type Data = Route.ComponentProps['loaderData'];

function NothingFound({ address, isNew }: Pick<Data, 'address' | 'isNew'>) {
  return (
    <EmptyState
      icon={<ChartColumn />}
      title={isNew ? 'No organizations yet' : 'Nothing found'}
      level={3}
      action={
        isNew ? (
          <LinkButton to="/new-org">New Org</LinkButton>
        ) : address.reconciled ? (
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
  return (
    <>
      <SalesSummary
        days={days}
        unit={unit}
        dayText={reportDay}
        columns="grid-cols-2 sm:grid-cols-3"
        figures={[
          { name: SALES_AND_DONATIONS, value: formatDollars(sumCents([total.salesCents, total.donationsCents])) },
          { name: 'Sideline’s share', value: formatDollars(total.shareCents) },
          { name: ORGANIZATIONS_GET, value: formatDollars(total.netCents) },
          countFigure('Order', total.orders),
          countFigure('Photo', total.photos),
          countFigure('Organization', organizations),
        ]}
      />
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
            {formatCount(sellers.length)} of {formatCount(organizations)}
          </span>
        </div>
      )}
      <p className="pt-4 text-sm text-quiet">
        Totals are net of refunds; each order shows what was charged. Days are calendar days in each organization’s time
        zone.
      </p>
    </>
  );
}

type FiltersProps = {
  address: AdminReportAddress;
  period: ReportPeriod;
  today: string;
  chosen: Record<'organization' | 'affiliate' | 'gallery', Place | null>;
};
type Place = { id: number; name: string };

const optionOf = (place: Place | null): ComboboxOption | null => place && { id: place.id, label: place.name };

/** Organization and days; the address holds all state, so that a report can be shared and going back works. */
export function AdminReportFilters({ address, period, today, chosen }: FiltersProps) {
  const navigate = useNavigate();
  const go = (change: Partial<AdminReportAddress>) =>
    void navigate(adminReportAddress(address, change), { preventScrollReset: true });
  const whose = chosen.affiliate?.id ?? chosen.organization?.id ?? null;

  /** A list that fails to load says so in its place and in a toast. */
  async function organizations(text: string, parentId: number | null, signal: AbortSignal) {
    const found = await findOrganizations(text, parentId, signal);
    if ('problem' in found) showToast(found.problem, 'error');
    return found;
  }

  return (
    <>
      <div className="grid gap-4 pt-5 sm:grid-cols-2 lg:grid-cols-3">
        <Combobox
          label="Organization"
          noneLabel="All organizations"
          value={optionOf(chosen.organization)}
          search={(text, signal) => organizations(text, null, signal)}
          onChange={(choice) => go({ org: choice?.id ?? null, affiliate: null, gallery: null })}
        />
        {/* On phones they appear once they can be used, because the figures are higher up. */}
        <div className={cx('contents', whose === null && chosen.gallery === null && 'max-sm:hidden')}>
          <Combobox
            key={`affiliate of ${chosen.organization?.id}`}
            label="Affiliate"
            noneLabel={chosen.organization ? 'All of its affiliates' : 'Choose an organization first'}
            disabled={chosen.organization === null && chosen.affiliate === null}
            value={optionOf(chosen.affiliate)}
            search={(text, signal) => organizations(text, chosen.organization?.id ?? null, signal)}
            onChange={(choice) => go({ affiliate: choice?.id ?? null, gallery: null })}
          />
          <Combobox
            key={`gallery of ${whose}`}
            label="Gallery"
            noneLabel={whose === null ? 'Choose an organization first' : 'All galleries'}
            disabled={whose === null && chosen.gallery === null}
            value={optionOf(chosen.gallery)}
            search={async (text, signal) => (whose === null ? { options: [] } : findGalleries(text, whose, signal))}
            onChange={(choice) => go({ gallery: choice?.id ?? null })}
          />
        </div>
      </div>
      <div className="pt-4">
        <PeriodForm
          action="/admin-report"
          hrefOf={(each) => adminReportAddress(address, { days: { period: each } })}
          chosen={period}
          today={today}
          otherParams={{
            org: address.org,
            affiliate: address.affiliate,
            gallery: address.gallery,
            reconciled: address.reconciled ? 1 : null,
          }}
        >
          <ShowReconciled shown={address.reconciled} onChange={(reconciled) => go({ reconciled })} />
        </PeriodForm>
      </div>
    </>
  );
}

/** Changes immediately, and follows the address when that changes on its own (going back). */
function ShowReconciled({ shown, onChange }: { shown: boolean; onChange: (shown: boolean) => void }) {
  const [state, setState] = useState({ shown, checked: shown });
  if (state.shown !== shown) setState({ shown, checked: shown });
  return (
    <Checkbox
      label="Show reconciled"
      checked={state.checked}
      onChange={(event) => {
        setState({ shown, checked: event.target.checked });
        onChange(event.target.checked);
      }}
    />
  );
}

const GALLERIES_ERROR = 'The galleries couldn’t be loaded. Please try again.';

/** Parents, or the affiliates of one of them. */
async function findOrganizations(text: string, parentId: number | null, signal: AbortSignal) {
  const kind = parentId === null ? { of: 'parents' } : { of: 'affiliates', parent_id: parentId };
  const answer = await api('GET /api/v1/organization_choices', { query: { ...kind, q: text.trim() }, signal });
  if (!answer.ok) return { problem: ORGANIZATIONS_ERROR };
  return { options: answer.data.map((each) => ({ id: each.id, label: choiceLabel(each), detail: each.domain_name })) };
}

/** Galleries of an organization and of its affiliates. */
async function findGalleries(text: string, organizationId: number, signal: AbortSignal) {
  const query = { organization_id: organizationId, q: text.trim() };
  const answer = await api('GET /api/v1/gallery_choices', { query, signal });
  if (!answer.ok) return { problem: GALLERIES_ERROR };
  return {
    options: answer.data.map(({ id, name, organization, active }) => ({
      id,
      label: name,
      detail: active ? organization : `${organization}, deleted`,
    })),
  };
}
