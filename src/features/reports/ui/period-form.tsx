import { useId } from 'react';
import { Form } from 'react-router';
import { PERIOD_TABS, PERIODS, type ReportPeriod } from '#src/features/reports/report-period.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { CircleAlert } from '#src/ui/icon.tsx';
import { TabLinks } from '#src/ui/tab-links.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type PeriodFormProps = { path: string; chosen: ReportPeriod; today: string };

/** Quick ranges, and two days of one's own; all of it lives in the address. */
export function PeriodForm({ path, chosen, today }: PeriodFormProps) {
  const problemId = useId();
  return (
    <>
      <TabLinks
        label="Quick ranges"
        tabs={PERIODS.map((each) => ({
          label: PERIOD_TABS[each],
          to: `/${path}/report?period=${each}`,
          current: each === chosen.period,
        }))}
      />
      <Form
        key={`${chosen.from} ${chosen.to}`}
        method="get"
        action={`/${path}/report`}
        preventScrollReset
        aria-label="Days"
        aria-describedby={chosen.problem === null ? undefined : problemId}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-end gap-3 pt-5 sm:flex"
      >
        <TextField label="From" name="from" type="date" defaultValue={chosen.from} max={today} className="sm:w-44" />
        <TextField label="To" name="to" type="date" defaultValue={chosen.to} className="sm:w-44" />
        <Button type="submit" variant="secondary" className="max-sm:col-span-full">
          Show
        </Button>
      </Form>
      {chosen.problem !== null && (
        <p id={problemId} role="alert" className="flex gap-1.5 pt-2 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {chosen.problem}
        </p>
      )}
    </>
  );
}
