/** Photos as the tagging screen shows them, with their tags; and the teams in play. */
import { CompiledQuery, sql } from 'kysely';
import type { TagOfMembers } from '#src/features/photos/numbers.rules.ts';
import { PLACE, type PhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import type { PhotoToTag } from '#src/features/tagging/tagging.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

type TaggingRow = PhotoToTag & { featured: boolean; orderKey: string };

/** All tags of photo `p.id` as JSON, in the order in which they were added. */
const TAGS = `coalesce((select json_agg(json_build_object('athleteId', t.athlete_id, 'firstName', a.first_name, 'lastName', a.last_name,
    'teamId', t.team_id, 'team', m.short_name, 'number', t.number) order by t.id)
  from photo_tags t left join athletes a on a.id = t.athlete_id left join teams m on m.id = t.team_id where t.photo_id = p.id), '[]')`;

/** Ready photos after a position; `userId`'s own run does not count as taken. */
export async function listTagging(
  db: Reader,
  request: {
    galleryId: number;
    userId: number | null;
    after: Pick<PhotoPlace, 'featured' | 'orderKey' | 'id'> | null;
    limit: number;
  },
): Promise<TaggingRow[]> {
  const { after } = request;
  const text = `select p.id, p.featured, p.order_key as "orderKey", p.pixel_version as "pixelVersion", p.width, p.height,
      p.exif->>'takenAt' as "capturedAt", p.exif->>'make' as make, p.exif->>'model' as model, p.show_in_gallery as shown,
      p.show_in_gallery or exists (select from photo_withholdings w where w.photo_id = p.id and w.show_after) as published,
      exists (select from photo_checks c where c.photo_id = p.id and c.checked) as checked,
      exists (select from tagging_runs r where r.gallery_id = $1 and r.until > now() and r.user_id is distinct from $2::bigint
                 and p.order_key between r.first_key and r.last_key) as taken,
      ${TAGS} as tags,
      array(select ltrim(k.name::text, '#') from photo_keywords k where k.photo_id = p.id and k.name::text ~ '^#?[0-9]{1,4}$' order by k.id) as "keywordNumbers"
    from photos p
   where p.gallery_id = $1 and p.removed_at is null and p.status = 'ready' ${after ? `and (${PLACE}) > ($4::boolean, $5, $6::bigint)` : ''}
   order by ${PLACE} limit $3`;
  const { rows } = await db.executeQuery<TaggingRow>(
    CompiledQuery.raw(text, [
      request.galleryId,
      request.userId,
      request.limit,
      ...(after ? [!after.featured, after.orderKey, after.id] : []),
    ]),
  );
  return rows;
}

/** Counts ready photos, and those that are tagged or have no one to name. */
export async function countTagging(db: Reader, galleryId: number): Promise<{ done: number; total: number }> {
  const { rows } = await sql<{ done: number; total: number }>`
    with seen as (
      select photo_id from photo_tags where gallery_id = ${galleryId}
      union select photo_id from photo_checks where gallery_id = ${galleryId} and checked)
    select count(*)::integer as total, count(seen.photo_id)::integer as done from photos p left join seen on seen.photo_id = p.id
     where p.gallery_id = ${galleryId} and p.removed_at is null and p.status = 'ready'`.execute(db);
  return rows[0] ?? { done: 0, total: 0 };
}

type WornNumber = TagOfMembers & { teamId: number; number: string };

/** Who wears which number now on the teams in play; athletes without a number are missing. */
export async function listWorn(db: Reader, galleryId: number): Promise<WornNumber[]> {
  const { rows } = await sql<WornNumber>`
    select e.athlete_id as "athleteId", a.first_name as "firstName", a.last_name as "lastName", e.team_id as "teamId", t.short_name as team, e.number
      from gallery_teams g join teams t on t.id = g.team_id join entries e on e.team_id = t.id and e.left_on is null and e.number is not null
           join athletes a on a.id = e.athlete_id
     where g.gallery_id = ${galleryId} order by t.id, e.id`.execute(db);
  return rows;
}
