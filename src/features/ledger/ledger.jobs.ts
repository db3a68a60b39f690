/** Each night the days that are over are summed. A night that was missed is made up for by the next; statements read entries until then. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sumDaysJob = clockJob('ledger.sum-days', '21 0 * * *', { retryDelaySeconds: 60, expireInSeconds: 900 });
