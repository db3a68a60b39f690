/** Payments whose outcome no one has heard: one is asked after on its own, all that were left behind by a sweep. */
import * as z from 'zod/mini';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const recoverPayload = z.strictObject({ idempotencyKey: z.uuid() });

/** Asks soon the outcome of one charge. Where the provider still does not know, the sweep goes on asking. */
export const recoverOrderJob: JobDefinition<{ idempotencyKey: string }> = {
  name: 'order.recover',
  parse: (payload) => recoverPayload.parse(payload),
  retryLimit: 2,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
};

/** How soon the next sweep follows. The clock's own grain is a minute, too coarse for a buyer who waits. */
export const SWEEP_EVERY_SECONDS = 5;

/** Looks for charges that a dead process left behind. Each sweep plans the next one; the clock begins anew should the chain ever break. */
export const sweepOrdersJob: JobDefinition<null> = {
  name: 'order.sweep',
  parse: () => null,
  retryLimit: 0,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
  schedule: '* * * * *',
};
