import { reportDay } from '#src/shared/day-range.ts';

/** Says how days read in a report (specification A§7): the browser's own fields above it may write them the other way round. */
export function DayOrderNote({ id, today }: { id: string; today: string }) {
  return (
    <p id={id} className="pt-2 text-xs text-quiet">
      {'Days in this report read day-month-year: today is '}
      <time dateTime={today} className="whitespace-nowrap tabular-nums">
        {reportDay(today)}
      </time>
      .
    </p>
  );
}
