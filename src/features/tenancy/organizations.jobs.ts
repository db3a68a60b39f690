/** Deletes replaced and removed pictures of organizations, daily. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sweepPicturesJob = clockJob('organizations.sweep-pictures', '23 9 * * *', { expireInSeconds: 600 });
