import { describe, expect, test } from 'vitest';
import { isProblem } from '#src/shared/problem.ts';
import { createMemoryLimits, type MemoryLimits } from './memory-limits.ts';

function atTime() {
  const clock = { ms: 0 };
  return { clock, now: () => clock.ms };
}

function refusalOf(
  limits: MemoryLimits,
  limit: Parameters<MemoryLimits['take']>[0],
): { words: string; seconds: number | undefined } | null {
  try {
    limits.take(limit);
    return null;
  } catch (error) {
    if (!isProblem(error) || error.code !== 'too_many') throw error;
    return { words: error.message, seconds: error.details.retryAfterSeconds };
  }
}

const pictures = { bucket: 'img:1', limit: 1000, windowSeconds: 60 };

describe('limits in memory', () => {
  test('allow the whole limit in one burst and refuse the next with the time to wait', () => {
    const limits = createMemoryLimits({ factor: 1, ...atTime() });
    for (let taken = 0; taken < 1000; taken++) limits.take(pictures);
    expect(refusalOf(limits, pictures)).toEqual({ words: 'Too many attempts. Try again in 2 seconds.', seconds: 2 });
    expect(refusalOf(limits, { ...pictures, cost: 100 })).toEqual({
      words: 'Too many attempts. Try again in 6 seconds.',
      seconds: 6,
    });
    expect(refusalOf(limits, { ...pictures, bucket: 'img:2' })).toBeNull();
  });

  test('refill evenly and never above the limit', () => {
    const { clock, now } = atTime();
    const limits = createMemoryLimits({ factor: 1, now });
    limits.take({ ...pictures, cost: 1000 });
    clock.ms = 30_000;
    expect(refusalOf(limits, { ...pictures, cost: 501 })).not.toBeNull();
    expect(refusalOf(limits, { ...pictures, cost: 500 })).toBeNull();
    clock.ms = 10 * 60_000;
    expect(refusalOf(limits, { ...pictures, cost: 1001 })).not.toBeNull();
    expect(refusalOf(limits, { ...pictures, cost: 1000 })).toBeNull();
  });

  test.each([
    { factor: 10, passes: 10_000 },
    { factor: 0.5, passes: 500 },
    { factor: 0.0001, passes: 1 },
  ])('times $factor allow $passes', ({ factor, passes }) => {
    const limits = createMemoryLimits({ factor, ...atTime() });
    expect(refusalOf(limits, { ...pictures, cost: passes })).toBeNull();
    expect(refusalOf(limits, pictures)).not.toBeNull();
  });

  test('drop full buckets, and the least recently used one when there are too many', () => {
    const { clock, now } = atTime();
    const limits = createMemoryLimits({ factor: 1, now, maxBuckets: 3 });
    const one = (bucket: string) => ({ bucket, limit: 1, windowSeconds: 3600 });
    for (const name of ['a', 'b', 'c', 'd']) limits.take(one(name));
    expect(limits.size()).toBe(3);
    expect(refusalOf(limits, one('b'))).not.toBeNull();
    expect(refusalOf(limits, one('a'))).toBeNull();
    clock.ms = 2 * 3_600_000;
    limits.take(one('e'));
    expect(limits.size()).toBe(1);
  });
});
