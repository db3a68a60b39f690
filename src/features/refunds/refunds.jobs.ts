/** Refunds whose outcome no one has heard: each is asked after on its own, and all that were left behind by a sweep. */
import * as z from 'zod/mini';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const payload = z.strictObject({ refundId: z.int().check(z.positive()) });

/** Stored with the refund itself, so that it outlives the process that sends it. */
export const recoverRefundJob: JobDefinition<{ refundId: number }> = {
  name: 'refund.recover',
  parse: (given) => payload.parse(given),
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
