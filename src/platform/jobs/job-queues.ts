import type { PgBoss, Queue, QueueResult } from 'pg-boss';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

/** Where jobs go whose last attempt has failed; one worker reads it and tells the module that owns the job. */
export const DEAD_QUEUE = 'dead';

/** A worker that says nothing for this long has died; its job goes to another. */
export const HEARTBEAT_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 900;
const KEEP_DONE_SECONDS = 6 * 3600;
const KEEP_WAITING_SECONDS = 60 * 86_400;

type QueueSettings = Omit<Queue, 'name'>;

/** How a queue must be set up for a job. */
export function settingsOf(job: JobDefinition<unknown>): QueueSettings {
  return {
    // One waiting job per singleton key; jobs without one get a key of their own.
    policy: 'short',
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: LONGEST_PAUSE_SECONDS,
    expireInSeconds: job.expireInSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter: DEAD_QUEUE,
    notify: job.batch === undefined,
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

/** Makes missing queues and brings changed ones up to date; one query when there is nothing to do. Needs no table of its own per queue, so the app role may do it. */
export async function ensureQueues(boss: PgBoss, definitions: readonly JobDefinition<unknown>[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  await ensureQueue(boss, DEAD_QUEUE, DEAD_SETTINGS, known.get(DEAD_QUEUE));
  for (const job of definitions) await ensureQueue(boss, job.name, settingsOf(job), known.get(job.name));
}

async function ensureQueue(
  boss: PgBoss,
  name: string,
  settings: QueueSettings,
  known: QueueResult | undefined,
): Promise<void> {
  if (!known) return boss.createQueue(name, settings);
  const { policy, ...changeable } = settings;
  if (known.policy !== policy)
    throw new Error(
      `The job queue ${name} was made with the policy ${known.policy ?? '?'} and cannot become ${policy ?? '?'}: give it another name.`,
    );
  const isSame = Object.entries(changeable).every(([key, value]) => known[key as keyof QueueResult] === value);
  if (!isSame) await boss.updateQueue(name, changeable);
}

/** Plans the jobs that run by the clock (UTC) and forgets the plans of jobs that no longer do. */
export async function ensureSchedules(boss: PgBoss, definitions: readonly JobDefinition<unknown>[]): Promise<void> {
  const planned = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]));
  for (const { name, schedule } of definitions) {
    if (schedule !== undefined && planned.get(name) !== schedule)
      await boss.schedule(name, schedule, null, { tz: 'UTC', singletonKey: 'by the clock' });
    if (schedule !== undefined) planned.delete(name);
  }
  for (const name of planned.keys()) await boss.unschedule(name);
}
