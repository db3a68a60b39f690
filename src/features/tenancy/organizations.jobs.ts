/** Once a day: pictures of organizations that were replaced or taken away. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sweepPicturesJob = clockJob('organizations.sweep-pictures', '23 9 * * *', { expireInSeconds: 600 });
