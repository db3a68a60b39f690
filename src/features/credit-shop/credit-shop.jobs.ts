/** Scheduled jobs: send gifts, and forget their receivers. */
import { clockJob } from '#src/platform/jobs/jobs.ts';

export const sendGiftsJob = clockJob('credit.gifts', '*/10 * * * *');
export const forgetReceiversJob = clockJob('credit.forget', '23 4 * * *');
