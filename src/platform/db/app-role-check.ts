import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Row-level security protects tenants only if it binds the role that serves requests; otherwise the start fails. */
export async function checkAppRole<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ role: string; mighty: boolean; owner: boolean }>`
    select current_user as role, r.rolsuper or r.rolbypassrls as mighty,
           exists (select 1 from pg_class c where c.relrowsecurity and pg_has_role(current_user, c.relowner, 'usage')) as owner
      from pg_roles r where r.rolname = current_user`.execute(db);
  const found = rows[0];
  if (!found || found.mighty || found.owner) {
    throw new Error(
      `The database role ${found?.role ?? '?'} is not bound by row-level security, so requests must not be served with it.`,
    );
  }
}
