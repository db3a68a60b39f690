/** Facts about the database itself, and what the last comparison of the books has found. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export type DatabaseFacts = {
  postgres: string;
  migration: string;
  migrations: number;
  bytes: number;
  installedAt: Date;
  now: Date;
  /** Of the books, not explained yet. */
  openDifferences: number;
};

export async function readDatabaseFacts(db: Reader): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as postgres, (select max(name) from schema_migrations) as migration,
           (select count(*)::int from schema_migrations) as migrations, pg_database_size(current_database())::float8 as bytes,
           (select min(applied_at) from schema_migrations) as "installedAt", clock_timestamp() as now,
           (select count(*)::int from reconciliation_differences where state = 'open') as "openDifferences"`.execute(
    db,
  );
  return rows[0] as DatabaseFacts;
}
