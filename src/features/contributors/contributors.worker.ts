/** The worker's side of `contributors.jobs.ts`: which use case does each job. */
import { tellOwnersJob } from '#src/features/contributors/contributors.jobs.ts';
import type { ContributorService } from '#src/features/contributors/contributors.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startContributorJobs(jobs: Jobs, contributors: Pick<ContributorService, 'tellOwners'>) {
  await jobs.work(tellOwnersJob, { concurrency: 1 }, async () => void (await contributors.tellOwners()));
}
