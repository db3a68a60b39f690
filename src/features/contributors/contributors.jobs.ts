/** Tells owners that photos have arrived. */
import type { ContributorService } from '#src/features/contributors/contributors.service.ts';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

/** Every five minutes: what arrives together is told together. */
export const tellOwnersJob: JobDefinition<null> = {
  name: 'contributions.tell',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 30,
  expireInSeconds: 120,
  schedule: '*/5 * * * *',
};

/** Worker only. */
export async function startContributorJobs(
  jobs: Jobs,
  contributors: Pick<ContributorService, 'tellOwners'>,
): Promise<void> {
  await jobs.work(tellOwnersJob, { concurrency: 1 }, async () => void (await contributors.tellOwners()));
}
