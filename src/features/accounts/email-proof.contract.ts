/** Confirming that an email address belongs to its account: schemas and texts (rule 53). */
import * as z from 'zod/mini';

export const CONFIRM_EMAIL = 'Confirm your email address';
export const SEND_LINK_AGAIN = 'Send the link again';
export const linkSentTo = (email: string) => `We emailed a link to ${email}. Please check your spam folder too.`;
export const EMAIL_CONFIRMED = 'Your email address is confirmed.';
export const EMAILS_WAIT = 'Until then, emails you send to others are on hold.';
export const PROOF_LINK_INVALID =
  'This link has expired, or it belongs to a different account. Please request a new one.';

/** The same as for an invitation. */
export const PROOF_DAYS = 14;

export const confirmEmailBody = z.strictObject({
  token: z
    .string({ error: PROOF_LINK_INVALID })
    .check(z.refine((value) => value.length > 0 && value.length <= 200, PROOF_LINK_INVALID)),
});
