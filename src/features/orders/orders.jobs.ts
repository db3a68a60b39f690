/** Payments with an unknown outcome: one job asks about a single charge, another about all that were left behind. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Asks soon for the outcome of one charge. If the provider does not know it yet, the recovery job asks again. */
export const recoverOrderJob = payloadJob('order.recover', z.strictObject({ idempotencyKey: z.uuid() }), {
  retryLimit: 2,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
});

/**
 * Refunds photos that a consent hid while they were being paid (`refundHidden` in `refunds`). Its pauses grow to hours, because
 * the provider may be unreachable.
 */
export const refundHiddenJob = payloadJob(
  'order.give_back_hidden',
  z.strictObject({ orderId: z.int().check(z.positive()), photoIds: z.array(z.int()) }),
  { retryLimit: 12, retryDelaySeconds: 5, expireInSeconds: 60 },
);

/** Settles charges that a dead process left behind. It is queued when there are any; the schedule is a fallback. */
export const sweepOrdersJob = clockJob('order.sweep', '*/10 * * * *', { retryLimit: 0 });
