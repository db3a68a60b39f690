/** What is the same for every process of an installation: database, queues, emails, payments, store, disk, backups. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lastSuccesses } from '#src/platform/backup/backup-log.ts';
import type { Database } from '#src/platform/db/db.ts';
import { listQueues } from '#src/platform/jobs/queue-health.sql.ts';
import { countOutbox } from '#src/platform/mail/outbox-health.sql.ts';
import type { LabeledNumber, Metrics } from '#src/platform/metrics.ts';
import type { Platform } from '#src/platform/platform.ts';
import { stateOfStore } from '#src/platform/storage/storage.ts';
import { readUndecidedSeconds } from '#src/platform/telemetry/undecided-payments.sql.ts';

/** However many callers ask, the database is queried once in this time. */
const FRESH_MS = 10_000;
/** Shorter than the timeout of scrapers. */
const MAX_WAIT_MS = 3_000;
const OURS = { kind: 'system', why: 'the metrics count what waits, of all organizations' } as const;

type Watched = Pick<Platform, 'database' | 'storage' | 'disk'>;

/**
 * Shows it in the metrics; exported by one process per machine. @param openDifferences between our books and the card
 * provider's
 */
export function watchState(metrics: Metrics, platform: Watched, openDifferences: () => Promise<number>): void {
  metrics.watchNumbers({
    name: 'sideline_reconciliation_open_differences',
    help: 'Differences between our books and the card provider’s without an explanation.',
    read: one(openDifferences),
  });
  metrics.watchNumbers({
    name: 'sideline_database_up',
    help: 'Whether the database answers (1) or not (0).',
    read: one(() => isUp(platform.database.check())),
  });
  metrics.watchNumbers({
    name: 'sideline_store_up',
    help: 'Whether the object store answers (1) or not (0).',
    read: one(() => isUp(stateOfStore(platform))),
  });
  watchWaiting(metrics, platform);
  watchDisk(metrics, platform);
}

/** Replica counts of each web process. */
export function watchReplica(metrics: Metrics, { replicaFigures }: Pick<Database, 'replicaFigures'>): void {
  if (replicaFigures() === null) return;
  metrics.watchNumbers({
    name: 'sideline_replica_reads',
    help: 'Work for visitors since the start: answered by the replica, and work that it could have answered but the primary did.',
    labelNames: ['by'],
    read: async () => [
      { value: replicaFigures()?.used ?? 0, labels: { by: 'replica' } },
      { value: replicaFigures()?.missed ?? 0, labels: { by: 'primary' } },
    ],
  });
  metrics.watchNumbers({
    name: 'sideline_replica_lag_seconds',
    help: 'Maximum known lag of the replica.',
    read: async () => {
      const lagMs = replicaFigures()?.lagMs ?? null;
      return lagMs === null ? [] : [{ value: lagMs / 1000 }];
    },
  });
}

const one = (read: () => Promise<number>) => async (): Promise<LabeledNumber[]> => [{ value: await read() }];

async function isUp(check: Promise<unknown>): Promise<number> {
  const answer = check.then(
    () => 1,
    () => 0,
  );
  return Promise.race([answer, sleep(MAX_WAIT_MS, 0, { ref: false })]);
}

/** What waits, and since when. */
function watchWaiting(metrics: Metrics, { database }: Watched): void {
  const state = fresh(() =>
    database.read(OURS, async (db) => ({
      queues: (await listQueues(db)).filter(({ waiting }) => waiting > 0),
      mail: await countOutbox(db),
      undecidedSeconds: await readUndecidedSeconds(db),
      backups: await lastSuccesses(db),
    })),
  );
  metrics.watchNumbers({
    name: 'sideline_queue_jobs',
    help: 'Jobs that may start now and wait, by queue; state retry: they failed before.',
    labelNames: ['queue', 'state'],
    read: async () =>
      (await state()).queues.flatMap(({ name: queue, waiting, waitingRetries }) => [
        { labels: { queue, state: 'new' }, value: waiting - waitingRetries },
        { labels: { queue, state: 'retry' }, value: waitingRetries },
      ]),
  });
  metrics.watchNumbers({
    name: 'sideline_queue_oldest_seconds',
    help: 'How long the first waiting job of a queue could have started; a queue without one is left out.',
    labelNames: ['queue'],
    read: async () =>
      (await state()).queues.map(({ name: queue, oldestSeconds }) => ({
        labels: { queue },
        value: oldestSeconds ?? 0,
      })),
  });
  metrics.watchNumbers({
    name: 'sideline_mail_emails',
    help: 'Emails that are not sent: waiting, failing (tried again) and given_up.',
    labelNames: ['state'],
    read: async () => {
      const { waiting, later, failing, givenUp } = (await state()).mail;
      return Object.entries({ waiting: waiting + later, failing, given_up: givenUp }).map(([name, value]) => ({
        labels: { state: name },
        value,
      }));
    },
  });
  metrics.watchNumbers({
    name: 'sideline_mail_oldest_seconds',
    help: 'Age of the oldest email that should have been sent.',
    read: one(async () => (await state()).mail.lateSeconds ?? 0),
  });
  metrics.watchNumbers({
    name: 'sideline_payments_undecided_seconds',
    help: 'Age of the oldest charge or refund whose outcome is not known.',
    read: one(async () => (await state()).undecidedSeconds),
  });
  metrics.watchNumbers({
    name: 'sideline_backup_age_seconds',
    help: 'Time since a backup (file, folder) or its trial (verify) last succeeded; left out until one has.',
    labelNames: ['kind'],
    read: async () =>
      Object.entries((await state()).backups).map(([kind, at]) => ({
        labels: { kind },
        value: (Date.now() - at.getTime()) / 1000,
      })),
  });
}

function watchDisk(metrics: Metrics, { disk }: Watched): void {
  if (!disk) return;
  metrics.watchNumbers({
    name: 'sideline_disk_free_bytes',
    help: 'Bytes that are free on the disk of the photos.',
    read: one(async () => (await disk.space.read()).freeBytes),
  });
  metrics.watchNumbers({
    name: 'sideline_disk_floor_bytes',
    help: 'Bytes of free space below which uploads are refused.',
    read: one(async () => (await disk.space.read()).minimumBytes),
  });
}

/** The last answer while it is fresh, else a new one, also after a failure. */
function fresh<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    if (last === null || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), answer: read() };
    return last.answer;
  };
}
