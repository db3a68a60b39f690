/** What the worker reads and writes of a photo on its way from upload to ready. */
import type { MarkSetting } from '#src/features/pictures/mark.rules.ts';
import type { MarkPlacement, PictureFacts } from '#src/platform/images/images.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

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

/** Null when there is nothing to do any more: ready, failed, removed. */
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
export async function lockProcessing(
  tx: Writer,
  photoId: number,
): Promise<{ batchPrefix: string | null; name: string; turns: number } | null> {
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
export async function markFailed(
  tx: Writer,
  photoId: number,
  problem: string,
): Promise<{ galleryId: number; uploadKey: string | null } | null> {
  const row = await tx
    .updateTable('photos')
    .set({ status: 'failed', problem })
    .where('id', '=', photoId)
    .where('status', '=', 'processing')
    .returning(['gallery_id', 'upload_key'])
    .executeTakeFirst();
  return row ? { galleryId: row.gallery_id, uploadKey: row.upload_key } : null;
}
