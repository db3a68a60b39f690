/** Changing the email address of one's own login: schemas and texts (rule 47). */
import * as z from 'zod/mini';
import { accountEmail } from '#src/features/sign-in/passwords.contract.ts';

export const CHANGE_EMAIL = 'Change your email address';
export const EMAIL_CHANGED = 'Your email address was changed. Use the new one to log in.';
export const SAME_EMAIL = 'This is already your email address.';
export const CONFIRM_OLD_FIRST =
  'Please confirm your current email address first, with the link that we emailed to it.';
export const EMAIL_TAKEN = 'Another account now has this email address.';
export const CHANGE_LINK_INVALID =
  'This link has expired, or it belongs to a different account. Please enter the new address on your account page again.';
const LINK_WAS_USED = 'This link was used already';
export const changeLinkUsed = (email: string) =>
  `${LINK_WAS_USED}: your email address is ${email}. You have nothing more to do.`;
/** Whether that is the answer: no error for the person who presses a link twice. */
export const isLinkUsed = (message: string) => message.startsWith(LINK_WAS_USED);
export const changeLinkSent = (email: string) =>
  `If ${email} has no account yet, we emailed it a link. To change your address, open the link while you are logged in. Please check your spam folder too.`;

export const CHANGE_HOURS = 24;

export const changeEmailBody = z.strictObject({ email: accountEmail });
export const confirmChangeBody = z.strictObject({
  token: z
    .string({ error: CHANGE_LINK_INVALID })
    .check(z.refine((value) => value.length > 0 && value.length <= 800, CHANGE_LINK_INVALID)),
});
