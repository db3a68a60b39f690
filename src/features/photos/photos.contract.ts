/** Photos: schemas and texts (specification A§3, 4, 5, 8; rules 2, 9, 28, 29). */
import * as z from 'zod/mini';
import { BAD_PLACE, countUpTo } from '#src/shared/paging.ts';
import {
  contributorAnswer,
  galleryAnswer,
  lockedGalleryAnswer,
  MAX_PRICE_CENTS,
  YES_OR_NO,
} from '#src/features/galleries/galleries.contract.ts';
import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS } from '#src/shared/photo-limits.ts';
import { dollars, idSchema, optionalText } from '#src/shared/validators.ts';

export const UPGRADE_FOR_MORE_PHOTOS = 'Please Upgrade to upload more than 500 photos.';
export const PHOTO_PRICE_INVALID = 'A photo’s price must be from $0 to $10,000, with at most two decimals.';
export const VOTING_IS_CLOSED = 'Voting is not open in this gallery.';
export const HIDDEN_PHOTO_CANNOT_BE_FEATURED = 'Show this photo in the gallery before you feature it.';
export const PHOTO_IS_WITHHELD =
  'Someone asked to hide this photo. Answer the request under “Requests to hide photos” before you show it again.';
export const PHOTO_IS_NOT_READY = 'This photo is not ready yet.';
export const PHOTO_HAS_FAILED = 'This photo couldn’t be processed. Remove it and upload it again.';
export const PICTURE_UNREADABLE = 'This image can’t be loaded. Please try again later, or ask the organization.';
export const REMOVE_PHOTO_TITLE = 'Remove Photo?';
export const REMOVE_PHOTO_QUESTION = 'Are you sure you want to remove this photo? This cannot be undone.';

export const KEYWORD_REQUIRED = 'A keyword is required.';
const KEYWORD_TOO_LONG = `A keyword can have at most ${MAX_KEYWORD_CHARACTERS} characters.`;
export const TOO_MANY_KEYWORDS = `A photo can have at most ${MAX_KEYWORDS} keywords.`;
export const ADD_KEYWORD_FAILED = 'Error adding keyword. Please contact support.';
export const DELETE_KEYWORD_FAILED = 'Error deleting keyword. Please contact support.';
export const DELETE_KEYWORD_QUESTION = 'Are you sure you want to delete this keyword?';
/** Of a search for photos (`textOfSearch`). */
export const MAX_SEARCH_CHARACTERS = 120;

/** Shown to the owner of a photo that could not be processed. */
export const UPLOAD_CHANGED = 'The uploaded file changed after it was added. Please upload it again.';
export const UPLOAD_LOST = 'The uploaded file was lost. Please upload it again.';
export const INGEST_FAILED = 'This photo could not be processed. Please upload it again.';

export const PHOTOS_PER_PAGE = 10;
export const MAX_PHOTOS_PER_PAGE = 100;

const keywordAnswer = z.object({ id: z.number(), name: z.string() });
export type KeywordAnswer = z.infer<typeof keywordAnswer>;

/** A request to hide, a consent, an unchecked new photo, or a separator photo between two people's. */
const HIDDEN_BY = ['takedown', 'consent', 'hold', 'separator'] as const;
export type HiddenBy = (typeof HIDDEN_BY)[number];

export const NUMBER_NOT_VALID = 'Number must be 0 to 9999 or 00.';
/** An athlete's number; 0, 00 and 07 are three players (athletes B.10). */
export const PLAYER_NUMBER = /^\d{1,4}$/;
export const numberText = z.string({ error: NUMBER_NOT_VALID }).check(z.regex(PLAYER_NUMBER, NUMBER_NOT_VALID));

/** For members. Without an athlete it is the bare number of a team. */
export const memberTag = z.object({
  athlete_id: z.nullable(z.number()),
  /** "Maya R." */
  name: z.nullable(z.string()),
  team_id: z.nullable(z.number()),
  /** Its short name. */
  team: z.nullable(z.string()),
  number: z.nullable(z.string()),
});
export type MemberTag = z.infer<typeof memberTag>;

export const photoAnswer = z.object({
  id: z.number(),
  gallery_id: z.number(),
  galleryId: z.number(),
  /** Our own address; `&size=` chooses 320, 480, 640, 960 or 1440. */
  image_url: z.string(),
  /** A title or a file name; visitors never get file names (rule 61). */
  name: z.string(),
  /** Capture time in the camera's local time: ISO text without a zone. */
  captured_at: z.nullable(z.string()),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  /** Base64. */
  thumbhash: z.nullable(z.string()),
  status: z.enum(['processing', 'ready', 'failed']),
  /** Why it failed, for the owner. */
  problem: z.nullable(z.string()),
  show_in_gallery: z.boolean(),
  featured: z.boolean(),
  /** Position in the caller's list, from 0. */
  sequence_index: z.number(),
  likes: z.number(),
  votes: z.number(),
  liked: z.boolean(),
  voted: z.boolean(),
  keywords: z.array(keywordAnswer),
  /** Numbers of athletes, if the organization's numbers are public and the gallery was ever tagged. */
  numbers: z.optional(z.array(z.string())),
  /** Dollars. */
  price_override: z.nullable(z.number()),
  price: z.number(),
  /** The following fields are only for members. */
  gallery_contributor_id: z.optional(z.nullable(z.number())),
  contributor: z.optional(z.nullable(contributorAnswer)),
  exif: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  iptc: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  sales_count: z.optional(z.number()),
  sales_rev: z.optional(z.number()),
  /** Who is on it, if the gallery was ever tagged; not for API tokens. */
  tags: z.optional(z.array(memberTag)),
  /** The requested rotation differs from the picture; `photo.ready` is sent when it is done. */
  turning: z.optional(z.boolean()),
  /** Why it stays hidden; absent while it is not withheld. */
  hidden_by: z.optional(z.array(z.enum(HIDDEN_BY))),
  /** A member shows it, although a consent would hide it; left out where no one does. */
  excepted: z.optional(z.boolean()),
});
export type PhotoAnswer = z.infer<typeof photoAnswer>;

export const photosPage = z.object({
  photos: z.array(photoAnswer),
  /** Opaque; null after the last photo. */
  next: z.nullable(z.string()),
  total: z.number(),
});
export type PhotosPage = z.infer<typeof photosPage>;

/** A gallery with all photos that the caller may see, in order. */
export const fullGallery = z.union([
  z.object({ ...galleryAnswer.shape, gallery_photo: z.array(photoAnswer) }),
  z.object({ ...lockedGalleryAnswer.shape, gallery_photo: z.array(photoAnswer).check(z.maxLength(0)) }),
]);
export type FullGallery = z.infer<typeof fullGallery>;

const yesOrNo = z.optional(z.boolean({ error: YES_OR_NO }));

/** A photo as it is sent back: the writable fields are used, absent ones stay. */
export const photoChangesBody = z.strictObject({
  photo: z.object(
    {
      show_in_gallery: yesOrNo,
      featured: yesOrNo,
      price_override: z.optional(
        z.union(
          [
            z.null(),
            dollars({ maximum: MAX_PRICE_CENTS, required: PHOTO_PRICE_INVALID, invalid: PHOTO_PRICE_INVALID }),
          ],
          { error: PHOTO_PRICE_INVALID },
        ),
      ),
      name: z.optional(optionalText(200)),
    },
    { error: 'Choose a photo.' },
  ),
});
export type PhotoChanges = z.infer<typeof photoChangesBody>['photo'];

const keywordText = z.string({ error: KEYWORD_REQUIRED }).check(z.maxLength(2_000, KEYWORD_TOO_LONG));

/** Keywords as text (a comma starts the next one) or as the objects of photos; trimmed, at least one. */
export const keywordNames = z.pipe(
  z
    .array(z.union([keywordText, z.object({ name: keywordText })], { error: KEYWORD_REQUIRED }), {
      error: KEYWORD_REQUIRED,
    })
    .check(z.maxLength(200, TOO_MANY_KEYWORDS)),
  z.transform((keywords, context): string[] => {
    const names = keywords
      .flatMap((keyword) => (typeof keyword === 'string' ? keyword : keyword.name).split(','))
      .map((text) => text.trim())
      .filter((text) => text !== '');
    const refusal =
      names.length === 0
        ? KEYWORD_REQUIRED
        : names.some((text) => [...text].length > MAX_KEYWORD_CHARACTERS)
          ? KEYWORD_TOO_LONG
          : null;
    if (refusal !== null) {
      context.issues.push({ code: 'custom', message: refusal, input: keywords });
      return z.NEVER;
    }
    return names;
  }),
);

export const addKeywordsBody = z.strictObject({
  photo: z.object({ id: idSchema, keywords: keywordNames }, { error: 'Choose a photo.' }),
});
export const keywordsAnswer = z.object({ keywords: z.array(keywordAnswer) });

export const likesAnswer = z.object({ likes: z.number(), liked: z.boolean() });
export type LikesAnswer = z.infer<typeof likesAnswer>;
export const votesAnswer = z.object({ votes: z.number(), voted: z.boolean() });
export type VotesAnswer = z.infer<typeof votesAnswer>;

export const photosQuery = z.object({
  after: z.optional(z.string().check(z.maxLength(2_000, BAD_PLACE))),
  limit: z.optional(countUpTo(MAX_PHOTOS_PER_PAGE)),
  keyword: z.optional(z.string()),
  /** An athlete's number; of `team`, an id, if both are given. */
  number: z.optional(numberText),
  team: z.optional(idSchema),
});

/** `GET /api/v1/galleries/{id}/numbers`; `team` is its short name. */
export const numbersAnswer = z.object({
  numbers: z.array(z.object({ team_id: z.number(), team: z.string(), number: z.string(), photos: z.number() })),
});
export type NumbersAnswer = z.infer<typeof numbersAnswer>;

/** `t` only makes the address new. */
export const pictureQuery = z.object({
  size: z.optional(z.string()),
  adminview: z.optional(z.string()),
  download: z.optional(z.string()),
  orderkey: z.optional(z.string()),
  /** Opens a contributor's own photo. */
  own: z.optional(z.string()),
  v: z.optional(z.string()),
  t: z.optional(z.string()),
});
