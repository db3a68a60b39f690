/** The worker's side of `billing.jobs.ts`: which use case does each job. */
import {
  SWEEP_EVERY_SECONDS,
  sweepAccountPaymentsJob,
  renewSubscriptionsJob,
} from '#src/features/billing/billing.jobs.ts';
import type { BillingService } from '#src/features/billing/billing.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only: begins with a sweep, so that a restart settles what the end before it cut off. */
export async function startBillingJobs(
  jobs: Jobs,
  billing: Pick<BillingService, 'sweep' | 'planSweep' | 'renewDue'>,
): Promise<void> {
  await jobs.work(sweepAccountPaymentsJob, { concurrency: 1 }, async () => {
    try {
      await billing.sweep();
    } finally {
      await billing.planSweep(SWEEP_EVERY_SECONDS);
    }
  });
  await jobs.work(renewSubscriptionsJob, { concurrency: 1 }, () => billing.renewDue());
  await billing.planSweep(0);
}
