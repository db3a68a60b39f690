/** What nobody can use any more goes once a day: sessions that have ended, links that were not followed. */
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

export const sweepSessionsJob: JobDefinition<null> = {
  name: 'sessions.sweep',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
  schedule: '43 8 * * *',
};

/** Worker only. */
export async function startAccountJobs(jobs: Jobs, accounts: { sweepSessions(): Promise<number> }): Promise<void> {
  await jobs.work(sweepSessionsJob, { concurrency: 1 }, async () => void (await accounts.sweepSessions()));
}
