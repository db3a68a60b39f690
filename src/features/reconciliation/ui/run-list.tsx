import type { RunAnswer } from '#src/features/reconciliation/reconciliation.contract.ts';
import { publicMoment } from '#src/shared/dates.ts';

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
  return found === 1 ? '1 difference' : `${found.toLocaleString('en-US')} differences`;
}
