import { useState } from 'react';
import { useNavigate } from 'react-router';
import { findGalleries, findOrganizations } from '#src/features/admin-reports/admin-report.client.ts';
import { adminReportAddress, type AdminReportAddress } from '#src/features/admin-reports/admin-report.rules.ts';
import type { ReportPeriod } from '#src/features/reports/report-period.rules.ts';
import { PeriodForm } from '#src/features/reports/ui/period-form.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Combobox, type ComboboxOption } from '#src/ui/combobox.tsx';
import { cx } from '#src/ui/cx.ts';
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
        <PeriodForm
          action="/admin-report"
          addressOf={(each) => adminReportAddress(address, { days: { period: each } })}
          chosen={period}
          today={today}
          kept={{
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
