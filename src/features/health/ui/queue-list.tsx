import { Link } from 'react-router';
import { FAILED_JOBS, jobWords, lengthWords, queueState } from '#src/features/health/health.rules.ts';
import type { HealthOverview } from '#src/features/health/health.service.ts';
import { Cell, Cells } from '#src/features/health/ui/cell.tsx';
import { StateBadge } from '#src/features/health/ui/state-badge.tsx';
import { counted, formatCount } from '#src/shared/counted.ts';

type Queue = HealthOverview['queues'][number];

const isQuiet = ({ waiting, retrying, running, failed }: Queue) => waiting + retrying + running + failed === 0;
const COLUMNS = '@5xl:grid-cols-[minmax(0,1fr)_9.5rem_5rem_5rem_5rem_7rem_5rem] @5xl:items-center';

/** The active queues; the others are only listed by name. */
export function QueueList({ queues }: { queues: readonly Queue[] }) {
  const busy = queues.filter((queue) => !isQuiet(queue));
  const quiet = queues.filter(isQuiet);
  if (busy.length === 0) return <p className="text-quiet">All {formatCount(queues.length)} queues are empty.</p>;
  return (
    <>
      <ul aria-label="Queues" className="@container rounded-lg border border-line bg-surface text-sm tabular-nums">
        {busy.map((queue) => (
          <QueueRow key={queue.name} queue={queue} />
        ))}
      </ul>
      {quiet.length > 0 && (
        <details className="text-sm text-quiet">
          <summary className="inline-flex min-h-11 cursor-pointer items-center">
            {counted(quiet.length, 'queue is empty', 'queues are empty')}
          </summary>
          <p className="break-words">{quiet.map(({ name }) => jobWords(name)).join(', ')}</p>
        </details>
      )}
    </>
  );
}

function QueueRow({ queue }: { queue: Queue }) {
  const { name, waiting, retrying, running, oldestSeconds, failed } = queue;
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-line px-4 py-3 not-first:border-t ${COLUMNS}`}
    >
      <span className="min-w-0 break-words">
        <strong className="font-semibold">{jobWords(name)}</strong>
        <span className="block text-xs text-quiet">{name}</span>
      </span>
      <span className="justify-self-end @5xl:justify-self-start">
        <StateBadge state={queueState(queue)} />
      </span>
      <Cells>
        <Cell name="Waiting">{formatCount(waiting)}</Cell>
        <Cell name="Running">{formatCount(running)}</Cell>
        <Cell name="Retrying">{formatCount(retrying)}</Cell>
        <Cell name="Oldest waits">{oldestSeconds === null ? 'none' : lengthWords(oldestSeconds)}</Cell>
        <Cell name="Given up">
          {failed === 0 ? (
            '0'
          ) : (
            <Link
              to={`${FAILED_JOBS}&job=${encodeURIComponent(name)}`}
              className="inline-flex items-center underline decoration-line-strong underline-offset-4 hover:decoration-ink pointer-coarse:min-h-11"
            >
              {formatCount(failed)}
              <span className="sr-only"> failed jobs of {name}</span>
            </Link>
          )}
        </Cell>
      </Cells>
    </li>
  );
}
