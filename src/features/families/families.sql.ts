/** Table of this module: athlete_cards. */
import { sql, type RawBuilder } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** A card and its athlete. */
export type CardRow = {
  cardId: number;
  codeHash: Buffer;
  organizationId: number;
  parentOrganizationId: number | null;
  organizationPath: string;
  /** Replaced, or refused by the family. */
  ended: boolean;
  /** Null: not assigned yet. */
  athleteId: number | null;
  firstName: string | null;
  lastName: string | null;
  consent: 'yes' | 'family' | 'no' | 'unknown' | null;
  teamId: number | null;
  teamName: string | null;
  number: string | null;
};

/**
 * The cards with these hashes of codes or keys, in any scope: the function of migration 0119 is the only access that
 * the public has.
 */
export async function findCards(db: Reader, hashes: readonly Buffer[]): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select card_id as "cardId", code_hash as "codeHash", organization_id as "organizationId",
           parent_organization_id as "parentOrganizationId", organization_path as "organizationPath", ended,
           athlete_id as "athleteId", first_name as "firstName", last_name as "lastName", consent, team_id as "teamId",
           team_name as "teamName", number
      from family_cards(${hashes}::bytea[])`.execute(db);
  return rows;
}

/** Counts one more browser. */
export async function countDevice(tx: Writer, cardId: number): Promise<void> {
  await sql`update athlete_cards set devices = devices + 1, first_opened_at = coalesce(first_opened_at, now()) where id = ${cardId}`.execute(
    tx,
  );
}

/** Stores that the family refused the card. False if it did before. */
export async function refuseCard(tx: Writer, cardId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update athlete_cards set refused_at = now() where id = ${cardId} and refused_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Whether the family of an athlete on photo `p` sees it: it is public, or only this child's own consent `family` hides
 * it (athletes specification B.5; decision record 0105). The rule itself is `only_family_sees` in the database.
 */
export const isSeenByFamily = (athleteId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  p.status = 'ready' and p.removed_at is null
  and (p.show_in_gallery or (p.withheld_at is not null and only_family_sees(p.id, ${athleteId}))))`;

/** The given photos that the families of these athletes see; also by a bare number that no one else wears. */
export async function listSeen(
  db: Reader,
  { athleteIds, photoIds }: { athleteIds: readonly number[]; photoIds: readonly number[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct photo_id as id from family_photos(${[...athleteIds]}::bigint[])
     where photo_id = any (${[...photoIds]}::bigint[])`.execute(db);
  return rows.map(({ id }) => id);
}
