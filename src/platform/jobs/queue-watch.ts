/**
 * One query over all queues and the outbox every second or two, instead of polling by each worker: thirty queues that
 * were polled every two seconds took 22 ms of CPU a second while idle.
 */
import type { PgBoss } from 'pg-boss';
import { JOB_SCHEMA } from '#src/platform/jobs/job-schema.ts';

/**
 * Longest delay of an email, and of a job that is deferred or retried; new jobs wake their workers by a notification. The
 * second one after ten queries that found nothing (decision record 0126).
 */
const POLL_EVERY_MS = 1_000;
const POLL_AT_REST_MS = 2_000;
const POLLS_UNTIL_REST = 10;
/** Lost workers are looked for in every nth query. */
const POLLS_PER_LOST = 5;

const WITH_WORK = `select asked.name from unnest($1::text[]) as asked (name)
  where exists (select from ${JOB_SCHEMA}.job_common job
                 where job.name = asked.name and job.state < 'active' and not job.blocked and job.start_after <= ${JOB_SCHEMA}.job_now())`;

const LOST = `from ${JOB_SCHEMA}.job_common job
  where job.state = 'active' and job.heartbeat_on + job.heartbeat_seconds * interval '1s' < ${JOB_SCHEMA}.job_now()`;

/** Makes queues whose worker has stopped its heartbeat due for pg-boss's own supervision, which gives their jobs to others. */
const WITH_LOST_WORKER = `update ${JOB_SCHEMA}.queue set monitor_claim_on = ${JOB_SCHEMA}.job_now() - interval '1 day'
  where name in (select job.name ${LOST})
  returning name`;

/** Something else that is asked for with the queues; each is one row with its place among them. */
type Watched = { rows: string; wake: () => void };
const WATCHED = (at: number) => `#${at}`;

export type QueueWatch = ReturnType<typeof watchQueues>;

/** Wakes the workers of each queue that has a job which may start now, and has jobs of lost workers given to others. */
export function watchQueues(boss: PgBoss, onError: (error: Error) => void) {
  const workerIds = new Map<string, readonly string[]>();
  const others: Watched[] = [];
  const lost: Watched = { rows: `select ${LOST}`, wake: () => void giveToOthers().catch(report) };
  let hasEnded = false;
  let timer: NodeJS.Timeout | null = null;
  let polls = 0;
  let foundAt = 0;

  async function namesOf(text: string, values: unknown[] = []): Promise<string[]> {
    const { rows } = await boss.getDb().executeSql(text, values);
    return (rows as { name: string }[]).map(({ name }) => name);
  }

  function report(error: unknown): void {
    if (!hasEnded) onError(error instanceof Error ? error : new Error(String(error)));
  }

  async function giveToOthers(): Promise<void> {
    for (const name of await namesOf(WITH_LOST_WORKER)) await boss.supervise(name);
  }

  async function poll(): Promise<void> {
    const asked = ++polls % POLLS_PER_LOST === 0 ? [...others, lost] : others;
    const text = asked.map(({ rows }, at) => ` union all select '${WATCHED(at)}' where exists (${rows})`);
    try {
      const found = await namesOf([WITH_WORK, ...text].join(''), [[...workerIds.keys()]]);
      if (found.length > 0) foundAt = polls;
      for (const name of found) for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id);
      if (!hasEnded) asked.filter((_, at) => found.includes(WATCHED(at))).forEach(({ wake }) => wake());
    } catch (error) {
      report(error);
    }
    const isAtRest = polls - foundAt >= POLLS_UNTIL_REST;
    if (!hasEnded) timer = setTimeout(poll, isAtRest ? POLL_AT_REST_MS : POLL_EVERY_MS);
  }

  const begin = () => void (timer ??= setTimeout(poll, POLL_EVERY_MS));

  return {
    /** Wakes these workers for jobs of the queue. */
    wake(queue: string, ids: readonly string[]): void {
      workerIds.set(queue, ids);
      begin();
    },
    /** Calls `wake` after each query in which this select, without values, finds a row. */
    watch(rows: string, wake: () => void): void {
      others.push({ rows, wake });
      begin();
    },
    end(): void {
      hasEnded = true;
      if (timer) clearTimeout(timer);
    },
  };
}
