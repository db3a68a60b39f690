/** Tells owners that photos have arrived. */
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

/** Every five minutes: what arrives together is told together. */
export const tellOwnersJob: JobDefinition<null> = {
  name: 'contributions.tell',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 30,
  expireInSeconds: 120,
  schedule: '*/5 * * * *',
};
