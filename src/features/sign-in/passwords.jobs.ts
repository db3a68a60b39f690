/** The email to someone who forgot the password; written by the worker, so that asking for it takes the same time for everyone. */
import * as z from 'zod/mini';
import { payloadJob } from '#src/platform/jobs/jobs.ts';

const RETRIES = { retryLimit: 5, retryDelaySeconds: 2, expireInSeconds: 60 };
/** `sends` is false where too many emails were asked for; the job is queued all the same, so that no one hears the difference. */
export const sendResetJob = payloadJob('password.reset', z.strictObject({ email: z.string(), sends: z.boolean() }), {
  ...RETRIES,
});

/** Queued for every address that is guessed at; an email goes where someone has it. */
export const tellOfGuessesJob = payloadJob('password.guesses', z.strictObject({ email: z.string() }), RETRIES);
