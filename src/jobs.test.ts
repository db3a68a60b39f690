import { expect, test, vi } from 'vitest';
import type { App } from '#src/app.ts';
import { JOB_DEFINITIONS, watchPayments, workOnJobs } from '#src/jobs.ts';
import type { PictureLab, RenditionWork } from '#src/platform/images/images.ts';
import type { Platform } from '#src/platform/platform.ts';

test('a worker that starts handles every job, and immediately settles what the last process left unfinished', async () => {
  const work = vi.fn(() => Promise.resolve());
  const startSending = vi.fn();
  const startWebhooks = vi.fn();
  const takesWork = vi.fn((machine: unknown) => machine);
  const remarkOldDrawings = vi.fn(() => Promise.resolve());
  const [planOrders, planPayments, planSums] = [1, 2, 3].map(() => vi.fn(() => Promise.resolve()));
  const platform = { jobs: { work }, emailSender: { start: startSending }, takesWork } as unknown as Platform;
  const app = {
    pictures: { remarkOldDrawings },
    orders: { planSweep: planOrders },
    billing: { planSweep: planPayments },
    keptSales: { planSums },
    webhookSender: { start: startWebhooks },
  } as unknown as App;
  await workOnJobs(platform, app, {} as PictureLab & RenditionWork, 2);
  expect(work).toHaveBeenCalledTimes(JOB_DEFINITIONS.length);
  expect(startSending).toHaveBeenCalledOnce();
  expect(startWebhooks).toHaveBeenCalledOnce();
  // So that it is closed before the database.
  const [sender, watch] = takesWork.mock.calls.flat();
  expect(sender).toBe(app.webhookSender);
  await (watch as ReturnType<typeof watchPayments>).close();
  expect(remarkOldDrawings).toHaveBeenCalledOnce();
  expect(planOrders).toHaveBeenCalledOnce();
  expect(planPayments).toHaveBeenCalledOnce();
  expect(planSums).toHaveBeenCalledOnce();
});

test('a worker looks every ten seconds for payments that were left behind, and schedules a sweep of those alone', async () => {
  vi.useFakeTimers();
  try {
    const serviceOf = (leftBehind: boolean) => ({
      hasLeftBehind: vi.fn(() => Promise.resolve(leftBehind)),
      planSweep: vi.fn(() => Promise.resolve()),
    });
    const [orders, billing] = [serviceOf(true), serviceOf(false)];
    const watch = watchPayments({ orders, billing } as unknown as App, { warn: vi.fn() } as unknown as Platform['log']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(orders.planSweep).toHaveBeenCalledTimes(2);
    expect(billing.hasLeftBehind).toHaveBeenCalledTimes(2);
    expect(billing.planSweep).not.toHaveBeenCalled();
    await watch.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(orders.hasLeftBehind).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
