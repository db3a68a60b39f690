/** The rows of a roster, many at a time; and what failed rows said goes after a week. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

export const importRosterJob = payloadJob('roster.import', z.strictObject({ importId: z.number() }), {
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
  whenGivenUp: 'The import was stopped. Uploading the same file again imports only the remaining rows.',
});

export const forgetRosterRowsJob = clockJob('roster.forget_rows', '41 9 * * *');
