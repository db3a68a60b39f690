/** Uploading: policy, then storage, then claim; schemas and texts (specification A§4, 7; rule 4). */
import * as z from 'zod/mini';
import { pictureKind } from '#src/features/branding/settings-pictures.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { idSchema, optionalText } from '#src/shared/validators.ts';

export const ONLY_JPEG = 'Only JPEG images can be uploaded.';
/** iPhones write HEIC by default; the help is shown once next to it. */
export const ONLY_JPEG_NOT_HEIC = 'This is an HEIC photo. Only JPEG images can be uploaded.';
export const HEIC_HELP =
  'iPhones can take JPEG: open Settings > Camera > Formats and choose Most Compatible. Photos that are already HEIC can be exported as JPEG.';
export const FILE_NAME_REQUIRED = 'A file name is required.';
export const GALLERY_REQUIRED = 'A gallery is required.';
export const UPLOAD_UNKNOWN = 'This upload can’t be found. Please upload the photo again.';
export const UPLOAD_NOT_STORED = 'The upload didn’t finish. Please upload the photo again.';
export const UPLOAD_CLAIMED = 'This upload was already added.';
export const UPLOADS_ON_THEIR_WAY =
  'The rest of this gallery’s space is reserved for uploads in progress. Please try again in a minute.';
export const BYTES_USED_UP = 'You’ve reached the daily upload limit. Please continue tomorrow.';
export const QUOTA_USED_UP =
  'This invite link has reached its photo limit. Please ask the owner of the gallery for a new one.';

export const HASHES_EXPECTED = 'Please send a list of SHA-256 hashes.';
export const TOO_MANY_HASHES = 'Please send at most 500 photos at once.';

/** Added to a refusal of more photos than an invite link accepts. */
export const quotaAlmostUsedUp = (left: number) =>
  left === 1
    ? 'This invite link accepts 1 more photo. Please send only one, or ask the owner of the gallery for a new one.'
    : `This invite link accepts ${formatCount(left)} more photos. Please send that many, or ask the owner of the gallery for a new one.`;

/** Specification A§5: 10MB per image. */
export const MAX_UPLOAD_BYTES = 10_485_760;
/** Unclaimed uploads are removed after this time (fault F2). */
export const UNCLAIMED_HOURS = 24;
/** While the disk is nearly full. */
export const UNCLAIMED_HOURS_WHEN_FULL = 1;
export const MAX_CLAIMS_AT_ONCE = 500;

export function hasJpegName(name: string): boolean {
  return /\.jpe?g$/i.test(name.trim());
}

export const policyQuery = z.object({
  /** Ignored, because the server's clock counts. */
  timestamp: z.optional(z.string()),
  gallery_id: z.optional(idSchema),
  /** `true`: a picture of an organization's settings; `kind` in the body says which. */
  settings_page: z.optional(z.string()),
});

export const policyBody = z
  .strictObject({
    affiliate_id: z.optional(idSchema),
    contributeKey: z.optional(z.string().check(z.maxLength(200))),
    filename: z
      .string({ error: FILE_NAME_REQUIRED })
      .check(z.refine((name) => name.trim() !== '', { error: FILE_NAME_REQUIRED, abort: true })),
    /** A picture of the settings; its rules are in that module. */
    kind: z.optional(pictureKind),
  })
  .check(
    z.refine(({ filename, kind }) => kind !== undefined || hasJpegName(filename), {
      error: ONLY_JPEG,
      path: ['filename'],
    }),
  );
export type PolicyBody = z.infer<typeof policyBody>;

/** One uploaded object by its key, or by the `Location` that the storage returned. Other fields of the photo are ignored. */
export const claimedUpload = z
  .object(
    {
      key: z.optional(z.string().check(z.maxLength(300, UPLOAD_UNKNOWN))),
      image_url: z.optional(z.string().check(z.maxLength(2_000, UPLOAD_UNKNOWN))),
      name: z.optional(z.nullable(optionalText(4_000))),
    },
    { error: 'Choose a photo.' },
  )
  .check(z.refine((photo) => (photo.key ?? photo.image_url ?? '') !== '', { error: UPLOAD_UNKNOWN, path: ['key'] }));
export type ClaimedUpload = z.infer<typeof claimedUpload>;

export const claimBody = z.strictObject({
  photo: z.intersection(
    claimedUpload,
    z.object({
      /** Photos of one batch stay in capture order (rule 28). */
      batch: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
    }),
  ),
});
export type ClaimBody = z.infer<typeof claimBody>;

/** SHA-256 of files on someone's computer, in hex: which of them are already in the gallery? */
export const knownPhotosBody = z.strictObject({
  sha256: z
    .array(z.string({ error: HASHES_EXPECTED }).check(z.regex(/^[0-9a-f]{64}$/, HASHES_EXPECTED)), {
      error: HASHES_EXPECTED,
    })
    .check(z.maxLength(MAX_CLAIMS_AT_ONCE, TOO_MANY_HASHES)),
});
export const knownPhotosAnswer = z.object({ known: z.array(z.string()) });
