import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { APP_ROLE, DATABASE_NAME, OWNER_ROLE, withClient, type DatabaseAddresses } from '#src/platform/db/client.ts';
import { embeddedUrl } from '#src/platform/db/embedded-postgres.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

const OLDEST_POSTGRES = 15;
/**
 * Any number but those of migrations and of the supervisor. Processes that start at the same time create roles and
 * grant rights one after the other.
 */
const TURN_LOCK = 730_212_043;

/** Creates owner, app role and database on the embedded server; safe to repeat. */
export async function ensureEmbeddedRoles(port: number, passwords: EmbeddedPasswords): Promise<DatabaseAddresses> {
  await withClient(embeddedUrl(port, 'postgres', passwords.superuser, 'postgres'), async (client) => {
    await ensureRole(client, OWNER_ROLE, passwords.owner);
    await ensureRole(client, APP_ROLE, passwords.app);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
    if (!rowCount) await client.query(`create database ${DATABASE_NAME} owner ${OWNER_ROLE}`);
    await client.query(`revoke all on database ${DATABASE_NAME} from public`);
    await client.query(`grant connect on database ${DATABASE_NAME} to ${APP_ROLE}`);
  });
  return {
    ownerUrl: embeddedUrl(port, OWNER_ROLE, passwords.owner),
    appUrl: embeddedUrl(port, APP_ROLE, passwords.app),
    appRole: null,
  };
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (!rowCount)
    await client.query(
      `create role ${role} login nosuperuser nocreatedb nocreaterole nobypassrls password ${pg.escapeLiteral(password)}`,
    );
}

/**
 * Prepares an operator's database (`DATABASE_URL`). Its user owns the tables and migrates; requests use the role
 * `sideline_app`, assumed after connecting, so that row-level security applies to any login.
 */
export async function ensureRolesAt(databaseUrl: string): Promise<DatabaseAddresses> {
  await withClient(databaseUrl, async (client) => {
    // Until this session ends.
    await client.query('select pg_advisory_lock($1)', [TURN_LOCK]);
    const { rows } = await client.query<{ version: number; me: string; exists: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as version, current_user as me,
              exists (select 1 from pg_roles where rolname = $1) as exists`,
      [APP_ROLE],
    );
    const { version = 0, me = '', exists = false } = rows[0] ?? {};
    if (version < OLDEST_POSTGRES)
      throw new StartError(
        `DATABASE_URL must name a PostgreSQL of version ${OLDEST_POSTGRES} or newer, and this is ${version}.`,
      );
    try {
      if (!exists)
        await client.query(`create role ${APP_ROLE} nologin nosuperuser nocreatedb nocreaterole nobypassrls`);
      if (!(await mayBecomeApp(client, version))) await client.query(`grant ${APP_ROLE} to ${pg.escapeIdentifier(me)}`);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      throw new StartError(
        `The user of DATABASE_URL may not make roles; let an administrator run once: create role ${APP_ROLE} nologin; grant ${APP_ROLE} to ${pg.escapeIdentifier(me)};`,
        { cause: error },
      );
    }
  });
  return { ownerUrl: databaseUrl, appUrl: databaseUrl, appRole: APP_ROLE };
}

async function mayBecomeApp(client: pg.Client, version: number): Promise<boolean> {
  const privilege = version >= 16 ? 'set' : 'member';
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_has_role(current_user, '${APP_ROLE}', '${privilege}') as may`,
  );
  return rows[0]?.may ?? false;
}

/** Not `current_user::regrole`, which reads a name as SQL does: in lower case, and parted at dots. */
const ME = '(select oid from pg_roles where rolname = current_user)';

/**
 * Lets the app role use every table and sequence that the current user owns, in every schema, and those it will create
 * there; never what others have in the same database. Run after migrations, and after anything else that creates tables
 * (the job queue's own).
 */
export async function grantToApp(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string; tables: string | null; sequences: string | null }>(
    `select quote_ident(n.nspname) as schema,
            string_agg(format('%I.%I', n.nspname, c.relname), ', ') filter (where c.relkind in ('r', 'p', 'v', 'm')) as tables,
            string_agg(format('%I.%I', n.nspname, c.relname), ', ') filter (where c.relkind = 'S') as sequences
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
      where c.relowner = ${ME} and c.relpersistence <> 't'
        and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
      group by n.nspname`,
  );
  for (const { schema, tables, sequences } of rows) {
    const statements = [
      `grant usage on schema ${schema} to ${APP_ROLE}`,
      `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${APP_ROLE}`,
      `alter default privileges in schema ${schema} grant usage, select on sequences to ${APP_ROLE}`,
      ...(tables ? [`grant select, insert, update, delete on ${tables} to ${APP_ROLE}`] : []),
      ...(sequences ? [`grant usage, select on ${sequences} to ${APP_ROLE}`] : []),
    ];
    await grantOrTryAgain(client, statements.join('; '));
  }
  const { rows: exposed } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
      where proowner = ${ME} and proname = any ($1) and has_function_privilege('public', oid, 'execute')`,
    [FOR_TRIGGERS],
  );
  for (const { name } of exposed) await grantOrTryAgain(client, `revoke execute on function ${name} from public`);
  // Only migrations write their own table.
  await grantOrTryAgain(client, `revoke insert, update, delete on public.schema_migrations from ${APP_ROLE}`);
}

/**
 * What only triggers call, with the owner's rights and for every organization. Migrations revoke them from everyone; a restored
 * dump has no privileges in it, so this is repeated.
 */
export const FOR_TRIGGERS = ['add_to_photo_counts', 'webhooks_of', 'write_webhook'];

const GRANT_ATTEMPTS = 5;

/**
 * In a transaction of its own, during which no other process grants. If another process alters a table meanwhile,
 * PostgreSQL may refuse with an internal error ("tuple concurrently updated", "tuple concurrently deleted") that does
 * not occur on a second attempt.
 */
async function grantOrTryAgain(client: pg.Client, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`select pg_advisory_xact_lock(${TURN_LOCK}); ${statements}`);
      return;
    } catch (error) {
      const isConcurrentChange = error instanceof Error && error.message.startsWith('tuple concurrently ');
      if (!isConcurrentChange || attempt >= GRANT_ATTEMPTS) throw error;
      await sleep(20 * attempt);
    }
  }
}
