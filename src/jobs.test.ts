import { expect, test, vi } from 'vitest';
import type { App } from '#src/app.ts';
import { JOB_DEFINITIONS, workOnJobs } from '#src/jobs.ts';
import type { PictureLab, RenditionWork } from '#src/platform/images/images.ts';
import type { Platform } from '#src/platform/platform.ts';

test('a worker that starts handles every job, and settles at once what the end before it cut off', async () => {
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
  // So that it is closed before the database is.
  expect(takesWork).toHaveBeenCalledExactlyOnceWith(app.webhookSender);
  expect(remarkOldDrawings).toHaveBeenCalledOnce();
  expect(planOrders).toHaveBeenCalledExactlyOnceWith(0);
  expect(planPayments).toHaveBeenCalledExactlyOnceWith(0);
  expect(planSums).toHaveBeenCalledOnce();
});
