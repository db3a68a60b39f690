/** Queries for the editor's grid: the layout of all photos, and some photos in full. */
import { CompiledQuery, sql } from 'kysely';
import type { MemberPhotoRow } from '#src/features/photos/photo-answers.rules.ts';
import type { PhotoShow, PhotoSort, ShowCounts } from '#src/features/photos/photo-grid.contract.ts';
import { PLACE } from '#src/features/photos/photo-order.rules.ts';
import { AUDIENCES, countFailed, SHOWN, type PageRequest } from '#src/features/photos/photos.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { literalPatternOf } from '#src/platform/db/literal-pattern.ts';

type LayoutRow = {
  id: number;
  width: number | null;
  height: number | null;
  shown: boolean;
  featured: boolean;
  failed: boolean;
  /** Its position: a key of the gallery's order, or its time in microseconds. */
  orderKey: string;
};

/** The capture time, else the upload time: microseconds as one number, usable as a position. */
const TAKEN = `greatest(0, (extract(epoch from coalesce(p.captured_at, p.created_at)) * 1000000)::bigint)`;

/** The meaning of a search: photos with a keyword of each group, or with the text in their file name. */
export type Sought = { groups: readonly (readonly string[])[]; text: string };

type LayoutRequest = Pick<PageRequest, 'galleryId' | 'after' | 'limit'> & {
  show: PhotoShow;
  sort: PhotoSort;
  sought: Sought | null;
};

/** Members' photos after a position, by the index of the filter or sorted by time. */
export async function listLayout(db: Reader, request: LayoutRequest): Promise<LayoutRow[]> {
  const { galleryId, limit, show, sought } = request;
  const { key, order, beyond, place } = orderOf(request);
  const found = foundBy(sought, 3 + place.length);
  const text = `select p.id, p.width, p.height, p.show_in_gallery as shown, p.featured, p.status = 'failed' as failed, ${key} as "orderKey" from photos p
     where p.gallery_id = $1 and ${AUDIENCES.members.where} ${SHOWN[show]} ${beyond} ${found.where} order by ${order} limit $2`;
  const { rows } = await db.executeQuery<LayoutRow>(
    CompiledQuery.raw(text, [galleryId, limit, ...place, ...found.parameters]),
  );
  return rows;
}

/** How many photos of a filter a search finds. */
export async function countFound(
  db: Reader,
  { galleryId, show, sought }: { galleryId: number; show: PhotoShow; sought: Sought },
): Promise<number> {
  const found = foundBy(sought, 2);
  const text = `select count(*) as count from photos p where p.gallery_id = $1 and ${AUDIENCES.members.where} ${SHOWN[show]} ${found.where}`;
  const { rows } = await db.executeQuery<{ count: number }>(CompiledQuery.raw(text, [galleryId, ...found.parameters]));
  return rows[0]?.count ?? 0;
}

/** Its parameters start at the number `first`. */
function foundBy(sought: Sought | null, first: number): { where: string; parameters: unknown[] } {
  if (!sought) return { where: '', parameters: [] };
  const { groups, text } = sought;
  const tagged = groups.map(
    (_, at) =>
      `exists (select from photo_keywords k where k.photo_id = p.id and k.name = any($${first + 1 + at}::citext[]))`,
  );
  const named = `fold_text(p.name) like ${literalPatternOf(`$${first}`)}`;
  const either = [named, ...(tagged.length === 0 ? [] : [`(${tagged.join(' and ')})`])].join(' or ');
  return { where: `and (${either})`, parameters: [text, ...groups] };
}

function orderOf({ sort, after }: Pick<LayoutRequest, 'sort' | 'after'>) {
  if (sort === 'custom') {
    const beyond = after ? `and (${PLACE}) > ($3::boolean, $4, $5::bigint)` : '';
    return {
      key: 'p.order_key',
      order: PLACE,
      beyond,
      place: after ? [!after.featured, after.orderKey, after.id] : [],
    };
  }
  const [direction, side] = sort === 'oldest' ? ['', '>'] : ['desc', '<'];
  return {
    key: `${TAKEN}::text`,
    order: `${TAKEN} ${direction}, p.id ${direction}`,
    beyond: after ? `and (${TAKEN}, p.id) ${side} ($3::bigint, $4::bigint)` : '',
    place: after ? [after.orderKey, after.id] : [],
  };
}

/** Members' photos of a gallery by id, in no order; deleted ones are missing. */
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

/**
 * The count of each filter. The gallery stores its count (without failed photos), few are hidden, and hidden ones and those
 * without keywords have an index each. Also whether new ones are held.
 */
export async function countShows(
  db: Reader,
  gallery: { id: number; photoCount: number },
): Promise<{ counts: ShowCounts; hasHeld: boolean }> {
  const failed = await countFailed(db, gallery.id);
  const { rows } = await sql<{ hidden: number; bare: number; hasHeld: boolean }>`
    select (select count(*) from photos p where p.gallery_id = ${gallery.id} and not p.show_in_gallery and p.removed_at is null
               and p.status <> 'failed') as hidden,
           (select count(*) from photos p where p.gallery_id = ${gallery.id} and p.removed_at is null and p.status <> 'failed'
               and not p.tagged) as bare,
           exists (select from photos p join photo_withholdings w on w.photo_id = p.id and w.cause = 'hold'
                    where p.gallery_id = ${gallery.id} and not p.show_in_gallery and p.removed_at is null and p.status <> 'failed') as "hasHeld"`.execute(
    db,
  );
  const hidden = Math.min(gallery.photoCount, rows[0]?.hidden ?? 0);
  const counts = {
    default: gallery.photoCount + failed,
    onlyShowInGallery: gallery.photoCount - hidden,
    onlyNotShowInGallery: hidden + failed,
    withoutKeywords: Math.min(gallery.photoCount, rows[0]?.bare ?? 0),
    failed,
  };
  return { counts, hasHeld: rows[0]?.hasHeld ?? false };
}
