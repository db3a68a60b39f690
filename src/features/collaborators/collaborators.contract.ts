/** Inviting: the link of a gallery, personal invites, and contributions; schemas and texts (specification A§4, 7; rule 8). */
import * as z from 'zod/mini';
import { idSchema, INVALID_EMAIL, isEmail, requiredText } from '#src/shared/validators.ts';
import { DAY_MS } from '#src/shared/dates.ts';

export const INVITE = 'Invite';
export const INVITING = 'Inviting...';
export const INVITE_SENT = 'Invite sent!';
/** Milliseconds until the button says Invite again (specification A§9). */
export const INVITE_REVERT_MS = 1_000;
export const INVITE_EMAIL_REQUIRED = 'Email is required.';
export const KEY_ACTION_UNKNOWN = 'Choose rotate, change or revoke.';
export const EXPIRY_INVALID = 'Please enter a valid date.';
export const EXPIRY_PAST = 'This day has passed. Please choose a later one.';
export const EXPIRY_TOO_LATE = 'Please choose a day within the next five years.';
export const QUOTA_INVALID = 'Please enter a whole number of photos from 1 to 100,000.';
export const NO_LINK = 'This gallery has no contributor link. Create a new one first.';
const MAX_QUOTA = 100_000;

export const inviteBody = z.strictObject({
  email: requiredText(254, INVITE_EMAIL_REQUIRED).check(
    z.refine((email) => email === '' || isEmail(email), { error: INVALID_EMAIL }),
  ),
  gallery_id: idSchema,
});
export const inviteAnswer = z.object({ id: z.number(), email: z.string() });
export type InviteAnswer = z.infer<typeof inviteAnswer>;

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

/** A day counts completely, in the organization's time zone; a time to the millisecond. Null: no end. */
const expiry = z.nullable(
  z.string({ error: EXPIRY_INVALID }).check(
    z.refine((text) => (DAY.test(text) || MOMENT.test(text)) && !Number.isNaN(Date.parse(text)), EXPIRY_INVALID),
    // In every time zone; the service checks to the minute.
    z.refine((text) => !(Date.parse(text) < Date.now() - 2 * DAY_MS), EXPIRY_PAST),
  ),
);
const quota = z.nullable(
  z
    .number({ error: QUOTA_INVALID })
    .check(z.refine((count) => Number.isInteger(count) && count >= 1 && count <= MAX_QUOTA, { error: QUOTA_INVALID })),
);

/** `rotate` ends the link and creates a new one, `change` keeps it, `revoke` ends it. Absent limits are none, or stay. */
export const contributeKeyBody = z.strictObject({
  action: z.enum(['rotate', 'change', 'revoke'], { error: KEY_ACTION_UNKNOWN }),
  expires_at: z.optional(expiry),
  quota: z.optional(quota),
});
export type ContributeKeyBody = z.infer<typeof contributeKeyBody>;

export const contributeKeyAnswer = z.object({
  contribute_key: z.nullable(z.string()),
  /** ISO 8601. */
  expires_at: z.nullable(z.string()),
  quota: z.nullable(z.number()),
});
export type ContributeKeyAnswer = z.infer<typeof contributeKeyAnswer>;

const contributorLink = z.object({
  contribute_key: z.string(),
  /** The whole address of the contributor page. */
  url: z.string(),
  expires_at: z.nullable(z.string()),
  is_expired: z.boolean(),
  quota: z.nullable(z.number()),
  /** Photos submitted with this link. */
  used: z.number(),
});
export type ContributorLink = z.infer<typeof contributorLink>;

/** Someone who was invited, or who sent photos with the link. */
export const collaborator = z.object({
  email: z.string(),
  /** As they gave it; null before they sent anything. */
  name: z.nullable(z.string()),
  invite: z.nullable(z.object({ id: z.number(), sent_at: z.string(), is_revoked: z.boolean() })),
  photos: z.number(),
  shown: z.number(),
  waiting: z.number(),
});
export type Collaborator = z.infer<typeof collaborator>;

export const COLLABORATORS_PER_PAGE = 25;

export const collaboratorsPage = z.object({
  link: z.nullable(contributorLink),
  people: z.array(collaborator),
  /** Opaque; null after the last one. */
  next: z.nullable(z.string()),
  /** Contributions of the gallery that wait for a decision. */
  waiting: z.number(),
  /** The organization's: its days are shown, and those of the link are counted, in it. */
  time_zone: z.string(),
});
export type CollaboratorsPage = z.infer<typeof collaboratorsPage>;
