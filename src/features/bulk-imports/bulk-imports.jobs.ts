/** The work of an import, in slices; and what files said goes once a day, 30 days after their import. */
import * as z from 'zod/mini';
import { clockJob, type JobDefinition } from '#src/platform/jobs/jobs.ts';

const payload = z.strictObject({ importId: z.number() });

export const importRowsJob: JobDefinition<{ importId: number }> = {
  name: 'bulk.import',
  parse: (given) => payload.parse(given),
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
};

export const forgetCellsJob = clockJob('bulk.forget', '29 9 * * *');
