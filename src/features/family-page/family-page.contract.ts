/** The page of a family: schemas and texts (athletes specification B.3, B.4). */
import * as z from 'zod/mini';
import { childAnswer } from '#src/features/families/families.contract.ts';
import { photoAnswer } from '#src/features/photos/photos.contract.ts';
import { galleryOffers } from '#src/features/offers/offers.contract.ts';
import { offeredPass } from '#src/features/order-offers/sold-passes.contract.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema } from '#src/shared/validators.ts';
import { counted } from '#src/shared/counted.ts';

export const FAMILY_TITLE = 'Photos of your child';
export const CODE_LABEL = 'Code on your card';
export const OPEN_LABEL = 'Show the photos';
export const TELL_ME_ABOUT_NEW = 'Tell me about new photos';
export const NOT_MY_CHILD = 'This is not my child';
/** This browser shows the children no more; see `forgetLabel` for one of them. */
export const FORGET_DEVICE = 'Forget all children on this device';
/** The family's addresses, at once, from the organization (athletes specification B.7). */
export const FORGET_US = 'Forget us: delete our email addresses';
export const CONSENT_REQUIRED = 'Consent is yes, family or no.';

/** A child without a name is "your child" in sentences. */
const inWords = (label: string) => (label === 'Your child' ? 'your child' : label);
/** "Maya" of "Maya R.", for sentences. */
const givenName = (label: string): string => inWords(label).replace(/ \S\.$/u, '');
export const forgetLabel = (label: string): string => `Forget ${givenName(label)} on this device`;
/** After how many photos are included: the cart's bar, which no server prices, does not know them. */
export const CHECKOUT_SUBTRACTS = 'The checkout subtracts what they cost.';
/** Before a browser forgets a child: the card is needed to see the photos again. */
export const forgetQuestion = (label: string): string =>
  `This device then no longer shows photos of ${givenName(label)}. The code on the card opens them again.`;
export const FORGET_DEVICE_QUESTION =
  'This device then no longer shows photos of any child. The code on each card opens them again.';
export const hideLabel = (label: string): string => `Hide photos of ${givenName(label)}`;
/** `isFirst`: the family was never asked. */
export const showLabel = (label: string, isFirst: boolean): string =>
  `Show photos of ${givenName(label)}${isFirst ? ' to everybody' : ' again'}`;
export const hideQuestion = (label: string): string =>
  `Hide all photos of ${givenName(label)} from everybody but this page? Team pictures with ${givenName(label)} are hidden, too. You can undo this here.`;
/** It is the family's "yes", also where no one was asked before. */
export const showQuestion = (label: string): string =>
  `Everybody can then see the photos of ${givenName(label)} that your team publishes. You can hide them here again.`;
export const hiddenText = (photos: number): string =>
  `Done. ${counted(photos, 'photo is', 'photos are')} hidden, and new ones will be hidden, too.`;
/** Above the photos, for as long as it is true. */
export const hiddenNowText = (label: string): string =>
  `Photos of ${givenName(label)} are hidden from everybody but this page.`;
/** A family that was never asked, whose photos were hidden meanwhile. */
export const onlyYouText = (label: string): string => `Done. Only you see photos of ${givenName(label)} here.`;
export const shownText = (photos: number, isFirst: boolean): string =>
  `Done. ${counted(photos, 'photo is', 'photos are')} shown ${isFirst ? 'to everybody' : 'again'}.`;
/** The club, another family or a request keeps them hidden. */
export const STILL_HIDDEN = 'Thank you. These photos are still hidden for another reason. Your team can tell you more.';
export const noPhotosYet = (label: string): string =>
  `No photos of ${givenName(label)} yet. We can tell you when there are.`;
/** There are photos, but none that the family sees now. */
export const NONE_TO_SEE_YET = 'You will see them here if your team publishes them. We can tell you then.';
/** After "no"; what may be published is changed in the menu. */
export const noOneSeesText = (label: string): string =>
  `No one can see photos of ${givenName(label)}, not even on this page. To see them here, choose “${showLabel(label, false)}” in the menu.`;
export const unpublishedText = (photos: number): string =>
  counted(photos, 'photo is not published', 'photos are not published');
export const notMineQuestion = (label: string): string =>
  `Is ${label} not your child? The code on this card will stop working, and we will notify the team.`;

export const forgetUsQuestion = (label: string): string =>
  `Delete all email addresses that your team has for the family of ${givenName(label)}? Emails about new photos that were requested with this card end, too. You cannot undo this. The card still works.`;
export const forgottenText = (label: string): string =>
  `Done. The addresses of the family of ${givenName(label)} were deleted.`;

export const FAMILY_PHOTOS_PER_PAGE = 20;
const MAX_FAMILY_PHOTOS_PER_PAGE = 100;

export const familyPhotosQuery = z.object({
  /** Without it, the first child that is open. */
  child: z.optional(idSchema),
  after: z.optional(z.string()),
  limit: z.optional(countUpTo(MAX_FAMILY_PHOTOS_PER_PAGE)),
});
export type FamilyPhotosQuery = z.output<typeof familyPhotosQuery>;

/** A gallery of these photos, and its offers; null without a price sheet. */
const familyGallery = z.object({
  id: z.number(),
  name: z.string(),
  price_per_photo: z.number(),
  photo_count: z.number(),
  is_private: z.boolean(),
  /** Photos of this child in it. */
  of_child: z.number(),
  offers: z.nullable(galleryOffers),
});
export type FamilyGallery = z.infer<typeof familyGallery>;

/** Newest game first. */
export const familyPhotosAnswer = z.object({
  child: z.object({
    ...childAnswer.shape,
    consent: z.enum(['yes', 'family', 'no', 'unknown']),
    /** The consent hides the photos from others; of `unknown`, what the organization means by it. */
    hidden: z.boolean(),
  }),
  photos: z.array(photoAnswer),
  next: z.nullable(z.string()),
  total: z.number(),
  /** Of all photos, not only of these; null if they differ, or without photos. */
  price_per_photo: z.nullable(z.number()),
  /** Photos that are not published, not even here. */
  unpublished: z.number(),
  /** Photos that are included with the child's registration: "5 photos are included. 2 left." Null if there are none. */
  included: z.nullable(z.object({ photos: z.number(), left: z.number(), text: z.string() })),
  /** All photos of this child for one price; null if no price sheet sells that, and on later pages. */
  pass: z.nullable(offeredPass),
  /** Galleries of these photos. */
  offers: z.array(familyGallery),
});
export type FamilyPhotosAnswer = z.infer<typeof familyPhotosAnswer>;

export const consentBody = z.strictObject({ consent: z.enum(['yes', 'family', 'no'], { error: CONSENT_REQUIRED }) });
export const forgottenAnswer = z.object({ message: z.string() });
export const consentAnswer = z.object({
  /** The consent that applies: of several families the strictest, and the club's `no` stays. */
  consent: z.enum(['yes', 'family', 'no', 'unknown']),
  hidden: z.number(),
  shown: z.number(),
  message: z.string(),
});
export type ConsentAnswer = z.infer<typeof consentAnswer>;
