/** The work of an import, in slices; and a daily job that deletes the contents of files 30 days after their import. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

export const importRowsJob = payloadJob('bulk.import', z.strictObject({ importId: z.number() }), {
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
  whenGivenUp: 'The import was stopped. Uploading the same file again imports only the remaining rows.',
});

export const forgetCellsJob = clockJob('bulk.forget', '29 9 * * *');
