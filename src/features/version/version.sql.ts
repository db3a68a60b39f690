/** Reads the list of applied migrations (`platform/db/migrate.ts`). */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

/** Newest first. */
export async function listMigrations(db: Reader, limit: number): Promise<{ name: string; appliedAt: Date }[]> {
  const { rows } = await sql<{ name: string; appliedAt: Date }>`
    select name, applied_at as "appliedAt" from schema_migrations order by name desc limit ${limit}`.execute(db);
  return rows;
}

export async function findPostgresVersion(db: Reader): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
  return rows[0]?.version ?? '';
}
