/** Teams whose numbers everyone may search. Owns no table, and reads no athletes. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

const TEAMS_AT_MOST = 50;

/** Of seasons that have not ended on this day; none in the modes `private` and `off`. `shortName`: only teams with this name. */
export async function listSearchedTeams(
  db: Reader,
  { organizationId, today, shortName }: { organizationId: number; today: string; shortName: string | null },
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select t.id, t.name from teams t join seasons season on season.id = t.season_id and season.last_day >= ${today}::date
      join athlete_settings s on s.organization_id = t.organization_id and s.mode = 'numbers'
     where t.organization_id = ${organizationId} and (${shortName}::text is null or lower(t.short_name) = lower(${shortName}::text))
     order by t.name, t.id limit ${TEAMS_AT_MOST}`.execute(db);
  return rows;
}
