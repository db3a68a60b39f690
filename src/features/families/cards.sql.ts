/** The cards (athlete_cards) as members create and print them, with the teams and athletes they are for. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The organization of an athlete; null for an unknown id, and for an athlete who was merged or forgotten. */
export async function findOwnerOfAthlete(db: Reader, id: number): Promise<number | null> {
  const { rows } = await sql<{ owner: number }>`
    select organization_id as owner from athletes
     where id = ${id} and merged_into is null and nameless_at is null`.execute(db);
  return rows[0]?.owner ?? null;
}

type TeamRow = { id: number; organizationId: number; name: string };

export async function findTeam(db: Reader, id: number): Promise<TeamRow | null> {
  const { rows } = await sql<TeamRow>`
    select id, organization_id as "organizationId", name from teams where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export type MemberCardRow = {
  id: number;
  athleteId: number;
  secretsEncrypted: string;
  madeAt: Date;
  firstOpenedAt: Date | null;
  devices: number;
  consent: 'yes' | 'family' | 'no' | null;
};

/** Valid cards of these athletes, oldest first, with their families' answers. */
export async function listCards(db: Reader, athleteIds: readonly number[]): Promise<MemberCardRow[]> {
  const { rows } = await sql<MemberCardRow>`
    select c.id, c.athlete_id as "athleteId", c.secrets_encrypted as "secretsEncrypted", c.made_at as "madeAt",
           c.first_opened_at as "firstOpenedAt", c.devices, f.consent
      from athlete_cards c left join family_consents f on f.card_id = c.id and f.athlete_id = c.athlete_id
     where c.athlete_id = any (${[...athleteIds]}::bigint[]) and c.replaced_at is null and c.refused_at is null
     order by c.id`.execute(db);
  return rows;
}

/** Prevents two simultaneous prints from creating two cards for one athlete. */
export async function lockAthletes(tx: Writer, athleteIds: readonly number[]): Promise<void> {
  await sql`
    select id from athletes where id = any (${[...athleteIds]}::bigint[]) order by id for no key update`.execute(tx);
}

/** `athleteId`: null for a blank card. */
export type NewCard = { athleteId: number | null; codeHash: Buffer; keyHash: Buffer; secretsEncrypted: string };

export async function insertCards(tx: Writer, organizationId: number, cards: readonly NewCard[]): Promise<void> {
  await sql`
    insert into athlete_cards (organization_id, athlete_id, code_hash, key_hash, secrets_encrypted)
    select ${organizationId}, made.athlete_id, made.code_hash, made.key_hash, made.secrets
      from unnest(${cards.map(({ athleteId }) => athleteId)}::bigint[], ${cards.map(({ codeHash }) => codeHash)}::bytea[],
                  ${cards.map(({ keyHash }) => keyHash)}::bytea[], ${cards.map(({ secretsEncrypted }) => secretsEncrypted)}::text[])
             as made (athlete_id, code_hash, key_hash, secrets)`.execute(tx);
}

/** Ends all cards of an athlete, or one of them. Returns how many. */
export async function endCards(tx: Writer, athleteId: number, which: 'all' | { cardId: number }): Promise<number> {
  const cardId = which === 'all' ? null : which.cardId;
  const { numAffectedRows } = await sql`
    update athlete_cards set replaced_at = now()
     where athlete_id = ${athleteId} and replaced_at is null
       and (${cardId}::bigint is null or id = ${cardId}::bigint)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Assigns a blank card to an athlete; false if it is not blank. */
export async function fillCard(
  tx: Writer,
  { organizationId, athleteId, codeHash }: { organizationId: number; athleteId: number; codeHash: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update athlete_cards set athlete_id = ${athleteId}
     where code_hash = ${codeHash} and organization_id = ${organizationId}
       and athlete_id is null and replaced_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

type PlayerRow = { athleteId: number; firstName: string; lastName: string; number: string | null };

/** Athletes with a name who are on the team today, by name. */
export async function listPlayers(db: Reader, teamId: number): Promise<PlayerRow[]> {
  const { rows } = await sql<PlayerRow>`
    select a.id as "athleteId", a.first_name as "firstName", a.last_name as "lastName", e.number
      from entries e join athletes a on a.id = e.athlete_id join organizations o on o.id = e.organization_id
     where e.team_id = ${teamId} and a.first_name is not null and a.merged_into is null
       and (e.left_on is null or e.left_on >= (now() at time zone o.time_zone)::date)
     order by a.folded_name, a.first_name, a.id`.execute(db);
  return rows;
}
