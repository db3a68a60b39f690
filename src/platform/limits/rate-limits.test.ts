import { beforeAll, describe, expect, test } from 'vitest';
import { isProblem } from '#src/shared/problem.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { createRateLimits, type Limits } from './rate-limits.ts';

const db = useTestDatabase();
let limits: Limits;
beforeAll(() => {
  limits = createRateLimits({ database: db.database, factor: 1 });
});

/** Seconds to wait, or null if it was allowed. */
async function waitOf(take: Promise<void>): Promise<number | null> {
  try {
    await take;
    return null;
  } catch (error) {
    if (!isProblem(error) || error.code !== 'too_many') throw error;
    expect(error.message).toBe(`Too many attempts. Try again in ${error.details.retryAfterSeconds} seconds.`);
    return error.details.retryAfterSeconds ?? 0;
  }
}

describe('limits in the database', () => {
  test('allow exactly 10 of 50 parallel calls, and tell the others when to retry', async () => {
    const rule = { bucket: 'parallel', limit: 10, windowSeconds: 3600 };
    const waits = await Promise.all(Array.from({ length: 50 }, () => waitOf(limits.take(rule))));
    expect(waits.filter((wait) => wait === null)).toHaveLength(10);
    for (const wait of waits) if (wait !== null) expect(wait).toBeGreaterThan(60);
    expect(await waitOf(limits.take({ ...rule, bucket: 'another' }))).toBeNull();
  });

  test('count across processes', async () => {
    const other = createRateLimits({ database: db.database, factor: 1 });
    const rule = { bucket: 'shared', limit: 2, windowSeconds: 3600 };
    await limits.take(rule);
    await other.take(rule);
    expect(await waitOf(limits.take(rule))).not.toBeNull();
  });

  test('take several together or none of them', async () => {
    const rule = { bucket: 'cost', limit: 10, windowSeconds: 3600 };
    await limits.take({ ...rule, cost: 7 });
    expect(await waitOf(limits.take({ ...rule, cost: 4 }))).not.toBeNull();
    expect(await waitOf(limits.take({ ...rule, cost: 3 }))).toBeNull();
    expect(await waitOf(limits.take({ ...rule, bucket: 'cost of a stranger', cost: 11 }))).toBe(3600);
  });

  test('take one from each of many that has one left, once where it is named twice, and count the last window', async () => {
    const rule = { limit: 2, windowSeconds: 86_400 };
    await limits.take({ ...rule, bucket: 'each-full', cost: 2 });
    await limits.take({ ...rule, bucket: 'each-faded', cost: 2 });
    await db.ownerQuery(
      "update rate_counters set window_start = window_start - interval '1 day', hits = 1000000000 where bucket = 'each-faded'",
    );
    const names = ['each-full', 'each-free', 'each-free', 'each-faded'];
    expect([...(await limits.takeEach(names, rule))]).toEqual(['each-free']);
    // The last window counts, too.
    await db.ownerQuery(
      `insert into rate_counters (bucket, window_start, hits)
       select bucket, window_start + interval '1 day', 1 from rate_counters where bucket = 'each-faded'`,
    );
    expect([...(await limits.takeEach(names, rule))]).toEqual(['each-free']);
    expect([...(await limits.takeEach(names, rule))]).toEqual([]);
  });

  test('count the last window as it fades', async () => {
    const rule = { bucket: 'fading', limit: 10, windowSeconds: 86_400 };
    await limits.take({ ...rule, cost: 10 });
    await db.ownerQuery(
      "update rate_counters set window_start = window_start - interval '1 day' where bucket = 'fading'",
    );
    const [clock] = await db.ownerQuery<{ part: number }>(
      'select (extract(epoch from now())::numeric / 86400 % 1)::float8 as part',
    );
    const free = Math.floor(10 * (clock?.part ?? 0));
    const passed = [];
    for (let taken = 0; taken < 10; taken++) passed.push(await waitOf(limits.take(rule)));
    const through = passed.filter((wait) => wait === null).length;
    expect(through).toBeGreaterThanOrEqual(free);
    expect(through).toBeLessThanOrEqual(free + 1);
  });

  test('return and reset counts', async () => {
    const rule = { bucket: 'back', limit: 1, windowSeconds: 3600 };
    await limits.take(rule);
    await limits.refund(rule);
    await limits.take(rule);
    await limits.clear('back');
    await limits.take(rule);
    expect(await waitOf(limits.take(rule))).not.toBeNull();
    await limits.refund({ ...rule, cost: 99 });
    expect(await waitOf(limits.take(rule))).toBeNull();
    expect(await waitOf(limits.take(rule))).not.toBeNull();
  });

  test.each([
    [3, 6],
    [0.5, 1],
    [0.01, 1],
  ])('times %d of 2 allow %i', async (factor, passes) => {
    const scaled = createRateLimits({ database: db.database, factor });
    const rule = { bucket: `factor ${factor}`, limit: 2, windowSeconds: 3600 };
    for (let taken = 0; taken < passes; taken++) await scaled.take(rule);
    expect(await waitOf(scaled.take(rule))).not.toBeNull();
  });

  test('are deleted when nothing uses them any more', async () => {
    await limits.take({ bucket: 'old', limit: 1, windowSeconds: 60 });
    await limits.take({ bucket: 'new', limit: 1, windowSeconds: 60 });
    await db.ownerQuery("update rate_counters set window_start = now() - interval '4 days' where bucket = 'old'");
    expect(await limits.sweep()).toBe(1);
    const left = await db.ownerQuery("select bucket from rate_counters where bucket in ('old', 'new')");
    expect(left).toEqual([{ bucket: 'new' }]);
  });
});
