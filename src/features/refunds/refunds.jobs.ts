/** Refunds whose outcome no one has heard: each is asked after on its own, and all that were left behind by a sweep. */
import * as z from 'zod/mini';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const refundPayload = z.strictObject({ refundId: z.int().check(z.positive()) });

/** Stored with the refund itself, so that it outlives the process that sends it. */
export const recoverRefundJob: JobDefinition<{ refundId: number }> = {
  name: 'refund.recover',
  parse: (given) => refundPayload.parse(given),
  retryLimit: 3,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
};

/** For those whose provider did not answer for this long that their own job gave up. */
export const sweepRefundsJob: JobDefinition<null> = {
  name: 'refund.sweep',
  parse: () => null,
  retryLimit: 0,
  retryDelaySeconds: 5,
  expireInSeconds: 120,
  schedule: '* * * * *',
};

const eventPayload = z.strictObject({ eventId: z.string().check(z.maxLength(255)) });

export const readEventJob: JobDefinition<{ eventId: string }> = {
  name: 'webhook.read',
  parse: (given) => eventPayload.parse(given),
  retryLimit: 6,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
};

/** Each minute: events that wait for too long, and charges whose real fee no one has told. */
export const sweepEventsJob: JobDefinition<null> = {
  name: 'webhook.sweep',
  parse: () => null,
  retryLimit: 0,
  retryDelaySeconds: 5,
  expireInSeconds: 120,
  schedule: '* * * * *',
};

/** Each hour: what the provider told and could not deliver. */
export const catchUpEventsJob: JobDefinition<null> = {
  name: 'webhook.catch_up',
  parse: () => null,
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
  schedule: '17 * * * *',
};
