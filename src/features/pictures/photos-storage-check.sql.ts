/** What rows say about stored objects, page by page (invariants I7 and I8). Read in the system's scope. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';
import type { RenditionMark } from '#src/platform/images/images.ts';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';

/** An object as a row describes it. */
export type ExpectedObject = { key: string; sha256: string; bytes: number };
export type ExpectedRendition = ExpectedObject & { photoId: number; size: RenditionSize; mark: RenditionMark };
/** Of a purged photo that someone bought only the file is left. */
export type ReadyPhoto = { id: number; pixelVersion: number; isPurged: boolean; original: ExpectedObject };

/** Ready photos after an id, by id; removed ones only if someone has bought them (rule 26). */
export async function listReadyPhotos(db: Reader, afterId: number, limit: number): Promise<ReadyPhoto[]> {
  const rows = await db
    .selectFrom('photos')
    .select(['id', 'pixel_version', 'purged_at', 'original_key', 'original_sha256', 'original_bytes'])
    .where('status', '=', 'ready')
    .where((where) => where.or([where('removed_at', 'is', null), where('sales_count', '>', 0)]))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    pixelVersion: row.pixel_version,
    isPurged: row.purged_at !== null,
    original: { key: row.original_key ?? '', sha256: row.original_sha256 ?? '', bytes: row.original_bytes ?? 0 },
  }));
}

/** The renditions of these photos. */
export async function listRenditions(db: Reader, photoIds: readonly number[]): Promise<ExpectedRendition[]> {
  return db
    .selectFrom('renditions')
    .select(['photo_id as photoId', 'size', 'mark', 'object_key as key', 'sha256', 'bytes'])
    .where('photo_id', 'in', photoIds)
    .orderBy('photo_id')
    .orderBy('size')
    .orderBy('mark')
    .execute();
}

/** The given keys that belong to no photo, rendition, upload or pending removal. */
export async function findKeysWithoutRow(db: Reader, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select listed.key
      from unnest(${keys}::text[]) as listed (key)
      left join photos as original on original.original_key = listed.key
      left join photos as uploaded on uploaded.upload_key = listed.key
      left join renditions as rendition on rendition.object_key = listed.key
      left join uploads as upload on upload.key = listed.key
      left join object_removals as removal on removal.object_key = listed.key and removal.removed_at is null
     where original.id is null and uploaded.id is null and rendition.photo_id is null and upload.key is null
       and removal.object_key is null
     order by listed.key collate "C"`.execute(db);
  return rows.map(({ key }) => key);
}
