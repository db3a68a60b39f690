/** Tells owners that photos have arrived. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

/** Every five minutes: what arrives together is told together. */
export const tellOwnersJob = clockJob('contributions.tell', '*/5 * * * *', {
  retryDelaySeconds: 30,
  expireInSeconds: 120,
});
