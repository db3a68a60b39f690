import { clockWords, lengthWords, processState, sizeWords } from '#src/features/health/health.rules.ts';
import type { HealthOverview } from '#src/features/health/health.service.ts';
import { Cell, Cells } from '#src/features/health/ui/cell.tsx';
import { StateBadge } from '#src/features/health/ui/state-badge.tsx';
import { publicMoment } from '#src/shared/dates.ts';

type Process = HealthOverview['processes'][number];

const ROLES = { web: 'Web', worker: 'Worker' };
const COLUMNS = '@5xl:grid-cols-[minmax(0,1fr)_8.5rem_7.5rem_5rem_7rem_10.5rem_4rem_4.5rem] @5xl:items-center';

/** Every process of every machine: a table if there is space, else one block each. */
export function ProcessList({ processes }: { processes: readonly Process[] }) {
  if (processes.length === 0)
    return <p className="text-quiet">No process has sent a heartbeat yet. Each sends one a minute.</p>;
  return (
    <ul aria-label="Processes" className="@container rounded-lg border border-line bg-surface text-sm tabular-nums">
      {processes.map((one) => (
        <li
          key={one.id}
          className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-line px-4 py-3 not-first:border-t ${COLUMNS}`}
        >
          <span className="min-w-0 break-words">
            <strong className="font-semibold">{one.name}</strong>{' '}
            <span className="block text-xs text-quiet">
              {ROLES[one.role]} on {one.host}, process {one.pid}
            </span>
          </span>
          <span className="justify-self-end @5xl:justify-self-start">
            <StateBadge state={processState(one, processes)} />
          </span>
          <Cells>
            <Cell name="Last heartbeat">{lengthWords(one.silentSeconds)} ago</Cell>
            <Cell name="Memory">{sizeWords(one.memoryBytes)}</Cell>
            <Cell name="Clock">{clockWords(one.clockAheadMs)}</Cell>
            <Cell name="Started">{publicMoment(one.startedAt)}</Cell>
            <Cell name="Sideline">{one.version}</Cell>
            <Cell name="Node.js">{one.nodeVersion.replace(/^v/, '')}</Cell>
          </Cells>
        </li>
      ))}
    </ul>
  );
}
