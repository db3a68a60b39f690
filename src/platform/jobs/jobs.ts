import type { Transaction } from 'kysely';
import type { Schema } from '#src/platform/db/schema.ts';

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
  /** At most one waiting job per key, when `singletonKey` is given at enqueue. */
  /** Cron text (UTC) for jobs that run by the clock, without payload. */
  schedule?: string;
};

export type JobHandler<Payload> = (payload: Payload, context: { attempt: number; lastAttempt: boolean; signal: AbortSignal }) => Promise<void>;

export type EnqueueOptions = { startAfterSeconds?: number; singletonKey?: string };

export type Jobs = {
  /** Inside a transaction: the job exists when it commits. */
  enqueue<Payload>(tx: Transaction<Schema>, job: JobDefinition<Payload>, payload: Payload, options?: EnqueueOptions): Promise<void>;
  /** Many at once, one statement. */
  enqueueMany<Payload>(tx: Transaction<Schema>, job: JobDefinition<Payload>, payloads: readonly Payload[]): Promise<void>;
  /** Worker only: starts handling. `concurrency` attempts run at a time in this process. */
  work<Payload>(job: JobDefinition<Payload>, options: { concurrency: number }, handler: JobHandler<Payload>): Promise<void>;
  close(): Promise<void>;
};
