/** The page "Health": the state of the installation, and what platform admins do with failed jobs and emails. */
import * as z from 'zod/mini';
import { UUID } from '#src/shared/validators.ts';

export const HEALTH_TITLE = 'Health';
export const FAILED_AT_A_TIME = 1_000;
export const FAILED_PER_PAGE = 25;
const MOST_CHOSEN = 100;
export const CHOOSE_SOME = `Choose 1 to ${MOST_CHOSEN} of them, or all.`;
export const CHOOSE_ONE_WAY = 'Choose some of them by id, or all: not both.';
export const NOT_A_JOB = 'Not the id of a job.';
const NOT_A_QUEUE = 'Not the name of a queue.';
const ALL_NOT_VALID = 'Must be true, or be left out.';

const all = z.optional(z.literal(true, ALL_NOT_VALID));
const oneWay = z.refine<{ ids?: readonly unknown[] | undefined; all?: true | undefined; job?: string | undefined }>(
  ({ ids, all, job }) =>
    ids === undefined ? all === true || job !== undefined : all === undefined && job === undefined,
  { error: CHOOSE_ONE_WAY, path: ['ids'] },
);

/** Failed jobs by their ids, all of one queue, or all. */
export const chosenJobs = z
  .strictObject({
    ids: z.optional(
      z
        .array(z.string(NOT_A_JOB).check(z.regex(UUID, NOT_A_JOB)), CHOOSE_SOME)
        .check(z.minLength(1, CHOOSE_SOME), z.maxLength(MOST_CHOSEN, CHOOSE_SOME)),
    ),
    job: z.optional(z.string(NOT_A_QUEUE).check(z.regex(/^[\w.-]{1,100}$/, NOT_A_QUEUE))),
    all,
  })
  .check(oneWay);
export type ChosenJobsBody = z.infer<typeof chosenJobs>;

const emailId = z.int('Not the id of an email.').check(z.positive('Not the id of an email.'));

/** Failed emails by their ids, or all. */
export const chosenEmails = z
  .strictObject({
    ids: z.optional(
      z.array(emailId, CHOOSE_SOME).check(z.minLength(1, CHOOSE_SOME), z.maxLength(MOST_CHOSEN, CHOOSE_SOME)),
    ),
    all,
  })
  .check(oneWay);
export type ChosenEmailsBody = z.infer<typeof chosenEmails>;

/** How many were changed: fewer than chosen if someone else was first, and at most a thousand at a time. */
export const handledAnswer = z.object({ count: z.number() });

const failedJob = z.object({
  id: z.string(),
  job: z.string(),
  /** As in the log. */
  job_id: z.string(),
  /** "photo 12", if the payload has a number. */
  subject: z.nullable(z.string()),
  reason: z.string(),
  attempts: z.number(),
  failed_at: z.string(),
  /** What happened to it, if it cannot be retried. */
  when_given_up: z.nullable(z.string()),
});
export type FailedJob = z.infer<typeof failedJob>;

const failedEmail = z.object({
  id: z.number(),
  /** Without the name: `j…@example.com`. */
  recipient: z.string(),
  subject: z.string(),
  reason: z.string(),
  attempts: z.number(),
  written_at: z.string(),
  failed_at: z.string(),
  next_at: z.nullable(z.string()),
});
export type FailedEmail = z.infer<typeof failedEmail>;
