/** Deletes ended sessions and expired links daily. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sweepSessionsJob = clockJob('sessions.sweep', '43 8 * * *');
