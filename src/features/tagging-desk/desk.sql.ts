/** The teams in play and their current players. Only for members, because rows name children. */
import { sql } from 'kysely';
import type { DeskTeam } from '#src/features/tagging-desk/desk-model.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** In the order in which they were created. */
export async function listTeamsInPlay(db: Reader, galleryId: number): Promise<DeskTeam[]> {
  const { rows } = await sql<DeskTeam>`
    select t.id, t.name, t.short_name as "shortName" from gallery_teams g join teams t on t.id = g.team_id
     where g.gallery_id = ${galleryId} order by t.id`.execute(db);
  return rows;
}

type PlayerRow = {
  athleteId: number;
  firstName: string | null;
  lastName: string | null;
  folded: string;
  teamId: number;
  number: string | null;
  consent: 'yes' | 'family' | 'no' | 'unknown';
};

/** By number, those without one last by name. */
export async function listPlayers(db: Reader, galleryId: number): Promise<PlayerRow[]> {
  const { rows } = await sql<PlayerRow>`
    select a.id as "athleteId", a.first_name as "firstName", a.last_name as "lastName", a.folded_name as folded,
           e.team_id as "teamId", e.number, a.consent
      from gallery_teams g join entries e on e.team_id = g.team_id and e.left_on is null join athletes a on a.id = e.athlete_id
     where g.gallery_id = ${galleryId}
     order by e.team_id, e.number is null, lpad(e.number, 4, '0'), length(e.number), a.folded_name, a.id`.execute(db);
  return rows;
}

export type TeamChoice = {
  id: number;
  name: string;
  season: string;
  plays: boolean;
  /** Whether photos that no one has checked wait when it plays, because one of its athletes must not be published. */
  holds: boolean;
};

/** All teams that might play, the newest season first. */
export async function listTeamChoices(
  db: Reader,
  { galleryId, organizationId }: { galleryId: number; organizationId: number },
): Promise<TeamChoice[]> {
  const { rows } = await sql<TeamChoice>`
    select t.id, t.name, s.name as season,
           exists (select from gallery_teams g where g.gallery_id = ${galleryId} and g.team_id = t.id) as plays,
           coalesce(o.hold_new_photos, true)
             and exists (select from entries e join athletes a on a.id = e.athlete_id
                          where e.team_id = t.id and e.left_on is null
                            and effective_consent(a.consent, o.unknown_consent) <> 'yes') as holds
      from teams t join seasons s on s.id = t.season_id left join athlete_settings o on o.organization_id = t.organization_id
     where t.organization_id = ${organizationId}
     order by s.last_day desc, s.id desc, lower(t.name), t.id limit 200`.execute(db);
  return rows;
}

/** The given ids that are teams of the organization. */
export async function findTeams(db: Reader, organizationId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids, 0])
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteTeamsInPlay(tx: Writer, galleryId: number, except: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('gallery_teams')
    .where('gallery_id', '=', galleryId)
    .where('team_id', 'not in', [...except, 0])
    .execute();
}

export async function insertTeamsInPlay(
  tx: Writer,
  { galleryId, organizationId, teamIds }: { galleryId: number; organizationId: number; teamIds: readonly number[] },
): Promise<void> {
  if (teamIds.length === 0) return;
  await tx
    .insertInto('gallery_teams')
    .values(teamIds.map((teamId) => ({ gallery_id: galleryId, team_id: teamId, organization_id: organizationId })))
    .onConflict((conflict) => conflict.columns(['gallery_id', 'team_id']).doNothing())
    .execute();
}
