/** Writes many athletes and addresses in one statement, for imports and seasons. */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

type NewAthlete = {
  row: number;
  firstName: string;
  lastName: string;
  foldedName: string;
  externalId: string | null;
};

/**
 * In this transaction tables are read by their indexes. PostgreSQL plans the check of a foreign key once for a
 * connection: in a roster that is still one page it chooses to read the whole table, also when thousands have come.
 */
export async function avoidTableScans(tx: Writer): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(tx);
}

/** The id of each, by its row. */
export async function insertAthletes(
  tx: Writer,
  organizationId: number,
  athletes: readonly NewAthlete[],
): Promise<Map<number, number>> {
  if (athletes.length === 0) return new Map();
  const { rows } = await sql<{ row: number; id: number }>`
    with given as materialized (
      select random_id() as id, g.*
        from json_to_recordset(${JSON.stringify(athletes)}::json)
             as g (row integer, "firstName" text, "lastName" text, "foldedName" text, "externalId" text)
    ), made as (
      insert into athletes (id, organization_id, first_name, last_name, folded_name, external_id)
      select id, ${organizationId}, "firstName", "lastName", "foldedName", "externalId" from given
    )
    select row, id from given`.execute(tx);
  return new Map(rows.map(({ row, id }) => [row, id]));
}

/** Names and ids that differ in the file; a first name alone and another spelling of the same name change nothing. */
export async function updateAthletes(tx: Writer, athletes: readonly (Omit<NewAthlete, 'row'> & { id: number })[]) {
  if (athletes.length === 0) return;
  await sql`
    update athletes a
       set first_name = case when g.same then a.first_name else g."firstName" end,
           last_name = case when g.same then a.last_name else g."lastName" end,
           folded_name = case when g.same then a.folded_name else g."foldedName" end,
           external_id = coalesce(g."externalId", a.external_id)
      from (select g.*, g."lastName" = '' or b.folded_name = g."foldedName" as same
              from json_to_recordset(${JSON.stringify(athletes)}::json)
                   as g (id bigint, "firstName" text, "lastName" text, "foldedName" text, "externalId" text)
                   join athletes b on b.id = g.id) g
     where a.id = g.id and a.nameless_at is null`.execute(tx);
}

/** New addresses, up to the limit of each athlete. */
export async function addEmails(
  tx: Writer,
  organizationId: number,
  { emails, most }: { emails: readonly { athleteId: number; email: string }[]; most: number },
): Promise<void> {
  if (emails.length === 0) return;
  await sql`
    insert into athlete_families (athlete_id, organization_id, email, source)
    select g."athleteId", ${organizationId}, g.email, 'import'
      from json_to_recordset(${JSON.stringify(emails)}::json) as g ("athleteId" bigint, email text)
     where (select count(*) from athlete_families f where f.athlete_id = g."athleteId") < ${most}
    on conflict (athlete_id, email) do nothing`.execute(tx);
}

/** Teams of seasons; existing ones stay. */
export async function insertTeams(
  tx: Writer,
  organizationId: number,
  teams: readonly { seasonId: number; name: string; shortName: string; color?: string | null }[],
): Promise<void> {
  if (teams.length === 0) return;
  await sql`
    insert into teams (organization_id, season_id, name, short_name, color)
    select ${organizationId}, g."seasonId", g.name, g."shortName", g.color
      from json_to_recordset(${JSON.stringify(teams)}::json) as g ("seasonId" bigint, name text, "shortName" text, color text)
    on conflict (season_id, lower(name)) do nothing`.execute(tx);
}
