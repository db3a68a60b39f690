/** In the first days of a month organizations get an email that their statement is ready; a missed day is made up for by the next. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

// After midnight in every time zone of the United States.
export const notifyOfStatementsJob = clockJob('statement.tell', '41 11 1-5 * *', {
  retryLimit: 2,
  retryDelaySeconds: 300,
  expireInSeconds: 900,
});
