/** The contributor page: schemas and texts (specification A§2, 5; rule 8). */
import * as z from 'zod/mini';
import { contributorAnswer, CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { numberText } from '#src/features/photos/photos.contract.ts';
import { claimedUpload, MAX_CLAIMS_AT_ONCE } from '#src/features/uploads/uploads.contract.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { INVALID_EMAIL, isEmail, optionalText, requiredText, idSchema } from '#src/shared/validators.ts';

export const CONTRIBUTOR_NAME_REQUIRED = 'Name is required.';
export const CONTRIBUTOR_EMAIL_REQUIRED = 'Email is required.';
export const PHOTOS_REQUIRED = 'Please add at least one photo.';
const SITE_INVALID = 'Please enter a valid web address.';
export const INSTAGRAM_INVALID = 'Please enter a valid Instagram name.';
/** Added to a refusal during an upload. */
export const PHOTOS_STAY_HERE = 'Your photos are still on this device. Please ask the team for a new link.';
/** Of a tab that does not store its link: opened from a bookmark, or after it was closed. */
export const OPEN_AGAIN = 'Please open your invite link again';
export const LINK_NOT_STORED = 'Use the link or the code that the team sent you. This tab no longer has it.';
export const CONTRIBUTION_NOT_SUBMITTED = 'Your photos were uploaded, but we couldn’t submit them yet.';

export const checkKeyAnswer = z.object({
  gallery: z.object({
    id: z.number(),
    name: z.string(),
    organization: z.object({ id: z.number(), name: z.string(), domain_name: z.string() }),
  }),
  /** Of a personal key: the invited person, as they last signed. Who used the gallery's link before is not revealed. */
  contributor: z.nullable(contributorAnswer),
});
export type CheckKeyAnswer = z.infer<typeof checkKeyAnswer>;
/** What a key allows, and for whom. */
export type InviteFacts = CheckKeyAnswer;

/** Absent, null and blank text mean none. */
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

/** A full contribution with names. */
export const CONTRIBUTION_BODY_BYTES = 262_144;

export const contributionBody = z.strictObject({
  contributeKey: z.string({ error: CONTRIBUTE_KEY_UNKNOWN }).check(z.maxLength(200)),
  photos: z
    .array(claimedUpload, { error: PHOTOS_REQUIRED })
    .check(
      z.minLength(1, PHOTOS_REQUIRED),
      z.maxLength(MAX_CLAIMS_AT_ONCE, `Send at most ${MAX_CLAIMS_AT_ONCE} photos at once.`),
    ),
  /** The same in several calls: their photos stay together in capture order (rule 28). */
  batch: z.optional(z.string().check(z.maxLength(100))),
  ...contributorForm.shape,
});
/** The person, as given in the form. */
export type Contributor = z.infer<typeof contributorForm>;
export type ContributionBody = z.infer<typeof contributionBody>;

export const contributionAnswer = z.object({ accepted: z.number() });

/** The name of "@club", "club" or the address of its page; null for an invalid name. */
export function instagramHandle(text: string): string | null {
  const [, handle] =
    /^(?:https?:\/\/)?(?:www\.)?(?:instagram\.com\/)?@?([A-Za-z0-9._]{1,30})\/?$/.exec(text.trim()) ?? [];
  return handle ?? null;
}

/** "club.example" means https. */
function asWebAddress(site: string | null): string | null {
  return site === null || /^[a-z][a-z0-9+.-]*:/i.test(site) ? site : `https://${site}`;
}

/** Only addresses that a page may link to (threat 19). */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export const DECISION_UNKNOWN = 'Choose approve, reject or wait.';
export const NOTHING_CHOSEN = 'Choose photos, or the person who sent them.';
const MAX_DECIDED_AT_ONCE = 500;
/** In one approval, which turns them into tags in one transaction. A person's photos may have more: the rest waits. */
export const MAX_NUMBERS_AT_ONCE = 2_000;
export const NUMBERS_AT_ONCE_EXCEEDED = `These photos have more than ${formatCount(MAX_NUMBERS_AT_ONCE)} numbers. Approve fewer at once.`;
/** After an approval of all photos of a person. */
export const REST_WAITS = `Up to ${formatCount(MAX_NUMBERS_AT_ONCE)} numbers can be tagged at once, so the rest of these photos are still waiting. Approve them now.`;
export const WAITING_PER_PAGE = 60;
export const OWN_PER_PAGE = 60;

/** About photos that were chosen again. */
export const alreadySent = (count: number) =>
  `${counted(count, 'photo', 'photos')} that you have already sent ${count === 1 ? 'is' : 'are'} left out.`;
/** To who opens the invite again after their phone closed its page. */
export const arrivedMeanwhile = (count: number) =>
  `${counted(count, 'photo has', 'photos have')} arrived. Are there more? Choose all of them again: those that you have already sent are left out.`;

export const WITHDRAW_TITLE = 'Withdraw photo?';
export const WITHDRAW_QUESTION = 'The team will no longer have this photo. This cannot be undone.';
export const WITHDRAWN = 'Your photo is withdrawn.';
export const WITHDRAWN_SOLD = 'Your photo is withdrawn and hidden. People who already bought it keep their copies.';
export const OWN_PHOTO_GONE = 'This photo no longer exists.';

/** Labels of the states of one's own photo. */
export const OWN_STATES = {
  processing: 'Processing',
  failed: 'Couldn’t be processed',
  waiting: 'Waiting for the team',
  shown: 'In the gallery',
  not_chosen: 'Not chosen',
  withdrawn: 'Withdrawn',
} as const;

/** Of one photo. */
const MAX_OWN_NUMBERS = 20;
const NUMBERS_EXPECTED = 'Numbers are a list.';
const TOO_MANY_NUMBERS = `At most ${MAX_OWN_NUMBERS} numbers per photo, please.`;
export const ALREADY_LOOKED_AT = 'The team has already reviewed this photo.';
export const NUMBERS_LABEL = 'Numbers on it';
export const NUMBERS_HINT = 'Jersey numbers help families find their child. The team checks them.';

/** In the review, before they become tags. */
export const sendersNumbers = (numbers: readonly string[]) =>
  `The sender says: ${numbers.length === 1 ? 'number' : 'numbers'} ${numbers.join(', ')}`;
export const REJECT_PHOTO_TITLE = 'Reject this photo?';
export const REJECT_PHOTO_QUESTION = 'The photo is removed. This cannot be undone.';
export const REJECT_PERSON_TITLE = 'Reject all photos of this person?';
/** A person is known by the address, which anyone with the invite may have typed. */
export const rejectPersonQuestion = ({ name, email }: { name: string; email: string }) =>
  `All waiting photos that were sent as ${name} (${email}) are removed, also those that someone else sent with this address. This cannot be undone.`;
export const photosOf = (person: string, count: number) => `${counted(count, 'photo', 'photos')} of ${person}`;
export const approvedWords = (what: string, hidden: number, photos: number) => {
  if (hidden === 0) return `${what} ${photos > 1 ? 'are' : 'is'} shown.`;
  if (photos < 2) return `${what} is approved but stays hidden. The gallery says why.`;
  return `${what} are approved. ${formatCount(hidden)} of them ${hidden === 1 ? 'stays' : 'stay'} hidden. The gallery says why.`;
};

/** `PUT /api/v1/contributor/photos/{photoId}/numbers`: all of them; they become tags when the team approves the photo. */
export const ownNumbers = z.strictObject({
  numbers: z.array(numberText, { error: NUMBERS_EXPECTED }).check(z.maxLength(MAX_OWN_NUMBERS, TOO_MANY_NUMBERS)),
});
export const ownNumbersAnswer = z.object({ numbers: z.array(z.string()) });
export type OwnNumbers = z.infer<typeof ownNumbersAnswer>;

const ownPhoto = z.object({
  id: z.number(),
  name: z.string(),
  state: z.enum(['processing', 'failed', 'waiting', 'shown', 'not_chosen', 'withdrawn']),
  /** Why it failed. */
  problem: z.nullable(z.string()),
  /** Our own address, only for the sender; null if there is nothing to show. `&size=` may follow. */
  image_url: z.nullable(z.string()),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /** Base64. */
  thumbhash: z.nullable(z.string()),
  may_withdraw: z.boolean(),
  /** The sender's numbers; only while it waits, and if the gallery's teams are known. */
  numbers: z.optional(z.array(z.string())),
});
export type OwnPhoto = z.infer<typeof ownPhoto>;
export const ownPhotosPage = z.object({ photos: z.array(ownPhoto), next: z.nullable(z.string()) });
export type OwnPhotosPage = z.infer<typeof ownPhotosPage>;

export const withdrawnAnswer = z.object({
  /** False when it was sold: it is hidden permanently, and buyers keep it. */
  removed: z.boolean(),
  message: z.string(),
});
export type WithdrawnAnswer = z.infer<typeof withdrawnAnswer>;

const waitingPhoto = z.object({
  id: z.number(),
  contributor_id: z.number(),
  name: z.string(),
  /** Clean, for members. `&size=` may follow. */
  image_url: z.string(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  thumbhash: z.nullable(z.string()),
  status: z.enum(['processing', 'ready']),
  taken_at: z.nullable(z.string()),
  /** A hint, never a decision: the picture may be blurry. */
  is_blurry: z.boolean(),
  /** A photo of the gallery that looks almost the same; null without one. */
  similar_to: z.nullable(z.object({ id: z.number(), name: z.string(), is_shown: z.boolean() })),
  /** The sender's numbers; absent without any. */
  numbers: z.optional(z.array(z.string())),
});
export type WaitingPhoto = z.infer<typeof waitingPhoto>;

export const waitingContributor = z.object({
  ...contributorAnswer.shape,
  /** Waiting photos of this contribution. */
  waiting: z.number(),
  sent_at: z.string(),
});
export type WaitingContributor = z.infer<typeof waitingContributor>;

export const waitingPage = z.object({
  photos: z.array(waitingPhoto),
  contributors: z.array(waitingContributor),
  next: z.nullable(z.string()),
  /** Of the whole gallery. */
  total: z.number(),
});
export type WaitingPage = z.infer<typeof waitingPage>;

export const decisionBody = z
  .strictObject({
    decision: z.enum(['approve', 'reject', 'wait'], { error: DECISION_UNKNOWN }),
    ids: z.optional(
      z
        .array(idSchema, { error: NOTHING_CHOSEN })
        .check(
          z.minLength(1, NOTHING_CHOSEN),
          z.maxLength(MAX_DECIDED_AT_ONCE, `Choose at most ${MAX_DECIDED_AT_ONCE} photos at once.`),
        ),
    ),
    contributor_id: z.optional(idSchema),
    /** With `contributor_id`: the newest contribution that was seen. Later ones still wait. */
    up_to: z.optional(idSchema),
  })
  .check(
    z.refine(({ ids, contributor_id }) => (ids === undefined) !== (contributor_id === undefined), {
      error: NOTHING_CHOSEN,
      path: ['ids'],
    }),
  );
export type DecisionBody = z.infer<typeof decisionBody>;
export const decidedAnswer = z.object({
  ids: z.array(z.number()),
  /** Why some of a person's photos still wait; only if some do. */
  note: z.optional(z.string()),
  /** Approved photos that are held or hidden by a consent; only if there are some. */
  hidden: z.optional(z.array(z.number())),
});
export type DecidedAnswer = z.infer<typeof decidedAnswer>;
