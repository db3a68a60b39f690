/** Makes exports, and deletes expired ones. */
import * as z from 'zod/mini';
import { clockJob, payloadJob } from '#src/platform/jobs/jobs.ts';

export const makeExportJob = payloadJob('export.make', z.strictObject({ exportId: z.number() }), {
  retryLimit: 5,
  retryDelaySeconds: 30,
  expireInSeconds: 1_800,
});

export const expireExportsJob = clockJob('export.expire', '37 * * * *', { expireInSeconds: 600 });
