/** Payouts go to a provider of transfers after the commit; where people send them there is nothing to do here. */
import { z } from 'zod';
import { payloadJob } from '#src/platform/jobs/jobs.ts';

/** Sends all of one press. Asks again under the same keys for about an hour; what is then still unknown stays open on the page of payouts. */
export const submitPayoutsJob = payloadJob('payout.submit', z.strictObject({ batchKey: z.uuid() }), {
  retryLimit: 10,
  retryDelaySeconds: 5,
  expireInSeconds: 600,
});
