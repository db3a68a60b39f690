import { useId, type ReactNode } from 'react';
import { Form } from 'react-router';
import {
  PERIOD_NAMES,
  PERIOD_TABS,
  PERIODS,
  rangeText,
  type Period,
  type ReportPeriod,
} from '#src/features/reports/report-period.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { CircleAlert } from '#src/ui/icon.tsx';
import { TabLinks } from '#src/ui/paging.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';

type PeriodFormProps = {
  /** The report's page. */
  action: string;
  addressOf: (period: Period) => string;
  chosen: ReportPeriod;
  today: string;
  /** Query parameters that stay when the days change. */
  kept?: Record<string, number | null>;
  /** Content next to the days. */
  children?: ReactNode;
};

/** Quick ranges and two custom days; the address holds all state. */
export function PeriodForm({ action, addressOf, chosen, today, kept = {}, children }: PeriodFormProps) {
  const problemId = useId();
  return (
    <>
      <TabLinks
        label="Quick ranges"
        tabs={PERIODS.map((each) => ({
          label: PERIOD_TABS[each],
          to: addressOf(each),
          current: each === chosen.period,
        }))}
      />
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2 pt-5">
        <Form
          key={`${chosen.from} ${chosen.to}`}
          method="get"
          action={action}
          preventScrollReset
          aria-label="Days"
          aria-describedby={chosen.problem === null ? undefined : problemId}
          className="grid w-full grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-end gap-3 sm:flex sm:w-auto"
        >
          {Object.entries(kept).map(
            ([name, value]) => value !== null && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <TextField label="From" name="from" type="date" defaultValue={chosen.from} max={today} className="sm:w-44" />
          <TextField label="To" name="to" type="date" defaultValue={chosen.to} className="sm:w-44" />
          <Button type="submit" variant="secondary" className="max-sm:col-span-full">
            Show
          </Button>
        </Form>
        {children}
      </div>
      {chosen.problem !== null && (
        <p id={problemId} role="alert" className="flex gap-1.5 pt-2 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {chosen.problem}
        </p>
      )}
    </>
  );
}

/** "Last 7 days: 11.15.2026 to 11.21.2026". */
export function PeriodHeading({ of, dayText }: { of: ReportPeriod; dayText?: (day: string) => string }) {
  return (
    <h2 className="pt-8 pb-4 text-lg">
      {of.period === null ? '' : `${PERIOD_NAMES[of.period]}${of.range ? ': ' : ''}`}
      {of.range && <span className="inline-block">{rangeText(of.range, dayText)}</span>}
    </h2>
  );
}
