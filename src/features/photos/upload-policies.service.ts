/**
 * Before a file is uploaded the server signs a form for exactly one new object: for a member of
 * the gallery or the holder of its contribute key, so many a day. Whoever asked for the form is
 * remembered beside it, because nobody else may claim what is uploaded with it.
 */
import { randomBytes } from 'node:crypto';
import { requireUser, type Caller } from '#src/features/accounts/actor.rules.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/contributors/contributors.contract.ts';
import { photosLeft, type Gallery } from '#src/features/galleries/galleries.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { cleanFileName } from '#src/features/photos/upload-names.rules.ts';
import {
  GALLERY_REQUIRED,
  MAX_UPLOAD_BYTES,
  POLICY_MINUTES,
  QUOTA_USED_UP,
  type PolicyAnswer,
  type PolicyBody,
} from '#src/features/photos/uploads.contract.ts';
import * as uploadsSql from '#src/features/photos/uploads.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { notFound, problem } from '#src/shared/problem.ts';

export type UploadPolicyDeps = {
  database: Database;
  storage: Pick<Storage, 'signUpload'>;
  limits: Limits;
  clock: Clock;
  galleries: Pick<GalleryService, 'editable' | 'holderOf'>;
};
export type UploadPolicies = ReturnType<typeof createUploadPolicies>;

/** Whose upload it is, and where it goes. `quota` is a contribute key's own limit, `inviteId` that of a personal one. */
export type UploadOwner = {
  gallery: Gallery;
  uploader: uploadsSql.Uploader;
  quota: number | null;
  inviteId: number | null;
};

const DAY = 86_400;
const USER_UPLOADS_A_DAY = 20_000;
const KEY_UPLOADS_A_DAY = 2_000;
const ADDRESS_UPLOADS_A_DAY = 5_000;

export function createUploadPolicies({ database, storage, limits, clock, galleries }: UploadPolicyDeps) {
  async function ownerByKey(contributeKey: string): Promise<UploadOwner> {
    const holder = await galleries.holderOf(contributeKey);
    if (!holder) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
    return {
      gallery: holder.gallery,
      uploader: { userId: null, contributeKeyHash: holder.actor.keyHash },
      quota: holder.quota,
      inviteId: holder.invite?.id ?? null,
    };
  }

  async function ownerBySession(caller: Caller, galleryId: number | null): Promise<UploadOwner> {
    const { userId } = requireUser(caller.actor);
    if (galleryId === null) throw problem('invalid', GALLERY_REQUIRED, { errors: { gallery_id: [GALLERY_REQUIRED] } });
    return {
      gallery: await galleries.editable(caller, galleryId),
      uploader: { userId, contributeKeyHash: null },
      quota: null,
      inviteId: null,
    };
  }

  /** So many files a day and no more (threat 49). */
  async function takeShare(caller: Caller, { uploader }: UploadOwner): Promise<void> {
    if (uploader.userId !== null)
      return limits.take({ bucket: `policy:user:${uploader.userId}`, limit: USER_UPLOADS_A_DAY, windowSeconds: DAY });
    await limits.take({
      bucket: `policy:key:${uploader.contributeKeyHash.toString('hex')}`,
      limit: KEY_UPLOADS_A_DAY,
      windowSeconds: DAY,
    });
    await limits.take({ bucket: `policy:ip:${caller.ip}`, limit: ADDRESS_UPLOADS_A_DAY, windowSeconds: DAY });
  }

  /** Nobody uploads hundreds of photos that a used up link will not take; handing over counts again. */
  async function refuseUsedUpKey({ gallery, uploader, quota }: UploadOwner): Promise<void> {
    const { contributeKeyHash } = uploader;
    if (quota === null || contributeKeyHash === null) return;
    const tenant = { kind: 'tenants', organizationIds: [gallery.organizationId] } as const;
    const used = await database.read(tenant, (db) => uploadsSql.countClaims(db, contributeKeyHash));
    if (used >= quota) throw problem('forbidden', QUOTA_USED_UP);
  }

  return {
    /** @throws not_found for a dead key */
    ownerByKey,

    /** @throws unauthenticated; invalid without a gallery; not_found for a foreign one; forbidden for a deleted one */
    ownerBySession,

    /**
     * Signs an upload form for one new object of the gallery; `origin` is where the asker reached us.
     * @throws unauthenticated without session and key; not_found for foreign galleries and dead keys; forbidden
     *   "Please Upgrade …", and for a link that is used up; invalid; too_many; storage_full
     */
    async requestPolicy(
      caller: Caller,
      request: { galleryId: number | null; body: PolicyBody; origin: string },
    ): Promise<PolicyAnswer> {
      const { galleryId, body, origin } = request;
      const byKey = body.contributeKey !== undefined && body.contributeKey !== '';
      const owner = byKey ? await ownerByKey(body.contributeKey ?? '') : await ownerBySession(caller, galleryId);
      const { gallery } = owner;
      if (
        (galleryId !== null && galleryId !== gallery.id) ||
        (body.affiliate_id !== undefined && body.affiliate_id !== gallery.organizationId)
      )
        throw notFound();
      if (photosLeft(gallery) < 1) throw problem('forbidden', UPGRADE_FOR_MORE_PHOTOS);
      await refuseUsedUpKey(owner);
      await takeShare(caller, owner);
      const key = `uploads/${gallery.organizationId}/${gallery.id}/${randomBytes(16).toString('hex')}.jpg`;
      const expiresAt = new Date(clock.now().getTime() + POLICY_MINUTES * 60_000);
      const policy = await storage.signUpload({
        key,
        contentType: 'image/jpeg',
        maxBytes: MAX_UPLOAD_BYTES,
        expiresAt,
        origin,
      });
      const upload = {
        key,
        galleryId: gallery.id,
        organizationId: gallery.organizationId,
        uploader: owner.uploader,
        filename: cleanFileName(body.filename),
        expiresAt,
      };
      await database.write({ kind: 'tenants', organizationIds: [gallery.organizationId] }, (tx) =>
        uploadsSql.insertUpload(tx, upload),
      );
      return { error: false, url: policy.url, ...policy.fields } as PolicyAnswer;
    },
  };
}
