/** Imports the rows of a roster in batches; contents of failed rows are deleted after a week. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

export const importRosterJob = payloadJob('roster.import', z.strictObject({ importId: z.number() }), {
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
  whenGivenUp: 'The import was stopped. Uploading the same file again imports only the remaining rows.',
});

export const forgetRosterRowsJob = clockJob('roster.forget_rows', '41 9 * * *');
