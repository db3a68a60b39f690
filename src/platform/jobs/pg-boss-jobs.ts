/**
 * Jobs with pg-boss. Web processes only enqueue; the worker also handles jobs, detects lost workers and runs the
 * schedule. The tables are created by `installJobSchema` first.
 */
import { randomUUID } from 'node:crypto';
import { PgBoss, systemClock, type Clock, type JobWithMetadata, type Queue, type QueueResult } from 'pg-boss';
import { JOB_SCHEMA } from '#src/platform/jobs/job-schema.ts';
import { handleFailed } from '#src/platform/jobs/failed-jobs.ts';
import { OF_THE_POOL, STATEMENT_MS, within } from '#src/platform/jobs/job-sessions.ts';
import { DEAD_QUEUE } from '#src/platform/jobs/queue-health.sql.ts';
import { watchQueues, type QueueWatch } from '#src/platform/jobs/queue-watch.ts';
import type { JobDefinition, Jobs, JobHandler, WorkOptions } from '#src/platform/jobs/jobs.ts';
import { asWork, currentWork, originOfNow, type WorkObservers } from '#src/platform/telemetry/work.ts';

type JobsOptions = WorkObservers & {
  /** `appUrl` and `appRole` of the database's addresses. */
  url: string;
  role?: string | null;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Every job of the product: missing queues are created. */
  definitions: readonly JobDefinition<unknown>[];
  /** True in the worker process: handles jobs and runs the schedule. */
  works: boolean;
  log: JobLog;
  observe?: (observation: JobObservation) => void;
};

const STOP_MS = 20_000;
/**
 * How often pg-boss counts its queues, which reads every job of the last few hours. Lost workers are detected sooner:
 * `queue-watch.ts`.
 */
const WATCH_SECONDS = 60;
/** We have no jobs that depend on others. */
const FLOW_SECONDS = 3600;
/** Longest delay of a job by the clock after pg-boss, which looks twice a minute, has found it due. */
const CLOCK_SECONDS = 15;
/** How often the session for notifications is checked; if it is lost, `queue-watch.ts` finds new jobs. */
const LISTENING_CHECK_MS = 60_000;
/** pg-boss looks every two seconds whether to emit an event with its running jobs, which nothing here hears. */
const EVENT_EVERY_MS = 2_000;
const CLOCK: Clock = {
  ...systemClock,
  setInterval: (work, ms) => systemClock.setInterval(work, ms === EVENT_EVERY_MS ? FLOW_SECONDS * 1_000 : ms),
};
/** The same error is logged once in this time. */
const QUIET_MS = 10_000;

/** Opens the queue. Rejects if the database does not answer or `installJobSchema` has not run. */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { definitions, works, log, observe = () => undefined } = options;
  const boss = new PgBoss({
    connectionString: options.url,
    schema: JOB_SCHEMA,
    application_name: options.applicationName,
    options: [
      `-c timezone=UTC -c statement_timeout=${STATEMENT_MS}`,
      ...(options.role ? [`-c role=${options.role}`] : []),
    ].join(' '),
    connectionTimeoutMillis: 5000,
    max: works ? 4 : 1,
    ...OF_THE_POOL,
    migrate: false,
    createSchema: false,
    schedule: works,
    supervise: works,
    useListenNotify: works,
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
    maintenanceIntervalSeconds: 600,
    flowIntervalSeconds: FLOW_SECONDS,
    cronWorkerIntervalSeconds: CLOCK_SECONDS,
    notifyHeartbeatIntervalMs: LISTENING_CHECK_MS,
    // Queues change only when a process starts; a missing one is looked up again anyway.
    queueCacheIntervalSeconds: works ? 60 : 3600,
    // Only the owner may rebuild indexes.
    reindex: false,
    monitorVacuum: false,
    clock: CLOCK,
  });
  const logNowAndThen = createRareLog();
  boss.on('error', (reported) => {
    const error = errorOf(reported);
    logNowAndThen(error.message, () => log.error({ err: error }, 'the job queue has trouble'));
  });
  boss.on('warning', (warning) => logNowAndThen(warning.message, () => log.warn({ warning }, 'the job queue warns')));
  try {
    await boss.start();
    await ensureQueues(boss, definitions);
    if (works) await ensureSchedules(boss, definitions);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }

  const watch = watchQueues(boss, (error) =>
    logNowAndThen(error.message, () => log.error({ err: error }, 'the job queue has trouble')),
  );
  const deadHandlers = new Map<string, DeadHandler>();
  let deadWorker: Promise<void> | null = null;

  return {
    async enqueue(tx, job, payload, { startAfterSeconds, singletonKey = randomUUID() } = {}) {
      await boss.send(job.name, asObject(payload), {
        db: within(tx),
        singletonKey,
        ...groupOf(job),
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
      });
    },

    async enqueueMany(tx, job, payloads) {
      if (payloads.length === 0) return;
      const group = groupOf(job);
      const jobs = payloads.map((payload) => ({ data: asObject(payload), singletonKey: randomUUID(), ...group }));
      await boss.insert(job.name, jobs, { db: within(tx) });
    },

    async work(job, workOptions, handler) {
      if (!works) throw new Error(`this process was opened to enqueue only, not to work on ${job.name}`);
      deadHandlers.set(job.name, deadHandlerOf(job, workOptions.onDead));
      const deps = { boss, watch, log, observe, observers: options };
      await startWorkers(deps, job, workOptions, handler);
      await (deadWorker ??= startDeadWorker(deps, deadHandlers));
    },

    watch: watch.watch,

    ...handleFailed(boss, definitions),

    async close() {
      watch.end();
      await boss.stop({ graceful: true, timeout: STOP_MS, close: true });
    },
  };
}

/**
 * Jobs that one request queued form one group, under its id; the tier is its span. Both are stored next to the payload,
 * so that workers of every version can read it. A job that queues its own kind (a sweep that schedules the next one)
 * starts a new trace each time.
 */
function groupOf(job: { name: string }): { group?: { id: string; tier?: string } } {
  const origin = currentWork()?.name === job.name ? null : originOfNow();
  if (origin === null) return {};
  return { group: { id: origin.requestId, ...(origin.traceparent === null ? {} : { tier: origin.traceparent }) } };
}

/** The origin of a job; one without a request has its own id. */
const originOf = ({ id, groupId, groupTier }: JobWithMetadata<object>) => ({
  requestId: groupId ?? id,
  traceparent: groupTier ?? null,
});

/** Payloads are JSON objects, or nothing for jobs that need none. */
function asObject(payload: unknown): object {
  if (payload === null || payload === undefined) return {};
  if (typeof payload !== 'object') throw new TypeError('a job takes an object as its payload');
  return payload;
}

/** pg-boss reports some failures as plain objects with an error's fields, which a log would show as "[object Object]". */
export function errorOf(reported: unknown): Error {
  if (reported instanceof Error) return reported;
  const { message, stack, ...facts } = (reported ?? {}) as { message?: unknown; stack?: unknown };
  const error = Object.assign(new Error(typeof message === 'string' ? message : JSON.stringify(reported)), facts);
  if (typeof stack === 'string') error.stack = stack;
  return error;
}

/** While the database is unreachable every worker reports an error every other second; one line now and then is enough. */
function createRareLog(): (key: string, write: () => void) => void {
  const lastWritten = new Map<string, number>();
  return (key, write) => {
    const about = key.replaceAll(/\(Queue: .*/g, '');
    const now = Date.now();
    if (now - (lastWritten.get(about) ?? 0) < QUIET_MS) return;
    if (lastWritten.size > 100) lastWritten.clear();
    lastWritten.set(about, now);
    write();
  };
}

type JobLog = Record<'warn' | 'error', (details: object, message: string) => void>;

/** The outcome of one attempt, for metrics. `waitedMs` is measured from when it could have started. */
export type JobObservation = {
  job: string;
  outcome: 'done' | 'failed' | 'dead';
  ms: number;
  waitedMs: number;
  /** Measured from when it was queued. */
  lagMs?: number;
};

type WorkerDeps = {
  boss: PgBoss;
  watch: QueueWatch;
  log: JobLog;
  observe: (observation: JobObservation) => void;
  observers: WorkObservers;
};

/** Longest pause between a worker's polls: a notification of new jobs wakes all of a queue, and so does the watch. */
const POLL_SECONDS = 3600;
/** Workers start in the same second; with one pause for all they would also poll in the same second. */
const spreadPoll = (): number => Math.round(POLL_SECONDS * (1 - Math.random() / 4));
/** A third of the heartbeat, so that two may be late. Not 2: `CLOCK` tells an interval of pg-boss by its length. */
const HEARTBEAT_REFRESH_SECONDS = 3;

/** Starts `concurrency` workers. One that found a job polls again, so that a backlog is processed without pauses. */
async function startWorkers<Payload>(
  { boss, watch, log, observe, observers }: WorkerDeps,
  job: JobDefinition<Payload>,
  options: WorkOptions<Payload>,
  handler: JobHandler<Payload>,
): Promise<void> {
  const workerIds: string[] = [];
  for (let index = 0; index < options.concurrency; index++) {
    const pollSeconds = spreadPoll();
    const settings = {
      includeMetadata: true,
      batchSize: 1,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
      heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
    } as const;
    const id = await boss.work(job.name, settings, async ([found]: JobWithMetadata<object>[]) => {
      // A scheduled job runs once at a time.
      if (job.schedule === undefined) boss.notifyWorker(workerIds[index] ?? '');
      if (found) await asWork(workOf(found, observers), () => attempt(found));
    });
    workerIds.push(id);
  }
  watch.wake(job.name, workerIds);

  async function attempt(found: JobWithMetadata<object>): Promise<void> {
    const started = Date.now();
    const waitedMs = Math.max(0, started - found.startAfter.getTime());
    const attemptNumber = found.retryCount + 1;
    const lastAttempt = found.retryCount >= found.retryLimit;
    try {
      await handler(job.parse(found.data), { attempt: attemptNumber, lastAttempt, signal: found.signal });
      const lagMs = Math.max(0, Date.now() - found.createdOn.getTime());
      observe({ job: job.name, outcome: 'done', ms: Date.now() - started, waitedMs, lagMs });
    } catch (error) {
      log.warn({ err: error, job: job.name, jobId: found.id, attempt: attemptNumber, lastAttempt }, 'a job failed');
      observe({ job: job.name, outcome: 'failed', ms: Date.now() - started, waitedMs });
      throw error;
    }
  }
}

const workOf = (found: JobWithMetadata<object>, { begin, countWork }: WorkObservers) => ({
  begin,
  countWork,
  name: found.name,
  facts: {
    'messaging.operation.name': 'process',
    'sideline.job_id': found.id,
    'sideline.attempt': found.retryCount + 1,
  },
  origin: originOf(found),
});

/** Notifies a module of its failed job, from the job's raw payload. */
type DeadHandler = (data: unknown) => Promise<void>;

/** No module can handle a payload that cannot be parsed; it stays in the log. */
function deadHandlerOf<Payload>(
  job: JobDefinition<Payload>,
  onDead: ((payload: Payload) => Promise<void>) | undefined,
): DeadHandler {
  return async (data) => {
    let payload: Payload;
    try {
      payload = job.parse(data);
    } catch {
      return;
    }
    await onDead?.(payload);
  };
}

/** Starts the one worker that notifies modules of their failed jobs. */
async function startDeadWorker(
  { boss, watch, log, observe, observers }: WorkerDeps,
  handlers: ReadonlyMap<string, DeadHandler>,
) {
  const settings = {
    includeMetadata: true,
    batchSize: 1,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: POLL_SECONDS,
  } as const;
  // A job may arrive before the worker's id is known.
  const worker: { id: string | null } = { id: null };
  worker.id = await boss.work(DEAD_QUEUE, settings, async ([found]: JobWithMetadata<object>[]) => {
    if (!found) return;
    if (worker.id !== null) boss.notifyWorker(worker.id);
    await asWork(workOf(found, observers), () => handleDead(found));
  });
  watch.wake(DEAD_QUEUE, [worker.id]);

  async function handleDead(found: JobWithMetadata<object>): Promise<void> {
    const name = found.sourceName ?? '';
    const onDead = handlers.get(name);
    // Another process, of another version or still starting, may know it: retried later.
    if (!onDead) throw new Error(`no worker of this process knows the dead job ${name}`);
    if (found.retryCount === 0) {
      log.error({ job: name, jobId: found.sourceId, cause: causeOf(found.sourceOutput) }, 'a job is given up');
      observe({ job: name, outcome: 'dead', ms: 0, waitedMs: 0 });
    }
    await onDead(found.data);
  }
}

/** The queue wraps reasons of its own, such as a worker that died, in `value`. */
function causeOf(output: unknown): unknown {
  return typeof output === 'object' && output !== null && 'value' in output ? output.value : output;
}

/** A worker that is silent for this long has died; its job goes to another. */
const HEARTBEAT_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 900;
const KEEP_DONE_SECONDS = 6 * 3600;
const KEEP_WAITING_SECONDS = 60 * 86_400;

type QueueSettings = Omit<Queue, 'name'>;

/** The queue settings that a job needs. */
function settingsOf(job: JobDefinition<unknown>): QueueSettings {
  return {
    // One waiting job per singleton key; jobs without one get a unique key.
    policy: 'short',
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: LONGEST_PAUSE_SECONDS,
    expireInSeconds: job.expireInSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter: DEAD_QUEUE,
    notify: true,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
    retentionSeconds: KEEP_WAITING_SECONDS,
  };
}

const DEAD_SETTINGS: QueueSettings = {
  policy: 'standard',
  retryLimit: 20,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: LONGEST_PAUSE_SECONDS,
  expireInSeconds: 120,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  notify: false,
  deleteAfterSeconds: 7 * 86_400,
  retentionSeconds: KEEP_WAITING_SECONDS,
};

/**
 * Creates missing queues and updates changed ones; one query when there is nothing to do. Queues need no tables of
 * their own, so the app role may do it.
 */
async function ensureQueues(boss: PgBoss, definitions: readonly JobDefinition<unknown>[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  await ensureQueue(boss, DEAD_QUEUE, DEAD_SETTINGS, known.get(DEAD_QUEUE));
  for (const job of definitions) await ensureQueue(boss, job.name, settingsOf(job), known.get(job.name));
}

async function ensureQueue(boss: PgBoss, name: string, settings: QueueSettings, known: QueueResult | undefined) {
  if (!known) return boss.createQueue(name, settings);
  const { policy, ...changeable } = settings;
  if (known.policy !== policy)
    throw new Error(
      `The job queue ${name} was made with the policy ${known.policy ?? '?'} and cannot become ${policy ?? '?'}: give it another name.`,
    );
  const isSame = Object.entries(changeable).every(([key, value]) => known[key as keyof QueueResult] === value);
  if (!isSame) await boss.updateQueue(name, changeable);
}

/**
 * Schedules the scheduled jobs (UTC) and deletes old schedules, with what waits in queues that no job has any longer:
 * no one would process it, and the queue would be reported as stuck.
 */
async function ensureSchedules(boss: PgBoss, definitions: readonly JobDefinition<unknown>[]): Promise<void> {
  const planned = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]));
  for (const { name, schedule } of definitions) {
    if (schedule !== undefined && planned.get(name) !== schedule)
      await boss.schedule(name, schedule, null, { tz: 'UTC', singletonKey: 'by the clock' });
    if (schedule !== undefined) planned.delete(name);
  }
  for (const name of planned.keys()) {
    await boss.unschedule(name);
    if (!definitions.some((job) => job.name === name)) await boss.deleteQueuedJobs(name);
  }
}
