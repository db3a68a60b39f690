/** Pay-outs go to a provider of transfers after the commit; where people send them there is nothing to do here. */
import { z } from 'zod';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

const submitPayload = z.strictObject({ batchKey: z.uuid() });

/** Sends all of one press. Asks again under the same keys for about an hour; what is then still unknown stays open on the page of pay-outs. */
export const submitPayoutsJob: JobDefinition<{ batchKey: string }> = {
  name: 'payout.submit',
  parse: (payload) => submitPayload.parse(payload),
  retryLimit: 10,
  retryDelaySeconds: 5,
  expireInSeconds: 600,
};

/** Worker only. */
export async function startPayoutJobs(jobs: Jobs, payouts: { submit(batchKey: string): Promise<void> }): Promise<void> {
  await jobs.work(submitPayoutsJob, { concurrency: 1 }, ({ batchKey }) => payouts.submit(batchKey));
}
