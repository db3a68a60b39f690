/** Payments whose outcome no one has heard: one is asked after on its own, all that were left behind by a sweep. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Asks soon the outcome of one charge. Where the provider still does not know, the sweep goes on asking. */
export const recoverOrderJob = payloadJob('order.recover', z.strictObject({ idempotencyKey: z.uuid() }), {
  retryLimit: 2,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
});

/** Settles charges that a dead process left behind. Planned when there are any; the clock is for when nobody plans it. */
export const sweepOrdersJob = clockJob('order.sweep', '*/10 * * * *', { retryLimit: 0 });
