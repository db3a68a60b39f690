/** What no one can use any more goes once a day: sessions that have ended, links that were not followed. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sweepSessionsJob = clockJob('sessions.sweep', '43 8 * * *');
