/** In the first days of a month people hear that their statement is ready; a day that was missed is made up for by the next. */
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

export const tellStatementsJob: JobDefinition<null> = {
  name: 'statement.tell',
  parse: () => null,
  retryLimit: 2,
  retryDelaySeconds: 300,
  expireInSeconds: 900,
  // Midnight is over in every time zone of the United States.
  schedule: '41 11 1-5 * *',
};
