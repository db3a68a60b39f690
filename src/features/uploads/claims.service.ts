/**
 * A claim turns an uploaded object into a photo, once, and only for the person who requested its form. Limits are counted under
 * the gallery's lock, the photo gets its position, and its development is queued in the same transaction; the worker reads the
 * file's metadata later.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { photosLeft, type Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { keyInBatch, prefixBefore } from '#src/features/photos/photo-order.rules.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { ingestPhotoJob } from '#src/features/uploads/uploads.jobs.ts';
import type { PhotoReading } from '#src/features/photos/reading.service.ts';
import { photoName } from '#src/features/uploads/upload-files.rules.ts';
import {
  HEADS_AT_ONCE,
  ownerBySession,
  type UploadOwner,
  type UploadPolicyDeps,
} from '#src/features/uploads/upload-policies.service.ts';
import * as words from '#src/features/uploads/uploads.contract.ts';
import type { ClaimedUpload } from '#src/features/uploads/uploads.contract.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { problem, fieldProblem } from '#src/shared/problem.ts';

export type ClaimDeps = UploadPolicyDeps & {
  storage: Pick<Storage, 'keyOfLocation'>;
  jobs: Pick<Jobs, 'enqueueMany'>;
  galleries: Pick<GalleryService, 'lockForPhotos' | 'announce'>;
  reading: Pick<PhotoReading, 'one'>;
};

/** Uploads that were checked and may be claimed in a transaction. */
type PreparedClaim = { key: string; etag: string; name: string; bytes: number };

type ClaimOptions = {
  /** Text of a batch; `'own'` for a batch of only these photos; null for separate photos. */
  batch: { text: string } | 'own' | null;
  contributorId: number | null;
  /** As wished: the trigger `follow_new_photos` hides a photo whose gallery must hold it (docs/architecture.md). */
  showInGallery: boolean;
};

function keyOf(ctx: ClaimDeps, upload: ClaimedUpload): string {
  const key = upload.key ?? ctx.storage.keyOfLocation(upload.image_url ?? '');
  if (key === null || key === '') throw unknownUpload();
  return key;
}

/** Photos that were added with a limited key; none for members, who have no such limit. */
async function countUsed(tx: Writer, { uploader, quota }: UploadOwner): Promise<number> {
  if (quota === null || uploader.contributeKeyHash === null) return 0;
  return uploadsSql.countClaims(tx, uploader.contributeKeyHash);
}

function refuseBeyondQuota({ uploader, quota }: UploadOwner, used: number, count: number): void {
  if (quota === null || uploader.contributeKeyHash === null) return;
  const left = quota - used;
  if (count > left) throw problem('forbidden', left < 1 ? words.QUOTA_USED_UP : words.quotaAlmostUsedUp(left));
}

/** An integer in the gallery's order for these photos: that of their batch, or a new one before all others. */
async function prefixFor(tx: Writer, gallery: Gallery, batch: ClaimOptions['batch']): Promise<string> {
  const text = batch !== null && batch !== 'own' ? batch.text : null;
  const known = text === null ? null : await uploadsSql.findBatchPrefix(tx, gallery.id, text);
  if (known !== null) return known;
  const prefix = prefixBefore(await photoWritesSql.findFirstKey(tx, gallery.id));
  if (text !== null)
    await uploadsSql.insertBatch(tx, {
      gallery_id: gallery.id,
      organization_id: gallery.organizationId,
      batch: text,
      order_prefix: prefix,
    });
  return prefix;
}

/**
 * Checks uploads before a transaction: they must have been issued to this owner and be stored.
 * @throws invalid for unknown ones and for those that have not arrived; conflict for claimed ones
 */
export async function prepare(ctx: ClaimDeps, owner: UploadOwner, claims: readonly ClaimedUpload[]) {
  const keys = claims.map((upload) => keyOf(ctx, upload));
  if (new Set(keys).size < keys.length) throw problem('conflict', words.UPLOAD_CLAIMED);
  const known = await ctx.database.read(tenantOf(owner.gallery), (db) =>
    uploadsSql.findUploads(db, keys, { galleryId: owner.gallery.id, uploader: owner.uploader }),
  );
  const byKey = new Map(known.map((upload) => [upload.key, upload]));
  const prepareOne = async (key: string, index: number): Promise<PreparedClaim> => {
    const upload = byKey.get(key);
    if (!upload) throw unknownUpload();
    if (upload.isClaimed) throw problem('conflict', words.UPLOAD_CLAIMED);
    const object = await ctx.storage.head(key);
    if (!object) throw fieldProblem({ key: [words.UPLOAD_NOT_STORED] });
    return { key, etag: object.etag, bytes: object.bytes, name: photoName(claims[index]?.name, upload.filename) };
  };
  const limit = createConcurrencyLimit({ atOnce: HEADS_AT_ONCE });
  return Promise.all(keys.map((key, index) => limit.run(() => prepareOne(key, index))));
}

/**
 * Creates photos of prepared uploads and queues their development, in the caller's transaction. The gallery's limit and the
 * key's quota are counted under its lock (rule 27). New photos come first. Returns their ids. Statements run in the order in
 * which they are sent; independent ones are sent together.
 * @throws forbidden "Please Upgrade …"; conflict when someone else claimed one meanwhile; not_found for a deleted gallery
 */
export async function claimWithin(
  ctx: ClaimDeps,
  tx: Writer,
  owner: UploadOwner,
  claims: readonly PreparedClaim[],
  options: ClaimOptions,
): Promise<number[]> {
  const { gallery } = owner;
  const [, counts, used, photoIds, prefix] = await Promise.all([
    photoWritesSql.lockOrder(tx, gallery.id),
    ctx.galleries.lockForPhotos(tx, gallery.id),
    countUsed(tx, owner),
    uploadsSql.claimUploads(
      tx,
      claims.map(({ key }) => key),
    ),
    prefixFor(tx, gallery, options.batch),
  ]);
  if (photosLeft(counts) < claims.length) throw problem('forbidden', UPGRADE_FOR_MORE_PHOTOS);
  refuseBeyondQuota(owner, used, claims.length);
  if (photoIds.length < claims.length) throw problem('conflict', words.UPLOAD_CLAIMED);
  // Photos of the same time are sorted by id: without a capture time they stay in the order in which they were sent.
  const ids = photoIds.toSorted((one, other) => one - other);
  // Until the capture time is read from the file.
  const takenAt = ctx.clock.now();
  const photos = claims.map(({ key, etag, name }, index) => {
    const id = ids[index] ?? 0;
    const orderKey = options.batch === null ? prefix : keyInBatch(prefix, { takenAt, name, photoId: id });
    return { id, name, orderKey, uploadKey: key, uploadEtag: etag };
  });
  const shared = {
    galleryId: gallery.id,
    organizationId: gallery.organizationId,
    batchPrefix: options.batch === null ? null : prefix,
    contributorId: options.contributorId,
    showInGallery: options.showInGallery,
  };
  const jobs = ids.map((photoId) => ({ photoId }));
  const notify = ({ id, name }: uploadsSql.ClaimedPhoto) =>
    ctx.galleries.announce(tx, gallery.id, { name: 'photo.added', data: { photo_id: id, name, status: 'processing' } });
  await Promise.all([
    uploadsSql.insertPhotos(tx, shared, photos),
    ctx.jobs.enqueueMany(tx, ingestPhotoJob, jobs),
    ...photos.map(notify),
  ]);
  crashAt('claim.before_commit');
  return ids;
}

/**
 * The given SHA-256 hashes that belong to photos of the gallery, so that a member can skip them.
 * @throws unauthenticated; not_found for a gallery of others; forbidden for a deleted one
 */
export async function knownPhotos(ctx: ClaimDeps, caller: Caller, galleryId: number, hashes: readonly string[]) {
  const { gallery } = await ownerBySession(ctx, caller, galleryId);
  if (hashes.length === 0) return [];
  return ctx.database.read(tenantOf(gallery), (db) => uploadsSql.findKnownHashes(db, gallery.id, hashes));
}

function unknownUpload() {
  return fieldProblem({ key: [words.UPLOAD_UNKNOWN] });
}
