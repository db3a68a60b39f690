/** A visitor's page of photos together with its gallery: the most frequent query on a busy day. */
import { CompiledQuery } from 'kysely';
import { GALLERY_OBJECT, readGallery, type GalleryObject } from '#src/features/galleries/galleries.sql.ts';
import type { ShownPhotoRow } from '#src/features/photos/photo-answers.rules.ts';
import { MAX_PHOTOS_PER_PAGE, PHOTOS_PER_PAGE } from '#src/features/photos/photos.contract.ts';
import { PLACE } from '#src/features/photos/photo-order.rules.ts';
import {
  afterPlace,
  AUDIENCES,
  SHOWN_SOURCES,
  VISITOR_SOURCES,
  type OpenGallery,
  type PageRequest,
} from '#src/features/photos/photos.sql.ts';
import { GALLERY_REVISIONS, type FoundRevision } from '#src/features/tenancy/revisions.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';

const GALLERY_SOURCES = {
  organizationId: 'g.organization_id',
  priceCents: 'g.price_cents',
  displayWatermark: 'g.display_watermark',
  isPrivate: 'g.is_private',
  passwordRequired: 'g.password_required',
  passwordVersion: 'g.password_version',
  publicPhotoCount: 'g.public_photo_count',
  hasTags: 'g.has_tags',
} as const satisfies Record<keyof OpenGallery, string>;
const GALLERY_VALUES = `json_build_array(${Object.values(GALLERY_SOURCES).join(', ')})`;

/** One more than the photos of a page, for the default or the maximum page. */
const FEW_PHOTOS = PHOTOS_PER_PAGE + 1;
const MOST_PHOTOS = MAX_PHOTOS_PER_PAGE + 1;

/** `isWhole`: with all facts of the gallery, and its revisions. */
type OpenPageRequest = Omit<PageRequest, 'audience' | 'show'> & { isWhole?: boolean };

/**
 * Keywords in any order, each as its id, a space and its name, and then what `FACT_NAMES` names; a visitor who is not known
 * has none of the last ones.
 */
type OpenPhoto = readonly [keywords: readonly string[], ...facts: unknown[]];

const FACT_NAMES = [...Object.keys(SHOWN_SOURCES), ...Object.keys(VISITOR_SOURCES)];
const GALLERY_NAMES = Object.keys(GALLERY_SOURCES);

/**
 * Prepared: for every gallery, its photos are read along the index of their order. The limit is part of the text, because
 * PostgreSQL takes an unknown one for a tenth of the table and then plans the statement each time. Its values are the gallery,
 * the visitor if known, and the position. The result is one JSON text without names: rows with a column for each fact, and
 * sorting the keywords of each photo, cost PostgreSQL and its client more (decision record 0149).
 */
export function openPageText({ visitorId, after, limit, isWhole = false }: Omit<OpenPageRequest, 'galleryId'>): string {
  const most = limit <= FEW_PHOTOS ? FEW_PHOTOS : MOST_PHOTOS;
  const facts = Object.values(visitorId === null ? SHOWN_SOURCES : { ...SHOWN_SOURCES, ...VISITOR_SOURCES });
  const place = visitorId === null ? '$2::boolean, $3, $4::bigint' : '$3::boolean, $4, $5::bigint';
  return asPrepared(`select json_build_array(${isWhole ? GALLERY_OBJECT : GALLERY_VALUES}, array(
      select json_build_array(
               array(select k.id || ' ' || k.name from photo_keywords k where k.photo_id = p.id), ${facts.join(', ')})
        from photos p
       where p.gallery_id = $1 and ${AUDIENCES.public.where} ${after ? afterPlace(place) : ''} order by ${PLACE} limit ${most})${isWhole ? `, ${GALLERY_REVISIONS}` : ''}) as page
     from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null
    where g.id = $1 and g.active`);
}

/** In one round trip. May return more photos than `limit`, at most 101. Null without such an active gallery. */
export async function listOpenPage(db: Reader, request: OpenPageRequest) {
  const open = await listOpen<readonly unknown[]>(db, request);
  return open && { ...open, gallery: named(GALLERY_NAMES, open.gallery) as OpenGallery };
}

/** The same with all facts of the gallery, and the revisions of its organization's own facts and of the gallery. */
export async function listOpenGallery(db: Reader, request: OpenPageRequest) {
  const open = await listOpen<GalleryObject>(db, { ...request, isWhole: true });
  return open && { ...open, gallery: readGallery(open.gallery) };
}

async function listOpen<Facts>(
  db: Reader,
  request: OpenPageRequest,
): Promise<{ gallery: Facts; photos: ShownPhotoRow[]; revisions: readonly FoundRevision[] } | null> {
  const { galleryId, visitorId, after } = request;
  const place = after ? [!after.featured, after.orderKey, after.id] : [];
  const values = [galleryId, ...(visitorId === null ? [] : [visitorId]), ...place];
  const { rows } = await db.executeQuery<{ page: [Facts, OpenPhoto[], FoundRevision[]?] }>(
    CompiledQuery.raw(openPageText(request), values),
  );
  if (!rows[0]) return null;
  const [gallery, photos, revisions = []] = rows[0].page;
  return { gallery, photos: photos.map(readPhoto), revisions };
}

function readPhoto(photo: OpenPhoto): ShownPhotoRow {
  const keywords = photo[0].map(readKeyword).toSorted((one, other) => one.id - other.id);
  return named(FACT_NAMES, photo.slice(1), { keywords }) as ShownPhotoRow;
}

function readKeyword(keyword: string): { id: number; name: string } {
  const end = keyword.indexOf(' ');
  return { id: Number(keyword.slice(0, end)), name: keyword.slice(end + 1) };
}

function named(names: readonly string[], values: readonly unknown[], facts: Record<string, unknown> = {}) {
  for (let at = 0; at < values.length; at++) facts[names[at] as string] = values[at];
  return facts;
}
