import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secondsUntilFree, type WindowCounts, type WindowLimit } from './sliding-window.ts';

const tenPerMinute = { limit: 10, windowSeconds: 60, cost: 1 };

describe('a sliding window', () => {
  test.each([
    { previous: 10, current: 0, elapsedSeconds: 0, wait: 6 },
    { previous: 10, current: 5, elapsedSeconds: 30, wait: 6 },
    { previous: 0, current: 10, elapsedSeconds: 50, wait: 16 },
    { previous: 0, current: 20, elapsedSeconds: 50, wait: 43 },
    { previous: 10, current: 0, elapsedSeconds: 5.9, wait: 1 },
  ])('with $previous before and $current now after $elapsedSeconds s frees up in $wait s', ({ wait, ...counts }) => {
    expect(secondsUntilFree(counts, tenPerMinute)).toBe(wait);
  });

  test('never frees up for more than the whole limit', () => {
    expect(
      secondsUntilFree({ previous: 0, current: 0, elapsedSeconds: 0 }, { limit: 5, windowSeconds: 60, cost: 6 }),
    ).toBe(60);
  });

  test('is free after the promised wait, and not a second before that', () => {
    const counts = fc.record({
      previous: fc.nat(50),
      current: fc.nat(50),
      elapsedSeconds: fc.double({ min: 0, max: 59.9, noNaN: true }),
    });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 20 }), (before, limit) => {
        const rule = { limit, windowSeconds: 60, cost: 1 };
        fc.pre(!mayTake(before, rule));
        const wait = secondsUntilFree(before, rule);
        expect(mayTake(later(before, wait + 1e-6), rule)).toBe(true);
        if (wait > 1) expect(mayTake(later(before, wait - 1 - 1e-6), rule)).toBe(false);
      }),
    );
  });
});

/** The rule as the database applies it. */
function mayTake(counts: WindowCounts, { limit, windowSeconds, cost }: WindowLimit): boolean {
  return counts.current + counts.previous * (1 - counts.elapsedSeconds / windowSeconds) + cost <= limit;
}

function later(counts: { previous: number; current: number; elapsedSeconds: number }, seconds: number): WindowCounts {
  const elapsed = counts.elapsedSeconds + seconds;
  if (elapsed < 60) return { ...counts, elapsedSeconds: elapsed };
  if (elapsed < 120) return { previous: counts.current, current: 0, elapsedSeconds: elapsed - 60 };
  return { previous: 0, current: 0, elapsedSeconds: elapsed - 120 };
}
