/** The worker's side of `accounts.jobs.ts`: which use case does each job. */
import { sweepSessionsJob } from '#src/features/accounts/accounts.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startAccountJobs(jobs: Jobs, accounts: { sweepSessions(): Promise<number> }): Promise<void> {
  await jobs.work(sweepSessionsJob, { concurrency: 1 }, async () => void (await accounts.sweepSessions()));
}
