/** The current watermark of an organization, and the photos with another one. */
import { sql } from 'kysely';
import { PLACE } from '#src/features/photos/photo-order.rules.ts';
import type { MarkSetting } from '#src/features/pictures/mark.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { prepared } from '#src/platform/db/prepared.ts';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';

const COLUMNS = sql`name as "organizationName", domain_name as "domainName", watermark_key as "watermarkKey", watermark_text as "watermarkText",
  watermark_placement as "watermarkPlacement", watermark_strength as "watermarkStrength"`;

/** Null for an unknown organization. */
export async function findMark(db: Reader, organizationId: number): Promise<MarkSetting | null> {
  const { rows } = await sql<MarkSetting>`
    select ${COLUMNS} from organizations where id = ${organizationId} and deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockMark(tx: Writer, organizationId: number): Promise<MarkSetting | null> {
  const { rows } = await sql<MarkSetting>`${prepared}
    select ${COLUMNS} from organizations where id = ${organizationId} and deleted_at is null for share`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Photos of an organization with another watermark: those that visitors see first, newest galleries first. `except` are left
 * out.
 */
export async function listToRemark(
  db: Reader,
  request: { organizationId: number; markName: string; except: readonly number[]; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from photos p join galleries g on g.id = p.gallery_id
     where p.organization_id = ${request.organizationId} and p.status = 'ready' and p.removed_at is null
       and p.mark_name is distinct from ${request.markName} and p.id <> all(${[...request.except]}::bigint[])
     order by (g.active and g.display_watermark and not g.is_private) desc, g.created_at desc, g.id, p.id
     limit ${request.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Organizations with photos whose text watermark was drawn by an older version. */
export async function listToRedraw(db: Reader, textDrawing: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct organization_id as id from photos
     where status = 'ready' and removed_at is null
       and mark_name ~ ' text ' and mark_name !~ ' picture ' and mark_name not like ${`${textDrawing} %`}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many ready photos an organization has, and how many of them have this watermark. */
export async function countMarked(db: Reader, organizationId: number, markName: string) {
  const { rows } = await sql<{ total: number; done: number }>`
    select count(*)::int as total, (count(*) filter (where mark_name = ${markName}))::int as done
      from photos where organization_id = ${organizationId} and status = 'ready' and removed_at is null`.execute(db);
  return rows[0] ?? { total: 0, done: 0 };
}

type CleanPicture = { size: RenditionSize; key: string };
export type PhotoToRemark = {
  id: number;
  galleryId: number;
  organizationId: number;
  pixelVersion: number;
  originalSha256: string;
  clean: CleanPicture[];
};

/** The ready ones of these photos with their clean renditions, from large to small; one query. */
export async function listWithClean(db: Reader, photoIds: readonly number[]): Promise<PhotoToRemark[]> {
  const { rows } = await sql<PhotoToRemark>`
    select p.id, p.gallery_id as "galleryId", p.organization_id as "organizationId", p.pixel_version as "pixelVersion",
           p.original_sha256 as "originalSha256",
           (select coalesce(json_agg(json_build_object('size', r.size, 'key', r.object_key) order by r.size desc), '[]')
              from renditions r where r.photo_id = p.id and r.mark = 'clean') as clean
      from photos p join unnest(${[...photoIds]}::bigint[]) with ordinality as given (id, place) on given.id = p.id
     where p.status = 'ready' and p.removed_at is null
     order by given.place`.execute(db);
  return rows;
}

/** Raises the version of a photo whose pixels are still the same; false if they changed meanwhile. */
export async function setMark(tx: Writer, photo: { id: number; pixelVersion: number }, markName: string) {
  const result = await tx
    .updateTable('photos')
    .set({ mark_name: markName, pixel_version: photo.pixelVersion + 1 })
    .where('id', '=', photo.id)
    .where('pixel_version', '=', photo.pixelVersion)
    .where('status', '=', 'ready')
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** A clean rendition of the first photo of an organization's newest gallery that has one; null without one. */
export async function findSample(db: Reader, organizationId: number): Promise<string | null> {
  const { rows } = await sql<{ key: string }>`
    select r.object_key as key from galleries g cross join lateral (
      select p.id from photos p where p.gallery_id = g.id and p.status = 'ready' and p.removed_at is null
       order by ${sql.raw(PLACE)} limit 1) p
      join renditions r on r.photo_id = p.id and r.size = 640 and r.mark = 'clean'
     where g.organization_id = ${organizationId} and g.active
     order by g.created_at desc, g.id limit 1`.execute(db);
  return rows[0]?.key ?? null;
}
