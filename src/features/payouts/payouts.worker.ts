/** The worker's side of `payouts.jobs.ts`: which use case does each job. */
import { submitPayoutsJob } from '#src/features/payouts/payouts.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startPayoutJobs(jobs: Jobs, payouts: { submit(batchKey: string): Promise<void> }): Promise<void> {
  await jobs.work(submitPayoutsJob, { concurrency: 1 }, ({ batchKey }) => payouts.submit(batchKey));
}
