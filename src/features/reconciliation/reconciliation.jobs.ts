/** The comparison of the books runs each night, and whenever a platform admin asks for it. */
import { clockJob, type JobDefinition } from '#src/platform/jobs/jobs.ts';

const LONGEST_SECONDS = 1_800;

/** 3 or 4 o'clock in New York: after the provider's day has ended. */
export const reconcileNightlyJob = clockJob('reconciliation.nightly', '23 8 * * *', {
  retryLimit: 2,
  retryDelaySeconds: 600,
  expireInSeconds: LONGEST_SECONDS,
});

/** Takes the run that someone asked for. */
export const reconcileNowJob: JobDefinition<null> = {
  name: 'reconciliation.now',
  parse: () => null,
  retryLimit: 2,
  retryDelaySeconds: 10,
  expireInSeconds: LONGEST_SECONDS,
};
