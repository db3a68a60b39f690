/** Galleries: schemas and texts (specification A§3, 5, 8; rules 1, 27, 44, 45). */
import * as z from 'zod/mini';
import { galleryOffers, MAX_PRICE_CENTS } from '#src/features/offers/offers.contract.ts';
import { isObject } from '#src/shared/is-object.ts';
import { dollars, formKey, idSchema, optionalText, filledText } from '#src/shared/validators.ts';
import { GALLERY_PASSWORD_REQUIRED, WRONG_GALLERY_PASSWORD } from '#src/features/galleries/gate.contract.ts';

export { GALLERY_PASSWORD_REQUIRED, MAX_PRICE_CENTS, WRONG_GALLERY_PASSWORD };

export const GALLERY_NAME_REQUIRED = 'Gallery name required.';
export const PRICE_REQUIRED = 'Price per photo required.';
export const PRICE_INVALID = 'Price per photo must be from $0 to $10,000, with at most two decimals.';
export const PHOTOS_BY_REQUIRED = 'Photos by required.';
export const GOAL_INVALID = 'The goal must be from $0 to $10,000,000, with at most two decimals.';
export const CONTRIBUTE_CALL = 'Add your photos to this gallery';
export const PASSWORD_GATE_TITLE = 'Password required to view this Gallery.';
export const UPGRADE_FOR_MORE_GALLERIES = 'Please Upgrade to have more than 1 active gallery.';
export const GALLERY_IS_DELETED = 'This gallery was deleted and can no longer be changed.';
export const DELETE_GALLERY_QUESTION = 'Are you sure you want to delete this gallery? This cannot be undone.';
export const FORM_MADE_ANOTHER =
  'This form already created a gallery with other values. Please change them in the gallery itself.';
const NEW_GALLERY_HAS_NO_PHOTOS = 'Photos are added once the gallery is saved.';
export const CONTRIBUTE_KEY_UNKNOWN = 'This invite link is no longer valid.';
export const YES_OR_NO = 'Must be yes or no.';

/** Rule 44. */
export const MAX_GOAL_CENTS = 1_000_000_000;
export const MAX_GALLERY_PASSWORD_CHARACTERS = 100;
/** A card has one large photo and four small ones (specification P§2.4). */
export const PREVIEW_PHOTOS = 5;
/** Cards and galleries show the number of their photos only if there are more (specification P§9). */
export const COUNTED_ABOVE = 5;
export const GALLERIES_PER_PAGE = 10;
export const MAX_GALLERIES_PER_PAGE = 100;

const yesOrNo = z.optional(z.boolean({ error: YES_OR_NO }));

/** Zero, empty and null mean no goal. */
const goal = z.union(
  [
    z.pipe(
      z.literal(['', null]),
      z.transform(() => 0),
    ),
    dollars({ maximum: MAX_GOAL_CENTS, required: GOAL_INVALID, invalid: GOAL_INVALID }),
  ],
  {
    error: GOAL_INVALID,
  },
);

/** The fields of a gallery that editors change; the server sets the others. */
const settings = {
  photos_by: z.optional(filledText(200, PHOTOS_BY_REQUIRED)),
  is_private: yesOrNo,
  display_watermark: yesOrNo,
  display_goal: yesOrNo,
  goal_description: z.optional(z.nullable(optionalText(500))),
  target_goal: z.optional(goal),
  password_required: yesOrNo,
  /** Blank keeps the stored password, unless one is required. */
  password: z.optional(z.nullable(optionalText(MAX_GALLERY_PASSWORD_CHARACTERS))),
  allow_public_contributions: yesOrNo,
  allow_voting: yesOrNo,
  /** Null: photos are sold one by one. */
  price_sheet_id: z.optional(z.nullable(idSchema)),
};
const name = filledText(200, GALLERY_NAME_REQUIRED);
const price = dollars({ maximum: MAX_PRICE_CENTS, required: PRICE_REQUIRED, invalid: PRICE_INVALID });
const expected = { error: 'Choose a gallery.' };

/** A new gallery. If a password is required it must be given. */
export const newGallery = z
  .object({ organization_id: idSchema, name, price_per_photo: price, ...settings }, expected)
  .check(
    z.refine((gallery) => !(gallery.password_required === true && (gallery.password ?? '') === ''), {
      error: GALLERY_PASSWORD_REQUIRED,
      path: ['password'],
      // Reported together with the other fields' problems.
      when: ({ value }) => isObject(value),
    }),
  );
export type NewGallery = z.infer<typeof newGallery>;

/** A gallery as it is sent back: absent fields stay. */
export const galleryChanges = z
  .object({ name: z.optional(name), price_per_photo: z.optional(price), active: yesOrNo, ...settings }, expected)
  .check(
    // If absent the stored password stays; if required and empty, it is missing (specification A§5).
    z.refine((gallery) => !(gallery.password_required === true && gallery.password === ''), {
      error: GALLERY_PASSWORD_REQUIRED,
      path: ['password'],
      when: ({ value }) => isObject(value),
    }),
  );
export type GalleryChanges = z.infer<typeof galleryChanges>;

export const newGalleryBody = z.strictObject({
  gallery: newGallery,
  /** Sending a form again with its key returns the gallery that it created (200), and creates no second one. */
  client_key: z.optional(formKey),
  photos: z.optional(z.nullable(z.array(z.unknown()).check(z.maxLength(0, NEW_GALLERY_HAS_NO_PHOTOS)))),
});

/** The password itself, or the key of an unlock link. */
export const unlockBody = z
  .strictObject({
    password: z.optional(optionalText(MAX_GALLERY_PASSWORD_CHARACTERS)),
    key: z.optional(z.string().check(z.maxLength(100, WRONG_GALLERY_PASSWORD))),
  })
  .check(
    z.refine((body) => (body.password ?? '') !== '' || (body.key ?? '') !== '', {
      error: GALLERY_PASSWORD_REQUIRED,
      path: ['password'],
    }),
  );
export type UnlockBody = z.infer<typeof unlockBody>;

export const contributorAnswer = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  site: z.nullable(z.string()),
  instagram: z.nullable(z.string()),
});
export type ContributorAnswer = z.infer<typeof contributorAnswer>;

/** A picture of a gallery card. */
const photoPreview = z.object({
  id: z.number(),
  gallery_id: z.number(),
  image_url: z.string(),
  name: z.string(),
  width: z.number(),
  height: z.number(),
  /** Base64. */
  thumbhash: z.string(),
});
export type PhotoPreview = z.infer<typeof photoPreview>;

/** What a caller without the gallery's password sees. */
export const lockedGalleryAnswer = z.object({
  id: z.number(),
  name: z.string(),
  organization_id: z.number(),
  password_required: z.literal(true),
  password: z.null(),
});
export type LockedGalleryAnswer = z.infer<typeof lockedGalleryAnswer>;

export const galleryAnswer = z.object({
  id: z.number(),
  name: z.string(),
  active: z.boolean(),
  is_private: z.boolean(),
  goal_description: z.string(),
  /** Dollars; 0 means no goal. */
  target_goal: z.number(),
  price_per_photo: z.number(),
  photos_by: z.string(),
  display_watermark: z.boolean(),
  display_goal: z.boolean(),
  password_required: z.boolean(),
  /** Only for members. */
  password: z.nullable(z.string()),
  /** Only for members: opens the gallery by a link, without the password. */
  unlock_key: z.nullable(z.string()),
  allow_public_contributions: z.boolean(),
  allow_voting: z.boolean(),
  /** For members, and for everyone if public contributions are allowed (rule 8). */
  contribute_key: z.nullable(z.string()),
  organization_id: z.number(),
  organizationName: z.string(),
  /** Empty for visitors. */
  gallery_contributors: z.array(contributorAnswer),
  /** Dollars; for visitors only if the goal is shown. */
  sales_rev: z.nullable(z.number()),
  gallery_donation: z.nullable(z.number()),
  /** Photos sold; only for members. */
  sales_count: z.nullable(z.number()),
  /** Of the caller's list. */
  photo_count: z.number(),
  /** Only for members, and only if there is one. */
  price_sheet_id: z.optional(z.nullable(z.number())),
  /** Only with a price sheet, and not in lists. */
  offers: z.optional(galleryOffers),
  created_at: z.string(),
  updated_at: z.string(),
});
export type GalleryAnswer = z.infer<typeof galleryAnswer>;

/** The fields that editors change, with their names in messages. */
const FIELD_NAMES = {
  name: 'Name',
  price_per_photo: 'Price per photo',
  photos_by: 'Photos by',
  is_private: 'Private',
  display_watermark: 'Watermark',
  display_goal: 'Show the goal',
  goal_description: 'Goal recipient',
  target_goal: 'Target goal',
  password_required: 'Password required',
  password: 'Password',
  allow_public_contributions: 'Public contributions',
  allow_voting: 'Voting',
  price_sheet_id: 'Price sheet',
} as const satisfies Record<Exclude<keyof GalleryChanges, 'active'>, string>;
export const CHANGEABLE_FIELDS = Object.keys(FIELD_NAMES) as (keyof typeof FIELD_NAMES)[];
const changeable = Object.fromEntries(CHANGEABLE_FIELDS.map((field) => [field, true])) as Record<
  keyof typeof FIELD_NAMES,
  true
>;

/** What someone last saw of the fields that they change. */
const seenValues = z.partial(z.pick(galleryAnswer, changeable));
export type SeenValues = z.infer<typeof seenValues>;

/** With `seen`, a field that someone else changed meanwhile is not overwritten (409). */
export const galleryChangesBody = z.strictObject({ gallery: galleryChanges, seen: z.optional(seenValues) });

export const changedMeanwhile = (field: keyof SeenValues): string =>
  `“${FIELD_NAMES[field]}” was changed by someone else. Save again to keep your changes.`;
export const GALLERY_CHANGED_MEANWHILE = 'Someone else changed this gallery.';

/** A new gallery has no photos yet. */
export const madeGallery = z.object({
  ...galleryAnswer.shape,
  gallery_photo: z.array(z.unknown()).check(z.maxLength(0)),
});

/** A gallery in a list, with its card's pictures, except of a locked one. */
export const listedGallery = z.object({
  ...galleryAnswer.shape,
  preview: z.array(photoPreview).check(z.maxLength(PREVIEW_PHOTOS)),
});
export type ListedGallery = z.infer<typeof listedGallery>;

/** A gallery on members' pages; `gallery_photo` is a list of photos as JSON text. */
export const pagedGallery = z.object({ ...galleryAnswer.shape, gallery_photo: z.string() });
export type PagedGallery = z.infer<typeof pagedGallery>;

/** Server-sent events of a gallery, for its members. */
export const GALLERY_EVENTS = ['photo.added', 'photo.ready', 'photo.failed', 'order.paid'] as const;
export type GalleryEvent = {
  name: (typeof GALLERY_EVENTS)[number];
  /** `photo_id` or `vanity_id`, and what changed. */
  data: Record<string, string | number | boolean | null>;
};

/** Deleted galleries, for platform admins, who can restore them (rule 45). */
export const DELETED_PER_PAGE = 10;
export const BRING_BACK = 'Restore';
export const BRINGING_BACK = 'Restoring...';
export const broughtBack = (name: string) => `${name} is back.`;

export const deletedGallery = z.object({
  id: z.number(),
  name: z.string(),
  photo_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type DeletedGallery = z.infer<typeof deletedGallery>;

export const deletedGalleries = z.object({
  galleries: z.array(deletedGallery),
  /** Opaque; null after the last page. */
  next: z.nullable(z.string()),
});
export type DeletedGalleries = z.infer<typeof deletedGalleries>;
