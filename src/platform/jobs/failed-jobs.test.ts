/** What operators do with failed jobs: retry or discard them, once however often they click. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Writer } from '#src/platform/db/db.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { payloadJob, type Jobs } from '#src/platform/jobs/jobs.ts';
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import { listFailedJobs, listQueues, type FailedJobCursor } from '#src/platform/jobs/queue-health.sql.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const SYSTEM = { kind: 'system', why: 'test' } as const;
const once = { retryLimit: 0, retryDelaySeconds: 0, expireInSeconds: 60 };
const payload = z.strictObject({ id: z.number() });
const flaky = payloadJob('flaky', payload, once);
const settled = payloadJob('settled', payload, { ...once, whenGivenUp: 'It was settled.' });
/** No worker takes these. */
const unread = payloadJob('unread', payload, once);
const definitions = [flaky, settled, unread];
const log = { warn: () => undefined, error: () => undefined };
let jobs: Jobs;
let worker: Jobs;
let fails = true;
const done: number[] = [];

beforeAll(async () => {
  await installJobSchema(db.ownerUrl);
  const shared = { url: db.appUrl, role: db.appRole, definitions, log };
  worker = await openJobs({ ...shared, applicationName: 'test worker', works: true });
  jobs = await openJobs({ ...shared, applicationName: 'test web', works: false });
  for (const job of [flaky, settled])
    await worker.work(job, { concurrency: 1 }, async ({ id }) => {
      if (fails) throw new Error(`number ${id} does not work`);
      done.push(id);
    });
});
afterAll(async () => {
  await Promise.all([jobs?.close(), worker?.close()]);
});
beforeEach(async () => {
  await db.ownerQuery('delete from pgboss.job_common');
  fails = true;
  done.length = 0;
});

const write = <T>(work: (tx: Writer) => Promise<T>) => db.database.write(SYSTEM, work);
const until = (what: () => boolean | Promise<boolean>) => vi.waitUntil(what, { timeout: 30_000, interval: 20 });
const list = (after: FailedJobCursor | null = null, limit = 50, job: string | null = null) =>
  db.database.read(SYSTEM, (reader) => listFailedJobs(reader, { job, after, limit }));
const queueOf = async (name: string) =>
  (await db.database.read(SYSTEM, listQueues)).find((queue) => queue.name === name);

/** Jobs that fail, and have been given up. */
async function failed(ids: readonly number[], job = flaky): Promise<void> {
  const before = (await list()).length;
  await write((tx) =>
    jobs.enqueueMany(
      tx,
      job,
      ids.map((id) => ({ id })),
    ),
  );
  await until(async () => (await list()).length === before + ids.length);
}

test('a failed job is listed with its reason, and counted in its queue', async () => {
  await failed([7]);
  expect(await list()).toMatchObject([
    { job: 'flaky', payload: { id: 7 }, output: { message: 'number 7 does not work' }, attempts: 1 },
  ]);
  expect(await queueOf('flaky')).toMatchObject({ failed: 1, waiting: 0, retrying: 0, oldestSeconds: null });
});

test('waiting jobs are counted with the age of the first, separately from those that start later', async () => {
  const ids = [1, 2, 3].map((id) => ({ id }));
  await write(async (tx) => {
    await jobs.enqueueMany(tx, unread, ids);
    await jobs.enqueue(tx, unread, { id: 4 }, { startAfterSeconds: 600 });
  });
  await db.ownerQuery(
    `update pgboss.job_common set start_after = now() - interval '90 seconds' * (data->>'id')::int where (data->>'id')::int < 4`,
  );
  const queue = await queueOf('unread');
  expect(queue).toMatchObject({ waiting: 3, later: 1, retrying: 0, failed: 0 });
  expect(queue?.oldestSeconds).toBeGreaterThan(269);
  expect(queue?.oldestSeconds).toBeLessThan(290);
});

test('a list of failed jobs is read page by page, without gaps or repetition', async () => {
  await failed([1, 2, 3, 4, 5]);
  const seen: number[] = [];
  for (let after: FailedJobCursor | null = null, more = true; more;) {
    const page = await list(after, 2);
    seen.push(...page.map((row) => (row.payload as { id: number }).id));
    const last = page.at(-1);
    after = last ? { failedAt: last.place, id: last.id } : null;
    more = page.length === 2;
  }
  expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(await list(null, 50, 'settled')).toEqual([]);
});

test('a retried job runs as if it were new, and is no longer listed', async () => {
  await failed([1, 2]);
  fails = false;
  const [newest] = await list();
  const taken = await write((tx) => jobs.retryFailed(tx, { ids: [newest?.id ?? ''] }, 10));
  expect(taken).toMatchObject([{ job: 'flaky', jobId: newest?.jobId }]);
  await until(() => done.length === 1);
  expect(done.map((id) => ({ id }))).toEqual([newest?.payload]);
  expect(await list()).toHaveLength(1);
});

test('if five people click at the same time, the job is retried once', async () => {
  await failed([1, 2, 3]);
  fails = false;
  const counts = await Promise.all(
    Array.from({ length: 5 }, () => write(async (tx) => (await jobs.retryFailed(tx, { job: null }, 10)).length)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  await until(() => done.length >= 3);
  await sleep(300);
  expect(done.toSorted()).toEqual([1, 2, 3]);
});

test('a retry in a transaction that fails does not happen', async () => {
  await failed([1]);
  await expect(
    write(async (tx) => {
      await jobs.retryFailed(tx, { job: null }, 10);
      throw new Error('thought better of it');
    }),
  ).rejects.toThrow('thought better');
  expect(await list()).toHaveLength(1);
});

test('if a job with the same key is already waiting, a retried job is not run twice', async () => {
  await write((tx) => jobs.enqueue(tx, flaky, { id: 1 }, { singletonKey: 'the one' }));
  await until(async () => (await list()).length === 1);
  await write((tx) => jobs.enqueue(tx, flaky, { id: 1 }, { singletonKey: 'the one', startAfterSeconds: 1 }));
  fails = false;
  expect(await write((tx) => jobs.retryFailed(tx, { job: 'flaky' }, 10))).toHaveLength(1);
  expect(await list()).toEqual([]);
  await until(() => done.length > 0);
  await sleep(300);
  expect(done).toEqual([1]);
});

test('a job that its module has settled can be discarded, but not retried', async () => {
  await failed([1], settled);
  expect(await write((tx) => jobs.retryFailed(tx, { job: null }, 10))).toEqual([]);
  expect(await list()).toHaveLength(1);
  expect(await write((tx) => jobs.discardFailed(tx, { job: null }, 10))).toMatchObject([{ job: 'settled' }]);
  expect(await list()).toEqual([]);
  expect(await write((tx) => jobs.discardFailed(tx, { job: null }, 10))).toEqual([]);
});

test('a limited number is retried at a time, the oldest first', async () => {
  await failed([1]);
  await failed([2]);
  await failed([3]);
  await write((tx) => jobs.discardFailed(tx, { job: 'flaky' }, 2));
  expect((await list()).map(({ payload: kept }) => kept)).toEqual([{ id: 3 }]);
});
