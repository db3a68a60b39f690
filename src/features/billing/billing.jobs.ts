/** The clockwork of paying for accounts: payments that were left behind, and renewals. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

/** Looks for payments that a dead process left behind. Each sweep plans the next; the clock begins anew should the chain break. */
export const sweepAccountPaymentsJob = clockJob('billing.sweep', '* * * * *', { retryLimit: 0 });

/** Announces and renews subscriptions. A day has many chances, so that a short stop of the platform loses none. */
export const renewSubscriptionsJob = clockJob('billing.renew', '*/10 * * * *', { expireInSeconds: 900 });
