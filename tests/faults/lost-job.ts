import { z } from 'zod';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const payload = z.strictObject({ id: z.number() });

/** Killed twice, it is given up. */
export const lostJob: JobDefinition<{ id: number }> = {
  name: 'lost',
  parse: (data) => payload.parse(data),
  retryLimit: 1,
  retryDelaySeconds: 1,
  expireInSeconds: 300,
};
