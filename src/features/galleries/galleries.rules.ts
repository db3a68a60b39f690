/** Which facts of a gallery each caller sees, and its limits. */
import type { Owned } from '#src/features/tenancy/actor.rules.ts';
import { FREE_PHOTOS_PER_GALLERY } from '#src/features/tenancy/plans.rules.ts';
import type {
  ContributorAnswer,
  GalleryAnswer,
  GalleryChanges,
  LockedGalleryAnswer,
  SeenValues,
} from '#src/features/galleries/galleries.contract.ts';
import type { GalleryOffers } from '#src/features/offers/offers.contract.ts';
import { readPlace, writePlace } from '#src/shared/paging.ts';
import { toDollars } from '#src/shared/money.ts';

/** A gallery with everything that is not secret. */
export type Gallery = Owned & {
  id: number;
  organizationName: string;
  /** Its organization is on the free tier: limits apply. */
  freeTier: boolean;
  name: string;
  /** Inactive means deleted (rule 45). */
  active: boolean;
  isPrivate: boolean;
  priceCents: number;
  /** Null: photos are sold one by one. */
  priceSheetId: number | null;
  photosBy: string;
  displayWatermark: boolean;
  displayGoal: boolean;
  goalDescription: string;
  /** 0 is no goal. */
  targetGoalCents: number;
  passwordRequired: boolean;
  hasPassword: boolean;
  passwordVersion: number;
  allowPublicContributions: boolean;
  allowVoting: boolean;
  /** Someone is or was tagged on one of its photos. */
  hasTags: boolean;
  /** Without removed and failed photos. */
  photoCount: number;
  publicPhotoCount: number;
  photosSold: number;
  salesCents: number;
  donationsCents: number;
  createdAt: Date;
  updatedAt: Date;
};

/** A gallery and this caller's access to it. */
export type GalleryView = {
  gallery: Gallery;
  /** May change it, and sees hidden photos. */
  editor: boolean;
  /** It needs a password that the caller has not given. */
  locked: boolean;
};

/** What only members see of a gallery; the contribute key also everyone if public contributions are allowed. */
export type GallerySecrets = {
  password: string | null;
  unlockKey: string | null;
  contributeKey: string | null;
  contributors: readonly ContributorAnswer[];
};

export const NO_SECRETS: GallerySecrets = { password: null, unlockKey: null, contributeKey: null, contributors: [] };

/** The whitelist of rule 1: enough for the password form. */
export function presentLocked(gallery: Gallery): LockedGalleryAnswer {
  return {
    id: gallery.id,
    name: gallery.name,
    organization_id: gallery.organizationId,
    password_required: true,
    password: null,
  };
}

/** The whitelist for everyone else; visitors see sales only with the goal. */
export function presentGallery(
  { gallery, editor }: Pick<GalleryView, 'gallery' | 'editor'>,
  secrets: GallerySecrets,
  offers?: GalleryOffers,
): GalleryAnswer {
  const showsSales = editor || gallery.displayGoal;
  return {
    id: gallery.id,
    name: gallery.name,
    active: gallery.active,
    is_private: gallery.isPrivate,
    goal_description: gallery.goalDescription,
    target_goal: toDollars(gallery.targetGoalCents),
    price_per_photo: toDollars(gallery.priceCents),
    photos_by: gallery.photosBy,
    display_watermark: gallery.displayWatermark,
    display_goal: gallery.displayGoal,
    password_required: gallery.passwordRequired,
    password: secrets.password,
    unlock_key: secrets.unlockKey,
    allow_public_contributions: gallery.allowPublicContributions,
    allow_voting: gallery.allowVoting,
    contribute_key: secrets.contributeKey,
    organization_id: gallery.organizationId,
    organizationName: gallery.organizationName,
    gallery_contributors: [...secrets.contributors],
    sales_rev: showsSales ? toDollars(gallery.salesCents) : null,
    gallery_donation: showsSales ? toDollars(gallery.donationsCents) : null,
    sales_count: editor ? gallery.photosSold : null,
    photo_count: editor ? gallery.photoCount : gallery.publicPhotoCount,
    // A gallery without a sheet has no new fields.
    ...(editor && gallery.priceSheetId !== null ? { price_sheet_id: gallery.priceSheetId } : {}),
    ...(offers === undefined ? {} : { offers }),
    created_at: gallery.createdAt.toISOString(),
    updated_at: gallery.updatedAt.toISOString(),
  };
}

/** Of the fields that someone saw, those that have changed since. */
export function fieldsChangedSince(seen: SeenValues, now: GalleryAnswer): (keyof SeenValues)[] {
  const fields = Object.keys(seen) as (keyof SeenValues)[];
  return fields.filter((field) => seen[field] !== undefined && (seen[field] ?? '') !== (now[field] ?? ''));
}

/** How many more photos a gallery accepts; processing photos count, failed ones do not (rule 46). */
export function photosLeft(gallery: Pick<Gallery, 'freeTier' | 'photoCount'>): number {
  return gallery.freeTier ? Math.max(0, FREE_PHOTOS_PER_GALLERY - gallery.photoCount) : Number.POSITIVE_INFINITY;
}

/** A position in a list of galleries, newest first: the time as text, with microseconds, and the id. */
export type GalleryPlace = { createdText: string; id: number };

export function writeGalleryPlace({ createdText, id }: GalleryPlace): string {
  return writePlace([createdText, id]);
}

/** Null for a text that we did not write. */
export function readGalleryPlace(text: string): GalleryPlace | null {
  const [createdText, id] = readPlace(text);
  if (typeof createdText !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(createdText))
    return null;
  return Number.isSafeInteger(id) ? { createdText, id: id as number } : null;
}

/** Rule 59: a first target switches the goal on, unless the switch is given. Undefined: the switch stays. */
export function showsFirstGoal(targetBeforeCents: number, given: Pick<GalleryChanges, 'target_goal' | 'display_goal'>) {
  const isFirst = targetBeforeCents === 0 && (given.target_goal ?? 0) > 0;
  return given.display_goal ?? (isFirst ? true : undefined);
}
