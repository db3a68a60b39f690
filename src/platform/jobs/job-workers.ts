/** Turns pg-boss's workers into ours: one job at a time each, woken at once, with its attempt told. */
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import { DEAD_QUEUE } from '#src/platform/jobs/job-queues.ts';
import type { JobDefinition, JobHandler, WorkOptions } from '#src/platform/jobs/jobs.ts';

export type JobLog = Record<'warn' | 'error', (details: object, message: string) => void>;

/** How one attempt went; for metrics. `waitedMs` is from when it could have started. */
export type JobObservation = { job: string; outcome: 'done' | 'failed' | 'dead'; ms: number; waitedMs: number };

export type WorkerDeps = { boss: PgBoss; log: JobLog; observe: (observation: JobObservation) => void };

/** How often one worker per queue polls, for retries and deferred jobs; new jobs wake all by a notice. */
const LEADER_SECONDS = 2;
const OTHERS_SECONDS = 60;
/** A third of the heartbeat, so that two may be late. */
const HEARTBEAT_REFRESH_SECONDS = 3;

/** Starts `concurrency` workers. A worker that found a job wakes a sibling and looks again, so that a backlog is worked off without pauses. */
export async function startWorkers<Payload>(
  { boss, log, observe }: WorkerDeps,
  job: JobDefinition<Payload>,
  options: WorkOptions<Payload>,
  handler: JobHandler<Payload>,
): Promise<void> {
  if (job.batch) {
    const { size, everySeconds } = job.batch;
    const settings = {
      includeMetadata: true,
      perJobResults: true,
      batchSize: size,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: everySeconds,
      heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
    } as const;
    await boss.work(job.name, settings, (found: JobWithMetadata<object>[]) => attemptAll(found));
    return;
  }
  const workerIds: string[] = [];
  for (let index = 0; index < options.concurrency; index++) {
    const seconds = index === 0 ? LEADER_SECONDS : OTHERS_SECONDS;
    const settings = {
      includeMetadata: true,
      batchSize: 1,
      pollingIntervalSeconds: seconds,
      notifyPollingIntervalSeconds: seconds,
      heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
    } as const;
    const id = await boss.work(job.name, settings, async ([found]: JobWithMetadata<object>[]) => {
      for (const place of [index, (index + 1) % options.concurrency]) {
        const worker = workerIds[place];
        if (worker !== undefined) boss.notifyWorker(worker);
      }
      if (found) await attempt(found);
    });
    workerIds.push(id);
  }

  /** A few at a time; each is settled separately. */
  async function attemptAll(found: readonly JobWithMetadata<object>[]): Promise<JobResult[]> {
    const results: JobResult[] = [];
    const left = found[Symbol.iterator]();
    const lane = async () => {
      for (const each of left) {
        results.push(
          await attempt(each).then(
            (): JobResult => ({ id: each.id, status: 'completed' }),
            (error: unknown): JobResult => ({ id: each.id, status: 'failed', output: outputOf(error) }),
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: options.concurrency }, lane));
    return results;
  }

  async function attempt(found: JobWithMetadata<object>): Promise<void> {
    const started = Date.now();
    const waitedMs = Math.max(0, started - found.startAfter.getTime());
    const attemptNumber = found.retryCount + 1;
    const lastAttempt = found.retryCount >= found.retryLimit;
    try {
      await handler(job.parse(found.data), { attempt: attemptNumber, lastAttempt, signal: found.signal });
      observe({ job: job.name, outcome: 'done', ms: Date.now() - started, waitedMs });
    } catch (error) {
      log.warn({ err: error, job: job.name, jobId: found.id, attempt: attemptNumber, lastAttempt }, 'a job failed');
      observe({ job: job.name, outcome: 'failed', ms: Date.now() - started, waitedMs });
      throw error;
    }
  }
}

/** What is kept with a failed job. */
const outputOf = (error: unknown): object => (error instanceof Error ? error : { message: String(error) });

/** Tells a module of its dead job, from the job's raw payload. */
export type DeadHandler = (data: unknown) => Promise<void>;

/** No module can act on a payload that cannot be read; it stays in the log. */
export function deadHandlerOf<Payload>(
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

/** Starts the one worker that tells modules of their dead jobs. */
export async function startDeadWorker(
  { boss, log, observe }: WorkerDeps,
  handlers: ReadonlyMap<string, DeadHandler>,
): Promise<void> {
  const settings = {
    includeMetadata: true,
    batchSize: 1,
    pollingIntervalSeconds: LEADER_SECONDS,
    notifyPollingIntervalSeconds: LEADER_SECONDS,
  } as const;
  // A job may be there before the worker's id is known.
  const worker: { id: string | null } = { id: null };
  worker.id = await boss.work(DEAD_QUEUE, settings, async ([found]: JobWithMetadata<object>[]) => {
    if (!found) return;
    if (worker.id !== null) boss.notifyWorker(worker.id);
    const name = found.sourceName ?? '';
    const tell = handlers.get(name);
    // Another process, of another version or still starting, may know it: tried again later.
    if (!tell) throw new Error(`no worker of this process knows the dead job ${name}`);
    if (found.retryCount === 0) {
      log.error({ job: name, jobId: found.sourceId, cause: found.sourceOutput }, 'a job is given up');
      observe({ job: name, outcome: 'dead', ms: 0, waitedMs: 0 });
    }
    await tell(found.data);
  });
}
