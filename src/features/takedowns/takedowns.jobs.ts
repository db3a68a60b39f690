/** What people said of themselves with a request goes once a day, 90 days after its decision. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const forgetTakedownsJob = clockJob('takedown.forget', '17 9 * * *');
