/** What a cart needs to know about athletes to sell their passes. Owns no table and reads no names. */
import { sql } from 'kysely';
import type { PassAthlete } from '#src/features/order-offers/athlete-key.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/**
 * The public numbers on these photos, most frequent first. None where the organization shows no numbers, and none of a
 * child who must not be published, as in `photos/numbers.sql.ts`.
 */
export async function listNumbersOn(
  db: Reader,
  organizationId: number,
  { photoIds, most }: { photoIds: readonly number[]; most: number },
): Promise<{ teamId: number; number: string }[]> {
  const { rows } = await sql<{ teamId: number; number: string }>`
    select t.team_id as "teamId", t.number
      from photo_tags t join athlete_settings s on s.organization_id = t.organization_id and s.mode = 'numbers'
     where t.photo_id = any (${[...photoIds]}::bigint[]) and t.organization_id = ${organizationId} and t.team_id is not null and t.number is not null
       and not exists (
         select from athletes a
          where (a.id = t.athlete_id or (t.athlete_id is null and a.id in (
                  select e.athlete_id from entries e where e.team_id = t.team_id and e.number = t.number)))
            and effective_consent(a.consent, s.unknown_consent) <> 'yes')
     group by t.team_id, t.number
     order by count(distinct t.photo_id) desc, t.team_id, t.number limit ${most}`.execute(db);
  return rows;
}

const askedOf = (athletes: readonly PassAthlete[]) => sql`
  unnest(${athletes.map(({ athleteId }) => athleteId)}::bigint[], ${athletes.map(({ teamId }) => teamId)}::bigint[],
         ${athletes.map(({ number }) => number)}::text[]) with ordinality as asked (athlete_id, team_id, number, place)`;

/** `place` is the index in the question, from 0. */
export type AthleteFacts = {
  place: number;
  /** How many players wear the number today; 1 for a child. */
  wearers: number;
  /** Everyone may search it: no one who must not be published wears it. */
  isPublic: boolean;
  /** The last day of the season; null without one. */
  seasonEnds: string | null;
};

/** Facts of these athletes of the organization; others are missing. */
export async function listFacts(
  db: Reader,
  organizationId: number,
  athletes: readonly PassAthlete[],
): Promise<AthleteFacts[]> {
  const { rows } = await sql<AthleteFacts>`
    select (asked.place - 1)::integer as place, coalesce(s.mode = 'numbers', false) and not exists (
             select from entries e join athletes worn on worn.id = e.athlete_id
              where e.team_id = asked.team_id and e.number = asked.number and e.left_on is null
                and effective_consent(worn.consent, s.unknown_consent) <> 'yes') as "isPublic",
           case when asked.athlete_id is not null then 1 else (
             select count(distinct e.athlete_id)::integer from entries e
              where e.team_id = asked.team_id and e.number = asked.number and e.left_on is null) end as wearers,
           (select max(season.last_day)::text from teams t join seasons season on season.id = t.season_id
             where t.id = asked.team_id or t.id in (select e.team_id from entries e where e.athlete_id = asked.athlete_id)) as "seasonEnds"
      from ${askedOf(athletes)}
      left join athletes a on a.id = asked.athlete_id left join teams own on own.id = asked.team_id
      left join athlete_settings s on s.organization_id = ${organizationId}
     where coalesce(a.organization_id, own.organization_id) = ${organizationId}`.execute(db);
  return rows;
}

/** Photos of one athlete in a gallery whose price sheet sells them. */
export type AthletePhotos = {
  place: number;
  sheetId: number;
  version: number;
  galleryId: number;
  photos: number;
  /** Photos in the cart. */
  inCart: number[];
};

/**
 * What a pass of each of these athletes would open today, by gallery: for a child what its family sees, for a number
 * what everyone sees.
 */
export async function listAthletePhotos(
  db: Reader,
  organizationId: number,
  { athletes, photoIds }: { athletes: readonly PassAthlete[]; photoIds: readonly number[] },
): Promise<AthletePhotos[]> {
  const { rows } = await sql<AthletePhotos>`
    with asked as (select * from ${askedOf(athletes)}), tagged as (
      select asked.place, asked.athlete_id, t.photo_id from asked join photo_tags t on t.athlete_id = asked.athlete_id
      union
      select asked.place, null, t.photo_id from asked join photo_tags t on t.team_id = asked.team_id and t.number = asked.number
    )
    select (tagged.place - 1)::integer as place, s.id as "sheetId", s.current_version as version, g.id as "galleryId", count(*)::integer as photos,
           coalesce(array_agg(p.id) filter (where p.id = any (${[...photoIds]}::bigint[])), '{}') as "inCart"
      from tagged join photos p on p.id = tagged.photo_id and p.organization_id = ${organizationId}
      join galleries g on g.id = p.gallery_id and g.active join price_sheets s on s.id = g.price_sheet_id and s.archived_at is null
     where p.status = 'ready' and p.removed_at is null
       and (p.show_in_gallery or (p.withheld_at is not null and tagged.athlete_id is not null and only_family_sees(p.id, tagged.athlete_id)))
       and (tagged.athlete_id is not null or not (g.is_private or g.password_required))
     group by tagged.place, s.id, s.current_version, g.id order by 1, 2, 4`.execute(db);
  return rows;
}
