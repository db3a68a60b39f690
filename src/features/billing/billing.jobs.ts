/** The clockwork of paying for accounts: payments that were left behind, and renewals. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

/** Settles payments that a dead process left behind. Planned when there are any; the clock is for when nobody plans it. */
export const sweepAccountPaymentsJob = clockJob('billing.sweep', '*/10 * * * *', { retryLimit: 0 });

/** Announces and renews subscriptions. A day has many chances, so that a short stop of the platform loses none. */
export const renewSubscriptionsJob = clockJob('billing.renew', '*/10 * * * *', { expireInSeconds: 900 });
