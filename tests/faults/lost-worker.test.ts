/**
 * Faults F3 and F4, invariant I13: a worker that is killed in the middle of a job loses the job to another one, within
 * 30 seconds.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import { lostJob } from '#tests/faults/lost-job.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const children: ChildProcess[] = [];
const log = { warn: () => undefined, error: () => undefined };

beforeAll(() => installJobSchema(db.ownerUrl));
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a worker that hangs on its first job; returns when it has started it. */
async function stuckWorker(): Promise<ChildProcess> {
  const script = path.join(import.meta.dirname, 'stuck-worker.ts');
  const child = spawn(process.execPath, [script, db.appUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function openOwn(works: boolean) {
  return openJobs({ url: db.appUrl, applicationName: 'second worker', definitions: [lostJob], works, log });
}

async function enqueue(id: number): Promise<void> {
  const web = await openOwn(false);
  await db.database.write({ kind: 'system', why: 'test' }, (tx) => web.enqueue(tx, lostJob, { id }));
  await web.close();
}

test('the job of a killed worker is done by another within 30 seconds', async () => {
  await enqueue(1);
  await killed(await stuckWorker());
  const start = Date.now();
  const seen: unknown[] = [];
  const other = await openOwn(true);
  await other.work(
    lostJob,
    { concurrency: 1 },
    async ({ id }, { attempt, lastAttempt }) => void seen.push({ id, attempt, lastAttempt }),
  );
  await vi.waitUntil(() => seen.length > 0, 30_000);
  expect(Date.now() - start).toBeLessThan(30_000);
  expect(seen).toEqual([{ id: 1, attempt: 2, lastAttempt: true }]);
  await other.close();
});

test('a job that kills each of its workers is given up, and its module is notified', async () => {
  await enqueue(2);
  await killed(await stuckWorker());
  await killed(await stuckWorker());
  const seen: number[] = [];
  const dead: number[] = [];
  const other = await openOwn(true);
  await other.work(
    lostJob,
    { concurrency: 1, onDead: async ({ id }) => void dead.push(id) },
    async ({ id }) => void seen.push(id),
  );
  await vi.waitUntil(() => dead.length > 0, 30_000);
  expect({ seen, dead }).toEqual({ seen: [], dead: [2] });
  await other.close();
});
