import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const log = { warn: () => undefined, error: () => undefined };

test('what else is watched is woken whenever there is something, and not once the queue is closed', async () => {
  await installJobSchema(db.ownerUrl);
  const jobs = await openJobs({
    url: db.appUrl,
    role: db.appRole,
    applicationName: 'test watch',
    definitions: [],
    works: true,
    log,
  });
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const woken = { always: 0, never: 0 };
  jobs.watch('select 1', () => (woken.always += 1));
  jobs.watch('select 1 where false', () => (woken.never += 1));
  await vi.waitFor(() => expect(woken.always).toBe(2), { timeout: 20_000 });
  // The question is soon prepared: parsing and planning it each second costs ten times as much as its answer.
  const isPrepared = ([first]: unknown[]) =>
    typeof first === 'object' &&
    first !== null &&
    'name' in first &&
    `${(first as pg.QueryConfig).text}`.startsWith('select asked.name');
  await vi.waitFor(() => expect(asked.mock.calls.some(isPrepared)).toBe(true), { timeout: 30_000 });
  asked.mockRestore();
  await jobs.close();
  const { always } = woken;
  await sleep(1_500);
  expect(woken).toEqual({ always, never: 0 });
});
