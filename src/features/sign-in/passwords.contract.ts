/** Choosing a password, at sign-up and again after it was forgotten (specification P§2.4, 5, 8; rules 12, 32). */
import * as z from 'zod/mini';
import { PASSWORD_MAX_CHARACTERS } from '#src/features/accounts/accounts.contract.ts';
import { INVALID_EMAIL, isEmail, must, REQUIRED } from '#src/shared/validators.ts';

export const PASSWORD_FIELD_REQUIRED = 'Password field is required.';
const CONFIRM_PASSWORD_FIELD_REQUIRED = 'Confirm password field is required.';
const PASSWORDS_DIFFER = 'Passwords do not match.';
export const PASSWORD_TOO_COMMON = 'Password is too common.';
export const RESET_TOKEN_INVALID = 'Reset password token is invalid or has expired.';
export const RESET_MAIL_SENT =
  'Please check your email for instructions on resetting your password. Please note, it may have been delivered to your spam folder.';
export const PASSWORD_UPDATED = 'Password updated, re-directing you now.';
/** On the page of one's own account, which stays open. */
export const PASSWORD_CHANGED = 'Your password was changed. Your other devices are logged out.';
/** Shown on the login page to browsers without JavaScript. */
export const PASSWORD_UPDATED_LOG_IN = 'Password updated. Please log in with it.';
const minimumChars = (characters: number) => `Minimum ${characters} chars`;

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** "At least six characters." */
export const passwordHint = (minimum: number) => `At least ${NUMBERS[minimum] ?? minimum} characters.`;

/** A reset link works once, within this time, and only the newest. */
export const RESET_MINUTES = 60;
/** The link of an invitation works once, too, but longer. */
export const INVITATION_DAYS = 14;

/** Requirements of a new password. Only the server knows the common ones. */
export type PasswordPolicy = { minimum: number; isCommon: (password: string) => boolean };

/** A new password, exactly as typed. `required` is the message for a blank one. */
export function newPassword(required: string, policy: PasswordPolicy) {
  return z.string({ error: required }).check(
    must((value) => value.trim() !== '', required),
    must((value) => value.length >= policy.minimum, minimumChars(policy.minimum)),
    must((value) => value.length <= PASSWORD_MAX_CHARACTERS, `At most ${PASSWORD_MAX_CHARACTERS} characters, please.`),
    z.refine((value) => !policy.isCommon(value), PASSWORD_TOO_COMMON),
  );
}

/** The problems of the update form before it is sent, in the specification's words. */
export function updatePasswordProblems(password: string, confirm: string): string[] {
  return [
    ...(password === '' ? [PASSWORD_FIELD_REQUIRED] : []),
    ...(confirm === '' ? [CONFIRM_PASSWORD_FIELD_REQUIRED] : []),
    ...(password !== '' && confirm !== '' && password !== confirm ? [PASSWORDS_DIFFER] : []),
  ];
}

/** An email address as accounts are stored: trimmed and in lower case. */
export const accountEmail = z.string({ error: REQUIRED }).check(
  z.trim(),
  z.toLowerCase(),
  must((value) => value !== '', REQUIRED),
  z.refine(isEmail, INVALID_EMAIL),
);

export const askForResetBody = z.strictObject({
  user: z.prefault(
    z.strictObject({
      email: z.string({ error: INVALID_EMAIL }).check(z.trim(), z.toLowerCase(), z.refine(isEmail, INVALID_EMAIL)),
    }),
    {} as never,
  ),
});

export const CHOOSE_ANOTHER_PASSWORD = 'Please choose a password that differs from your current one.';

/** `PUT /users/current/password`. */
export function ownPasswordBody(policy: PasswordPolicy) {
  return z.strictObject({ password: newPassword(PASSWORD_FIELD_REQUIRED, policy) });
}

/** `PUT /password`. */
export function choosePasswordBody(policy: PasswordPolicy) {
  return z.strictObject({
    user: z.prefault(
      z.strictObject({
        password: newPassword(PASSWORD_FIELD_REQUIRED, policy),
        reset_password_token: z
          .string({ error: RESET_TOKEN_INVALID })
          .check(z.refine((value) => value.length > 0 && value.length <= 200, RESET_TOKEN_INVALID)),
      }),
      {} as never,
    ),
  });
}
