import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { problem } from '#src/shared/problem.ts';

const full = () => problem('unavailable', 'Full.');

test('runs a limited number at a time, makes others wait, and rejects the rest', async () => {
  const limit = createConcurrencyLimit({ atOnce: 2, waiting: 3, full });
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const work = () =>
    limit.run(async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((end) => ends.push(end));
      running -= 1;
    });
  const all = Array.from({ length: 5 }, work);
  await expect(work()).rejects.toMatchObject({ code: 'unavailable' });
  expect(limit.pending()).toBe(5);
  while (ends.length > 0) {
    ends.shift()?.();
    await Promise.resolve();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(most).toBe(2);
  expect(limit.pending()).toBe(0);
});

test('lets the next work begin after a failure', async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, waiting: 0, full });
  await expect(limit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limit.run(() => Promise.resolve('done'))).toBe('done');
});

test('releases once, however often it is called', async () => {
  const limit = createConcurrencyLimit({ atOnce: 1 });
  const release = await limit.acquire();
  const [second, third] = [limit.acquire(), limit.acquire()];
  release();
  release();
  await second;
  const isThirdWaiting = Symbol('waiting');
  expect(await Promise.race([third, Promise.resolve(isThirdWaiting)])).toBe(isThirdWaiting);
  expect(limit.pending()).toBe(2);
});
