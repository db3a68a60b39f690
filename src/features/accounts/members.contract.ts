/** Who has access to an organisation, as platform admins see it. Invitations are a set-password letter. */
import * as z from 'zod/mini';

export const MEMBER_NOT_FOUND = 'This person does not belong to the organization.';
export const SEND_PASSWORD_LETTER = 'Send a password letter';
export const SENDING_LETTER = 'Sending...';
export const letterSent = (email: string) => `A letter with a link to a new password is on its way to ${email}.`;

export const memberAnswer = z.object({
  id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** Of the membership: 2 administers the organisation. */
  role: z.number(),
  /** Of the user: 2 is a platform admin. */
  role_id: z.number(),
  joined_at: z.string(),
  /** The newest sign-in that is still known; sessions are forgotten when they end. */
  last_sign_in: z.nullable(z.string()),
});
export type MemberAnswer = z.infer<typeof memberAnswer>;
