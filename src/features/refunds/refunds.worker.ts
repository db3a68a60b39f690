/** The worker's side of `refunds.jobs.ts`: which use case does each job. */
import { recoverRefundJob, sweepRefundsJob } from '#src/features/refunds/refunds.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startRefundJobs(
  jobs: Jobs,
  refunds: { recover(refundId: number): Promise<void>; sweep(): Promise<void> },
): Promise<void> {
  await jobs.work(recoverRefundJob, { concurrency: 2 }, ({ refundId }) => refunds.recover(refundId));
  await jobs.work(sweepRefundsJob, { concurrency: 1 }, () => refunds.sweep());
}
