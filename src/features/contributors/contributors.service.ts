/**
 * Someone with an invite link sends photos to a gallery: the link's key is checked, each file is uploaded with that key, and
 * one call submits them with the sender's name. The sender sees the result of each photo and may withdraw it. Contributors are
 * identified by their personal key or by their browser's signed cookie. The owner's part is `review.service.ts`.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import {
  ALREADY_LOOKED_AT,
  type CheckKeyAnswer,
  type ContributionBody,
  OWN_PER_PAGE,
  OWN_PHOTO_GONE,
  WITHDRAWN,
  WITHDRAWN_SOLD,
  type OwnNumbers,
  type OwnPhotosPage,
  type WithdrawnAnswer,
} from '#src/features/contributors/contributors.contract.ts';
import { lockLiveKey } from '#src/features/galleries/contribute-keys.sql.ts';
import type { UploadService } from '#src/features/uploads/uploads.service.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import * as contributorsSql from '#src/features/contributors/contributors.sql.ts';
import {
  presentOwn,
  readContributionPlace,
  writeContributionPlace,
} from '#src/features/contributors/contribution-answers.rules.ts';
import { createReview, type ReviewDeps } from '#src/features/contributors/review.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { pageBy, placeAfter } from '#src/shared/paging.ts';
import { ownPictureProof } from '#src/features/pictures/own-pictures.service.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

type ContributorDeps = Pick<Platform, 'database' | 'limits' | 'clock' | 'cdn'> & {
  uploads: Pick<UploadService, 'ownerByKey' | 'prepare' | 'claimWithin' | 'releaseBytes'>;
  galleries: Pick<GalleryService, 'holderOf' | 'view'>;
  organizations: Pick<OrganizationService, 'byId'>;
  keys: Pick<Keys, 'ownPictures'>;
};
export type ContributorService = ReturnType<typeof createContributorService>;

const LOOKS_A_MINUTE = 60;
const CONTRIBUTIONS_AN_HOUR = 60;
const OWN_PHOTOS_A_MINUTE = 120;
/** An invited person who has not sent anything: the form starts with the address. */
const NOBODY_YET = { name: '', site: null, instagram: null };

/** What the key allows. @throws not_found for keys that are unknown, revoked or expired, and for inactive galleries; too_many */
export async function checkKey(ctx: ContributorDeps, caller: Caller, contributeKey: string): Promise<CheckKeyAnswer> {
  await ctx.limits.take({ bucket: `check-key:${caller.ip}`, limit: LOOKS_A_MINUTE, windowSeconds: 60 });
  const holder = await ctx.galleries.holderOf(contributeKey);
  const organization = holder ? await ctx.organizations.byId(holder.gallery.organizationId) : null;
  if (!holder || !organization) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
  const { gallery, invite } = holder;
  const contributor =
    invite && (await ctx.database.read(tenantOf(gallery), (db) => contributorsSql.findSender(db, invite.id)));
  return {
    gallery: {
      id: gallery.id,
      name: gallery.name,
      organization: { id: organization.id, name: organization.name, domain_name: organization.domainName },
    },
    contributor: invite && (contributor ?? { ...NOBODY_YET, id: invite.id, email: invite.email }),
  };
}

/**
 * The editor's address with a contributor's key: what it allows, if it belongs to this gallery.
 * @throws as `checkKey`; not_found for another gallery's
 */
export async function openInvite(
  ctx: ContributorDeps,
  caller: Caller,
  key: string,
  place: { galleryId: number; organizationId: number },
) {
  const opened = await checkKey(ctx, caller, key);
  const { id, organization } = opened.gallery;
  if (id !== place.galleryId || organization.id !== place.organizationId) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
  return opened;
}

/**
 * Submits uploads with the name of the photographer; hidden until the owner approves them. All or none; capture order is kept,
 * also over several calls with the same `batch` of one browser.
 * The browser's visitor finds them again. A link that ends meanwhile accepts nothing more. Returns how many.
 * @throws not_found for an invalid key; invalid for uploads of others; conflict; forbidden beyond a limit; too_many
 */
export async function contribute(ctx: ContributorDeps, caller: Caller, body: ContributionBody, visitorId: string) {
  await ctx.limits.take({
    bucket: `contribute:${caller.ip}`,
    limit: CONTRIBUTIONS_AN_HOUR,
    windowSeconds: HOUR_SECONDS,
  });
  const owner = await ctx.uploads.ownerByKey(body.contributeKey);
  const { id: galleryId, organizationId } = owner.gallery;
  const claims = await ctx.uploads.prepare(owner, body.photos);
  const { name, email, site, instagram } = body;
  const keyHash = owner.uploader.contributeKeyHash;
  const ids = await ctx.database.write(tenantOf({ organizationId }), async (tx) => {
    if (keyHash === null || !(await lockLiveKey(tx, keyHash))) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
    const contributorId = await contributorsSql.insertContributor(tx, {
      gallery_id: galleryId,
      organization_id: organizationId,
      invite_id: owner.inviteId,
      visitor_id: visitorId,
      name,
      email,
      site,
      instagram,
    });
    await contributorsSql.noteArrival(tx, galleryId, organizationId);
    // No one joins a batch of someone else.
    const batch = body.batch === undefined ? 'own' : ({ text: `${visitorId} ${body.batch}` } as const);
    return ctx.uploads.claimWithin(tx, owner, claims, { batch, contributorId, showInGallery: false });
  });
  crashAt('claim.after_commit');
  await ctx.uploads.releaseBytes(
    caller,
    owner,
    claims.map(({ bytes }) => bytes),
  );
  return ids.length;
}

/** The contributor who asks for their own photos of a gallery; null if unknown. @throws not_found; too_many */
async function contributing(ctx: ContributorDeps, caller: Caller, galleryId: number, key: string | null) {
  await ctx.limits.take({ bucket: `own-photos:${caller.ip}`, limit: OWN_PHOTOS_A_MINUTE, windowSeconds: 60 });
  const holder = key === null ? null : await ctx.galleries.holderOf(key);
  const inviteId = holder !== null && holder.gallery.id === galleryId ? (holder.invite?.id ?? null) : null;
  const { visitorId } = caller;
  if (inviteId === null && visitorId === null) return null;
  // The gallery's password does not matter here: these are the contributor's own pictures.
  const { gallery } = await ctx.galleries.view(caller, galleryId);
  if (!gallery.active) throw notFound();
  return { who: { galleryId, visitorId, inviteId }, gallery };
}

/** Removes it if no one bought it, else hides it permanently; buyers keep their copies. Null if it is not theirs, or gone. */
async function withdrawOwn(
  ctx: Pick<ContributorDeps, 'cdn'>,
  tx: Writer,
  who: contributorsSql.Contributing,
  photoId: number,
) {
  const own = await contributorsSql.lockOwn(tx, who, photoId);
  if (!own) return null;
  await contributorsSql.forgetNumbers(tx, [photoId]);
  if (!own.isWithdrawn) await contributorsSql.withdrawPhoto(tx, photoId, { removes: !own.isSold });
  await ctx.cdn.requestPurgeOf(tx, who.galleryId, [photoId]);
  return own.isSold ? 'hidden' : 'removed';
}

/** The contributor's photos in a gallery, the newest contribution first. @throws not_found; invalid; too_many */
export async function ownPhotos(
  ctx: ContributorDeps,
  caller: Caller,
  galleryId: number,
  { key, after }: { key: string | null; after?: string | undefined },
): Promise<OwnPhotosPage> {
  const place = placeAfter(after, readContributionPlace);
  const own = await contributing(ctx, caller, galleryId, key);
  if (!own) return { photos: [], next: null };
  const rows = await ctx.database.read(tenantOf(own.gallery), (db) =>
    contributorsSql.listOwn(db, own.who, { after: place, limit: OWN_PER_PAGE + 1 }),
  );
  const { shown, next } = pageBy(rows, OWN_PER_PAGE, writeContributionPlace);
  return {
    photos: shown.map((row) =>
      presentOwn(own.gallery, row, ownPictureProof(ctx.keys.ownPictures, row.id, ctx.clock.now())),
    ),
    next,
  };
}

/**
 * Withdraws one's own photo: removes it, or hides it permanently if it was sold. Idempotent while it is listed.
 * @throws not_found for others' and for one that is gone; too_many
 */
export async function withdraw(
  ctx: ContributorDeps,
  caller: Caller,
  photo: { galleryId: number; photoId: number },
  key: string | null,
): Promise<WithdrawnAnswer> {
  const own = await contributing(ctx, caller, photo.galleryId, key);
  if (!own) throw notFound(OWN_PHOTO_GONE);
  const done = await ctx.database.write(tenantOf(own.gallery), (tx) => withdrawOwn(ctx, tx, own.who, photo.photoId));
  if (done === null) throw notFound(OWN_PHOTO_GONE);
  return { removed: done === 'removed', message: done === 'removed' ? WITHDRAWN : WITHDRAWN_SOLD };
}

/**
 * Sets the numbers on one's own photo: they wait with the photo, and the response does not reveal whether anyone wears them.
 * @throws not_found for others' and for one that is gone; conflict once the team has reviewed it; too_many
 */
export async function setNumbers(
  ctx: ContributorDeps,
  caller: Caller,
  photo: { galleryId: number; photoId: number },
  { key, numbers }: { key: string | null; numbers: readonly string[] },
): Promise<OwnNumbers> {
  const own = await contributing(ctx, caller, photo.galleryId, key);
  if (!own) throw notFound(OWN_PHOTO_GONE);
  const distinct = [...new Set(numbers)];
  await ctx.database.write(tenantOf(own.gallery), async (tx) => {
    const found = await contributorsSql.lockOwn(tx, own.who, photo.photoId);
    if (!found || found.isWithdrawn) throw notFound(OWN_PHOTO_GONE);
    if (found.isReviewed) throw problem('conflict', ALREADY_LOOKED_AT);
    const { organizationId } = own.gallery;
    await contributorsSql.replaceNumbers(tx, { id: photo.photoId, organizationId }, distinct);
  });
  return { numbers: distinct };
}

export const createContributorService = (deps: ContributorDeps & ReviewDeps) => ({
  ...createReview(deps),
  ...bind(deps, { checkKey, openInvite, contribute, ownPhotos, setNumbers, withdraw }),
});
