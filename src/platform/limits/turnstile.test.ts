import { expect, test } from 'vitest';
import { problem } from '#src/shared/problem.ts';
import { createTurnstile } from './turnstile.ts';

const full = () => problem('unavailable', 'Full.');

test('so many are inside at once, the others wait their turn, and whoever is too many is told', async () => {
  const enter = createTurnstile({ atOnce: 2, waiting: 3, full });
  let inside = 0;
  let most = 0;
  const doors: (() => void)[] = [];
  const visit = () =>
    enter(async () => {
      most = Math.max(most, ++inside);
      await new Promise<void>((leave) => doors.push(leave));
      inside -= 1;
    });
  const visits = Array.from({ length: 5 }, visit);
  await expect(visit()).rejects.toMatchObject({ code: 'unavailable' });
  while (doors.length > 0) {
    doors.shift()?.();
    await Promise.resolve();
    await new Promise(setImmediate);
  }
  await Promise.all(visits);
  expect(most).toBe(2);
});

test('who fails makes room as well', async () => {
  const enter = createTurnstile({ atOnce: 1, waiting: 0, full });
  await expect(enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await enter(() => Promise.resolve('in'))).toBe('in');
});
