/**
 * Before a file is uploaded the server signs a form for exactly one new object: for a member of the gallery or the
 * holder of its contribute key, with a daily limit. The person who requested the form is stored with it, because no one
 * else may claim its upload.
 */
import { requireUserId, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { photosLeft, type Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { byteLimits, fileLimits, FORM_MEGABYTES, type Uploader } from '#src/features/uploads/upload-quotas.rules.ts';
import type { Platform } from '#src/platform/platform.ts';
import * as words from '#src/features/uploads/uploads.contract.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import { tenantOf } from '#src/platform/db/db.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { mayTake, refusedWith } from '#src/platform/limits/rate-limits.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { notFound, problem, fieldProblem } from '#src/shared/problem.ts';

export type UploadPolicyDeps = Pick<Platform, 'database' | 'limits' | 'clock'> & {
  storage: Pick<Storage, 'signUpload' | 'head'>;
  galleries: Pick<GalleryService, 'editable' | 'holderOf'>;
};

/** Whose upload it is, and its gallery. `quota` is a contribute key's own limit, `inviteId` that of a personal one. */
export type UploadOwner = {
  gallery: Gallery;
  uploader: Uploader;
  quota: number | null;
  inviteId: number | null;
};

/** Expired forms whose objects are looked up when a gallery seems full. */
const LOOKED_AT_ONCE = 500;
/** How many objects of a call are looked up in the storage at the same time. */
export const HEADS_AT_ONCE = 8;

/** @throws not_found for an invalid key */
export async function ownerByKey(ctx: UploadPolicyDeps, contributeKey: string): Promise<UploadOwner> {
  const holder = await ctx.galleries.holderOf(contributeKey);
  if (!holder) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
  return {
    gallery: holder.gallery,
    uploader: { userId: null, contributeKeyHash: holder.actor.keyHash },
    quota: holder.quota,
    inviteId: holder.invite?.id ?? null,
  };
}

/** @throws unauthenticated; invalid without a gallery; not_found for one of others; forbidden for a deleted one */
export async function ownerBySession(ctx: UploadPolicyDeps, caller: Caller, galleryId: number | null) {
  const userId = requireUserId(caller.actor);
  if (galleryId === null) throw fieldProblem({ gallery_id: [words.GALLERY_REQUIRED] });
  return {
    gallery: await ctx.galleries.editable(caller, galleryId),
    uploader: { userId, contributeKeyHash: null },
    quota: null,
    inviteId: null,
  };
}

/** Counts a form toward the daily limits of files and bytes (threat 49). @throws too_many */
export async function takeUpload(ctx: UploadPolicyDeps, caller: Caller, owner: UploadOwner): Promise<void> {
  const { uploader, gallery } = owner;
  await Promise.all(fileLimits(uploader, caller.ip).map((limit) => ctx.limits.take(limit)));
  const bytes = byteLimits(uploader, caller.ip, { freeTier: gallery.freeTier, megabytes: FORM_MEGABYTES });
  await refusedWith(words.BYTES_USED_UP, Promise.all(bytes.map((limit) => ctx.limits.take(limit))));
}

/** A free gallery has a limit of photos, including uploaded and unclaimed ones (rule 63). */
export async function refuseFullGallery(ctx: UploadPolicyDeps, { gallery, uploader }: UploadOwner): Promise<void> {
  const left = photosLeft(gallery);
  if (left < 1) throw problem('forbidden', UPGRADE_FOR_MORE_PHOTOS);
  if (left === Number.POSITIVE_INFINITY) return;
  const scope = { galleryId: gallery.id, ofMembers: uploader.userId !== null };
  const count = () => ctx.database.read(tenantOf(gallery), (db) => uploadsSql.countUnclaimed(db, scope));
  if ((await count()) < left) return;
  await forgetUnused(ctx, gallery);
  if ((await count()) >= left) throw problem('too_many', words.UPLOADS_ON_THEIR_WAY, { retryAfterSeconds: 30 });
}

/** Expired forms without an upload take no space: broken connections leave some. Checked once a minute at most. */
async function forgetUnused(ctx: UploadPolicyDeps, gallery: Gallery): Promise<void> {
  const onceAMinute = { bucket: `policy:unused:${gallery.id}`, limit: 1, windowSeconds: 60 };
  if (!(await mayTake(ctx.limits, onceAMinute))) return;
  const keys = await ctx.database.read(tenantOf(gallery), (db) =>
    uploadsSql.listExpired(db, gallery.id, LOOKED_AT_ONCE),
  );
  const limit = createConcurrencyLimit({ atOnce: HEADS_AT_ONCE });
  const objects = await Promise.all(keys.map((key) => limit.run(() => ctx.storage.head(key))));
  const unused = keys.filter((_key, index) => objects[index] === null);
  if (unused.length > 0) await ctx.database.write(tenantOf(gallery), (tx) => uploadsSql.forgetForms(tx, unused));
}

/** No one should upload hundreds of photos that a used-up link refuses; claiming counts again. */
export async function refuseUsedUpKey(ctx: UploadPolicyDeps, { gallery, uploader, quota }: UploadOwner): Promise<void> {
  const { contributeKeyHash } = uploader;
  if (quota === null || contributeKeyHash === null) return;
  const used = await ctx.database.read(tenantOf(gallery), (db) => uploadsSql.countClaims(db, contributeKeyHash));
  if (used >= quota) throw problem('forbidden', words.QUOTA_USED_UP);
}

/** Returns the bytes that claimed photos did not need to the limit. Never fails: a claim is worth more than a count. */
export async function releaseBytes(
  ctx: UploadPolicyDeps,
  caller: Caller,
  owner: UploadOwner,
  sizes: readonly number[],
): Promise<void> {
  const unused = sizes.reduce((sum, bytes) => sum + FORM_MEGABYTES - Math.ceil(bytes / 1_048_576), 0);
  if (unused <= 0) return;
  const limits = byteLimits(owner.uploader, caller.ip, { freeTier: owner.gallery.freeTier, megabytes: unused });
  await Promise.all(limits.map((limit) => ctx.limits.refund(limit))).catch(() => undefined);
}
