/** Reads the job queue's own tables: how many jobs wait, and which failed. pg-boss maintains these tables. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { JOB_SCHEMA } from '#src/platform/jobs/job-schema.ts';

const JOBS = sql.raw(`${JOB_SCHEMA}.job_common`);
const QUEUES = sql.raw(`${JOB_SCHEMA}.queue`);
const JOB_NOW = sql.raw(`${JOB_SCHEMA}.job_now()`);

/** The queue for jobs whose last attempt has failed; one worker reads it and notifies the module that owns the job. */
export const DEAD_QUEUE = 'dead';

/** Jobs in the dead queue whose module has been notified, or could not be: only these may be retried or deleted. */
const SETTLED = sql.raw(`name = '${DEAD_QUEUE}' and state in ('completed', 'failed')`);

export type QueueState = {
  name: string;
  /** May start now. */
  waiting: number;
  /** Retries among waiting and scheduled jobs. */
  retrying: number;
  /** Retries among waiting jobs. */
  waitingRetries: number;
  /** Start at a later time. */
  later: number;
  /** As pg-boss counted within the last minute. */
  running: number;
  /** How long the first of the waiting has waited. */
  oldestSeconds: number | null;
  /** Failed permanently in the last seven days. */
  failed: number;
};

/** Every queue by name. Finished jobs, of which there are many, are not read. */
export async function listQueues(db: Reader): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    with ahead as (
      select name, count(*) filter (where start_after <= ${JOB_NOW}) as waiting, count(*) filter (where start_after > ${JOB_NOW}) as later,
             count(*) filter (where state = 'retry') as retrying,
             count(*) filter (where state = 'retry' and start_after <= ${JOB_NOW}) as again, min(start_after) filter (where start_after <= ${JOB_NOW}) as oldest
        from ${JOBS} where state < 'active' and not blocked group by name
    ), dead as (
      select source_name as name, count(*) as failed from ${JOBS} where ${SETTLED} group by source_name
    )
    select q.name, coalesce(a.waiting, 0)::int as waiting, coalesce(a.later, 0)::int as later, coalesce(a.retrying, 0)::int as retrying,
           coalesce(a.again, 0)::int as "waitingRetries",
           q.active_count as running, extract(epoch from ${JOB_NOW} - a.oldest)::float8 as "oldestSeconds",
           coalesce(d.failed, 0)::int as failed
      from ${QUEUES} q left join ahead a on a.name = q.name left join dead d on d.name = q.name
     where q.name not like '\\_\\_pgboss\\_\\_%' order by q.name`.execute(db);
  return rows;
}

type FailedJobRow = {
  /** Of the job in the dead queue. */
  id: string;
  job: string;
  /** The id of the failed job, as in the log. */
  jobId: string;
  payload: unknown;
  output: unknown;
  attempts: number;
  createdAt: Date;
  failedAt: Date;
};

/** Where a page of failed jobs begins: after a job with this time of failure. */
export type FailedJobCursor = { failedAt: string; id: string };

/** Jobs that failed permanently, the newest first, by key; `job` names one queue. */
export async function listFailedJobs(
  db: Reader,
  { job, after, limit }: { job: string | null; after: FailedJobCursor | null; limit: number },
): Promise<(FailedJobRow & { place: string })[]> {
  const { rows } = await sql<FailedJobRow & { place: string }>`
    select id, source_name as job, source_id as "jobId", data as payload, source_output as output,
           coalesce(source_retry_count, 0) + 1 as attempts, source_created_on as "createdAt", created_on as "failedAt",
           created_on::text as place
      from ${JOBS}
     where ${SETTLED} and (${job}::text is null or source_name = ${job})
       and (${after?.id ?? null}::uuid is null or (created_on, id) < (${after?.failedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by created_on desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Which failed jobs: these, or all of one queue or of every queue. */
export type ChosenJobs = { ids: readonly string[] } | { job: string | null };

const chosen = (which: ChosenJobs) =>
  'ids' in which
    ? sql`id = any(${[...which.ids]}::uuid[])`
    : sql`(${which.job}::text is null or source_name = ${which.job})`;

export type LockedJob = { id: string; job: string; jobId: string };

/**
 * Locks up to `limit` failed jobs, the oldest first, skipping those that another transaction has locked: if two people
 * click, one gets them. `only` limits it to these queues.
 */
export async function lockFailedJobs(
  tx: Writer,
  which: ChosenJobs,
  { only = null, limit }: { only?: readonly string[] | null; limit: number },
): Promise<LockedJob[]> {
  const { rows } = await sql<LockedJob>`
    select id, source_name as job, source_id as "jobId" from ${JOBS}
     where ${SETTLED} and ${chosen(which)} and (${only}::text[] is null or source_name = any(${only}::text[]))
     order by created_on limit ${limit} for update skip locked`.execute(tx);
  return rows;
}

/** Moves locked failed jobs back to the dead queue, from where pg-boss moves them to their own. */
export async function requeueJobs(tx: Writer, ids: readonly string[]): Promise<void> {
  await sql`
    update ${JOBS} set state = 'created', completed_on = null
     where name = ${DEAD_QUEUE} and id = any(${[...ids]}::uuid[])`.execute(tx);
}

/** Deletes locked failed jobs. */
export async function deleteFailedJobs(tx: Writer, ids: readonly string[]): Promise<void> {
  await sql`delete from ${JOBS} where name = ${DEAD_QUEUE} and id = any(${[...ids]}::uuid[])`.execute(tx);
}
