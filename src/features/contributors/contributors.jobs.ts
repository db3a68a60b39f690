/** Notifies owners that photos have arrived. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

/** Every five minutes, for all that arrived together. */
export const notifyOwnersJob = clockJob('contributions.tell', '*/5 * * * *', {
  retryDelaySeconds: 30,
  expireInSeconds: 120,
});
