/** Reads photos in their order: the statements that every page of a gallery uses. */
import { CompiledQuery, sql } from 'kysely';
import { PRICED_AT_MOST } from '#src/features/offers/offers.contract.ts';
import type { PriceGroup } from '#src/features/offers/sheet-warnings.rules.ts';
import type { MemberPhotoRow, PhotoRow, PreviewRow } from '#src/features/photos/photo-answers.rules.ts';
import type { PhotoShow } from '#src/features/photos/photo-grid.contract.ts';
import { PLACE, type PhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import { IS_PUBLIC, type OfferedGallery } from '#src/features/photos/photos.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { asPrepared } from '#src/platform/db/prepared.ts';
import type { TimeRun } from '#src/features/photos/time-sections.rules.ts';

/** Public: what visitors may see. Members: everything that is not removed. */
export type Audience = 'public' | 'members';

/** What visitors see of a photo, without its keywords: each fact and its source. */
export const SHOWN_SOURCES = {
  id: 'p.id',
  name: 'p.name',
  featured: 'p.featured',
  orderKey: 'p.order_key',
  priceOverrideCents: 'p.price_override_cents',
  width: 'p.width',
  height: 'p.height',
  thumbhash: `encode(p.thumbhash, 'base64')`,
  pixelVersion: 'p.pixel_version',
  likes: 'p.likes_count',
  votes: 'p.votes_count',
  takenAt: `p.exif->>'takenAt'`,
} as const;
/** What the visitor $2 did with it. */
export const VISITOR_SOURCES = {
  liked: 'exists (select from photo_likes l where l.photo_id = p.id and l.visitor_id = $2::uuid)',
  voted: 'exists (select from photo_votes v where v.photo_id = p.id and v.visitor_id = $2::uuid)',
} as const;

const COLUMNS = `${Object.entries({ ...SHOWN_SOURCES, ...VISITOR_SOURCES })
  .map(([name, source]) => `${source} as "${name}"`)
  .join(', ')},
  coalesce((select json_agg(json_build_object('id', k.id, 'name', k.name) order by k.id) from photo_keywords k where k.photo_id = p.id), '[]') as keywords,
  p.status, p.problem, p.show_in_gallery as "showInGallery"`;

const MEMBER_COLUMNS = `${COLUMNS}, p.gallery_contributor_id as "contributorId",
  case when c.id is null then null else json_build_object('id', c.id, 'name', c.name, 'email', c.email, 'site', c.site, 'instagram', c.instagram) end as contributor,
  p.exif, p.iptc, p.sales_count as "salesCount", p.sales_cents as "salesCents",
  p.status = 'ready' and p.turns <> p.rendered_turns as turning,
  case when p.withheld_at is not null then array(select distinct w.cause from photo_withholdings w where w.photo_id = p.id order by 1) end as "hiddenBy",
  p.show_in_gallery and p.withheld_at is null and exists (
    select from photo_exceptions e join photo_children k on k.photo_id = e.photo_id and k.athlete_id = e.athlete_id
      join athletes a on a.id = e.athlete_id left join athlete_settings s on s.organization_id = a.organization_id
     where e.photo_id = p.id and effective_consent(a.consent, s.unknown_consent) <> 'yes') as excepted`;

const IS_THERE = `p.removed_at is null`;
export const AUDIENCES = {
  public: { columns: COLUMNS, from: 'photos p', where: IS_PUBLIC },
  members: {
    columns: MEMBER_COLUMNS,
    from: 'photos p left join gallery_contributors c on c.id = p.gallery_contributor_id',
    where: IS_THERE,
  },
} as const;

/** The condition of each filter of the editor (specification A§4). */
export const SHOWN: Record<PhotoShow, string> = {
  default: '',
  onlyShowInGallery: `and p.show_in_gallery and p.status <> 'failed'`,
  onlyNotShowInGallery: `and (not p.show_in_gallery or p.status = 'failed')`,
  withoutKeywords: `and p.status <> 'failed' and not p.tagged`,
  failed: `and p.status = 'failed'`,
};

/** A row for visitors; for members with more fields. */
export type ListedPhoto = PhotoRow & Partial<Omit<MemberPhotoRow, keyof PhotoRow>>;

export type PageRequest = {
  galleryId: number;
  audience: Audience;
  visitorId: string | null;
  after: Pick<PhotoPlace, 'featured' | 'orderKey' | 'id'> | null;
  limit: number;
  /** Visitors always see only public ones. */
  show?: PhotoShow | undefined;
};

/** The statement of one page; exported for the benchmark that runs the same one (speed P4). */
export function pageText(audience: Audience, hasAfter: boolean, show: PhotoShow = 'default'): string {
  const after = hasAfter ? afterPlace('$4::boolean, $5, $6::bigint') : '';
  return `${listedText(audience, SHOWN[show] + after)} limit $3`;
}

export const afterPlace = (place: string) => ` and (${PLACE}) > (${place})`;

/** Photos of gallery $1 in their order. */
function listedText(audience: Audience, more: string): string {
  const { columns, from, where } = AUDIENCES[audience];
  return `select ${columns} from ${from} where p.gallery_id = $1 and ${where} ${more} order by ${PLACE}`;
}

/** Photos in order, after a position. */
export async function listPhotos(db: Reader, request: PageRequest): Promise<ListedPhoto[]> {
  const text = pageText(request.audience, request.after !== null, request.show);
  const { rows } = await db.executeQuery<ListedPhoto>(CompiledQuery.raw(text, pageParameters(request)));
  return rows;
}

function pageParameters({ galleryId, visitorId, limit, after }: Omit<PageRequest, 'audience'>): unknown[] {
  return [galleryId, visitorId, limit, ...(after ? [!after.featured, after.orderKey, after.id] : [])];
}

/** The facts that decide whether a visitor may see a gallery, and what its photos cost. */
export type OpenGallery = {
  organizationId: number;
  priceCents: number;
  displayWatermark: boolean;
  isPrivate: boolean;
  passwordRequired: boolean;
  passwordVersion: number;
  publicPhotoCount: number;
  hasTags: boolean;
};

/**
 * Failed photos are in the members' list but not in the gallery's counters (rule 46). They never had an original, so an index
 * finds them among thousands.
 */
export async function countFailed(db: Reader, galleryId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from photos
     where gallery_id = ${galleryId} and original_sha256 is null
       and status = 'failed' and removed_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** One photo of a gallery; null if this audience does not see it. */
export async function findPhoto(
  db: Reader,
  photo: { galleryId: number; photoId: number; audience: Audience; visitorId: string | null },
): Promise<ListedPhoto | null> {
  const { columns, from, where } = AUDIENCES[photo.audience];
  const text = asPrepared(`select ${columns} from ${from} where p.id = $1 and p.gallery_id = $3 and ${where}`);
  const { rows } = await db.executeQuery<ListedPhoto>(
    CompiledQuery.raw(text, [photo.photoId, photo.visitorId, photo.galleryId]),
  );
  return rows[0] ?? null;
}

export type Beside = { galleryId: number; audience: Audience } & Pick<PhotoPlace, 'featured' | 'orderKey' | 'id'>;

/** How many photos come before this position: fast near the start, where new photos are; else it scans the index. */
export async function countBefore(db: Reader, { galleryId, audience, featured, orderKey, id }: Beside) {
  const text = `select count(*) as count from photos p where p.gallery_id = $1 and ${AUDIENCES[audience].where} and (${PLACE}) < ($2::boolean, $3, $4::bigint)`;
  const { rows } = await db.executeQuery<{ count: number }>(
    CompiledQuery.raw(text, [galleryId, !featured, orderKey, id]),
  );
  return rows[0]?.count ?? 0;
}

type Neighbors = { previousId: number; nextId: number };

/**
 * `previousId` and `nextId` of the position $2-$4 in gallery $1, wrapping around at both ends: lookups in the index of the
 * order.
 */
export function besideText(where: string): string {
  const one = (beside: string, direction: '' | 'desc') =>
    `(select p.id from photos p where p.gallery_id = $1 and ${where} ${beside} order by ${PLACE.split(', ')
      .map((part) => `${part} ${direction}`)
      .join(', ')} limit 1)`;
  const here = `($2::boolean, $3, $4::bigint)`;
  return `coalesce(${one(`and (${PLACE}) < ${here}`, 'desc')}, ${one('', 'desc')}) as "previousId", coalesce(${one(`and (${PLACE}) > ${here}`, '')}, ${one('', '')}) as "nextId"`;
}

/** The photos next to one, fast in galleries of any size. */
export async function findNeighbors(db: Reader, photo: Beside): Promise<Neighbors> {
  const { rows } = await db.executeQuery<Neighbors>(
    CompiledQuery.raw(`select ${besideText(AUDIENCES[photo.audience].where)}`, [
      photo.galleryId,
      !photo.featured,
      photo.orderKey,
      photo.id,
    ]),
  );
  return { previousId: rows[0]?.previousId ?? photo.id, nextId: rows[0]?.nextId ?? photo.id };
}

/** The first ready photos of each of these galleries; one query. */
export async function listPreviews(
  db: Reader,
  galleryIds: readonly number[],
  options: { audience: Audience; most: number },
): Promise<PreviewRow[]> {
  if (galleryIds.length === 0) return [];
  const { where } = AUDIENCES[options.audience];
  const text = `select g.id as "galleryId", g.display_watermark as "displayWatermark", g.is_private as "isPrivate", g.password_required as "passwordRequired",
           p.id, p.name, p.width, p.height, p.thumbhash, p.pixel_version as "pixelVersion"
    from galleries g cross join lateral (
      select p.id, p.name, p.width, p.height, encode(p.thumbhash, 'base64') as thumbhash, p.pixel_version from photos p
       where p.gallery_id = g.id and ${where} and p.status = 'ready' order by ${PLACE} limit $2) p
   where g.id = any($1::bigint[])`;
  const { rows } = await db.executeQuery<PreviewRow>(CompiledQuery.raw(text, [[...galleryIds], options.most]));
  return rows;
}

/** The members' first photos of each of these galleries, in order; one query. */
export async function listPhotosOfGalleries(
  db: Reader,
  galleryIds: readonly number[],
  options: { visitorId: string | null; most: number },
): Promise<(MemberPhotoRow & { galleryId: number })[]> {
  if (galleryIds.length === 0) return [];
  const text = `select p.* from unnest($1::bigint[]) with ordinality as g(id, place) cross join lateral (
      select p.gallery_id as "galleryId", ${MEMBER_COLUMNS} from ${AUDIENCES.members.from}
       where p.gallery_id = g.id and ${IS_THERE} order by ${PLACE} limit $3) p
    order by g.place, (not p.featured), p."orderKey", p.id`;
  const { rows } = await db.executeQuery<MemberPhotoRow & { galleryId: number }>(
    CompiledQuery.raw(text, [[...galleryIds], options.visitorId, options.most]),
  );
  return rows;
}

/** What decides who may buy the photos of a gallery, and for how much. */
export type SellingGallery = {
  id: number;
  organizationId: number;
  parentOrganizationId: number | null;
  priceCents: number;
  isPrivate: boolean;
  passwordRequired: boolean;
  passwordVersion: number;
  /** Null without a price sheet. */
  offered: OfferedGallery | null;
};
export type SellableRow = { id: number; name: string; priceOverrideCents: number | null; gallery: SellingGallery };

/** Of `galleries g` and its `price_sheets s`. */
const OFFERED = `case when s.id is not null then json_build_object('sheetId', s.id, 'version', s.current_version, 'galleryName', g.name,
    'photoCount', g.public_photo_count, 'isPrivate', g.is_private) end`;
const SELLING_GALLERY = `json_build_object('id', g.id, 'organizationId', g.organization_id, 'parentOrganizationId', o.parent_organization_id,
    'priceCents', g.price_cents, 'isPrivate', g.is_private, 'passwordRequired', g.password_required, 'passwordVersion', g.password_version, 'offered', ${OFFERED})`;
const ITS_SHEET = `left join price_sheets s on s.id = g.price_sheet_id and s.archived_at is null`;

/**
 * The given photos that are public in active galleries, with their prices; with `ofFamilies` also hidden ones that the
 * caller has checked for a family. One query; of consecutive rows of one gallery only the first contains it (decision record
 * 0138).
 */
export async function listSellable(
  db: Reader,
  photoIds: readonly number[],
  ofFamilies = false,
): Promise<SellableRow[]> {
  const text = `select p.id, p.gallery_id as "galleryId", p.name, p.price_override_cents as "priceOverrideCents",
      case when p.gallery_id is distinct from lag(p.gallery_id) over () then ${SELLING_GALLERY} end as gallery
    from photos p join galleries g on g.id = p.gallery_id and g.active join organizations o on o.id = p.organization_id and o.deleted_at is null
    ${ITS_SHEET}
   where p.id = any($1::bigint[]) and ${ofFamilies ? `${IS_THERE} and p.status = 'ready'` : IS_PUBLIC}`;
  type Row = Omit<SellableRow, 'gallery'> & { galleryId: number; gallery: SellingGallery | null };
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(asPrepared(text), [[...photoIds]]));
  const galleries = new Map(rows.flatMap(({ gallery }) => (gallery ? [[gallery.id, gallery]] : [])));
  return rows.flatMap(({ id, name, priceOverrideCents, galleryId }) => {
    const gallery = galleries.get(galleryId);
    return gallery ? [{ id, name, priceOverrideCents, gallery }] : [];
  });
}

/** The active ones of these galleries that have a price sheet; one query. */
export async function listOffered(db: Reader, galleryIds: readonly number[]): Promise<SellingGallery[]> {
  const text = `select ${SELLING_GALLERY} as gallery from galleries g join organizations o on o.id = g.organization_id and o.deleted_at is null ${ITS_SHEET}
   where g.id = any($1::bigint[]) and g.active and s.id is not null`;
  const { rows } = await db.executeQuery<{ gallery: SellingGallery }>(CompiledQuery.raw(text, [[...galleryIds]]));
  return rows.map(({ gallery }) => gallery);
}

type ChosenRow = ListedPhoto & {
  gallery: OpenGallery & { id: number; parentOrganizationId: number | null };
};

/**
 * The given photos of an organization that are public in active galleries, with their galleries; one query. $2 is the
 * visitor.
 */
export async function listChosen(
  db: Reader,
  { organizationId, ids, visitorId }: { organizationId: number; ids: readonly number[]; visitorId: string | null },
): Promise<ChosenRow[]> {
  const text = `select ${COLUMNS}, json_build_object('id', g.id, 'organizationId', g.organization_id, 'parentOrganizationId', o.parent_organization_id, 'priceCents', g.price_cents,
      'displayWatermark', g.display_watermark, 'isPrivate', g.is_private, 'passwordRequired', g.password_required, 'passwordVersion', g.password_version,
      'publicPhotoCount', g.public_photo_count) as gallery
    from photos p join galleries g on g.id = p.gallery_id and g.active
    join organizations o on o.id = p.organization_id and o.deleted_at is null
   where p.organization_id = $1 and p.id = any($3::bigint[]) and ${IS_PUBLIC}`;
  const { rows } = await db.executeQuery<ChosenRow>(CompiledQuery.raw(text, [organizationId, visitorId, [...ids]]));
  return rows;
}

/** Runs of visible photos, in their order, that were taken in the same quarter of an hour; at most `most`. */
export async function listTimeRuns(db: Reader, galleryId: number, most: number): Promise<TimeRun[]> {
  const quarter = `left(p.exif->>'takenAt', 14) || lpad((substr(p.exif->>'takenAt', 15, 2)::int / 15 * 15)::text, 2, '0')`;
  const text = `select at::int, quarter from (
      select listed.at, listed.quarter, listed.at = 0 or listed.quarter is distinct from lag(listed.quarter) over (order by listed.at) as begins
        from (select row_number() over (order by ${PLACE}) - 1 as at,
                     case when p.exif->>'takenAt' ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d' then ${quarter} end as quarter
                from photos p where p.gallery_id = $1 and ${AUDIENCES.public.where}) listed) marked
     where begins order by at limit $2`;
  const { rows } = await db.executeQuery<TimeRun>(CompiledQuery.raw(text, [galleryId, most]));
  return rows;
}

/**
 * The prices of a photo in the galleries that use the sheet. For each price: the number of galleries, and how many of
 * their public photos have a higher price of their own.
 */
export async function listPricesOfSheet(db: Reader, sheetId: number): Promise<PriceGroup[]> {
  const { rows } = await sql<PriceGroup>`
    select g.price_cents as "priceCents", count(*)::int as galleries,
           sum((select count(*) from photos p where p.gallery_id = g.id and p.price_override_cents > g.price_cents
                   and ${sql.raw(IS_PUBLIC)}))::int as "ownPriced"
      from (select g.id, g.price_cents from galleries g where g.price_sheet_id = ${sheetId} and g.active
             order by g.created_at desc, g.id limit ${PRICED_AT_MOST}) g
     group by g.price_cents order by galleries desc, g.price_cents`.execute(db);
  return rows;
}
