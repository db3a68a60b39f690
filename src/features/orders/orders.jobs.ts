/** Payments whose outcome no one has heard: one is asked after on its own, all that were left behind by a sweep. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Asks soon the outcome of one charge. Where the provider still does not know, the sweep goes on asking. */
export const recoverOrderJob = payloadJob('order.recover', z.strictObject({ idempotencyKey: z.uuid() }), {
  retryLimit: 2,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
});

/** Looks for charges that a dead process left behind. Each sweep plans the next one; the clock begins anew should the chain ever break. */
export const sweepOrdersJob = clockJob('order.sweep', '* * * * *', { retryLimit: 0 });
