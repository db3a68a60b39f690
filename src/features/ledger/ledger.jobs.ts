/** Sums finished days each night. A missed night is made up for by the next one; until then statements read the entries. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sumDaysJob = clockJob('ledger.sum-days', '21 0 * * *', { retryDelaySeconds: 60, expireInSeconds: 900 });
