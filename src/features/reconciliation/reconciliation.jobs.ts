/** The comparison of the ledger runs each night, and whenever a platform admin requests it. */
import { clockJob, type JobDefinition } from '#src/platform/jobs/jobs.ts';

const LONGEST_SECONDS = 1_800;

/** 3 or 4 o'clock in New York: after the provider's day has ended. */
export const reconcileNightlyJob = clockJob('reconciliation.nightly', '23 8 * * *', {
  retryLimit: 2,
  retryDelaySeconds: 600,
  expireInSeconds: LONGEST_SECONDS,
});

/** Performs the run that someone requested. */
export const reconcileNowJob: JobDefinition<null> = {
  name: 'reconciliation.now',
  parse: () => null,
  retryLimit: 2,
  retryDelaySeconds: 10,
  expireInSeconds: LONGEST_SECONDS,
};
