/** Who has access to an organization, as platform admins see and change it. Invitations are a set-password email. */
import * as z from 'zod/mini';
import { accountEmail } from '#src/features/sign-in/passwords.contract.ts';
import { optionalText } from '#src/shared/validators.ts';

export const MEMBER_NOT_FOUND = 'This person does not belong to the organization.';
export const SEND_PASSWORD_EMAIL = 'Send a password email';
export const SENDING_EMAIL = 'Sending...';
export const emailSent = (email: string) => `We emailed a password reset link to ${email}.`;

export const ADD_PERSON = 'Add person';
export const ADDING_PERSON = 'Adding...';
export const TAKE_ACCESS = 'Remove access';
export const TAKING_ACCESS = 'Removing...';
export const HAS_ACCESS_ALREADY = 'This person already has access.';
export const NEW_PERSON_FIRST_NAME = 'No account has this address yet, so a first name is required.';
export const NEW_PERSON_LAST_NAME = 'No account has this address yet, so a last name is required.';
export const OPENED_JUST_NOW = 'An account with this address was just created. Please add this person again.';
export const LAST_ADMINISTRATOR = 'No one else can log in for this organization. Please add someone first.';
export const personInvited = (email: string) => `We invited ${email}. The email has a link to choose a password.`;
export const INVITED = 'Invited';
export const personAdded = (email: string) => `${email} now has access. We emailed them.`;
export const accessTaken = (email: string) => `${email} no longer has access. We emailed them.`;

/** `POST /api/v1/organizations/{id}/members`. Names are needed only if no account has the address yet. */
export const addMemberBody = z.strictObject({
  email: accountEmail,
  first_name: z.optional(z.nullable(optionalText(100))),
  last_name: z.optional(z.nullable(optionalText(100))),
});
export type AddMemberBody = z.infer<typeof addMemberBody>;

export const memberAnswer = z.object({
  id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** Of the membership: 2 administers the organization. */
  role: z.number(),
  /** Of the user: 2 is a platform admin. */
  role_id: z.number(),
  joined_at: z.string(),
  /** The last known sign-in; ended sessions are deleted. */
  last_sign_in: z.nullable(z.string()),
  /** The emailed link was not followed yet. */
  is_invited: z.boolean(),
});
export type MemberAnswer = z.infer<typeof memberAnswer>;

/** `is_new`: no one has confirmed the address yet, and an invitation is being sent. */
export const addedMember = z.object({ ...memberAnswer.shape, is_new: z.boolean() });
export type AddedMember = z.infer<typeof addedMember>;
