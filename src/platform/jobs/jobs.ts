import type { Transaction } from 'kysely';
import type { Schema } from '#src/platform/db/schema.ts';
import type { ChosenJobs, LockedJob } from '#src/platform/jobs/queue-health.sql.ts';

/**
 * Work that must happen, stored in PostgreSQL (pg-boss). A job that is enqueued in a transaction exists exactly when
 * that transaction commits. Handlers may run twice and must be idempotent.
 */
export type JobDefinition<Payload> = {
  name: string;
  /** Parses a payload; throws if it is invalid. */
  parse(payload: unknown): Payload;
  retryLimit: number;
  /** First pause before a retry; doubled each time. */
  retryDelaySeconds: number;
  /** Longest run of one attempt. */
  expireInSeconds: number;
  /** Cron text (UTC) for scheduled jobs, without payload. */
  schedule?: string;
  /** For jobs whose module settles failures: what happened to it, as a sentence for the operator. They cannot be retried. */
  whenGivenUp?: string;
};

export type JobHandler<Payload> = (
  payload: Payload,
  context: { attempt: number; lastAttempt: boolean; signal: AbortSignal },
) => Promise<void>;

export type WorkOptions<Payload> = {
  /** Attempts that run at the same time in this process. */
  concurrency: number;
  /** Called when the last attempt has failed, also if its process died. May be called twice; retried if it throws. */
  onDead?: (payload: Payload) => Promise<void>;
};

/** At most one job waits per `singletonKey`. */
type EnqueueOptions = { startAfterSeconds?: number; singletonKey?: string };

export type Jobs = {
  /** Inside a transaction: the job exists when it commits. */
  enqueue<Payload>(
    tx: Transaction<Schema>,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Many jobs in one statement. */
  enqueueMany<Payload>(
    tx: Transaction<Schema>,
    job: JobDefinition<Payload>,
    payloads: readonly Payload[],
  ): Promise<void>;
  /** Worker only: starts handling. */
  work<Payload>(
    job: JobDefinition<Payload>,
    options: WorkOptions<Payload>,
    handler: JobHandler<Payload>,
  ): Promise<void>;
  /**
   * Worker only: calls `wake` whenever this select, which has no values and is cheap, finds a row. It is asked every
   * second or two, with the queues: a statement of its own costs three times as much.
   */
  watch(rows: string, wake: () => void): void;
  /**
   * Retries failed jobs, up to `limit`, as if they were new; jobs that two callers choose at the same time run once.
   * Returns those.
   */
  retryFailed(tx: Transaction<Schema>, which: ChosenJobs, limit: number): Promise<LockedJob[]>;
  /** Deletes failed jobs, up to `limit`. Returns those. */
  discardFailed(tx: Transaction<Schema>, which: ChosenJobs, limit: number): Promise<LockedJob[]>;
  /** Takes no new jobs, waits for running ones (20 s at most), and returns the others to the queue. */
  close(): Promise<void>;
};

type Settings = Pick<JobDefinition<unknown>, 'retryLimit' | 'retryDelaySeconds' | 'expireInSeconds' | 'whenGivenUp'>;

/** Work that is requested, with a payload of this shape. */
export function payloadJob<Payload>(
  name: string,
  payload: { parse(given: unknown): Payload },
  settings: Settings,
): JobDefinition<Payload> {
  return { name, parse: (given) => payload.parse(given), ...settings };
}

/** Scheduled work that repeats; if one run misses something, the next one does it. */
export function clockJob(name: string, schedule: string, settings: Partial<Settings> = {}): JobDefinition<null> {
  return { name, schedule, parse: () => null, retryLimit: 1, retryDelaySeconds: 60, expireInSeconds: 60, ...settings };
}
