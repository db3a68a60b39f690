import { readFileSync } from 'node:fs';
import { appendFile, readFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import type { Database, Reader } from '#src/platform/db/db.ts';
import { embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres, readPostmaster } from '#src/platform/db/embedded-postgres.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { startThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';
import type { ThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

const UNAVAILABLE = { code: 'unavailable', details: { retryAfterSeconds: 1 } };
/** Three seconds, and what a busy machine adds. */
const THREE_SECONDS_MS = 3_000 + 5_000;

let server: ThrowawayPostgres;
const opened: Database[] = [];
const rejections: unknown[] = [];
const noteRejection = (reason: unknown): void => void rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', noteRejection);
  server = await startThrowawayPostgres();
  await migrate(server.ownerUrl);
});
afterAll(async () => {
  await server?.stop();
  process.off('unhandledRejection', noteRejection);
  if (rejections.length > 0) throw new AggregateError(rejections, 'unhandled rejections');
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

async function open(
  options: { maxConnections?: number; statementTimeoutMs?: number; reportsSilence?: boolean } = {},
): Promise<Database> {
  const database = await openDatabase({ url: server.appUrl, applicationName: 'faults', ...options });
  opened.push(database);
  return database;
}

const count = (db: Reader) =>
  db.selectFrom('organizations').select(db.fn.countAll<number>().as('rows')).executeTakeFirstOrThrow();
const readCount = (database: Database) => database.read({ kind: 'public' }, count);
const killSessions = () =>
  withClient(server.superUrl, (client) =>
    client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'faults%'"),
  );

async function timed(work: Promise<unknown>): Promise<{ ms: number; error: unknown }> {
  const startedAt = performance.now();
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { ms: performance.now() - startedAt, error };
}

describe('a database session that is ended (fault F14)', () => {
  it('is replaced silently when it was idle', async () => {
    const database = await open();
    await readCount(database);
    await killSessions();
    expect(await readCount(database)).toEqual({ rows: 1 });
  });

  it.each([
    ['public', { kind: 'public' } as const],
    ['a tenant', { kind: 'tenants', organizationIds: [1] } as const],
  ])('makes a read of %s retry', async (_whose, scope) => {
    const database = await open();
    let asked = 0;
    const answer = await database.read(scope, async (db) => {
      asked += 1;
      if (asked === 1) await Promise.all([sql`select pg_sleep(5)`.execute(db), sleep(50).then(killSessions)]);
      return count(db);
    });
    expect(answer).toEqual({ rows: 1 });
    expect(asked).toBe(2);
  });

  it('never repeats a write: it says that the database does not answer', async () => {
    const database = await open();
    let asked = 0;
    const write = database.write({ kind: 'system', why: 'test' }, async (tx) => {
      asked += 1;
      await Promise.all([sql`select pg_sleep(5)`.execute(tx), sleep(50).then(killSessions)]);
    });
    await expect(write).rejects.toMatchObject(UNAVAILABLE);
    expect(asked).toBe(1);
    expect(await readCount(database)).toEqual({ rows: 1 });
  });

  it('fails fewer than 5 % of reads when it happens five times a second', async () => {
    const database = await open();
    let good = 0;
    let bad = 0;
    const end = Date.now() + 2000;
    // A slow machine takes longer for as many.
    const goesOn = () => Date.now() < end || good + bad < 200;
    const load = Array.from({ length: 8 }, async () => {
      while (goesOn()) {
        await readCount(database).then(
          () => (good += 1),
          () => (bad += 1),
        );
      }
    });
    while (goesOn()) {
      await killSessions();
      await sleep(200);
    }
    await Promise.all(load);
    expect(bad / (good + bad)).toBeLessThan(0.05);
  });

  it('resumes listening', async () => {
    const database = await open();
    const heard: string[] = [];
    await database.listen('faults', (payload) => heard.push(payload));
    await killSessions();
    await expect
      .poll(
        async () => {
          await database.notify('faults', 'still there?').catch(() => undefined);
          return heard.length;
        },
        { interval: 100 },
      )
      .toBeGreaterThan(0);
  });
});

describe('a pool without a free session (fault F16)', () => {
  it('refuses after two seconds and works again when there is capacity', async () => {
    const database = await open({ maxConnections: 2 });
    let isSlowOver = false;
    const slow = Promise.all(
      Array.from({ length: 2 }, () => database.read({ kind: 'public' }, (db) => sql`select pg_sleep(5)`.execute(db))),
    ).finally(() => (isSlowOver = true));
    const { ms, error } = await timed(readCount(database));
    expect(error).toMatchObject(UNAVAILABLE);
    expect(ms).toBeGreaterThan(1900);
    expect(isSlowOver).toBe(false);
    await slow;
    expect(await readCount(database)).toEqual({ rows: 1 });
  });

  it('ends a statement that runs too long', async () => {
    const database = await open({ statementTimeoutMs: 300 });
    const { ms, error } = await timed(database.read({ kind: 'public' }, (db) => sql`select pg_sleep(30)`.execute(db)));
    expect(error).toMatchObject(UNAVAILABLE);
    expect(ms).toBeLessThan(15_000);
  });
});

describe('a database that is down (fault F13)', () => {
  it('gets 503 immediately, and works again as soon as it is back, without a restart', async () => {
    const database = await open();
    await readCount(database);
    const port = (await readPostmaster(embeddedPaths(server.dataDir).clusterDir))?.port ?? 0;
    await stopEmbeddedPostgres(server.dataDir);
    try {
      const attempts = [readCount(database), database.check(), database.write({ kind: 'system', why: 'test' }, count)];
      for (const { ms, error } of await Promise.all(attempts.map(timed))) {
        expect(error).toMatchObject(UNAVAILABLE);
        expect(ms).toBeLessThan(THREE_SECONDS_MS);
      }
    } finally {
      await startEmbeddedPostgres({ dataDir: server.dataDir, preferredPort: port, unsafe: true });
    }
    await expect.poll(() => readCount(database).catch(() => null)).toEqual({ rows: 1 });
  });
});

it('the end of a large log of the database is kept when it starts, because it may say why the last one ended', async () => {
  const { logFile, clusterDir } = embeddedPaths(server.dataDir);
  const port = (await readPostmaster(clusterDir))?.port ?? 0;
  await stopEmbeddedPostgres(server.dataDir);
  await truncate(logFile, 10_000_001);
  await appendFile(logFile, 'why it ended');
  await startEmbeddedPostgres({ dataDir: server.dataDir, preferredPort: port, unsafe: true });
  const kept = await readFile(`${logFile}.old`);
  expect(kept).toHaveLength(10_000_000);
  expect(kept.toString('utf8', kept.length - 13)).toBe('\0why it ended');
  expect((await stat(logFile)).size).toBeLessThan(10_000);
});

describe('a database that hangs (fault F15)', () => {
  function serverProcesses(postmaster: number): number[] {
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim();
    return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
  }

  it('is reported to users within three seconds by the usual time limits, and nothing is written afterwards', async () => {
    const database = await open({ reportsSilence: true });
    await Promise.all([readCount(database), readCount(database)]);
    const postmaster = (await readPostmaster(embeddedPaths(server.dataDir).clusterDir))?.pid ?? 0;
    const frozen = serverProcesses(postmaster);
    const hangs = Promise.withResolvers<void>();
    const write = database.write({ kind: 'system', why: 'test' }, async (tx) => {
      await count(tx);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      hangs.resolve();
      await tx.insertInto('audit_log').values({ action: 'silent', object_type: 'test', object_id: '1' }).execute();
    });
    try {
      await hangs.promise;
      const asked = [write, readCount(database), database.check(), readCount(database)].map((one) => timed(one));
      for (const { ms, error } of await Promise.all(asked)) {
        expect(error).toMatchObject(UNAVAILABLE);
        expect(ms).toBeLessThan(THREE_SECONDS_MS);
      }
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => readCount(database).catch(() => null)).toEqual({ rows: 1 });
    await sleep(500);
    const { rows } = await withClient(server.ownerUrl, (client) =>
      client.query("select from audit_log where action = 'silent'"),
    );
    expect(rows).toHaveLength(0);
  });

  it('is not confused with one that runs a slow statement', async () => {
    const database = await open({ reportsSilence: true });
    const { ms, error } = await timed(database.read({ kind: 'public' }, (db) => sql`select pg_sleep(4)`.execute(db)));
    expect(error).toBeNull();
    expect(ms).toBeGreaterThan(3900);
  });

  it('refuses within three seconds, then immediately, and never stops the process itself', async () => {
    const database = await open({ statementTimeoutMs: 500 });
    await Promise.all([readCount(database), readCount(database)]);
    const postmaster = (await readPostmaster(embeddedPaths(server.dataDir).clusterDir))?.pid ?? 0;
    const frozen = serverProcesses(postmaster);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    let longestPauseMs = 0;
    let lastBeat = performance.now();
    const heart = setInterval(() => {
      longestPauseMs = Math.max(longestPauseMs, performance.now() - lastBeat);
      lastBeat = performance.now();
    }, 10);
    try {
      // The idle sessions hang in their statement, new ones in their connection.
      const first = await Promise.all(Array.from({ length: 6 }, () => timed(readCount(database))));
      for (const { ms, error } of first) {
        expect(error).toMatchObject(UNAVAILABLE);
        expect(ms).toBeLessThan(THREE_SECONDS_MS);
      }
      const { ms, error } = await timed(readCount(database));
      expect(error).toMatchObject(UNAVAILABLE);
      // It asks the database no more, as the first ones did.
      expect(ms).toBeLessThan(Math.min(...first.map((one) => one.ms)) / 2);
    } finally {
      clearInterval(heart);
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
    }
    // On a busy machine a heartbeat may be late for a moment; a blocked process has none for seconds.
    expect(longestPauseMs).toBeLessThan(1_500);
    await expect.poll(() => readCount(database).catch(() => null)).toEqual({ rows: 1 });
  });
});

describe('a standby', () => {
  const set = (text: string) =>
    withClient(server.superUrl, async (client) => {
      await client.query(text);
      await client.query('select pg_reload_conf()');
    });
  const note = (database: Database, action: string) =>
    database.write({ kind: 'system', why: 'test' }, async (tx) => {
      await tx.insertInto('audit_log').values({ action, object_type: 'test', object_id: '1' }).execute();
    });

  it('that is mistaken for the primary refuses writes as unavailable, and the next write uses another session', async () => {
    const database = await open({ maxConnections: 1 });
    await set('alter system set default_transaction_read_only = on');
    try {
      await expect.poll(() => timed(note(database, 'standby'))).toMatchObject({ error: UNAVAILABLE });
      const sessions = () =>
        withClient(server.superUrl, async (client) => {
          const { rows } = await client.query<{ pid: number }>(
            "select pid from pg_stat_activity where application_name = 'faults'",
          );
          return rows.map(({ pid }) => pid);
        });
      await expect.poll(sessions).toEqual([]);
      await readCount(database);
    } finally {
      await set('alter system reset default_transaction_read_only');
    }
    await expect.poll(() => timed(note(database, 'again'))).toMatchObject({ error: null });
  });
});
