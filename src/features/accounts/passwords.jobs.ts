/** The letter to somebody who forgot the password; written by the worker, so that asking for it takes the same time for everybody. */
import * as z from 'zod/mini';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

const resetPayload = z.strictObject({ email: z.string() });

export const sendResetJob: JobDefinition<{ email: string }> = {
  name: 'password.reset',
  parse: (payload) => resetPayload.parse(payload),
  retryLimit: 5,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
};

/** Worker only. */
export async function startPasswordJobs(
  jobs: Jobs,
  passwords: { sendReset(email: string): Promise<void> },
): Promise<void> {
  await jobs.work(sendResetJob, { concurrency: 2 }, ({ email }) => passwords.sendReset(email));
}
