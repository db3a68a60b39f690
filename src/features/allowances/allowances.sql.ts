/** Table of this module: allowances, as members set them. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The team's organization; null for an unknown team. */
export async function findTeam(db: Reader, id: number): Promise<{ organizationId: number } | null> {
  const { rows } = await sql<{ organizationId: number }>`
    select organization_id as "organizationId" from teams where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Whether the organization, or its parent for it, has this price sheet. */
export async function hasSheet(db: Reader, organizationId: number, id: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from price_sheets s join organizations o on o.id = ${organizationId}
                    where s.id = ${id} and s.archived_at is null
                      and (s.organization_id = o.id or (s.shared_with_children and s.organization_id = o.parent_organization_id))) as has`.execute(
    db,
  );
  return rows[0]?.has ?? false;
}

/** The athletes who are on a team now. */
export async function listOnTeam(db: Reader, teamId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select athlete_id as id from entries where team_id = ${teamId} and left_on is null order by athlete_id`.execute(db);
  return rows.map(({ id }) => id);
}

type TeamAllowance = {
  athleteId: number;
  photos: number;
  used: number;
  sheetId: number | null;
  endsOn: string | null;
};

/** What they have been given, also what has ended. */
export async function listGiven(db: Reader, athleteIds: readonly number[]): Promise<TeamAllowance[]> {
  const { rows } = await sql<TeamAllowance>`
    select athlete_id as "athleteId", photos, used, sheet_id as "sheetId", ends_on::text as "endsOn" from allowances
     where athlete_id = any (${[...athleteIds]}::bigint[]) order by id`.execute(db);
  return rows;
}

type Given = {
  organizationId: number;
  athleteIds: readonly number[];
  photos: number;
  sheetId: number | null;
  endsOn: string | null;
};

const areOf = ({ athleteIds, sheetId }: Given) =>
  sql`athlete_id = any (${[...athleteIds]}::bigint[]) and sheet_id is not distinct from ${sheetId}::bigint`;

/** Locks the allowances of these children, as a delete does, and returns the most that one of them has used. */
export async function lockUsed(tx: Writer, given: Given): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select used from allowances where ${areOf(given)} order by id for update`.execute(tx);
  return Math.max(0, ...rows.map(({ used }) => used));
}

/** Each child has this many from now on, whatever it had before. Returns the number of children. */
export async function putAllowances(
  tx: Writer,
  { organizationId, athleteIds, photos, sheetId, endsOn }: Given,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into allowances (organization_id, athlete_id, photos, sheet_id, ends_on)
    select ${organizationId}, id, ${photos}, ${sheetId}::bigint, ${endsOn}::date from unnest(${[...athleteIds]}::bigint[]) as child (id) order by id
    on conflict (athlete_id, sheet_id) do update set photos = excluded.photos, ends_on = excluded.ends_on`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** These children have none from now on. What an order refers to stays, with 0 photos. */
export async function takeBack(tx: Writer, given: Given): Promise<void> {
  await sql`update allowances set photos = 0 where ${areOf(given)}`.execute(tx);
  await sql`
    delete from allowances w
     where ${areOf(given)} and not exists (select from allowance_uses u where u.allowance_id = w.id)`.execute(tx);
}

/** For imports: allowances for any photo of the organization, never below what was used. A last day that was set stays. */
export async function raiseAllowances(
  tx: Writer,
  { organizationId, athleteIds, photos }: Pick<Given, 'organizationId' | 'athleteIds' | 'photos'>,
): Promise<void> {
  await sql`
    insert into allowances (organization_id, athlete_id, photos)
    select ${organizationId}, id, ${photos} from unnest(${[...athleteIds]}::bigint[]) as child (id) order by id
    on conflict (athlete_id, sheet_id) do update set photos = greatest(excluded.photos, allowances.used)`.execute(tx);
}

/** The sum of a child's allowances on a day. */
export async function sumOf(db: Reader, athleteId: number, today: string): Promise<{ photos: number; left: number }> {
  const { rows } = await sql<{ photos: number; left: number }>`
    select coalesce(sum(photos), 0)::integer as photos, coalesce(sum(photos - used), 0)::integer as left from allowances
     where athlete_id = ${athleteId} and (ends_on is null or ends_on >= ${today}::date)`.execute(db);
  return rows[0] ?? { photos: 0, left: 0 };
}
