/** Upload policies, their claims, and the photos that claims create. */
import type { Uploader } from '#src/features/uploads/upload-quotas.rules.ts';
import { sql } from 'kysely';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { PictureFacts } from '#src/platform/images/images.ts';
import { pick } from '#src/shared/form-values.ts';

export async function insertUpload(
  tx: Writer,
  upload: RowOf<
    'uploads',
    'key' | 'gallery_id' | 'organization_id' | 'user_id' | 'contribute_key_hash' | 'filename' | 'expires_at'
  >,
): Promise<void> {
  await tx.insertInto('uploads').values(upload).execute();
}

/** The given keys that were issued to this uploader for this gallery. */
export async function findUploads(
  db: Reader,
  keys: readonly string[],
  owner: { galleryId: number; uploader: Uploader },
) {
  const { userId, contributeKeyHash } = owner.uploader;
  return db
    .selectFrom('uploads')
    .modifyFront(prepared)
    .select(['key', 'filename', sql<boolean>`claimed_at is not null`.as('isClaimed')])
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .where('gallery_id', '=', owner.galleryId)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .$if(contributeKeyHash !== null, (query) => query.where('contribute_key_hash', '=', contributeKeyHash))
    .execute();
}

/**
 * Marks uploads as claimed; returns a photo id for each that was not claimed before. Of two simultaneous claims the second
 * waits and gets none. The ids come from the sequence of photos, read beforehand because the order key contains them.
 */
export async function claimUploads(tx: Writer, keys: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ photoId: number }>`${prepared}
    update uploads set claimed_at = now() where key = any(${[...keys]}::text[]) and claimed_at is null
    returning random_id() as "photoId"`.execute(tx);
  return rows.map(({ photoId }) => photoId);
}

/** Photos that were added with a contribute key so far. */
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
 * Forms of a gallery whose uploads are not photos yet.
 * @param ofMembers only those of members: otherwise anyone with a link could block the gallery's own members with uploads that
 * no one sees and no one claims
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

/** Expired unclaimed forms of a gallery. */
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

/** Deletes unclaimed forms. */
export async function forgetForms(tx: Writer, keys: readonly string[]): Promise<void> {
  await tx.deleteFrom('uploads').where('key', 'in', keys).where('claimed_at', 'is', null).execute();
}

/** The order prefix of an existing batch of the gallery. */
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
  batch: RowOf<'photo_batches', 'gallery_id' | 'organization_id' | 'batch' | 'order_prefix'>,
): Promise<void> {
  await tx.insertInto('photo_batches').values(batch).execute();
}

export type ClaimedPhoto = { id: number; name: string; orderKey: string; uploadKey: string; uploadEtag: string };

/** Photos of one claim. @param shared their common fields */
export async function insertPhotos(
  tx: Writer,
  shared: {
    galleryId: number;
    organizationId: number;
    batchPrefix: string | null;
    contributorId: number | null;
    showInGallery: boolean;
  },
  photos: readonly ClaimedPhoto[],
): Promise<void> {
  const column = (name: keyof ClaimedPhoto) => photos.map((photo) => photo[name]);
  await sql`${prepared}
    insert into photos (gallery_id, organization_id, batch_prefix, gallery_contributor_id, show_in_gallery, id, name, order_key, upload_key, upload_etag)
    select ${shared.galleryId}, ${shared.organizationId}, ${shared.batchPrefix}, ${shared.contributorId}, ${shared.showInGallery}, given.*
      from unnest(${column('id')}::bigint[], ${column('name')}::text[], ${column('orderKey')}::text[], ${column('uploadKey')}::text[],
                  ${column('uploadEtag')}::text[]) as given`.execute(tx);
}

/** The given file hashes that belong to photos of the gallery. */
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

/** Deletes policies of unclaimed uploads; returns their keys. */
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

/** The given upload objects that no photo waits for and that no policy can still claim; known: they were claimed. */
export async function listUnneeded(db: Reader, keys: readonly string[]): Promise<{ key: string; isKnown: boolean }[]> {
  const { rows } = await sql<{ key: string; isKnown: boolean }>`
    select given.key, exists (select from uploads u where u.key = given.key) as "isKnown" from unnest(${[...keys]}::text[]) as given(key)
     where not exists (select from photos p where p.upload_key = given.key and p.status = 'processing' and p.removed_at is null)
       and not exists (select from uploads u where u.key = given.key and u.claimed_at is null)`.execute(db);
  return rows;
}

const MARK = [
  'organizationName',
  'watermarkKey',
  'watermarkText',
  'watermarkPlacement',
  'watermarkStrength',
  'domainName',
] as const;

export type PhotoToIngest = NonNullable<Awaited<ReturnType<typeof findPhotoToIngest>>>;

/**
 * Null when there is nothing to do: ready, failed or removed. Also for a gallery that was deleted meanwhile, because an admin
 * may restore it (rule 45).
 */
export async function findPhotoToIngest(db: Reader, photoId: number) {
  const photo = await db
    .selectFrom('photos as p')
    .modifyFront(prepared)
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .select([
      'p.id',
      'p.gallery_id as galleryId',
      'p.organization_id as organizationId',
      'p.name',
      'p.turns',
      'p.pixel_version as pixelVersion',
      'p.upload_key as uploadKey',
      'p.upload_etag as uploadEtag',
    ])
    .select([
      'o.name as organizationName',
      'o.watermark_key as watermarkKey',
      'o.watermark_text as watermarkText',
      'o.watermark_placement as watermarkPlacement',
      'o.watermark_strength as watermarkStrength',
      'o.domain_name as domainName',
    ])
    .where('p.id', '=', photoId)
    .where('p.status', '=', 'processing')
    .where('p.removed_at', 'is', null)
    .where('p.upload_key', 'is not', null)
    .where('p.upload_etag', 'is not', null)
    .$narrowType<{ uploadKey: string; uploadEtag: string }>()
    .executeTakeFirst();
  return photo ? { ...photo, mark: pick(photo, MARK) } : null;
}

/** Locks a photo that is still to be made ready; its key may be rewritten while it has a `batchPrefix`. */
export async function lockProcessing(tx: Writer, photoId: number) {
  const row = await tx
    .selectFrom('photos')
    .modifyFront(prepared)
    .select(['batch_prefix as batchPrefix', 'name', 'turns'])
    .where('id', '=', photoId)
    .where('status', '=', 'processing')
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
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
  await sql`${prepared}
    update photos set status = 'ready', width = ${facts.width}, height = ${facts.height}, thumbhash = ${facts.thumbhash},
           dhash = ${facts.dhash}, sharpness = ${facts.sharpness}, rendered_turns = ${turns}, mark_name = ${markName},
           captured_at = ${facts.capturedAt}, exif = ${JSON.stringify(facts.exif)}, iptc = ${JSON.stringify(facts.iptc)},
           original_key = ${original.key}, original_sha256 = ${original.sha256}, original_bytes = ${original.bytes},
           upload_key = null, upload_etag = null, order_key = coalesce(${orderKey}, order_key)
     where id = ${photoId}`.execute(tx);
}

/** Null when the photo was already decided. */
export async function markFailed(tx: Writer, photoId: number, problem: string) {
  const row = await tx
    .updateTable('photos')
    .set({ status: 'failed', problem })
    .where('id', '=', photoId)
    .where('status', '=', 'processing')
    .returning(['gallery_id as galleryId', 'upload_key as uploadKey'])
    .executeTakeFirst();
  return row ?? null;
}
