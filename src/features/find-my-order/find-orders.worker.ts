/** The worker's side of `find-orders.jobs.ts`: which use case does each job. */
import { sendFoundOrdersJob } from '#src/features/find-my-order/find-orders.jobs.ts';
import type { FindOrders } from '#src/features/find-my-order/find-orders.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: starts handling. */
export async function startFindOrderJobs(jobs: Jobs, findOrders: Pick<FindOrders, 'sendFoundOrders'>): Promise<void> {
  await jobs.work(sendFoundOrdersJob, { concurrency: 1 }, ({ email }) => findOrders.sendFoundOrders(email));
}
