/** The worker's side of `statements.jobs.ts`: which use case does each job. */
import { tellStatementsJob } from '#src/features/statements/statements.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startStatementJobs(jobs: Jobs, emails: { tellReady(): Promise<number> }): Promise<void> {
  await jobs.work(tellStatementsJob, { concurrency: 1 }, async () => void (await emails.tellReady()));
}
