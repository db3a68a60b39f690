/** Table of this module: season_starts; and what a new season copies. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type Start = {
  seasonId: number;
  organizationId: number;
  fromSeasonId: number;
  keepNumbers: boolean;
  newCards: boolean;
  askConsent: boolean;
  total: number;
  done: number;
  lastAthleteId: number;
  isOver: boolean;
};

/** Copies the teams of the previous season, and stores how many athletes will follow. */
export async function insertStart(
  tx: Writer,
  start: Pick<Start, 'seasonId' | 'organizationId' | 'fromSeasonId' | 'keepNumbers' | 'newCards' | 'askConsent'>,
): Promise<void> {
  await sql`
    insert into teams (organization_id, season_id, name, short_name, color)
    select organization_id, ${start.seasonId}, name, short_name, color
      from teams where season_id = ${start.fromSeasonId}`.execute(tx);
  await sql`
    insert into season_starts (season_id, organization_id, from_season_id, keep_numbers, new_cards, ask_consent, total)
    select ${start.seasonId}, ${start.organizationId}, ${start.fromSeasonId}, ${start.keepNumbers}, ${start.newCards}, ${start.askConsent},
           (select count(distinct e.athlete_id) from entries e join teams t on t.id = e.team_id join athletes a on a.id = e.athlete_id
             where t.season_id = ${start.fromSeasonId} and e.left_on is null and a.nameless_at is null)`.execute(tx);
}

const SELECT = sql`
  select season_id as "seasonId", organization_id as "organizationId", from_season_id as "fromSeasonId", keep_numbers as "keepNumbers",
         new_cards as "newCards", ask_consent as "askConsent", total, done, last_athlete_id as "lastAthleteId",
         finished_at is not null as "isOver"
    from season_starts`;

export async function findStart(db: Reader, seasonId: number): Promise<Start | null> {
  const { rows } = await sql<Start>`${SELECT} where season_id = ${seasonId}`.execute(db);
  return rows[0] ?? null;
}

/** Other workers on the same season wait. */
export async function lockStart(tx: Writer, seasonId: number): Promise<void> {
  await sql`select from season_starts where season_id = ${seasonId} for no key update`.execute(tx);
}

/** The next athletes of the previous season. */
export async function listNext(tx: Writer, start: Start, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct e.athlete_id as id from entries e join teams t on t.id = e.team_id join athletes a on a.id = e.athlete_id
     where t.season_id = ${start.fromSeasonId} and e.left_on is null and a.nameless_at is null and e.athlete_id > ${start.lastAthleteId}
     order by e.athlete_id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function copyEntries(tx: Writer, start: Start, athleteIds: readonly number[]): Promise<void> {
  await sql`
    insert into entries (organization_id, athlete_id, team_id, number)
    select e.organization_id, e.athlete_id, n.id, case when ${start.keepNumbers} then e.number end
      from entries e join teams t on t.id = e.team_id join teams n on n.season_id = ${start.seasonId} and lower(n.name) = lower(t.name)
     where t.season_id = ${start.fromSeasonId} and e.left_on is null and e.athlete_id = any (${athleteIds}::bigint[])
    on conflict (athlete_id, team_id) where left_on is null do nothing`.execute(tx);
}

/** All of them before any photo that a consent or the end of a card may hide: so does a family's answer. */
export async function lockAthletes(tx: Writer, athleteIds: readonly number[]): Promise<void> {
  await sql`select from athletes where id = any (${athleteIds}::bigint[]) order by id for no key update`.execute(tx);
}

/** Those of them whose consent is yes. They are locked: a "no" that was being written stays. */
export async function listYes(tx: Writer, athleteIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from athletes where id = any (${athleteIds}::bigint[]) and consent = 'yes' order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns those who had a card. */
export async function endCards(tx: Writer, athleteIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update athlete_cards set replaced_at = now() where athlete_id = any (${athleteIds}::bigint[]) and replaced_at is null
    returning athlete_id as id`.execute(tx);
  return [...new Set(rows.map(({ id }) => id))];
}

/** With `last` null it is finished. */
export async function advance(tx: Writer, seasonId: number, count: number, last: number | null): Promise<void> {
  await sql`
    update season_starts set done = done + ${count}, last_athlete_id = coalesce(${last}::bigint, last_athlete_id),
           finished_at = case when ${last}::bigint is null then now() end where season_id = ${seasonId}`.execute(tx);
}
