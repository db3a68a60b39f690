import type { Transaction } from 'kysely';
import type { Schema } from '#src/platform/db/schema.ts';
import type { ChosenJobs, TakenJob } from '#src/platform/jobs/queue-health.sql.ts';

/**
 * Work that must happen, kept in PostgreSQL (pg-boss). A job that is enqueued in a
 * transaction exists exactly when that transaction commits. Handlers may run twice and
 * must not mind.
 */
export type JobDefinition<Payload> = {
  name: string;
  /** Reads a payload from outside; throws when it is not one. */
  parse(payload: unknown): Payload;
  retryLimit: number;
  /** First pause before a retry; doubled each time. */
  retryDelaySeconds: number;
  /** Longest run of one attempt. */
  expireInSeconds: number;
  /** Cron text (UTC) for jobs that run by the clock, without payload. */
  schedule?: string;
  /** For jobs whose module settles what is given up: what became of it, in a sentence for the operator. They cannot be retried. */
  whenGivenUp?: string;
};

export type JobHandler<Payload> = (
  payload: Payload,
  context: { attempt: number; lastAttempt: boolean; signal: AbortSignal },
) => Promise<void>;

export type WorkOptions<Payload> = {
  /** Attempts that run at a time in this process. */
  concurrency: number;
  /** Told once the last attempt has failed, also when its process died under it. May be told twice; retried when it throws. */
  onDead?: (payload: Payload) => Promise<void>;
};

/** With a `singletonKey` at most one job waits per key. */
export type EnqueueOptions = { startAfterSeconds?: number; singletonKey?: string };

export type Jobs = {
  /** Inside a transaction: the job exists when it commits. */
  enqueue<Payload>(
    tx: Transaction<Schema>,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Many at once, one statement. */
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
  /** Does failed jobs again, up to `limit`, as if they were new; what is chosen by two at once is done once. Returns those. */
  retryFailed(tx: Transaction<Schema>, which: ChosenJobs, limit: number): Promise<TakenJob[]>;
  /** Forgets failed jobs, up to `limit`. Returns those. */
  discardFailed(tx: Transaction<Schema>, which: ChosenJobs, limit: number): Promise<TakenJob[]>;
  /** Takes no new jobs, waits for those in work (20 s at most), gives the others back to be done again. */
  close(): Promise<void>;
};

type Settings = Pick<JobDefinition<unknown>, 'retryLimit' | 'retryDelaySeconds' | 'expireInSeconds' | 'whenGivenUp'>;

/** Work that someone asks for, with a payload of this shape. */
export function payloadJob<Payload>(
  name: string,
  payload: { parse(given: unknown): Payload },
  settings: Settings,
): JobDefinition<Payload> {
  return { name, parse: (given) => payload.parse(given), ...settings };
}

/** Work that the clock brings, again and again; what one run misses, the next one does. */
export function clockJob(name: string, schedule: string, settings: Partial<Settings> = {}): JobDefinition<null> {
  return { name, schedule, parse: () => null, retryLimit: 1, retryDelaySeconds: 60, expireInSeconds: 60, ...settings };
}
