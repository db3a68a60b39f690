import { performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { collectWhenQuiet } from '#src/platform/processes/quiet-memory.ts';

test('collects garbage once after each busy time, and not while there is work', () => {
  vi.useFakeTimers();
  let share = 0;
  const utilization = vi
    .spyOn(performance, 'eventLoopUtilization')
    .mockImplementation(() => ({ idle: 0, active: 0, utilization: share }));
  let collected = 0;
  const stop = collectWhenQuiet({ collect: () => void (collected += 1) });
  const after = (busy: number) => {
    share = busy;
    vi.advanceTimersByTime(5_000);
    return collected;
  };
  try {
    expect([0.4, 0.01, 0, 0.04, 0.6, 0.2, 0, 0].map(after)).toEqual([0, 1, 1, 1, 1, 1, 2, 2]);
    stop();
    expect([0.5, 0].map(after)).toEqual([2, 2]);
  } finally {
    utilization.mockRestore();
    vi.useRealTimers();
  }
});

test('frees what is no longer used', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const registry = new FinalizationRegistry<string>(resolve);
  registry.register({ large: Array.from({ length: 1_000 }, () => 0) }, 'freed');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 1, active: 0, utilization: 0 });
  const stop = collectWhenQuiet();
  vi.advanceTimersByTime(5_000);
  stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
  expect(await promise).toBe('freed');
});
