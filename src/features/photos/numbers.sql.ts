/**
 * Photos by the numbers of athletes. Tags have no policy for visitors, so these queries run as the organization and decide what
 * is public: photos that everyone sees, and no number of a child who must not be published, even if an exception shows a photo.
 */
import { CompiledQuery, sql } from 'kysely';
import type { ShownNumber, TagOfMembers } from '#src/features/photos/numbers.rules.ts';
import { PLACE } from '#src/features/photos/photo-order.rules.ts';
import { AUDIENCES, type Audience, type ListedPhoto, type PageRequest } from '#src/features/photos/photos.sql.ts';
import { FOUND_AT_MOST } from '#src/features/photos/shown-photo.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** An organization with public numbers: what `unknown` means there. */
type NumberSearch = { unknownConsent: string };

/** Null in the modes `private` and `off`. */
export async function findNumberSearch(db: Reader, organizationId: number): Promise<NumberSearch | null> {
  const { rows } = await sql<NumberSearch>`
    select unknown_consent as "unknownConsent" from athlete_settings
     where organization_id = ${organizationId} and mode = 'numbers'`.execute(db);
  return rows[0] ?? null;
}

/** Null: for members. A bare number belongs to everyone who wears it on the roster, as in the view `photo_children`. */
type SearchSetting = NumberSearch | null;
const isPublicNumber = (setting: SearchSetting) =>
  setting === null
    ? sql`true`
    : sql`case when t.athlete_id is not null then effective_consent(a.consent, ${setting.unknownConsent}) = 'yes'
               else not exists (select from entries e join athletes worn on worn.id = e.athlete_id
                                 where e.team_id = t.team_id and e.number = t.number
                                   and effective_consent(worn.consent, ${setting.unknownConsent}) <> 'yes') end`;

/** A number, only of these teams if any are given. */
type SoughtNumber = { number: string | null; teamIds: readonly number[] | null };
type Sought = SoughtNumber & { galleryId: number; audience: Audience; setting: SearchSetting };

const isSought = ({ number, teamIds, setting }: Sought) => sql`
  ${number === null ? sql`true` : sql`t.number = ${number}`} and ${teamIds === null ? sql`true` : sql`t.team_id = any(${[...teamIds]}::bigint[])`}
  and t.number is not null and ${isPublicNumber(setting)}`;
const TAGS = sql`photo_tags t left join athletes a on a.id = t.athlete_id`;

/** Teams of an organization with this short name, ignoring case. */
export async function findTeamsCalled(db: Reader, organizationId: number, shortName: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from teams
     where organization_id = ${organizationId} and lower(short_name) = lower(${shortName})`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many photos with the number this audience sees; at most `FOUND_AT_MOST`. */
export async function countWithNumber(db: Reader, sought: Sought): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from (select distinct t.photo_id from ${TAGS} where t.gallery_id = ${sought.galleryId} and ${isSought(sought)}) found
        cross join lateral (select from photos p where p.id = found.photo_id and p.gallery_id = ${sought.galleryId}
                              and ${sql.raw(AUDIENCES[sought.audience].where)} offset 0) seen
       limit ${FOUND_AT_MOST}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Photos with the number in order, after a position. A common number: photos are read in order until enough have it. A rare
 * one: its photos are fetched and sorted.
 */
export async function listWithNumber(
  db: Reader,
  request: PageRequest & { sought: Sought; found: number; photoCount: number },
): Promise<ListedPhoto[]> {
  const { galleryId, audience, visitorId, after, limit, sought, found, photoCount } = request;
  const isCommon = found * found > limit * photoCount;
  const has = isCommon
    ? sql`exists (select from ${TAGS} where t.photo_id = p.id and ${isSought(sought)} offset 0)`
    : sql`p.id = any(array(select t.photo_id from ${TAGS} where t.gallery_id = ${galleryId} and ${isSought(sought)}))`;
  const later = after
    ? sql`and (${sql.raw(PLACE)}) > (${!after.featured}::boolean, ${after.orderKey}, ${after.id}::bigint)`
    : sql``;
  const { columns, from, where } = AUDIENCES[audience];
  // The visitor is $2 in these columns.
  const text = sql<ListedPhoto>`select ${sql.raw(columns.replaceAll('$2::uuid', 'viewer.id'))}
      from (select ${visitorId}::uuid as id) viewer cross join ${sql.raw(from)}
     where p.gallery_id = ${galleryId} and ${sql.raw(where)} ${later} and ${has} order by ${sql.raw(PLACE)} limit ${limit}`;
  return (await text.execute(db)).rows;
}

/** Numbers on the public photos of a gallery, with the number of photos. */
export async function listNumbers(db: Reader, galleryId: number, setting: NumberSearch): Promise<ShownNumber[]> {
  const { rows } = await sql<ShownNumber>`
    select m.id as "teamId", m.short_name as team, counted.number, counted.photos
      from (select t.team_id, t.number, count(distinct t.photo_id)::integer as photos
              from ${TAGS} join photos p on p.id = t.photo_id and p.gallery_id = t.gallery_id
             where t.gallery_id = ${galleryId} and t.team_id is not null and t.number is not null
               and ${sql.raw(AUDIENCES.public.where)} and ${isPublicNumber(setting)}
             group by t.organization_id, t.team_id, t.number) counted
      join teams m on m.id = counted.team_id
     order by m.id, counted.number`.execute(db);
  return rows;
}

/** Public numbers on these photos, each once, in the order of the tags. Photos without any are missing. */
export async function listNumbersOn(
  db: Reader,
  photoIds: readonly number[],
  setting: NumberSearch,
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ photoId: number; number: string }>`
    select t.photo_id as "photoId", t.number from ${TAGS}
     where t.photo_id = any(${[...photoIds]}::bigint[]) and t.number is not null
       and ${isPublicNumber(setting)} order by t.id`.execute(db);
  const numbers = new Map<number, string[]>();
  for (const { photoId, number } of rows) numbers.set(photoId, [...new Set([...(numbers.get(photoId) ?? []), number])]);
  return numbers;
}

/** All tags of these photos, for members. */
export async function listTagsOn(
  db: Reader,
  photoIds: readonly number[],
): Promise<(TagOfMembers & { photoId: number })[]> {
  const { rows } = await db.executeQuery<TagOfMembers & { photoId: number }>(
    CompiledQuery.raw(
      `select t.photo_id as "photoId", t.athlete_id as "athleteId", a.first_name as "firstName", a.last_name as "lastName",
              t.team_id as "teamId", m.short_name as team, t.number
         from photo_tags t left join athletes a on a.id = t.athlete_id left join teams m on m.id = t.team_id
        where t.photo_id = any($1::bigint[]) order by t.id`,
      [[...photoIds]],
    ),
  );
  return rows;
}
