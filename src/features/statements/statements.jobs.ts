/** In the first days of a month people hear that their statement is ready; a day that was missed is made up for by the next. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

// Midnight is over in every time zone of the United States.
export const tellStatementsJob = clockJob('statement.tell', '41 11 1-5 * *', {
  retryLimit: 2,
  retryDelaySeconds: 300,
  expireInSeconds: 900,
});
