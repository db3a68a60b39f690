/** What people said of themselves with a request goes once a day, 90 days after its decision. */
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

export const forgetTakedownsJob: JobDefinition<null> = {
  name: 'takedown.forget',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
  schedule: '17 9 * * *',
};
