/** Deletes personal data of requests daily, 90 days after the decision. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const forgetTakedownsJob = clockJob('takedown.forget', '17 9 * * *');
