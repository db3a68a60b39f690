/** Upload policies that were handed out, their claims, and the photos that claims make. */
import type { Uploader } from '#src/features/uploads/upload-limits.rules.ts';
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { MarkSetting } from '#src/features/pictures/mark.rules.ts';
import type { MarkPlacement, PictureFacts } from '#src/platform/images/images.ts';

export type NewUpload = {
  key: string;
  galleryId: number;
  organizationId: number;
  uploader: Uploader;
  filename: string;
  expiresAt: Date;
};

export async function insertUpload(tx: Writer, upload: NewUpload): Promise<void> {
  await tx
    .insertInto('uploads')
    .values({
      key: upload.key,
      gallery_id: upload.galleryId,
      organization_id: upload.organizationId,
      user_id: upload.uploader.userId,
      contribute_key_hash: upload.uploader.contributeKeyHash,
      filename: upload.filename,
      expires_at: upload.expiresAt,
    })
    .execute();
}

export type KnownUpload = { key: string; filename: string; isClaimed: boolean };

/** Those of these keys that were issued to this very uploader for this very gallery. */
export async function findUploads(
  db: Reader,
  keys: readonly string[],
  owner: { galleryId: number; uploader: Uploader },
): Promise<KnownUpload[]> {
  const { userId, contributeKeyHash } = owner.uploader;
  const rows = await db
    .selectFrom('uploads')
    .select(['key', 'filename', 'claimed_at'])
    .where('key', 'in', keys)
    .where('gallery_id', '=', owner.galleryId)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .$if(contributeKeyHash !== null, (query) => query.where('contribute_key_hash', '=', contributeKeyHash))
    .execute();
  return rows.map((row) => ({ key: row.key, filename: row.filename, isClaimed: row.claimed_at !== null }));
}

/** Marks uploads as claimed; returns the keys that were not claimed before. Of two at once one waits and comes too late. */
export async function claimUploads(tx: Writer, keys: readonly string[]): Promise<string[]> {
  const rows = await tx
    .updateTable('uploads')
    .set({ claimed_at: sql<Date>`now()` })
    .where('key', 'in', keys)
    .where('claimed_at', 'is', null)
    .returning('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** Photos that a contribute key has brought so far. */
export async function countClaims(db: Reader, contributeKeyHash: Buffer): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('contribute_key_hash', '=', contributeKeyHash)
    .where('claimed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * Forms of a gallery that were handed out and whose uploads are no photos yet. @param ofMembers only those of members: anyone who
 * has a link could keep the gallery's own people out with uploads that no one sees and no one claims
 */
export async function countUnclaimed(db: Reader, { galleryId, ofMembers }: { galleryId: number; ofMembers: boolean }) {
  const forms = db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('gallery_id', '=', galleryId)
    .where('claimed_at', 'is', null);
  const row = await (ofMembers ? forms.where('contribute_key_hash', 'is', null) : forms).executeTakeFirstOrThrow();
  return row.count;
}

/** Unclaimed forms of a gallery that nothing can be stored with any more. */
export async function listExpired(db: Reader, galleryId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('key')
    .where('gallery_id', '=', galleryId)
    .where('claimed_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() - interval '1 minute'`)
    .limit(limit)
    .execute();
  return rows.map(({ key }) => key);
}

/** Forgets unclaimed forms. */
export async function forgetForms(tx: Writer, keys: readonly string[]): Promise<void> {
  await tx.deleteFrom('uploads').where('key', 'in', keys).where('claimed_at', 'is', null).execute();
}

/** The order prefix of a batch that the gallery knows already. */
export async function findBatchPrefix(db: Reader, galleryId: number, batch: string): Promise<string | null> {
  const row = await db
    .selectFrom('photo_batches')
    .select('order_prefix')
    .where('gallery_id', '=', galleryId)
    .where('batch', '=', batch)
    .executeTakeFirst();
  return row?.order_prefix ?? null;
}

export async function insertBatch(
  tx: Writer,
  batch: { galleryId: number; organizationId: number; batch: string; prefix: string },
): Promise<void> {
  await tx
    .insertInto('photo_batches')
    .values({
      gallery_id: batch.galleryId,
      organization_id: batch.organizationId,
      batch: batch.batch,
      order_prefix: batch.prefix,
    })
    .execute();
}

export type ClaimedPhoto = { id: number; name: string; orderKey: string; uploadKey: string; uploadEtag: string };

/** Sparse ids as the table itself makes them, asked beforehand because the order key carries the id. */
export async function takePhotoIds(db: Reader, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select random_id() as id from generate_series(1, ${count}::int)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export async function insertPhotos(
  tx: Writer,
  owner: {
    galleryId: number;
    organizationId: number;
    batchPrefix: string | null;
    contributorId: number | null;
    showInGallery: boolean;
  },
  photos: readonly ClaimedPhoto[],
): Promise<void> {
  await tx
    .insertInto('photos')
    .values(
      photos.map((photo) => ({
        id: photo.id,
        gallery_id: owner.galleryId,
        organization_id: owner.organizationId,
        name: photo.name,
        show_in_gallery: owner.showInGallery,
        order_key: photo.orderKey,
        batch_prefix: owner.batchPrefix,
        gallery_contributor_id: owner.contributorId,
        upload_key: photo.uploadKey,
        upload_etag: photo.uploadEtag,
      })),
    )
    .execute();
}

/** Of these hashes of uploaded files, those that the gallery has photos of. */
export async function findKnownHashes(db: Reader, galleryId: number, hashes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('photos')
    .select('original_sha256')
    .distinct()
    .where('gallery_id', '=', galleryId)
    .where('original_sha256', 'in', hashes)
    .where('removed_at', 'is', null)
    .execute();
  return rows.flatMap(({ original_sha256: hash }) => (hash === null ? [] : [hash]));
}

/** Forgets policies whose upload no one claimed; returns their keys. */
export async function deleteUnclaimed(tx: Writer, olderThanHours: number, limit: number): Promise<string[]> {
  const old = tx
    .selectFrom('uploads')
    .select('key')
    .where('claimed_at', 'is', null)
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${olderThanHours}::int)`)
    .limit(limit);
  const rows = await tx
    .deleteFrom('uploads')
    .where('key', 'in', old)
    .where('claimed_at', 'is', null)
    .returning('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** Of these upload objects, those that no photo waits for and no policy may still be claimed with. */
export async function listUnneeded(db: Reader, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select given.key from unnest(${[...keys]}::text[]) as given(key)
     where not exists (select from photos p where p.upload_key = given.key and p.status = 'processing' and p.removed_at is null)
       and not exists (select from uploads u where u.key = given.key and u.claimed_at is null)`.execute(db);
  return rows.map(({ key }) => key);
}

export type PhotoToIngest = {
  id: number;
  galleryId: number;
  organizationId: number;
  name: string;
  turns: number;
  pixelVersion: number;
  uploadKey: string;
  uploadEtag: string;
  mark: MarkSetting;
};

/** Null when there is nothing to do any more: ready, failed, removed. Also of a gallery that was deleted meanwhile: an admin may restore it (rule 45). */
export async function findPhotoToIngest(db: Reader, photoId: number): Promise<PhotoToIngest | null> {
  const row = await db
    .selectFrom('photos as p')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .select([
      'p.id',
      'p.gallery_id',
      'p.organization_id',
      'p.name',
      'p.turns',
      'p.pixel_version',
      'p.upload_key',
      'p.upload_etag',
      'o.name as organization_name',
      'o.watermark_key',
      'o.watermark_text',
      'o.watermark_placement',
      'o.watermark_strength',
      'o.domain_name',
    ])
    .where('p.id', '=', photoId)
    .where('p.status', '=', 'processing')
    .where('p.removed_at', 'is', null)
    .executeTakeFirst();
  if (!row || row.upload_key === null || row.upload_etag === null) return null;
  return {
    id: row.id,
    galleryId: row.gallery_id,
    organizationId: row.organization_id,
    name: row.name,
    turns: row.turns,
    pixelVersion: row.pixel_version,
    uploadKey: row.upload_key,
    uploadEtag: row.upload_etag,
    mark: {
      organizationName: row.organization_name,
      watermarkKey: row.watermark_key,
      watermarkText: row.watermark_text,
      watermarkPlacement: row.watermark_placement as MarkPlacement,
      watermarkStrength: row.watermark_strength,
      domainName: row.domain_name,
    },
  };
}

/** Locks a photo that is still to be made ready; its key may be rewritten while `batchPrefix` stands. */
export async function lockProcessing(tx: Writer, photoId: number) {
  const row = await tx
    .selectFrom('photos')
    .select(['batch_prefix', 'name', 'turns'])
    .where('id', '=', photoId)
    .where('status', '=', 'processing')
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? { batchPrefix: row.batch_prefix, name: row.name, turns: row.turns } : null;
}

export type StoredOriginal = { key: string; sha256: string; bytes: number };

export async function markReady(
  tx: Writer,
  photoId: number,
  ready: {
    facts: PictureFacts;
    original: StoredOriginal;
    orderKey: string | null;
    /** What the renditions show. */
    turns: number;
    markName: string;
  },
): Promise<void> {
  const { facts, original, orderKey, turns, markName } = ready;
  await tx
    .updateTable('photos')
    .set({
      status: 'ready',
      width: facts.width,
      height: facts.height,
      thumbhash: facts.thumbhash,
      dhash: facts.dhash,
      sharpness: facts.sharpness,
      rendered_turns: turns,
      mark_name: markName,
      captured_at: facts.capturedAt,
      exif: JSON.stringify(facts.exif),
      iptc: JSON.stringify(facts.iptc),
      original_key: original.key,
      original_sha256: original.sha256,
      original_bytes: original.bytes,
      upload_key: null,
      upload_etag: null,
      ...(orderKey === null ? {} : { order_key: orderKey }),
    })
    .where('id', '=', photoId)
    .execute();
}

/** Null when the photo was decided already. */
export async function markFailed(tx: Writer, photoId: number, problem: string) {
  const row = await tx
    .updateTable('photos')
    .set({ status: 'failed', problem })
    .where('id', '=', photoId)
    .where('status', '=', 'processing')
    .returning(['gallery_id', 'upload_key'])
    .executeTakeFirst();
  return row ? { galleryId: row.gallery_id, uploadKey: row.upload_key } : null;
}
