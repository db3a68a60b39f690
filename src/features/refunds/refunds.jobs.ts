/** Refunds whose outcome no one has heard: each is asked after on its own, and all that were left behind by a sweep. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Stored with the refund itself, so that it outlives the process that sends it. */
export const recoverRefundJob = payloadJob(
  'refund.recover',
  z.strictObject({ refundId: z.int().check(z.positive()) }),
  { retryLimit: 3, retryDelaySeconds: 5, expireInSeconds: 60 },
);

/** For those whose provider did not answer for this long that their own job gave up. */
export const sweepRefundsJob = clockJob('refund.sweep', '* * * * *', { retryLimit: 0, expireInSeconds: 120 });

export const readEventJob = payloadJob(
  'webhook.read',
  z.strictObject({ eventId: z.string().check(z.maxLength(255)) }),
  { retryLimit: 6, retryDelaySeconds: 2, expireInSeconds: 60 },
);

/** Each minute: events that wait for too long, and charges whose real fee no one has told. */
export const sweepEventsJob = clockJob('webhook.sweep', '* * * * *', { retryLimit: 0, expireInSeconds: 120 });

/** Each hour: what the provider told and could not deliver. */
export const catchUpEventsJob = clockJob('webhook.catch_up', '17 * * * *', { retryLimit: 2, expireInSeconds: 300 });
