/** Facts about the database itself. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

export type DatabaseFacts = {
  postgres: string;
  migration: string;
  migrations: number;
  bytes: number;
  installedAt: Date;
  now: Date;
};

export async function readDatabaseFacts(db: Reader): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as postgres, (select max(name) from schema_migrations) as migration,
           (select count(*)::int from schema_migrations) as migrations, pg_database_size(current_database())::float8 as bytes,
           (select min(applied_at) from schema_migrations) as "installedAt", clock_timestamp() as now`.execute(db);
  return rows[0] as DatabaseFacts;
}
