/** The worker's side of `orders.jobs.ts`: which use case does each job. */
import { recoverOrderJob, SWEEP_EVERY_SECONDS, sweepOrdersJob } from '#src/features/orders/orders.jobs.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: begins with a sweep, so that a restart settles what the end before it cut off. */
export async function startOrderJobs(jobs: Jobs, orders: Pick<OrderService, 'recover' | 'sweep' | 'planSweep'>) {
  await jobs.work(
    recoverOrderJob,
    { concurrency: 2 },
    async ({ idempotencyKey }) => void (await orders.recover(idempotencyKey)),
  );
  await jobs.work(sweepOrdersJob, { concurrency: 1 }, async () => {
    try {
      await orders.sweep();
    } finally {
      await orders.planSweep(SWEEP_EVERY_SECONDS);
    }
  });
  await orders.planSweep(0);
}
