import { expect, test, vi } from 'vitest';
import type { App } from '#src/app.ts';
import { JOB_DEFINITIONS, workOnJobs } from '#src/jobs.ts';
import type { PictureLab, RenditionWork } from '#src/platform/images/images.ts';
import type { Platform } from '#src/platform/platform.ts';

test('a worker that starts handles every job, and settles at once what the end before it cut off', async () => {
  const work = vi.fn(() => Promise.resolve());
  const remarkOldDrawings = vi.fn(() => Promise.resolve());
  const [planOrders, planPayments] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
  const platform = { jobs: { work } } as unknown as Platform;
  const app = {
    pictures: { remarkOldDrawings },
    orders: { planSweep: planOrders },
    billing: { planSweep: planPayments },
  } as unknown as App;
  await workOnJobs(platform, app, {} as PictureLab & RenditionWork, 2);
  expect(work).toHaveBeenCalledTimes(JOB_DEFINITIONS.length);
  expect(remarkOldDrawings).toHaveBeenCalledOnce();
  expect(planOrders).toHaveBeenCalledExactlyOnceWith(0);
  expect(planPayments).toHaveBeenCalledExactlyOnceWith(0);
});
