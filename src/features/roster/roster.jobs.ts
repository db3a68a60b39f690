/** Copies athletes into a new season, and deletes names and addresses whose time has passed, daily. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

export const startSeasonJob = payloadJob('roster.season', z.strictObject({ seasonId: z.number() }), {
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
  whenGivenUp: 'The season has its teams and a part of its athletes. Import the rest as a file.',
});

export const forgetNamesJob = clockJob('roster.forget_names', '53 9 * * *');
