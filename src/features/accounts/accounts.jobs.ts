/** What no one can use any more goes once a day: sessions that have ended, links that were not followed. */
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

export const sweepSessionsJob: JobDefinition<null> = {
  name: 'sessions.sweep',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
  schedule: '43 8 * * *',
};
