import { useId, type ReactNode } from 'react';
import {
  ageWords,
  backupState,
  diskState,
  lengthWords,
  outboxState,
  sizeWords,
  storeState,
  type Problem,
  type State,
} from '#src/features/health/health.rules.ts';
import type { HealthOverview } from '#src/features/health/health.service.ts';
import { ProcessList } from '#src/features/health/ui/process-list.tsx';
import { QueueList } from '#src/features/health/ui/queue-list.tsx';
import { StateBadge } from '#src/features/health/ui/state-badge.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';

/** Problems first, then every part. */
export function Overview({ overview }: { overview: HealthOverview }) {
  const { processes, queues, outbox, store, disk, backup, database, problems } = overview;
  return (
    <div className="flex flex-col gap-8">
      <Problems problems={problems} />
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">Processes</h2>
        <ProcessList processes={processes} />
      </section>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Part title="Mail" state={outboxState(outbox)}>
          <Fact name="Waiting">{formatCount(outbox.waiting)}</Fact>
          <Fact name="Oldest waits">{outbox.oldestSeconds === null ? 'none' : lengthWords(outbox.oldestSeconds)}</Fact>
          <Fact name="Planned for later">{formatCount(outbox.later)}</Fact>
          <Fact name="Failed, retrying">{formatCount(outbox.failing)}</Fact>
          <Fact name="Given up">{formatCount(outbox.givenUp)}</Fact>
          <Fact name="Held until an address is confirmed">{formatCount(outbox.held)}</Fact>
        </Part>
        <Part title="Object store" state={storeState(store)}>
          <Fact name="Kind">{store.kind === 's3' ? 'S3' : 'Folder on disk'}</Fact>
          {store.answers && <Fact name="Response time">{Math.max(1, Math.round(store.latencyMs))} ms</Fact>}
          <Fact name="Free space">
            {store.kind === 'disk' && disk ? sizeWords(disk.freeBytes) : 'not reported by S3'}
          </Fact>
        </Part>
        {disk && (
          <Part title={`Disk of ${overview.here.host}`} state={diskState(disk)}>
            <Fact name="Free">{sizeWords(disk.freeBytes)}</Fact>
            <Fact name="Size">{sizeWords(disk.totalBytes)}</Fact>
            {disk.minimumBytes !== null && <Fact name="Uploads stop below">{sizeWords(disk.minimumBytes)}</Fact>}
          </Part>
        )}
        <Part title="Backup" state={backupState(backup)}>
          <Fact name="Last one">{hoursAgo(backup.hoursAgo)}</Fact>
          <Fact name="Last one restored and checked">{hoursAgo(backup.verifiedHoursAgo)}</Fact>
        </Part>
        <Part title="Database">
          <Fact name="PostgreSQL">{database.postgres}</Fact>
          <Fact name="Runs">{database.isEmbedded ? 'embedded' : 'at DATABASE_URL'}</Fact>
          <Fact name="Size">{sizeWords(database.bytes)}</Fact>
          <Fact name="Schema">{database.migration.replace(/\.sql$/, '').replaceAll('_', ' ')}</Fact>
        </Part>
        <Part title="Serves this page">
          <Fact name="Sideline">{overview.here.version}</Fact>
          <Fact name="Node.js">{overview.here.node.replace(/^v/, '')}</Fact>
          <Fact name="Machine">{overview.here.host}</Fact>
        </Part>
      </div>
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">Queues</h2>
        <QueueList queues={queues} />
      </section>
    </div>
  );
}

const hoursAgo = (hours: number | null) => (hours === null ? 'never' : `${ageWords(hours)} ago`);

function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0)
    return (
      <div role="status">
        <Notice tone="success">
          <strong>Everything works.</strong> Nothing has failed, and nothing waits too long.
        </Notice>
      </div>
    );
  return (
    <ul aria-label="Problems" className="flex flex-col gap-3">
      {problems.map(({ tone, title, todo, link }) => (
        <li
          key={title}
          className={cx(
            'flex gap-3 rounded border p-3.5 text-sm [&>svg]:mt-px [&>svg]:size-5 [&>svg]:shrink-0',
            tone === 'danger'
              ? 'border-danger bg-danger-tint [&>svg]:text-danger'
              : 'border-warning bg-warning-tint [&>svg]:text-warning',
          )}
        >
          <CircleAlert aria-hidden="true" />
          <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <div className="min-w-0 flex-[1_1_18rem]">
              <h2 className="text-base font-semibold break-words">
                <span className="sr-only">{tone === 'danger' ? 'Problem: ' : 'Warning: '}</span>
                {title}
              </h2>
              <p className="mt-0.5 break-words">{todo}</p>
            </div>
            {link && (
              <LinkButton to={link.to} variant="secondary" size="small">
                {link.label}
              </LinkButton>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Part({ title, state, children }: { title: string; state?: State; children: ReactNode }) {
  const id = useId();
  return (
    <Card className="p-4 sm:p-5">
      <section aria-labelledby={id}>
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 id={id} className="min-w-0 text-base font-semibold break-words">
            {title}
          </h2>
          {state && <StateBadge state={state} />}
        </div>
        <dl className="flex flex-col gap-1.5 text-sm tabular-nums">{children}</dl>
      </section>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-quiet">{name}</dt>
      <dd className="ml-auto min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}
