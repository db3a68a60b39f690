/** Tables of this module: seasons, teams. */
import { sql } from 'kysely';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

type SeasonRow = {
  id: number;
  organizationId: number;
  name: string;
  firstDay: string;
  lastDay: string;
  teams: number;
  athletes: number;
};

/** All seasons of an organization with their numbers of teams and current athletes, newest first. */
export async function listSeasons(db: Reader, organizationId: number): Promise<SeasonRow[]> {
  const { rows } = await sql<SeasonRow>`
    select s.id, s.organization_id as "organizationId", s.name, s.first_day::text as "firstDay", s.last_day::text as "lastDay",
           (select count(*) from teams t where t.season_id = s.id)::integer as teams,
           (select count(distinct e.athlete_id) from entries e join teams t on t.id = e.team_id
             where t.season_id = s.id and e.left_on is null)::integer as athletes
      from seasons s where s.organization_id = ${organizationId}
     order by s.first_day desc, s.id desc`.execute(db);
  return rows;
}

/** Null when the organization has a season with this name. */
export async function insertSeason(
  tx: Writer,
  season: RowOf<'seasons', 'organization_id' | 'name' | 'first_day' | 'last_day'>,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into seasons (organization_id, name, first_day, last_day)
    values (${season.organization_id}, ${season.name}, ${season.first_day}, ${season.last_day})
    on conflict (organization_id, lower(name)) do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

export type RosterTable = 'seasons' | 'teams' | 'athletes';

/** The organization of a season, a team or an athlete, also of a merged one; null for an unknown one. */
export async function findOwner(db: Reader, table: RosterTable, id: number) {
  const row = await db.selectFrom(table).select('organization_id').where('id', '=', id).executeTakeFirst();
  return row?.organization_id ?? null;
}

export async function updateSeason(
  tx: Writer,
  id: number,
  season: RowOf<'seasons', 'name' | 'first_day' | 'last_day'>,
): Promise<void> {
  await tx.updateTable('seasons').set(season).where('id', '=', id).execute();
}

/** @throws an error that `isStillReferenced` recognizes when it has teams */
export async function deleteSeason(tx: Writer, id: number): Promise<void> {
  await sql`delete from season_starts where season_id = ${id}`.execute(tx);
  await sql`delete from seasons where id = ${id}`.execute(tx);
}

export async function updateTeam(tx: Writer, id: number, team: RowOf<'teams', 'name' | 'short_name' | 'color'>) {
  await tx.updateTable('teams').set(team).where('id', '=', id).execute();
}

/** @throws an error that `isStillReferenced` recognizes when anyone was ever on it, or anything else refers to it */
export async function deleteTeam(tx: Writer, id: number): Promise<void> {
  await sql`delete from teams where id = ${id}`.execute(tx);
}

type TeamRow = {
  id: number;
  organizationId: number;
  seasonId: number;
  name: string;
  shortName: string;
  color: string | null;
  athletes: number;
};

/** Of a season, or of all; by name. */
export async function listTeams(db: Reader, organizationId: number, seasonId: number | null): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`
    select t.id, t.organization_id as "organizationId", t.season_id as "seasonId", t.name, t.short_name as "shortName", t.color,
           (select count(*) from entries e where e.team_id = t.id and e.left_on is null)::integer as athletes
      from teams t
     where t.organization_id = ${organizationId} and ${seasonId === null ? sql`true` : sql`t.season_id = ${seasonId}`}
     order by t.season_id desc, lower(t.name), t.id`.execute(db);
  return rows;
}

/** The teams of all seasons in the same order, without counting who is on them. */
export async function listTeamNames(
  db: Reader,
  organizationId: number,
): Promise<Pick<TeamRow, 'id' | 'seasonId' | 'name' | 'shortName'>[]> {
  const { rows } = await sql<Pick<TeamRow, 'id' | 'seasonId' | 'name' | 'shortName'>>`
    select id, season_id as "seasonId", name, short_name as "shortName" from teams
     where organization_id = ${organizationId} order by season_id desc, lower(name), id`.execute(db);
  return rows;
}

type NewTeamRow = RowOf<'teams', 'organization_id' | 'season_id' | 'name' | 'short_name' | 'color'>;

/** Null when the season has a team with this name. */
export async function insertTeam(tx: Writer, team: NewTeamRow): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into teams (organization_id, season_id, name, short_name, color)
    values (${team.organization_id}, ${team.season_id}, ${team.name}, ${team.short_name}, ${team.color})
    on conflict (season_id, lower(name)) do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Simultaneous additions to one organization's roster wait for each other, so that its limits hold. */
export async function lockRoster(tx: Writer, organizationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('roster'), ${organizationId % 2_147_483_647}::int)`.execute(tx);
}
