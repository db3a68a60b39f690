/** Notifies watchers of new photos. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

/** Every ten minutes, for galleries that became quiet. */
export const notifyWatchersJob = clockJob('watches.tell', '3-59/10 * * * *', {
  retryDelaySeconds: 60,
  expireInSeconds: 300,
});
