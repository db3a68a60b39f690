/** Signing in and out: schemas and texts (specification P§2.4, 5, 7). */
import * as z from 'zod/mini';

export const EMAIL_REQUIRED_TO_LOG_IN = 'Email is required to log in.';
export const PASSWORD_REQUIRED_TO_LOG_IN = 'Password is required to log in.';
export const WRONG_EMAIL_OR_PASSWORD = 'Invalid email or password.';
export const WRONG_PASSWORD = 'That password is not correct.';
export const LOGIN_PAUSED =
  'Too many wrong passwords for this account. Log in on a device you have used before, or choose a new password with "Forgot password?".';
export const NO_AUTH_HEADER = 'No Auth Header';
export const LOGGED_OUT = "You've been logged out!";
export const NO_ORGANIZATION_YET = 'Your account has no organization yet.';
export const SESSION_HAS_ENDED = 'Your session has ended.';
export const CONFIRM_PASSWORD_FIRST = 'Please confirm your password.';

/** Longer passwords are refused before they are hashed. */
export const PASSWORD_MAX_CHARACTERS = 1024;

const notBlank = (message: string, max: number) =>
  z.string({ error: message }).check(
    z.refine((value) => value.trim() !== '', { error: message, abort: true }),
    z.maxLength(max, `At most ${max} characters, please.`),
  );

export const loginBody = z.strictObject({
  user: z.prefault(
    z.strictObject(
      {
        email: notBlank(EMAIL_REQUIRED_TO_LOG_IN, 254),
        password: notBlank(PASSWORD_REQUIRED_TO_LOG_IN, PASSWORD_MAX_CHARACTERS),
      },
      { error: (issue) => (issue.code === 'invalid_type' ? 'Email and password are required to log in.' : undefined) },
    ),
    {} as never,
  ),
});
export type LoginBody = z.infer<typeof loginBody>;

export const confirmPasswordBody = z.strictObject({
  password: notBlank(PASSWORD_REQUIRED_TO_LOG_IN, PASSWORD_MAX_CHARACTERS),
});
