/**
 * An upload has three steps: the server signs a form for exactly one new object, the browser
 * posts the file to the storage, and a claim makes a photo of it, once. Only whoever asked for
 * the form may claim its object, and what the file says of itself is read later by the worker.
 */
import { randomBytes } from 'node:crypto';
import { requireUser, type Caller } from '#src/features/accounts/actor.rules.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/contributors/contributors.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { photosLeft, type Gallery } from '#src/features/galleries/galleries.rules.ts';
import { keyInBatch, prefixBefore } from '#src/features/photos/photo-order.rules.ts';
import * as writesSql from '#src/features/photos/photo-writes.sql.ts';
import { ingestPhotoJob } from '#src/features/photos/photos.jobs.ts';
import { UPGRADE_FOR_MORE_PHOTOS, type PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import type { PhotoReading } from '#src/features/photos/reading.service.ts';
import { cleanFileName, photoName } from '#src/features/photos/upload-names.rules.ts';
import {
  GALLERY_REQUIRED,
  MAX_UPLOAD_BYTES,
  POLICY_MINUTES,
  QUOTA_USED_UP,
  UNCLAIMED_HOURS,
  UPLOAD_CLAIMED,
  UPLOAD_NOT_STORED,
  UPLOAD_UNKNOWN,
  type ClaimBody,
  type ClaimedUpload,
  type PolicyAnswer,
  type PolicyBody,
} from '#src/features/photos/uploads.contract.ts';
import * as uploadsSql from '#src/features/photos/uploads.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database, Scope, Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { notFound, problem } from '#src/shared/problem.ts';

export type UploadDeps = {
  database: Database;
  storage: Storage;
  jobs: Pick<Jobs, 'enqueueMany'>;
  limits: Limits;
  clock: Clock;
  galleries: Pick<GalleryService, 'editable' | 'holderOf' | 'lockForPhotos' | 'announce'>;
  reading: Pick<PhotoReading, 'one'>;
};

/** Whose upload it is, and where it goes. `quota` is a contribute key's own limit. */
export type UploadOwner = { gallery: Gallery; uploader: uploadsSql.Uploader; quota: number | null };

/** Uploads that have been looked at and may be claimed in a transaction. */
export type PreparedClaim = { key: string; etag: string; name: string };

export type ClaimOptions = {
  /** Text of a batch; `'own'` for a batch of just these photos; null for each on its own. */
  batch: { text: string } | 'own' | null;
  contributorId: number | null;
  showInGallery: boolean;
};

const SWEEPER: Scope = { kind: 'system', why: 'unclaimed uploads are cleared for every tenant' };
const DAY = 86_400;
const USER_UPLOADS_A_DAY = 20_000;
const KEY_UPLOADS_A_DAY = 2_000;
const ADDRESS_UPLOADS_A_DAY = 5_000;
const HEADS_AT_A_TIME = 8;
const SWEEP_STEP = 500;

export function createUploads(deps: UploadDeps) {
  const { database, storage, jobs, limits, clock, galleries, reading } = deps;
  const tenant = (gallery: Gallery): Scope => ({ kind: 'tenants', organizationIds: [gallery.organizationId] });

  async function ownerByKey(contributeKey: string): Promise<UploadOwner> {
    const holder = await galleries.holderOf(contributeKey);
    if (!holder) throw notFound(CONTRIBUTE_KEY_UNKNOWN);
    return {
      gallery: holder.gallery,
      uploader: { userId: null, contributeKeyHash: holder.actor.keyHash },
      quota: holder.quota,
    };
  }

  async function ownerBySession(caller: Caller, galleryId: number | null): Promise<UploadOwner> {
    const { userId } = requireUser(caller.actor);
    if (galleryId === null) throw problem('invalid', GALLERY_REQUIRED, { errors: { gallery_id: [GALLERY_REQUIRED] } });
    return {
      gallery: await galleries.editable(caller, galleryId),
      uploader: { userId, contributeKeyHash: null },
      quota: null,
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

  function keyOf(upload: ClaimedUpload): string {
    const key = upload.key ?? storage.keyOfLocation(upload.image_url ?? '');
    if (key === null || key === '') throw unknownUpload();
    return key;
  }

  async function refuseBeyondQuota(tx: Writer, { uploader, quota }: UploadOwner, count: number): Promise<void> {
    if (quota === null || uploader.contributeKeyHash === null) return;
    if ((await uploadsSql.countClaims(tx, uploader.contributeKeyHash)) + count > quota)
      throw problem('forbidden', QUOTA_USED_UP);
  }

  /** A whole number of the gallery's order for these photos: that of their batch, or a new one before all others. */
  async function prefixFor(tx: Writer, gallery: Gallery, batch: ClaimOptions['batch']): Promise<string> {
    const text = batch !== null && batch !== 'own' ? batch.text : null;
    const known = text === null ? null : await uploadsSql.findBatchPrefix(tx, gallery.id, text);
    if (known !== null) return known;
    const prefix = prefixBefore(await writesSql.findFirstKey(tx, gallery.id));
    if (text !== null)
      await uploadsSql.insertBatch(tx, {
        galleryId: gallery.id,
        organizationId: gallery.organizationId,
        batch: text,
        prefix,
      });
    return prefix;
  }

  /**
   * Looks at uploads before a transaction begins: they must have been issued to this owner and be stored.
   * @throws invalid for unknown ones and for those that have not arrived; conflict for claimed ones
   */
  async function prepare(owner: UploadOwner, claims: readonly ClaimedUpload[]): Promise<PreparedClaim[]> {
    const keys = claims.map(keyOf);
    if (new Set(keys).size < keys.length) throw problem('conflict', UPLOAD_CLAIMED);
    const known = await database.read(tenant(owner.gallery), (db) =>
      uploadsSql.findUploads(db, keys, { galleryId: owner.gallery.id, uploader: owner.uploader }),
    );
    const byKey = new Map(known.map((upload) => [upload.key, upload]));
    const prepared: PreparedClaim[] = [];
    for (let start = 0; start < keys.length; start += HEADS_AT_A_TIME) {
      const some = keys.slice(start, start + HEADS_AT_A_TIME).map(async (key, step): Promise<PreparedClaim> => {
        const upload = byKey.get(key);
        if (!upload) throw unknownUpload();
        if (upload.isClaimed) throw problem('conflict', UPLOAD_CLAIMED);
        const object = await storage.head(key);
        if (!object) throw problem('invalid', UPLOAD_NOT_STORED, { errors: { key: [UPLOAD_NOT_STORED] } });
        return { key, etag: object.etag, name: photoName(claims[start + step]?.name, upload.filename) };
      });
      prepared.push(...(await Promise.all(some)));
    }
    return prepared;
  }

  /**
   * Makes photos of prepared uploads and queues their development, in the caller's transaction. The gallery's limit and
   * the key's quota are counted under its lock (decision 27). New photos come first. Answers their ids.
   * @throws forbidden "Please Upgrade …"; conflict when somebody else claimed one meanwhile; not_found for a deleted gallery
   */
  async function claimIn(
    tx: Writer,
    owner: UploadOwner,
    claims: readonly PreparedClaim[],
    options: ClaimOptions,
  ): Promise<number[]> {
    const { gallery } = owner;
    await writesSql.lockOrder(tx, gallery.id);
    if (photosLeft(await galleries.lockForPhotos(tx, gallery.id)) < claims.length)
      throw problem('forbidden', UPGRADE_FOR_MORE_PHOTOS);
    await refuseBeyondQuota(tx, owner, claims.length);
    const claimed = await uploadsSql.claimUploads(
      tx,
      claims.map(({ key }) => key),
    );
    if (claimed.length < claims.length) throw problem('conflict', UPLOAD_CLAIMED);
    const prefix = await prefixFor(tx, gallery, options.batch);
    const ids = await uploadsSql.takePhotoIds(tx, claims.length);
    const takenAt = clock.now();
    const photos = claims.map(({ key, etag, name }, index) => {
      const id = ids[index] ?? 0;
      const orderKey = options.batch === null ? prefix : keyInBatch(prefix, { takenAt, name, photoId: id });
      return { id, name, orderKey, uploadKey: key, uploadEtag: etag };
    });
    await uploadsSql.insertPhotos(
      tx,
      {
        galleryId: gallery.id,
        organizationId: gallery.organizationId,
        batchPrefix: options.batch === null ? null : prefix,
        contributorId: options.contributorId,
        showInGallery: options.showInGallery,
      },
      photos,
    );
    await jobs.enqueueMany(
      tx,
      ingestPhotoJob,
      photos.map(({ id }) => ({ photoId: id })),
    );
    for (const { id, name } of photos)
      await galleries.announce(tx, gallery.id, {
        name: 'photo.added',
        data: { photo_id: id, name, status: 'processing' },
      });
    crashAt('claim.before_commit');
    return ids;
  }

  return {
    ownerByKey,
    prepare,
    claimIn,

    /**
     * Signs an upload form for one new object of the gallery; `origin` is where the asker reached us.
     * @throws unauthenticated without session and key; not_found for foreign galleries and dead keys; forbidden
     *   "Please Upgrade …"; invalid; too_many; storage_full
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
      await database.write(tenant(gallery), (tx) => uploadsSql.insertUpload(tx, upload));
      return { error: false, url: policy.url, ...policy.fields } as PolicyAnswer;
    },

    /**
     * Makes a photo of an upload; it is `processing` until the worker has developed it.
     * @throws unauthenticated; not_found; forbidden; invalid for uploads that are unknown or not stored; conflict for claimed ones
     */
    async claim(caller: Caller, galleryId: number, { batch, ...upload }: ClaimBody['photo']): Promise<PhotoAnswer> {
      const owner = await ownerBySession(caller, galleryId);
      const prepared = await prepare(owner, [upload]);
      const text = batch?.trim() ?? '';
      const [photoId] = await database.write(tenant(owner.gallery), (tx) =>
        claimIn(tx, owner, prepared, {
          batch: text === '' ? null : { text },
          contributorId: null,
          showInGallery: true,
        }),
      );
      crashAt('claim.after_commit');
      return reading.one(caller, galleryId, photoId ?? 0);
    },

    /** Removes what was uploaded and not claimed within a day, and objects that a crash left behind. Answers how many. */
    async sweepUploads(): Promise<number> {
      let removed = 0;
      for (let keys: string[] = []; ;) {
        keys = await database.write(SWEEPER, (tx) => uploadsSql.deleteUnclaimed(tx, UNCLAIMED_HOURS, SWEEP_STEP));
        for (const key of keys) await storage.remove(key);
        removed += keys.length;
        if (keys.length < SWEEP_STEP) break;
      }
      return removed + (await sweepObjects());
    },
  };

  /** Only uploads on their way live below `uploads/`; an old one that no photo waits for is nobody's. */
  async function sweepObjects(): Promise<number> {
    const bornBefore = clock.now().getTime() - UNCLAIMED_HOURS * 3_600_000;
    let removed = 0;
    let old: string[] = [];
    const clear = async () => {
      const keys = old.length === 0 ? [] : await database.read(SWEEPER, (db) => uploadsSql.listUnneeded(db, old));
      for (const key of keys) await storage.remove(key);
      removed += keys.length;
      old = [];
    };
    for await (const object of storage.list('uploads/')) {
      if (object.lastModified.getTime() < bornBefore && old.push(object.key) === SWEEP_STEP) await clear();
    }
    await clear();
    return removed;
  }
}

function unknownUpload() {
  return problem('invalid', UPLOAD_UNKNOWN, { errors: { key: [UPLOAD_UNKNOWN] } });
}
