/** Once a day: pictures of organizations that were replaced or taken away. */
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

export const sweepPicturesJob: JobDefinition<null> = {
  name: 'organizations.sweep-pictures',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
  schedule: '23 9 * * *',
};
