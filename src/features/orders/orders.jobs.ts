/** Payments whose outcome no one has heard: one is asked after on its own, all that were left behind by a sweep. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Asks soon the outcome of one charge. Where the provider still does not know, the sweep goes on asking. */
export const recoverOrderJob = payloadJob('order.recover', z.strictObject({ idempotencyKey: z.uuid() }), {
  retryLimit: 2,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
});

/** Of photos that a consent hid while they were being paid, the money goes back. With pauses that grow to hours: the provider may be away. */
export const giveBackHiddenJob = payloadJob(
  'order.give_back_hidden',
  z.strictObject({ orderId: z.int().check(z.positive()), photoIds: z.array(z.int()) }),
  { retryLimit: 12, retryDelaySeconds: 5, expireInSeconds: 60 },
);

/** Settles charges that a dead process left behind. Planned when there are any; the clock is for when nobody plans it. */
export const sweepOrdersJob = clockJob('order.sweep', '*/10 * * * *', { retryLimit: 0 });
