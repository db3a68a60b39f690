/** Emails about passwords, sent by the worker, so that a request takes the same time for every address. */
import * as z from 'zod/mini';
import { payloadJob } from '#src/platform/jobs/jobs.ts';

const RETRIES = { retryLimit: 5, retryDelaySeconds: 2, expireInSeconds: 60 };
/**
 * `sends` is false if too many emails were requested; the job is queued all the same, so that the response time reveals
 * nothing.
 */
export const sendResetJob = payloadJob('password.reset', z.strictObject({ email: z.string(), sends: z.boolean() }), {
  ...RETRIES,
});

/** Queued for every address that is guessed; an email is sent if it has an account. */
export const notifyOfGuessesJob = payloadJob('password.guesses', z.strictObject({ email: z.string() }), RETRIES);
