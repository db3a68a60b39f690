import type { Figures, RunAnswer } from '#src/features/reconciliation/reconciliation.contract.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Card } from '#src/ui/card.tsx';
import { publicMoment } from '#src/shared/dates.ts';

const ROWS: readonly { what: string; name: string }[] = [
  { what: 'charges', name: 'Payments' },
  { what: 'fees', name: 'Card fees' },
  { what: 'refunds', name: 'Refunds' },
  { what: 'bank', name: 'Transfers to our bank' },
];
const STATES = {
  waiting: <Badge>Waiting</Badge>,
  running: <Badge tone="accent">Running</Badge>,
  done: <Badge tone="success">Done</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
};
const CELL = 'px-4 py-2.5 wrap-normal sm:px-5';

/** Both sides of the last comparison, next to each other. */
export function LastRun({ run }: { run: RunAnswer }) {
  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 pb-3 sm:px-5">
        <h2 className="text-lg">Last comparison</h2>
        {STATES[run.state]}
        <p className="w-full text-sm text-quiet">
          {publicMoment(new Date(run.started_at))}
          {run.asked_by === null ? ', on schedule' : `, requested by ${run.asked_by}`}
          {run.state === 'failed' && '. It is retried automatically; you can also start another one.'}
        </p>
      </div>
      {run.state === 'done' && (
        <div
          role="region"
          aria-label="Compared figures"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- large text scrolls, by keyboard, too (axe: scrollable-region-focusable)
          tabIndex={0}
          className="overflow-x-auto"
        >
          <Sides figures={run.figures} />
        </div>
      )}
    </Card>
  );
}

function Sides({ figures }: { figures: Figures }) {
  return (
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">Compared for the last 35 days</caption>
      <thead>
        <tr className="border-y border-line text-right text-quiet">
          <th scope="col" className={`${CELL} text-left font-semibold`}>
            35 days
          </th>
          {['Our books', 'Provider’s books'].map((words) => (
            <th key={words} scope="col" className={`${CELL} font-semibold`}>
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ what, name }) => {
          const both = figures[what];
          if (!both) return null;
          const isEqual = both.ours.cents === both.theirs.cents && both.ours.count === both.theirs.count;
          return (
            <tr key={what} className="border-b border-line last:border-0">
              <th scope="row" className={`${CELL} text-left align-top font-semibold`}>
                {name}
                {!isEqual && <span className="block text-xs font-normal text-danger">different</span>}
              </th>
              <Side side={both.ours} />
              <Side side={both.theirs} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Side({ side }: { side: Figures[string]['ours'] }) {
  return (
    <td className={`${CELL} text-right align-top whitespace-nowrap tabular-nums`}>
      {formatDollars(side.cents)}
      <span className="block text-xs text-quiet">{formatCount(side.count)}</span>
    </td>
  );
}

/** The comparisons before the last one. */
export function RunList({ runs }: { runs: readonly RunAnswer[] }) {
  if (runs.length === 0) return null;
  return (
    <section className="pt-8">
      <h2 className="pb-3 text-lg">Before that</h2>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {runs.map((run) => (
          <li key={run.id} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 px-4 py-2.5 sm:px-5">
            <span className="tabular-nums">{publicMoment(new Date(run.started_at))}</span>
            <span className="text-quiet">{run.asked_by ?? 'by the clock'}</span>
            <span className="ml-auto">{outcomeOf(run)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function outcomeOf({ state, found }: RunAnswer): string {
  if (state !== 'done') return state === 'failed' ? 'failed' : 'running';
  if (found === 0) return 'no difference';
  return counted(found, 'difference', 'differences');
}
