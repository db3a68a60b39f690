import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { listProcesses } from '#src/platform/processes/processes.sql.ts';
import { startHeartbeat, SIGN_EVERY_SECONDS } from '#src/platform/processes/sign-of-life.ts';
import { VERSION } from '#src/platform/version.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const list = () => db.database.read({ kind: 'public' }, listProcesses);
const show = (options: Partial<Parameters<typeof startHeartbeat>[0]> = {}) =>
  startHeartbeat({ database: db.database, role: 'web', name: 'web 1', ...options });

beforeEach(() => db.ownerQuery('delete from processes'));

test('a process is listed from its start until it stops', async () => {
  const life = show();
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 10_000 });
  const [one] = await list();
  expect(one).toMatchObject({
    role: 'web',
    name: 'web 1',
    pid: process.pid,
    version: VERSION,
    nodeVersion: process.version,
  });
  expect(one?.memoryBytes).toBeGreaterThan(1_000_000);
  expect(Math.abs(one?.clockAheadMs ?? Infinity)).toBeLessThan(30_000);
  await life.end();
  expect(await list()).toEqual([]);
});

test('it writes again and again, one row in all, and stops when it ends', async () => {
  const life = show({ everySeconds: 0.05 });
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 10_000 });
  const [first] = await list();
  await vi.waitFor(
    async () => expect((await list())[0]?.seenAt.getTime()).toBeGreaterThan(first?.seenAt.getTime() ?? 0),
    { timeout: 10_000 },
  );
  expect(await list()).toHaveLength(1);
  await life.end();
  await sleep(150);
  expect(await list()).toEqual([]);
});

test('once a minute, so that a quiet machine stays quiet', () => {
  expect(SIGN_EVERY_SECONDS).toBe(60);
});

test('a wrong clock is noticed, in both directions', async () => {
  for (const offMs of [600_000, -90_000]) {
    const life = show({ clock: { now: () => new Date(Date.now() + offMs) } });
    await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 10_000 });
    expect(Math.abs(((await list())[0]?.clockAheadMs ?? 0) - offMs)).toBeLessThan(30_000);
    await life.end();
  }
});

test('rows that have been silent for a day are deleted by the others', async () => {
  const [dead, alive] = [show({ name: 'web 1' }), show({ name: 'web 2' })];
  await vi.waitFor(async () => expect(await list()).toHaveLength(2), { timeout: 10_000 });
  await db.ownerQuery(`update processes set seen_at = now() - interval '25 hours' where name = 'web 1'`);
  expect((await list()).map(({ name }) => name)).toEqual(['web 2']);
  const third = show({ name: 'web 3' });
  await vi.waitFor(
    async () =>
      expect(await db.ownerQuery('select name from processes order by name')).toEqual([
        { name: 'web 2' },
        { name: 'web 3' },
      ]),
    { timeout: 10_000 },
  );
  await Promise.all([dead.end(), alive.end(), third.end()]);
});

test('an unreachable database does no harm: a heartbeat is written five seconds after it is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const read = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('away'));
    const life = show({ database: { read } });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5_100);
    expect(read).toHaveBeenCalledTimes(3);
    read.mockResolvedValue(undefined as never);
    await vi.advanceTimersByTimeAsync(5_000 + 59_000);
    expect(read).toHaveBeenCalledTimes(4);
    await life.end();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(read).toHaveBeenCalledTimes(5);
  } finally {
    vi.useRealTimers();
  }
});

test('heartbeats continue after an outage, and their end needs no database', async () => {
  let isAway = true;
  const database: Parameters<typeof startHeartbeat>[0]['database'] = {
    read: (scope, work) => (isAway ? Promise.reject(new Error('away')) : db.database.read(scope, work)),
  };
  const life = show({ database, everySeconds: 0.05 });
  await sleep(120);
  expect(await list()).toEqual([]);
  isAway = false;
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 10_000 });
  isAway = true;
  await life.end();
});
