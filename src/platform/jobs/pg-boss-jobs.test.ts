import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Writer } from '#src/platform/db/db.ts';
import { createLog } from '#src/platform/log.ts';
import { currentWork, within } from '#src/platform/telemetry/work.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { installJobSchema } from './job-schema.ts';
import type { JobDefinition, Jobs } from './jobs.ts';
import { errorOf, openJobs, type JobObservation } from './pg-boss-jobs.ts';

const db = useTestDatabase();
const payload = z.strictObject({ id: z.number() });

function define(name: string, changes: Partial<JobDefinition<{ id: number }>> = {}): JobDefinition<{ id: number }> {
  return {
    name,
    parse: (data) => payload.parse(data),
    retryLimit: 2,
    retryDelaySeconds: 0,
    expireInSeconds: 60,
    ...changes,
  };
}
const jobOf = {
  commit: define('commit'),
  quick: define('quick'),
  known: define('known'),
  single: define('single'),
  many: define('many'),
  failing: define('failing', { retryLimit: 1 }),
  unreadable: define('unreadable', { retryLimit: 0 }),
  later: define('later'),
  together: define('together'),
  slow: define('slow'),
  followed: define('followed'),
  following: define('following'),
  unhandled: define('unhandled'),
};
const definitions = Object.values(jobOf);

const silent = { warn: () => undefined, error: () => undefined };
const logged: string[] = [];
const log = createLog({
  level: 'error',
  name: 'worker',
  pretty: false,
  destination: { write: (line: string) => void logged.push(line) },
});
const observed: JobObservation[] = [];
let web: Jobs;
let worker: Jobs;

beforeAll(async () => {
  await installJobSchema(db.ownerUrl);
  const shared = { url: db.appUrl, role: db.appRole, definitions, log: silent };
  worker = await openJobs({
    ...shared,
    log,
    applicationName: 'test worker',
    works: true,
    observe: (observation) => observed.push(observation),
  });
  web = await openJobs({ ...shared, applicationName: 'test web', works: false });
});
afterAll(async () => {
  await Promise.all([web?.close(), worker?.close()]);
});

const inTransaction = <T>(work: (tx: Writer) => Promise<T>) => db.database.write({ kind: 'system', why: 'test' }, work);
const until = (what: () => boolean | Promise<boolean>) => vi.waitUntil(what, { timeout: 50_000, interval: 5 });
const waiting = (name: string) =>
  db.ownerQuery<{ state: string; data: unknown }>('select state::text, data from pgboss.job where name = $1', [name]);

describe('a job', () => {
  test('exists exactly when its transaction commits', async () => {
    const seen: number[] = [];
    await worker.work(jobOf.commit, { concurrency: 1 }, async ({ id }) => void seen.push(id));
    await expect(
      inTransaction(async (tx) => {
        await web.enqueue(tx, jobOf.commit, { id: 1 });
        await web.enqueueMany(tx, jobOf.commit, [{ id: 2 }, { id: 3 }]);
        throw new Error('thought better of it');
      }),
    ).rejects.toThrow('thought better');
    await inTransaction(async (tx) => {
      await web.enqueue(tx, jobOf.commit, { id: 4 });
      await sleep(200);
      expect(seen).toEqual([]);
    });
    await until(() => seen.length > 0);
    await sleep(100);
    expect(seen).toEqual([4]);
  });

  test('starts immediately, not at the next poll', async () => {
    const took: number[] = [];
    let heard = (): void => undefined;
    await worker.work(jobOf.quick, { concurrency: 2 }, async () => heard());
    for (let id = 0; id < 7; id++) {
      await sleep(60);
      const done = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const start = performance.now();
      await inTransaction((tx) => web.enqueue(tx, jobOf.quick, { id }));
      await done;
      took.push(performance.now() - start);
    }
    // The poll that ended the one before is 60 ms ago; the next one comes a second after it. One of them has a busy
    // machine to itself.
    expect(Math.min(...took)).toBeLessThan(600);
  });

  test('is fetched and completed by statements that its session has prepared, once there are several', async () => {
    using asked = vi.spyOn(pg.Client.prototype, 'query');
    await worker.work(jobOf.known, { concurrency: 1 }, async () => undefined);
    // On a busy machine more sessions share the jobs.
    const isOver = () => asked.mock.calls.some(([first]: unknown[]) => first === 'discard plans');
    for (let id = 0; id < 15 || (id < 150 && !isOver()); id++) {
      await inTransaction((tx) => web.enqueue(tx, jobOf.known, { id }));
      await until(async () => (await waiting('known')).every(({ state }) => state === 'completed'));
    }
    const calls = asked.mock.calls.map(([first]) => first as string | { name?: string; text?: string });
    const namesWith = (part: string) => {
      const those = calls.map((first) => (typeof first === 'string' ? { text: first, name: undefined } : first));
      return those.flatMap(({ name, text }) => (text?.includes(part) ? [name] : []));
    };
    const [fetched, completed] = [namesWith("name = 'known'"), namesWith('SET completed_on')];
    expect(fetched[0]).toBeUndefined();
    expect(calls).toContain('discard plans');
    for (const names of [fetched, completed])
      expect([...new Set(names.filter((name) => name !== undefined))]).toEqual([expect.stringMatching(/^prepared_/)]);
  });

  test('waits once per key', async () => {
    const enqueue = (singletonKey: string) =>
      inTransaction((tx) => web.enqueue(tx, jobOf.single, { id: 1 }, { singletonKey }));
    await Promise.all([enqueue('a'), enqueue('a'), enqueue('a'), enqueue('b')]);
    expect(await waiting('single')).toHaveLength(2);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let runs = 0;
    await worker.work(jobOf.single, { concurrency: 2 }, async () => {
      runs++;
      await held;
    });
    await until(() => runs === 2);
    await enqueue('a');
    await enqueue('a');
    expect((await waiting('single')).map((job) => job.state).toSorted()).toEqual(['active', 'active', 'created']);
    release();
    await until(() => runs === 3);
  });

  test('is one of 300 that are enqueued in one statement and run without pauses', async () => {
    const done = new Set<number>();
    let atOnce = 0;
    let most = 0;
    await inTransaction((tx) =>
      web.enqueueMany(
        tx,
        jobOf.many,
        Array.from({ length: 300 }, (_, id) => ({ id })),
      ),
    );
    await worker.work(jobOf.many, { concurrency: 2 }, async ({ id }) => {
      most = Math.max(most, ++atOnce);
      await sleep(1);
      done.add(id);
      atOnce--;
    });
    // With a pause of a second after each they would take two and a half minutes.
    await until(() => done.size === 300);
    expect(most).toBe(2);
  });

  test('that fails is retried, knows its last attempt, and is logged and notifies its module when it is given up', async () => {
    const attempts: { attempt: number; lastAttempt: boolean }[] = [];
    const dead: number[] = [];
    const options = { concurrency: 1, onDead: async ({ id }: { id: number }) => void dead.push(id) };
    await worker.work(jobOf.failing, options, async (_payload, { attempt, lastAttempt }) => {
      attempts.push({ attempt, lastAttempt });
      throw new Error('always');
    });
    await inTransaction((tx) => web.enqueue(tx, jobOf.failing, { id: 7 }));
    await until(() => dead.length > 0);
    expect(attempts).toEqual([
      { attempt: 1, lastAttempt: false },
      { attempt: 2, lastAttempt: true },
    ]);
    expect(dead).toEqual([7]);
    expect(logged.map((line) => JSON.parse(line)).find(({ job }) => job === 'failing')).toMatchObject({
      msg: 'a job is given up',
      cause: { message: 'always' },
    });
    expect(observed.filter(({ job }) => job === 'failing').map(({ outcome }) => outcome)).toEqual([
      'failed',
      'failed',
      'dead',
    ]);
  });

  test('with an invalid payload never reaches its handler', async () => {
    let reached = 0;
    await worker.work(
      jobOf.unreadable,
      { concurrency: 1, onDead: async () => void reached++ },
      async () => void reached++,
    );
    await inTransaction((tx) =>
      web.enqueue(tx, { ...jobOf.unreadable, parse: () => ({ id: 0 }) }, { id: 'x' } as never),
    );
    await until(() => observed.some(({ job, outcome }) => job === 'unreadable' && outcome === 'dead'));
    expect(reached).toBe(0);
    await inTransaction(async (tx) => expect(web.enqueue(tx, jobOf.unreadable, 5 as never)).rejects.toThrow('object'));
  });

  test('may be delayed', async () => {
    const started: number[] = [];
    await worker.work(jobOf.later, { concurrency: 1 }, async () => void started.push(Date.now()));
    const asked = Date.now();
    await inTransaction((tx) => web.enqueue(tx, jobOf.later, { id: 1 }, { startAfterSeconds: 2 }));
    await until(() => started.length === 1);
    expect((started[0] ?? 0) - asked).toBeGreaterThanOrEqual(1900);
  });

  test('that was delayed starts together with another, if there are two workers', async () => {
    let running = 0;
    await worker.work(jobOf.together, { concurrency: 2 }, async () => {
      running++;
      await until(() => running === 2);
    });
    const enqueue = (id: number) =>
      inTransaction((tx) => web.enqueue(tx, jobOf.together, { id }, { startAfterSeconds: 1 }));
    await Promise.all([enqueue(1), enqueue(2)]);
    await until(() => running === 2);
  });

  test('that is running is finished before the queue closes, and later ones stay', async () => {
    const own = await openJobs({
      url: db.appUrl,
      applicationName: 'test closing',
      definitions,
      works: true,
      log: silent,
    });
    const seen: string[] = [];
    const held = Promise.withResolvers<void>();
    await own.work(jobOf.slow, { concurrency: 1 }, async ({ id }) => {
      seen.push(`begun ${id}`);
      await held.promise;
      seen.push(`done ${id}`);
    });
    await inTransaction((tx) => web.enqueueMany(tx, jobOf.slow, [{ id: 1 }, { id: 2 }]));
    await until(() => seen.length === 1);
    const closing = own.close();
    await sleep(300);
    held.resolve();
    await closing;
    expect(seen).toEqual(['begun 1', 'done 1']);
    expect((await waiting('slow')).map((job) => job.state).toSorted()).toEqual(['completed', 'created']);
  });
});

describe('the id of a request', () => {
  const ofRequest = (name: string) => ({ requestId: 'of-request', name, span: null });

  test('follows the jobs that it queues, and theirs, but not a job that queues its own kind', async () => {
    const heard: [string, string][] = [];
    const note = (job: string) => heard.push([job, currentWork()?.requestId ?? 'none']);
    await worker.work(jobOf.followed, { concurrency: 1 }, async () => {
      note('followed');
      await inTransaction((tx) => web.enqueue(tx, jobOf.following, { id: 1 }));
    });
    await worker.work(jobOf.following, { concurrency: 1 }, async () => void note('following'));
    await within(ofRequest('/api/v1/orders'), () =>
      inTransaction(async (tx) => {
        await web.enqueue(tx, jobOf.followed, { id: 1 });
        await web.enqueueMany(tx, jobOf.following, [{ id: 2 }]);
      }),
    );
    await until(() => heard.length === 3);
    expect(heard.toSorted()).toEqual([
      ['followed', 'of-request'],
      ['following', 'of-request'],
      ['following', 'of-request'],
    ]);
    await within(ofRequest('following'), () => inTransaction((tx) => web.enqueue(tx, jobOf.following, { id: 3 })));
    await inTransaction((tx) => web.enqueue(tx, jobOf.following, { id: 4 }));
    await until(() => heard.length === 5);
    const own = heard.slice(3).map(([, id]) => id);
    expect(own).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(own[0]).not.toBe(own[1]);
  });
});

describe('the queue', () => {
  test('is not processed by processes that only enqueue', async () => {
    await expect(web.work(jobOf.unhandled, { concurrency: 1 }, async () => undefined)).rejects.toThrow('enqueue only');
  });

  test('applies changed settings and schedules, and deletes old schedules', async () => {
    const open = (changes: Partial<JobDefinition<{ id: number }>>) =>
      openJobs({
        url: db.appUrl,
        applicationName: 'test',
        definitions: [define('changing', changes)],
        works: true,
        log: silent,
      });
    await (await open({ schedule: '5 4 * * *', retryLimit: 3 })).close();
    expect(await db.ownerQuery('select cron, timezone from pgboss.schedule')).toEqual([
      { cron: '5 4 * * *', timezone: 'UTC' },
    ]);
    await (await open({ retryLimit: 9 })).close();
    expect(await db.ownerQuery('select cron from pgboss.schedule')).toEqual([]);
    expect(
      await db.ownerQuery(
        "select retry_limit, retry_backoff, heartbeat_seconds from pgboss.queue where name = 'changing'",
      ),
    ).toEqual([{ retry_limit: 9, retry_backoff: true, heartbeat_seconds: 10 }]);
  });

  test('deletes what waits in a queue whose scheduled job is gone, but not of a job that lost only its schedule', async () => {
    const open = (...jobs: JobDefinition<{ id: number }>[]) =>
      openJobs({
        url: db.appUrl,
        role: db.appRole,
        applicationName: 'test',
        definitions: jobs,
        works: true,
        log: silent,
      });
    const [removed, kept] = [define('removed'), define('kept')];
    const before = await open(...[removed, kept].map((job) => ({ ...job, schedule: '5 4 * * *' })));
    for (const job of [removed, kept]) await inTransaction((tx) => before.enqueue(tx, job, { id: 1 }));
    await before.close();
    await (await open(kept)).close();
    expect([await waiting('removed'), await waiting('kept')]).toMatchObject([[], [{ state: 'created' }]]);
    expect(await db.ownerQuery('select name from pgboss.schedule')).toEqual([]);
  });

  test("works as the app's role when the address logs in as a role with more rights", async () => {
    const name = 'test mighty';
    const mighty = await openJobs({
      url: db.superUrl,
      role: 'sideline_app',
      applicationName: name,
      definitions: [jobOf.unhandled],
      works: false,
      log: silent,
    });
    const [session] = await db.ownerQuery<{ count: number }>(
      'select count(*)::int from pg_stat_activity where application_name = $1',
      [name],
    );
    expect(session?.count).toBe(1);
    await inTransaction((tx) => mighty.enqueue(tx, jobOf.unhandled, { id: 0 }));
    await mighty.close();
    await expect(
      openJobs({
        url: db.superUrl,
        role: 'nobody_of_that_name',
        applicationName: name,
        definitions: [],
        works: false,
        log: silent,
      }),
    ).rejects.toThrow('nobody_of_that_name');
    await db.ownerQuery("delete from pgboss.job where name = 'unhandled'");
  });

  test('is installed by the owner, any number of times', async () => {
    await Promise.all([installJobSchema(db.ownerUrl), installJobSchema(db.ownerUrl)]);
    await inTransaction(async (tx) => {
      await web.enqueue(tx, jobOf.unhandled, { id: 1 });
    });
    expect(await waiting('unhandled')).toEqual([{ state: 'created', data: { id: 1 } }]);
  });
});

test('an error that the queue reports as a plain object is logged with its message', () => {
  const told = errorOf({
    message: 'connection refused',
    stack: 'Error: connection refused\n    at x',
    queue: 'mail.send',
  });
  expect(told).toBeInstanceOf(Error);
  expect(told).toMatchObject({
    message: 'connection refused',
    queue: 'mail.send',
    stack: expect.stringContaining('at x'),
  });
  expect(errorOf({ code: 'x' }).message).toBe('{"code":"x"}');
});
