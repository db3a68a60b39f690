/** Changing the email address of one's own login: schemas and texts (rule 47). */
import * as z from 'zod/mini';
import { accountEmail } from '#src/features/sign-in/passwords.contract.ts';

export const CHANGE_EMAIL = 'Change your email address';
export const EMAIL_CHANGED = 'Your email address is changed. Log in with the new one from now on.';
export const SAME_EMAIL = 'This is your email address already.';
export const CONFIRM_OLD_FIRST = 'Please confirm your present email address first, by the link that we sent to it.';
export const EMAIL_TAKEN = 'Another account has this email address by now.';
export const CHANGE_LINK_INVALID =
  'This link has expired, or it belongs to a different account. Please enter the new address on your account page again.';
export const changeLinkSent = (email: string) =>
  `We emailed a link to ${email}, unless it has an account already. Your address changes when you open the link while you are logged in. Please look in your spam folder too.`;

export const CHANGE_HOURS = 24;

export const changeEmailBody = z.strictObject({ email: accountEmail });
export const confirmChangeBody = z.strictObject({
  token: z
    .string({ error: CHANGE_LINK_INVALID })
    .check(z.refine((value) => value.length > 0 && value.length <= 800, CHANGE_LINK_INVALID)),
});
