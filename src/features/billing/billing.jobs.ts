/** Scheduled jobs of billing: payments that were left behind, and renewals. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

/** Settles payments that a dead process left behind. It is queued when there are any; the schedule is a fallback. */
export const sweepAccountPaymentsJob = clockJob('billing.sweep', '*/10 * * * *', { retryLimit: 0 });

/** Announces and renews subscriptions. It runs many times a day, so that a short outage misses none. */
export const renewSubscriptionsJob = clockJob('billing.renew', '*/10 * * * *', { expireInSeconds: 900 });
