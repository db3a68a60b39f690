/** The clockwork of paying for accounts: payments that were left behind, and renewals. */
import { clockJob, type JobDefinition } from '#src/platform/jobs/jobs.ts';

/** How soon the next sweep follows. */
export const SWEEP_EVERY_SECONDS = 5;

/** Looks for payments that a dead process left behind. Each sweep plans the next; the clock begins anew should the chain break. */
export const sweepAccountPaymentsJob: JobDefinition<null> = {
  name: 'billing.sweep',
  parse: () => null,
  retryLimit: 0,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
  schedule: '* * * * *',
};

/** Announces and renews subscriptions. A day has many chances, so that a short stop of the platform loses none. */
export const renewSubscriptionsJob = clockJob('billing.renew', '*/10 * * * *', { expireInSeconds: 900 });
