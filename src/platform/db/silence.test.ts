import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchForSilence } from '#src/platform/db/connection-faults.ts';

const silent = { pingAfterMs: 20, signOfLife: () => sleep(40, false) };

test('a call fails when it waits and no caller gets an answer', async () => {
  let told = 0;
  const watched = watchForSilence(silent).watch(
    () => new Promise(() => undefined),
    () => void told++,
  );
  await expect(watched).rejects.toThrow('Query read timeout');
  expect(told).toBe(1);
});

test('a database that answers others meanwhile is busy, not down', async () => {
  const { watch } = watchForSilence(silent);
  let isDone = false;
  const slow = watch(() => sleep(300, 'late'));
  const others = (async () => {
    while (!isDone) await watch(() => sleep(5));
  })();
  await expect(slow).resolves.toBe('late');
  isDone = true;
  await others;
});
