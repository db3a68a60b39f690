/** The worker's side of `organizations.jobs.ts`: which use case does each job. */
import { sweepPicturesJob } from '#src/features/tenancy/organizations.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startOrganizationJobs(jobs: Jobs, pictures: { sweepPictures(): Promise<number> }): Promise<void> {
  await jobs.work(sweepPicturesJob, { concurrency: 1 }, async () => void (await pictures.sweepPictures()));
}
