/** The kept sums are brought up to date by whoever reads them; now and then also by the clock, so that little is left to do then. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sumSalesJob = clockJob('reports.sum-sales', '51 * * * *', { retryDelaySeconds: 10, expireInSeconds: 600 });
