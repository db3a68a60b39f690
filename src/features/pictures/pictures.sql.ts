/** What the image call needs: everything that decides who may see the picture, and the stored objects, in one query. */
import { CompiledQuery } from 'kysely';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';

export type StoredPicture = {
  mark: 'clean' | 'marked';
  key: string;
  sha256: string;
  bytes: number;
};

export type PictureRights = {
  photoId: number;
  galleryId: number;
  organizationId: number;
  parentOrganizationId: number | null;
  name: string;
  status: 'processing' | 'ready' | 'failed';
  isRemoved: boolean;
  /** Someone has decided about this contribution: a member, or a request that hid it while it was shown. */
  isReviewed: boolean;
  showInGallery: boolean;
  pixelVersion: number;
  originalKey: string | null;
  originalSha256: string | null;
  originalBytes: number | null;
  galleryActive: boolean;
  isPrivate: boolean;
  displayWatermark: boolean;
  passwordRequired: boolean;
  passwordVersion: number;
  /** Its renditions in the requested size: clean and watermarked. */
  pictures: StoredPicture[];
};

/** A gallery of a deleted organization counts as inactive; buyers still get what they paid for. */
const RIGHTS = `p.id as "photoId", p.gallery_id as "galleryId", p.organization_id as "organizationId", o.parent_organization_id as "parentOrganizationId",
    p.name, p.status, p.removed_at is not null as "isRemoved", p.reviewed_at is not null as "isReviewed", p.show_in_gallery as "showInGallery", p.pixel_version as "pixelVersion",
    p.original_key as "originalKey", p.original_sha256 as "originalSha256", p.original_bytes as "originalBytes", g.active and o.deleted_at is null as "galleryActive", g.is_private as "isPrivate",
    g.display_watermark as "displayWatermark", g.password_required as "passwordRequired", g.password_version as "passwordVersion"`;
/**
 * The gallery's organization is the photo's; stated explicitly because it selects the partition of a divided table (decision
 * record 0082).
 */
const OF_PHOTOS =
  'from galleries g join photos p on p.gallery_id = g.id and p.organization_id = g.organization_id join organizations o on o.id = p.organization_id';

/**
 * Each photo is looked up by its key. The ids are JSON, because PostgreSQL estimates the cost of an array by its length, and
 * would plan every call again.
 */
const FIND = asPrepared(`select asked.at, found.*, r.mark, r.object_key as key, r.sha256, r.bytes
  from json_to_recordset($1) as asked (at integer, photo_id bigint, gallery_id bigint, size smallint)
  cross join lateral (select ${RIGHTS} ${OF_PHOTOS} where p.id = asked.photo_id and g.id = asked.gallery_id limit 1) as found
  left join lateral (select * from renditions where photo_id = asked.photo_id and size = asked.size limit 8) as r on true`);

const LIST = `select ${RIGHTS} ${OF_PHOTOS} where p.id = any($1::bigint[])`;

type Row = Omit<PictureRights, 'pictures'> & { at: number } & {
  [Key in keyof StoredPicture]: StoredPicture[Key] | null;
};

/** A photo, and the requested size. */
export type WantedPicture = { galleryId: number; photoId: number; size: RenditionSize };

/** Rights and renditions of each photo at its size, in the order of the request; null if it is not visible within the scope. */
export async function findPictureRights(
  db: Reader,
  wanted: readonly WantedPicture[],
): Promise<(PictureRights | null)[]> {
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(FIND, [
      JSON.stringify(
        wanted.map(({ photoId, galleryId, size }, at) => ({ at, photo_id: photoId, gallery_id: galleryId, size })),
      ),
    ]),
  );
  const found: (PictureRights | null)[] = wanted.map(() => null);
  for (const row of rows) {
    const photo = (found[row.at] ??= Object.assign(row, { pictures: [] }));
    const { mark, key, sha256, bytes } = row;
    if (mark !== null && key !== null && sha256 !== null && bytes !== null)
      photo.pictures.push({ mark, key, sha256, bytes });
  }
  return found;
}

/** The same for many photos, without their renditions, in no order. */
export async function listPictureRights(db: Reader, photoIds: readonly number[]): Promise<PictureRights[]> {
  const { rows } = await db.executeQuery<Omit<PictureRights, 'pictures'>>(CompiledQuery.raw(LIST, [photoIds]));
  return rows.map((row) => ({ ...row, pictures: [] }));
}
