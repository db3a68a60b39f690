import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { grantToApp } from '#src/platform/db/roles.ts';
import { withClient } from '#src/platform/db/client.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { ROOT } from '#src/platform/program-files.ts';

type MigrationFile = { name: string; text: string; checksum: string };

const MIGRATIONS_DIR = path.join(ROOT, 'migrations');
/**
 * The newest migration of the previous release, whose code works on our schema, too: it may still run at the same time,
 * and be started again (decision record 0066). A release sets it; `tests/upgrades.test.ts` checks it.
 */
export const PREVIOUS_RELEASE_SCHEMA = '0050_untagged_photos.sql';
/** Any number; the same for every installation. */
const LOCK = 730_212_041;
const LOCK_TIMEOUT_MS = 500;
const TRIES = 40;

/** The files of a folder in their order. `0001_tenants_and_accounts.sql`; other names are refused, so that none is missed. */
export async function readMigrations(folder = MIGRATIONS_DIR): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
  const odd = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  if (odd) throw new Error(`migrations/${odd} is not named like 0001_tenants_and_accounts.sql.`);
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** `from`: the newest migration of the database; null: it has not been used yet. */
export type Upgrade = { from: string | null; pending: readonly string[] };

type MigrateOptions = {
  folder?: string;
  /**
   * Called before anything is changed, by one process at a time, only if migrations are pending; throws to leave the
   * database unchanged.
   */
  before?: (upgrade: Upgrade) => Promise<void>;
};

/**
 * Migrates the database to the newest schema: each file in its own transaction, once, under an advisory lock (several
 * processes may start at the same time). A statement that waits longer than 500 ms for a lock is canceled, so that the
 * running product continues, and is tried again. Returns the names applied now. @throws StartError if the database is
 * of another version, or a file fails
 */
export async function migrate(ownerUrl: string, { folder, before }: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(folder);
  return withClient(
    ownerUrl,
    async (client) => {
      await client.query('select pg_advisory_lock($1)', [LOCK]);
      const applied = await appliedMigrations(client);
      const pending = pendingMigrations(files, applied);
      const names = pending.map(({ name }) => name);
      if (names.length > 0) {
        await before?.({ from: (await isUsed(client)) ? (applied.at(-1)?.name ?? null) : null, pending: names });
        await makeListOfMigrations(client);
      }
      for (const file of pending) await applyWithRetries(client, file);
      await grantToApp(client);
      return names;
    },
    'sideline migrate',
  );
}

/** `oldestCode`: the oldest version (by its newest migration) whose code works on this schema; null: only this one. */
type Applied = { name: string; checksum: string; oldestCode: string | null };

async function appliedMigrations(client: pg.ClientBase): Promise<Applied[]> {
  const { rows: tables } = await client.query("select to_regclass('public.schema_migrations') as found");
  if (tables[0]?.found === null) return [];
  // The column came later than the table.
  const { rows } = await client.query<Applied>(
    `select name, checksum, to_jsonb(m) ->> 'oldest_code' as "oldestCode" from public.schema_migrations m order by name`,
  );
  return rows;
}

/**
 * What is still to do. A database that newer code has changed is accepted if that code declares that ours works on it.
 * @throws StartError if the database has applied other files than ours
 */
function pendingMigrations(files: readonly MigrationFile[], applied: readonly Applied[]): MigrationFile[] {
  const known = new Map(files.map((file) => [file.name, file]));
  const ownNewest = files.at(-1)?.name ?? '';
  for (const { name, checksum, oldestCode } of applied) {
    const file = known.get(name);
    if (!file && (name < ownNewest || (oldestCode ?? name) > ownNewest))
      throw new StartError(
        `The database was changed by another version of Sideline (${name} is unknown here): start that version, or restore a backup.`,
      );
    if (file && file.checksum !== checksum)
      throw new StartError(
        `migrations/${name} was edited after the database had applied it: bring the file back and put the change into a new one.`,
      );
  }
  const done = new Set(applied.map(({ name }) => name));
  const pending = files.filter(({ name }) => !done.has(name));
  const newest = applied.at(-1)?.name ?? '';
  const late = pending.find(({ name }) => name < newest);
  if (late)
    throw new StartError(
      `migrations/${late.name} comes before ${newest}, which the database has already: give it the next number.`,
    );
  return pending;
}

/** Whether it contains users' data: a first start that was killed half-way leaves tables and no user. */
async function isUsed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('public.users') as found");
  return rows[0]?.found !== null && (await client.query('select from public.users limit 1')).rowCount !== 0;
}

async function makeListOfMigrations(client: pg.ClientBase): Promise<void> {
  await client.query(`create table if not exists public.schema_migrations
    (name text primary key, checksum text not null, applied_at timestamptz not null default now(), oldest_code text)`);
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'public.schema_migrations'::regclass and attname = 'oldest_code'",
  );
  // Databases from before 0.4.0; altering it each time would wait for every running dump.
  if (!rowCount) await client.query('alter table public.schema_migrations add column oldest_code text');
}

async function applyWithRetries(client: pg.Client, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyOnce(client, file);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      const gaveWay = (error as { code?: string }).code === '55P03';
      if (!gaveWay || attempt === TRIES)
        throw new StartError(
          `migrations/${file.name} failed: ${(error as Error).message}. Nothing of this file is in the database: mend the cause and start again.`,
          { cause: error },
        );
      await sleep(100 + 20 * attempt);
    }
  }
}

async function applyOnce(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query(file.text);
  await client.query('insert into public.schema_migrations (name, checksum, oldest_code) values ($1, $2, $3)', [
    file.name,
    file.checksum,
    PREVIOUS_RELEASE_SCHEMA,
  ]);
  await client.query('commit');
}
