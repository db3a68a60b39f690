/** The worker's side of `takedowns.jobs.ts`: which use case does each job. */
import { forgetTakedownsJob } from '#src/features/takedowns/takedowns.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startTakedownJobs(jobs: Jobs, takedowns: { forgetOld(): Promise<number> }): Promise<void> {
  await jobs.work(forgetTakedownsJob, { concurrency: 1 }, async () => void (await takedowns.forgetOld()));
}
