import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { measureDelay } from '#src/platform/processes/loop-delay.ts';

let isWatched: boolean;
let turns: number[];
let delay: ReturnType<typeof measureDelay>;
/** Time in which the event loop was blocked: no timer fires meanwhile. */
let blockedMs: number;

beforeEach(() => {
  vi.useFakeTimers();
  [isWatched, turns, blockedMs] = [false, [], 0];
  delay = measureDelay({
    now: () => Date.now() + blockedMs,
    onTurn: (ms) => {
      turns.push(ms);
      return isWatched;
    },
  });
});
afterEach(() => void vi.useRealTimers());

test('a process at rest has no timer, from half a second after its work on', () => {
  expect(vi.getTimerCount()).toBe(0);
  delay.count(1);
  delay.count(1);
  delay.count(-1);
  vi.advanceTimersByTime(60_000);
  expect([vi.getTimerCount(), delay.delays.count]).toEqual([1, 600]);
  delay.count(-1);
  vi.advanceTimersByTime(500);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
  expect(delay.delays.percentile(99)).toBeLessThan(1e6);
});

test('what blocks the event loop is measured, and a time at rest is not', () => {
  delay.count(1);
  delay.count(-1);
  blockedMs += 2_000;
  vi.advanceTimersByTime(600);
  expect(turns).toEqual([2_100, 100, 100, 100, 100, 100]);
  expect(delay.delays.max / 1e9).toBeCloseTo(2, 1);
  blockedMs += 3_600_000;
  delay.count(1);
  vi.advanceTimersByTime(100);
  expect(turns.at(-1)).toBe(100);
});

test('it is measured on while someone watches', () => {
  isWatched = true;
  delay.count(1);
  delay.count(-1);
  vi.advanceTimersByTime(5_000);
  expect(vi.getTimerCount()).toBe(1);
  isWatched = false;
  vi.advanceTimersByTime(600);
  expect(vi.getTimerCount()).toBe(0);
});
