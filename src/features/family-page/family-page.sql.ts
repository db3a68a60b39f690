/** Photos of one child, for its family. Owns no table. */
import { sql } from 'kysely';
import { isSeenByFamily } from '#src/features/families/families.sql.ts';
import type { FamilyPlace } from '#src/features/family-page/family-page.rules.ts';
import type { PhotoRow } from '#src/features/photos/photo-answers.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

type FamilyPhotoRow = PhotoRow & FamilyPlace;
type Child = { organizationId: number; athleteId: number };

const OF_CHILD = ({ organizationId, athleteId }: Child) => sql`
  from photo_tags t
  join photos p on p.id = t.photo_id and p.organization_id = ${organizationId} and p.removed_at is null and p.status = 'ready'
  join galleries g on g.id = p.gallery_id and g.active
 where t.athlete_id = ${athleteId}`;

/** Newest game first, and within a game as in its gallery, without moving featured ones to the front. */
export async function listPhotos(
  db: Reader,
  child: Child,
  { after, limit }: { after: FamilyPlace | null; limit: number },
): Promise<FamilyPhotoRow[]> {
  const behind = after
    ? sql`and (-(extract(epoch from g.created_at) * 1000000)::bigint, -g.id, p.order_key, p.id)
            > (-${after.galleryAt}::bigint, -${after.galleryId}::bigint, ${after.orderKey}, ${after.id}::bigint)`
    : sql``;
  const { rows } = await sql<FamilyPhotoRow>`
    select p.id, p.name, p.status, p.problem, p.show_in_gallery as "showInGallery", p.featured, p.order_key as "orderKey",
           p.price_override_cents as "priceOverrideCents", p.width, p.height, encode(p.thumbhash, 'base64') as thumbhash,
           p.pixel_version as "pixelVersion", p.likes_count as likes, p.votes_count as votes, false as liked, false as voted,
           '[]'::json as keywords, p.exif->>'takenAt' as "takenAt", g.id as "galleryId",
           (extract(epoch from g.created_at) * 1000000)::bigint::text as "galleryAt"
      ${OF_CHILD(child)} and ${isSeenByFamily(sql`t.athlete_id`)} ${behind}
     order by -(extract(epoch from g.created_at) * 1000000)::bigint, -g.id, p.order_key, p.id
     limit ${limit}`.execute(db);
  return rows;
}

export type SeenInGallery = {
  galleryId: number;
  seen: number;
  lowestCents: number | null;
  highestCents: number | null;
};

/** The number of photos that the family sees, and their lowest and highest price, by gallery. */
export async function countPhotos(db: Reader, child: Child): Promise<SeenInGallery[]> {
  const cents = sql`coalesce(p.price_override_cents, g.price_cents)`;
  const isSeen = sql`filter (where ${isSeenByFamily(sql`t.athlete_id`)})`;
  const { rows } = await sql<SeenInGallery>`
    select g.id as "galleryId", count(*) ${isSeen}::integer as seen,
           min(${cents}) ${isSeen} as "lowestCents", max(${cents}) ${isSeen} as "highestCents"
      ${OF_CHILD(child)} group by g.organization_id, g.id`.execute(db);
  return rows;
}

/** Whether the consent of a child hides its photos from others, also where no one was asked. */
export async function isHiddenByConsent(db: Reader, { athleteId }: Child): Promise<boolean> {
  const { rows } = await sql<{ isHidden: boolean }>`
    select effective_consent(a.consent, s.unknown_consent) <> 'yes' as "isHidden"
      from athletes a left join athlete_settings s on s.organization_id = a.organization_id
     where a.id = ${athleteId}`.execute(db);
  return rows[0]?.isHidden ?? false;
}

type FamilyGalleryRow = {
  id: number;
  organizationId: number;
  name: string;
  priceCents: number;
  priceSheetId: number | null;
  displayWatermark: boolean;
  isPrivate: boolean;
  passwordRequired: boolean;
  publicPhotoCount: number;
};

export async function listGalleries(db: Reader, ids: readonly number[]): Promise<FamilyGalleryRow[]> {
  const { rows } = await sql<FamilyGalleryRow>`
    select g.id, g.organization_id as "organizationId", g.name, g.price_cents as "priceCents", s.id as "priceSheetId",
           g.display_watermark as "displayWatermark", g.is_private as "isPrivate", g.password_required as "passwordRequired",
           g.public_photo_count as "publicPhotoCount"
      from galleries g left join price_sheets s on s.id = g.price_sheet_id and s.archived_at is null
     where g.id = any (${[...ids]}::bigint[])`.execute(db);
  return rows;
}
