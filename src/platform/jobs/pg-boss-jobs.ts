/**
 * Jobs over pg-boss. Web processes only enqueue; the worker also handles, watches over lost
 * workers and runs the clock. The tables are made by `installJobSchema` beforehand.
 */
import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Writer } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';
import { JOB_SCHEMA } from '#src/platform/jobs/job-schema.ts';
import { ensureQueues, ensureSchedules } from '#src/platform/jobs/job-queues.ts';
import {
  deadHandlerOf,
  startDeadWorker,
  startWorkers,
  type DeadHandler,
  type JobLog,
  type JobObservation,
} from '#src/platform/jobs/job-workers.ts';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

export type { JobLog, JobObservation } from '#src/platform/jobs/job-workers.ts';

export type JobsOptions = {
  /** `appUrl` and `appRole` of the database's addresses. */
  url: string;
  role?: string | null;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Every job of the product: their queues are made when missing. */
  definitions: readonly JobDefinition<unknown>[];
  /** True in the worker process: handles jobs and runs the clock. */
  works: boolean;
  log: JobLog;
  observe?: (observation: JobObservation) => void;
};

const STOP_MS = 20_000;
/** A lost worker is noticed after its heartbeat and at most this. */
const WATCH_SECONDS = 5;
/** The same error is logged once in this time. */
const QUIET_MS = 10_000;

/** Opens the queue. Rejects when the database does not answer or `installJobSchema` has not run. */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { definitions, works, log, observe = () => undefined } = options;
  const boss = new PgBoss({
    connectionString: options.url,
    schema: JOB_SCHEMA,
    application_name: options.applicationName,
    options: ['-c timezone=UTC -c statement_timeout=30000', ...(options.role ? [`-c role=${options.role}`] : [])].join(
      ' ',
    ),
    connectionTimeoutMillis: 5000,
    max: works ? 4 : 1,
    migrate: false,
    createSchema: false,
    schedule: works,
    supervise: works,
    useListenNotify: works,
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
    maintenanceIntervalSeconds: 600,
    // Queues change only when a process starts; a missing one is looked up anyway.
    queueCacheIntervalSeconds: works ? 60 : 3600,
    // Rebuilding indexes is the owner's right.
    reindex: false,
    monitorVacuum: false,
  });
  const tellQuietly = quietly();
  boss.on('error', (told) => {
    const error = errorOf(told);
    tellQuietly(error.message, () => log.error({ err: error }, 'the job queue has trouble'));
  });
  boss.on('warning', (warning) => tellQuietly(warning.message, () => log.warn({ warning }, 'the job queue warns')));
  try {
    await boss.start();
    await ensureQueues(boss, definitions);
    if (works) await ensureSchedules(boss, definitions);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }

  const deadHandlers = new Map<string, DeadHandler>();
  let deadWorker: Promise<void> | null = null;

  return {
    async enqueue(tx, job, payload, { startAfterSeconds, singletonKey = randomUUID() } = {}) {
      await boss.send(job.name, asObject(payload), {
        db: within(tx),
        singletonKey,
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
      });
    },

    async enqueueMany(tx, job, payloads) {
      if (payloads.length === 0) return;
      const jobs = payloads.map((payload) => ({ data: asObject(payload), singletonKey: randomUUID() }));
      await boss.insert(job.name, jobs, { db: within(tx) });
    },

    async work(job, workOptions, handler) {
      if (!works) throw new Error(`this process was opened to enqueue only, not to work on ${job.name}`);
      deadHandlers.set(job.name, deadHandlerOf(job, workOptions.onDead));
      const deps = { boss, log, observe };
      await startWorkers(deps, job, workOptions, handler);
      await (deadWorker ??= startDeadWorker(deps, deadHandlers));
    },

    async close() {
      await boss.stop({ graceful: true, timeout: STOP_MS, close: true });
    },
  };
}

/** pg-boss within our transaction. What it sends to put jobs in is one text per queue, an insert, and long to read. */
function within(tx: Writer) {
  return {
    async executeSql(text: string, values?: unknown[]) {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(asPrepared(text), values ?? []));
      return { rows: [...rows] };
    },
  };
}

/** Payloads are JSON objects, or nothing for jobs that need none. */
function asObject(payload: unknown): object {
  if (payload === null || payload === undefined) return {};
  if (typeof payload !== 'object') throw new TypeError('a job takes an object as its payload');
  return payload;
}

/** pg-boss tells some failures as plain objects with an error's fields, of which a log would show "[object Object]". */
export function errorOf(told: unknown): Error {
  if (told instanceof Error) return told;
  const { message, stack, ...facts } = (told ?? {}) as { message?: unknown; stack?: unknown };
  const error = Object.assign(new Error(typeof message === 'string' ? message : JSON.stringify(told)), facts);
  if (typeof stack === 'string') error.stack = stack;
  return error;
}

/** While the database is away every worker complains every other second; once in a while is enough. */
function quietly(): (key: string, tell: () => void) => void {
  const lastTold = new Map<string, number>();
  return (key, tell) => {
    const about = key.replaceAll(/\(Queue: .*/g, '');
    const now = Date.now();
    if (now - (lastTold.get(about) ?? 0) < QUIET_MS) return;
    if (lastTold.size > 100) lastTold.clear();
    lastTold.set(about, now);
    tell();
  };
}
