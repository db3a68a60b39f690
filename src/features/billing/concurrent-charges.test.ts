import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { acquireCharge, CHARGES_AT_ONCE } from '#src/features/billing/decline-limits.service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a few cards of one address are charged at the same time; the others wait five seconds at most', async () => {
  const begun: number[] = [];
  const bank = Promise.withResolvers<void>();
  const all = Array.from({ length: CHARGES_AT_ONCE + 2 }, (_, card) =>
    acquireCharge('192.0.2.1').then(async (release) => {
      begun.push(card);
      await bank.promise;
      release();
    }),
  );
  await vi.advanceTimersByTimeAsync(4_900);
  expect(begun).toHaveLength(CHARGES_AT_ONCE);
  // Another address does not wait for them.
  (await acquireCharge('192.0.2.2'))();
  await vi.advanceTimersByTimeAsync(200);
  expect(begun).toHaveLength(CHARGES_AT_ONCE + 2);
  bank.resolve();
  await Promise.all(all);
});
