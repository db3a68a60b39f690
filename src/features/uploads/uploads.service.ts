/**
 * A photo's way to its gallery, from top to bottom: a form is signed, the browser sends the file to the storage
 * (`http/storage-post.ts`, or S3), the file is claimed as a photo, which queues a job, and the worker makes it ready. Whether
 * visitors then see it: triggers (`follow_new_photos`), the review of contributed photos (`contributors`) and
 * `photos/reading.service.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { UPLOAD_CHANGED, type PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { watermarkOf } from '#src/features/pictures/developing.service.ts';
import * as renditionStore from '#src/features/pictures/rendition-store.service.ts';
import { claimWithin, knownPhotos, prepare, type ClaimDeps } from '#src/features/uploads/claims.service.ts';
import {
  developUpload,
  fail,
  findPhoto,
  giveUp,
  isOfMachine,
  makeReady,
  openUpload,
  waitForMachine,
  type IngestDeps,
} from '#src/features/uploads/ingest.service.ts';
import { cleanFileName } from '#src/features/uploads/upload-files.rules.ts';
import {
  ownerByKey,
  ownerBySession,
  refuseFullGallery,
  refuseUsedUpKey,
  releaseBytes,
  takeUpload,
  type UploadPolicyDeps,
} from '#src/features/uploads/upload-policies.service.ts';
import { sweepUploads, type UploadSweepDeps } from '#src/features/uploads/upload-sweep.service.ts';
import { MAX_UPLOAD_BYTES, type ClaimBody, type PolicyBody } from '#src/features/uploads/uploads.contract.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import { tenantOf } from '#src/platform/db/db.ts';
import type { PictureLab } from '#src/platform/images/images.ts';
import { release } from '#src/platform/images/release.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';
import { POLICY_MINUTES, type PolicyAnswer } from '#src/shared/upload-policy.ts';

/**
 * Signs an upload form for one new object of the gallery; `origin` is the address of the request.
 * @throws unauthenticated without session and key; not_found for galleries of others and invalid keys; forbidden "Please
 * Upgrade …", and for a used-up link; invalid; too_many for the daily limit of an account or address, and while unclaimed
 * uploads take the gallery's space; storage_full
 */
export async function requestPolicy(
  ctx: UploadPolicyDeps,
  caller: Caller,
  request: { galleryId: number | null; body: PolicyBody; origin: string },
): Promise<PolicyAnswer> {
  const { galleryId, body, origin } = request;
  const byKey = body.contributeKey !== undefined && body.contributeKey !== '';
  const owner = byKey ? await ownerByKey(ctx, body.contributeKey ?? '') : await ownerBySession(ctx, caller, galleryId);
  const { gallery } = owner;
  if (
    (galleryId !== null && galleryId !== gallery.id) ||
    (body.affiliate_id !== undefined && body.affiliate_id !== gallery.organizationId)
  )
    throw notFound();
  await refuseFullGallery(ctx, owner);
  await refuseUsedUpKey(ctx, owner);
  await takeUpload(ctx, caller, owner);
  const key = `uploads/${gallery.organizationId}/${gallery.id}/${randomBytes(16).toString('hex')}.jpg`;
  const expiresAt = new Date(ctx.clock.now().getTime() + POLICY_MINUTES * 60_000);
  const policy = await ctx.storage.signUpload({
    key,
    contentType: 'image/jpeg',
    maxBytes: MAX_UPLOAD_BYTES,
    expiresAt,
    origin,
  });
  const upload = {
    key,
    gallery_id: gallery.id,
    organization_id: gallery.organizationId,
    user_id: owner.uploader.userId,
    contribute_key_hash: owner.uploader.contributeKeyHash,
    filename: cleanFileName(body.filename),
    expires_at: expiresAt,
  };
  await ctx.database.write(tenantOf(gallery), (tx) => uploadsSql.insertUpload(tx, upload));
  return { error: false, url: policy.url, ...policy.fields } as PolicyAnswer;
}

/**
 * Creates a photo of an upload; it is `processing` until the worker has developed it.
 * @throws unauthenticated; not_found; forbidden; invalid for uploads that are unknown or not stored; conflict for claimed ones
 */
export async function claim(
  ctx: ClaimDeps,
  caller: Caller,
  galleryId: number,
  { batch, ...upload }: ClaimBody['photo'],
): Promise<PhotoAnswer> {
  const owner = await ownerBySession(ctx, caller, galleryId);
  const prepared = await prepare(ctx, owner, [upload]);
  const text = batch?.trim() ?? '';
  const [photoId] = await ctx.database.write(tenantOf(owner.gallery), (tx) =>
    claimWithin(ctx, tx, owner, prepared, {
      batch: text === '' ? null : { text },
      contributorId: null,
      showInGallery: true,
    }),
  );
  crashAt('claim.after_commit');
  await releaseBytes(
    ctx,
    caller,
    owner,
    prepared.map(({ bytes }) => bytes),
  );
  return ctx.reading.one(caller, galleryId, photoId ?? 0);
}

/**
 * Like `ingest`, but if the store or the database is down the photo waits for it, however long that takes: only attempts that
 * its own file may have ended are counted.
 */
export async function ingestOrWait(ctx: IngestDeps, photoId: number, lab: Pick<PictureLab, 'develop'>): Promise<void> {
  try {
    await ingest(ctx, photoId, lab);
  } catch (error) {
    if (!isOfMachine(error)) throw error;
    await waitForMachine(ctx, photoId);
    ctx.log.warn({ err: error, photoId }, 'a photo waits for the store');
  }
}

/**
 * Makes the photo ready, or failed with a sentence if its file is at fault. Does nothing for one that is decided. Rejects when
 * the machine is at fault (picture process, store, database): the job is then repeated.
 */
export async function ingest(ctx: IngestDeps, photoId: number, lab: Pick<PictureLab, 'develop'>): Promise<void> {
  const photo = await findPhoto(ctx, photoId);
  if (!photo) return;
  const watermark = await watermarkOf(ctx, photo.mark);
  const upload = await openUpload(ctx, photo);
  if ('problem' in upload) return fail(ctx, photoId, upload.problem);
  const picture = await developUpload(lab, photo, upload, watermark);
  if (!picture.ok) return fail(ctx, photoId, picture.problem);
  const original = {
    key: `originals/${picture.originalSha256.slice(0, 2)}/${picture.originalSha256}.jpg`,
    sha256: picture.originalSha256,
    bytes: upload.bytes,
  };
  if (!(await ctx.storage.copy(photo.uploadKey, original.key, { ifEtag: photo.uploadEtag })))
    return fail(ctx, photoId, UPLOAD_CHANGED);
  crashAt('ingest.after_original');
  const renditions = await renditionStore.store(ctx, picture.renditions, () => crashAt('ingest.mid_renditions'));
  await makeReady(ctx, photo, picture, { original, renditions });
  for (const { bytes: pixels } of renditions.objects.values()) release(pixels);
}

export type UploadService = ReturnType<typeof createUploadService>;

export function createUploadService(deps: ClaimDeps & IngestDeps & UploadSweepDeps) {
  return bind(deps, {
    ownerByKey,
    releaseBytes,
    requestPolicy,
    prepare,
    claimWithin,
    claim,
    knownPhotos,
    sweepUploads,
    ingest,
    ingestOrWait,
    giveUp,
  });
}
