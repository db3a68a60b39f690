/** The email to someone who forgot the password; written by the worker, so that asking for it takes the same time for everyone. */
import * as z from 'zod/mini';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const RETRIES = { retryLimit: 5, retryDelaySeconds: 2, expireInSeconds: 60 };
const resetPayload = z.strictObject({ email: z.string(), sends: z.boolean() });

/** `sends` is false where too many emails were asked for; the job is queued all the same, so that no one hears the difference. */
export const sendResetJob: JobDefinition<{ email: string; sends: boolean }> = {
  name: 'password.reset',
  parse: (payload) => resetPayload.parse(payload),
  ...RETRIES,
};

const guessesPayload = z.strictObject({ email: z.string() });

/** Queued for every address that is guessed at; an email goes where someone has it. */
export const tellOfGuessesJob: JobDefinition<{ email: string }> = {
  name: 'password.guesses',
  parse: (payload) => guessesPayload.parse(payload),
  ...RETRIES,
};
