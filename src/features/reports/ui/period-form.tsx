import { useId, type ReactNode } from 'react';
import { Form } from 'react-router';
import {
  PERIOD_NAMES_LONG,
  PERIOD_NAMES_SHORT,
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
  hrefOf: (period: Period) => string;
  chosen: ReportPeriod;
  today: string;
  /** Query parameters that stay when the days change; null: absent. */
  otherParams?: Record<string, number | null>;
  /** Content next to the days. */
  children?: ReactNode;
};

/** Quick ranges and two custom days; the address holds all state. */
export function PeriodForm({ action, hrefOf, chosen, today, otherParams = {}, children }: PeriodFormProps) {
  const problemId = useId();
  return (
    <>
      <TabLinks
        label="Quick ranges"
        tabs={PERIODS.map((each) => ({
          label: PERIOD_NAMES_SHORT[each],
          to: hrefOf(each),
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
          {Object.entries(otherParams).map(
            ([name, value]) => value !== null && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <TextField label="From" name="from" type="date" defaultValue={chosen.from} max={today} className="sm:w-44" />
          {/* No maximum: the address of a season that is not over stays useful as a bookmark. */}
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
export function PeriodHeading({ chosen, dayText }: { chosen: ReportPeriod; dayText?: (day: string) => string }) {
  return (
    <h2 className="pt-8 pb-4 text-lg">
      {chosen.period === null ? '' : `${PERIOD_NAMES_LONG[chosen.period]}${chosen.range ? ': ' : ''}`}
      {chosen.range && <span className="inline-block">{rangeText(chosen.range, dayText)}</span>}
    </h2>
  );
}
