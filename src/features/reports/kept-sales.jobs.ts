/** Every reader updates the stored sums; this job also updates them regularly, so that readers have little left to do. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sumSalesJob = clockJob('reports.sum-sales', '51 * * * *', { retryDelaySeconds: 10, expireInSeconds: 600 });
