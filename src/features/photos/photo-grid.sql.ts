/** Reads for the editor's grid: all photos in few words, and some of them in full. */
import { CompiledQuery, sql } from 'kysely';
import type { MemberPhotoRow } from '#src/features/photos/photo-answers.rules.ts';
import type { PhotoShow, ShowCounts } from '#src/features/photos/photo-grid.contract.ts';
import { AUDIENCES, countFailed, PLACE, SHOWN, type PageRequest } from '#src/features/photos/photos.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

export type LayoutRow = {
  id: number;
  width: number | null;
  height: number | null;
  shown: boolean;
  featured: boolean;
  orderKey: string;
};

/** The members' photos after a place, walked along the index of the filter. */
export async function listLayout(
  db: Reader,
  request: Pick<PageRequest, 'galleryId' | 'after' | 'limit'> & { show: PhotoShow },
): Promise<LayoutRow[]> {
  const { galleryId, after, limit, show } = request;
  const beyond = after ? `and (${PLACE}) > ($3::boolean, $4, $5::bigint)` : '';
  const text = `select p.id, p.width, p.height, p.show_in_gallery as shown, p.featured, p.order_key as "orderKey" from photos p
     where p.gallery_id = $1 and ${AUDIENCES.members.where} ${SHOWN[show]} ${beyond} order by ${PLACE} limit $2`;
  const parameters = [galleryId, limit, ...(after ? [!after.featured, after.orderKey, after.id] : [])];
  const { rows } = await db.executeQuery<LayoutRow>(CompiledQuery.raw(text, parameters));
  return rows;
}

/** Members' photos of a gallery by their ids, in no order; those that are gone are missing. */
export async function listFacts(
  db: Reader,
  photos: { galleryId: number; ids: readonly number[]; visitorId: string | null },
): Promise<MemberPhotoRow[]> {
  const { columns, from, where } = AUDIENCES.members;
  const text = `select ${columns} from ${from} where p.id = any($1::bigint[]) and p.gallery_id = $3 and ${where}`;
  const { rows } = await db.executeQuery<MemberPhotoRow>(
    CompiledQuery.raw(text, [[...photos.ids], photos.visitorId, photos.galleryId]),
  );
  return rows;
}

/** How many photos each filter has: the gallery counts its photos itself, few are hidden, and hidden ones have an index. */
export async function countShows(db: Reader, gallery: { id: number; photoCount: number }): Promise<ShowCounts> {
  const all = gallery.photoCount + (await countFailed(db, gallery.id));
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from photos where gallery_id = ${gallery.id} and not show_in_gallery and removed_at is null`.execute(
    db,
  );
  const hidden = Math.min(all, rows[0]?.count ?? 0);
  return { default: all, onlyShowInGallery: all - hidden, onlyNotShowInGallery: hidden };
}
