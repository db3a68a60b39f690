/** The worker's side of `reconciliation.jobs.ts`: which use case does each job. */
import { reconcileNightlyJob, reconcileNowJob } from '#src/features/reconciliation/reconciliation.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startReconciliationJobs(
  jobs: Jobs,
  reconciliation: { runNightly(): Promise<void>; runWaiting(): Promise<void> },
): Promise<void> {
  await jobs.work(reconcileNightlyJob, { concurrency: 1 }, () => reconciliation.runNightly());
  await jobs.work(reconcileNowJob, { concurrency: 1 }, () => reconciliation.runWaiting());
}
