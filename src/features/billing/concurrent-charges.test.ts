import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHARGES_AT_ONCE, limitConcurrentCharges } from '#src/features/billing/concurrent-charges.service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('charges a few cards of one address at once; the others wait five seconds at most', async () => {
  const begun: number[] = [];
  const bank = Promise.withResolvers<void>();
  const all = Array.from({ length: CHARGES_AT_ONCE + 2 }, (_, card) =>
    limitConcurrentCharges('192.0.2.1', async () => {
      begun.push(card);
      await bank.promise;
    }),
  );
  await vi.advanceTimersByTimeAsync(4_900);
  expect(begun).toHaveLength(CHARGES_AT_ONCE);
  const elsewhere = limitConcurrentCharges('192.0.2.2', async () => 'charged');
  expect(await elsewhere).toBe('charged');
  await vi.advanceTimersByTimeAsync(200);
  expect(begun).toHaveLength(CHARGES_AT_ONCE + 2);
  bank.resolve();
  await Promise.all(all);
});
