/** Shapes and words of the contributor page (specification A§2, 5; rule 8). */
import * as z from 'zod/mini';
import { contributorAnswer, CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { claimedUpload, MAX_CLAIMS_AT_ONCE } from '#src/features/uploads/uploads.contract.ts';
import { INVALID_EMAIL, isEmail, optionalText, requiredText } from '#src/shared/validators.ts';

export const CONTRIBUTOR_NAME_REQUIRED = 'Name is required.';
export const CONTRIBUTOR_EMAIL_REQUIRED = 'Email is required.';
export const PHOTOS_REQUIRED = 'Please add at least one photo.';
export const SITE_INVALID = 'Please enter a valid web address.';
export const INSTAGRAM_INVALID = 'Please enter a valid Instagram name.';
/** Beside a refusal while photos are on their way. */
export const PHOTOS_STAY_HERE = 'Your photos are still on this device. Please ask the team for a new link.';
export const CONTRIBUTION_NOT_SUBMITTED = 'Your photos were uploaded, but we couldn’t submit them yet.';

export const checkKeyAnswer = z.object({
  gallery: z.object({
    id: z.number(),
    name: z.string(),
    organization: z.object({ id: z.number(), name: z.string(), domain_name: z.string() }),
  }),
  /** Of a personal key: who was invited, as they signed last. Who used the gallery's link before is no one else's business. */
  contributor: z.nullable(contributorAnswer),
});
export type CheckKeyAnswer = z.infer<typeof checkKeyAnswer>;
/** What a key opens, and for whom. */
export type InviteFacts = CheckKeyAnswer;

/** Text that is left out, null or blank is none. */
const orNone = (max: number) =>
  z.pipe(
    z.optional(z.nullable(optionalText(max))),
    z.transform((text) => (text === undefined || text === null || text === '' ? null : text)),
  );

/** The form of the page; its photos come from the upload tray. */
export const contributorForm = z.strictObject({
  name: requiredText(100, CONTRIBUTOR_NAME_REQUIRED),
  email: requiredText(254, CONTRIBUTOR_EMAIL_REQUIRED).check(
    z.refine((email) => email === '' || isEmail(email), { error: INVALID_EMAIL }),
  ),
  site: z
    .pipe(orNone(200), z.transform(asWebAddress))
    .check(z.refine((site) => site === null || isWebAddress(site), { error: SITE_INVALID })),
  instagram: orNone(100).check(
    z.refine((name) => name === null || instagramHandle(name) !== null, { error: INSTAGRAM_INVALID }),
  ),
});

/** So many uploads with their names. */
export const CONTRIBUTION_BODY_BYTES = 262_144;

export const contributionBody = z.strictObject({
  contributeKey: z.string({ error: CONTRIBUTE_KEY_UNKNOWN }).check(z.maxLength(200)),
  photos: z
    .array(claimedUpload, { error: PHOTOS_REQUIRED })
    .check(
      z.minLength(1, PHOTOS_REQUIRED),
      z.maxLength(MAX_CLAIMS_AT_ONCE, `Send at most ${MAX_CLAIMS_AT_ONCE} photos at once.`),
    ),
  ...contributorForm.shape,
});
/** The person as the form gives them. */
export type Contributor = z.infer<typeof contributorForm>;
export type ContributionBody = z.infer<typeof contributionBody>;

export const contributionAnswer = z.object({ accepted: z.number() });

/** The name alone, of "@club", "club" or the address of its page; null for anything that is no such name. */
export function instagramHandle(text: string): string | null {
  const [, handle] =
    /^(?:https?:\/\/)?(?:www\.)?(?:instagram\.com\/)?@?([A-Za-z0-9._]{1,30})\/?$/.exec(text.trim()) ?? [];
  return handle ?? null;
}

/** "club.example" as people write it is meant as https. */
function asWebAddress(site: string | null): string | null {
  return site === null || /^[a-z][a-z0-9+.-]*:/i.test(site) ? site : `https://${site}`;
}

/** Only addresses that a page may link to (threat 19). */
function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
