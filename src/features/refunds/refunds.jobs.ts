/** Refunds with an unknown outcome: one job checks a single refund, another all that were left behind. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

/** Queued with the refund itself, so that it outlives the process that sends it. */
export const recoverRefundJob = payloadJob(
  'refund.recover',
  z.strictObject({ refundId: z.int().check(z.positive()) }),
  { retryLimit: 3, retryDelaySeconds: 5, expireInSeconds: 60 },
);

/** For refunds whose own job gave up because the provider did not respond for long. */
export const sweepRefundsJob = clockJob('refund.sweep', '* * * * *', { retryLimit: 0, expireInSeconds: 120 });

export const readEventJob = payloadJob(
  'webhook.read',
  z.strictObject({ eventId: z.string().check(z.maxLength(255)) }),
  { retryLimit: 6, retryDelaySeconds: 2, expireInSeconds: 60 },
);

/** Each minute: events that have waited too long, and charges without a real fee. */
export const sweepEventsJob = clockJob('webhook.sweep', '* * * * *', { retryLimit: 0, expireInSeconds: 120 });

/** Each hour: events that the provider could not deliver. */
export const catchUpEventsJob = clockJob('webhook.catch_up', '17 * * * *', { retryLimit: 2, expireInSeconds: 300 });
