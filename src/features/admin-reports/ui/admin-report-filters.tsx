import { useId, useState } from 'react';
import { Form, useNavigate } from 'react-router';
import { findGalleries, findOrganizations } from '#src/features/admin-reports/admin-report.client.ts';
import { adminReportAddress, type AdminReportAddress } from '#src/features/admin-reports/admin-report.rules.ts';
import { PERIOD_TABS, PERIODS, type ReportPeriod } from '#src/features/reports/report-period.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Combobox, type ComboboxOption } from '#src/ui/combobox.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert } from '#src/ui/icon.tsx';
import { TabLinks } from '#src/ui/tab-links.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';

type FiltersProps = {
  address: AdminReportAddress;
  period: ReportPeriod;
  today: string;
  chosen: Record<'organization' | 'affiliate' | 'gallery', Place | null>;
};
type Place = { id: number; name: string };

const optionOf = (place: Place | null): ComboboxOption | null => place && { id: place.id, label: place.name };

/** Whose sales, of which days: all of it lives in the address, so that a report can be sent on and the way back works. */
export function AdminReportFilters({ address, period, today, chosen }: FiltersProps) {
  const navigate = useNavigate();
  const problemId = useId();
  const go = (wish: Partial<AdminReportAddress>) =>
    void navigate(adminReportAddress(address, wish), { preventScrollReset: true });
  const whose = chosen.affiliate?.id ?? chosen.organization?.id ?? null;

  /** A list that fails says so in its place and in a toast. */
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
        {/* On phones they come when they can be used: the figures are higher. */}
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
        <TabLinks
          label="Quick ranges"
          tabs={PERIODS.map((each) => ({
            label: PERIOD_TABS[each],
            to: adminReportAddress(address, { days: { period: each } }),
            current: each === period.period,
          }))}
        />
      </div>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2 pt-5">
        <Days address={address} period={period} today={today} problemId={problemId} />
        <ShowReconciled shown={address.reconciled} onChange={(reconciled) => go({ reconciled })} />
      </div>
      {period.problem !== null && (
        <p id={problemId} role="alert" className="flex gap-1.5 pt-2 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {period.problem}
        </p>
      )}
    </>
  );
}

type DaysProps = Pick<FiltersProps, 'address' | 'period' | 'today'> & { problemId: string };

function Days({ address, period, today, problemId }: DaysProps) {
  return (
    <Form
      key={`${period.from} ${period.to}`}
      method="get"
      action="/admin-report"
      preventScrollReset
      aria-label="Days"
      aria-describedby={period.problem === null ? undefined : problemId}
      className="grid w-full grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-end gap-3 sm:flex sm:w-auto"
    >
      <Kept address={address} />
      <TextField label="From" name="from" type="date" defaultValue={period.from} max={today} className="sm:w-44" />
      <TextField label="To" name="to" type="date" defaultValue={period.to} className="sm:w-44" />
      <Button type="submit" variant="secondary" className="max-sm:col-span-full">
        Show
      </Button>
    </Form>
  );
}

/** Follows the finger at once, and the address when that changes on its own (the way back). */
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

/** Parts of the address that other days leave as they are. */
function Kept({ address }: { address: AdminReportAddress }) {
  const { org, affiliate, gallery, reconciled } = address;
  const parts = { org, affiliate, gallery, reconciled: reconciled ? 1 : null };
  return Object.entries(parts).map(([name, value]) =>
    value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}
