/** Versions of price sheets, for pricing and refunding orders. */
import { sql } from 'kysely';
import type { FrozenSheet } from '#src/features/offers/best-price.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** These versions, in no order, in one statement. */
export async function listVersions(
  db: Reader,
  versions: readonly { id: number; version: number }[],
): Promise<FrozenSheet[]> {
  const { rows } = await sql<FrozenSheet>`
    select v.sheet_id as id, v.version, v.content
      from json_to_recordset(${JSON.stringify(versions)}::json) as wanted (id bigint, version integer)
      join price_sheet_versions v on v.sheet_id = wanted.id and v.version = wanted.version`.execute(db);
  return rows;
}
