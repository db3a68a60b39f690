/** Payouts go to a provider of transfers after the commit; if people send them, this does nothing. */
import { z } from 'zod';
import { payloadJob } from '#src/platform/jobs/jobs.ts';

/**
 * Sends all payouts of one request. Tries again with the same keys for about an hour; what is then still unknown stays open on
 * the page of payouts.
 */
export const submitPayoutsJob = payloadJob('payout.submit', z.strictObject({ batchKey: z.uuid() }), {
  retryLimit: 10,
  retryDelaySeconds: 5,
  expireInSeconds: 600,
});
