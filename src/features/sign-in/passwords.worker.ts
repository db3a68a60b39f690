/** The worker's side of `passwords.jobs.ts`: which use case does each job. */
import { sendResetJob, tellOfGuessesJob } from '#src/features/sign-in/passwords.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

/** Worker only. */
export async function startPasswordJobs(
  jobs: Jobs,
  passwords: { sendReset(email: string): Promise<void> },
  logins: { tellOfGuesses(email: string): Promise<void> },
): Promise<void> {
  await jobs.work(tellOfGuessesJob, { concurrency: 1 }, ({ email }) => logins.tellOfGuesses(email));
  await jobs.work(sendResetJob, { concurrency: 2 }, async ({ email, sends }) => {
    if (sends) await passwords.sendReset(email);
  });
}
