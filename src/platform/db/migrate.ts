import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { grantToApp } from '#src/platform/db/roles.ts';
import { withClient } from '#src/platform/db/client.ts';

export type MigrationFile = { name: string; text: string; checksum: string };

const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../../migrations');
/** Any number; the same for every Sideline. */
const LOCK = 730_212_041;
const LOCK_TIMEOUT_MS = 500;
const TRIES = 40;

/** The files of a folder in their order. `0001_some_name.sql`; other names are refused, so that none is overlooked. */
export async function readMigrations(folder = MIGRATIONS_DIR): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
  const odd = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  if (odd) throw new Error(`migrations/${odd} is not named like 0001_some_name.sql.`);
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings the database to the newest schema: each file in its own transaction, once, under an advisory lock
 * (several may start at once). A statement that waits longer than 500 ms for a lock gives way to the running product
 * and is tried again. Returns the names applied now.
 */
export async function migrate(ownerUrl: string, folder = MIGRATIONS_DIR): Promise<string[]> {
  const files = await readMigrations(folder);
  return withClient(
    ownerUrl,
    async (client) => {
      await client.query('select pg_advisory_lock($1)', [LOCK]);
      await client.query(`create table if not exists public.schema_migrations
        (name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
      const pending = pendingMigrations(files, await appliedMigrations(client));
      for (const file of pending) await applyPatiently(client, file);
      await grantToApp(client);
      return pending.map(({ name }) => name);
    },
    'sideline migrate',
  );
}

type Applied = { name: string; checksum: string };

async function appliedMigrations(client: pg.ClientBase): Promise<Applied[]> {
  const { rows } = await client.query<Applied>('select name, checksum from public.schema_migrations order by name');
  return rows;
}

/** What is still to do; throws when the database knows other files than we do. */
export function pendingMigrations(files: readonly MigrationFile[], applied: readonly Applied[]): MigrationFile[] {
  const known = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = known.get(name);
    if (!file)
      throw new Error(
        `The database was changed by another version of Sideline (${name} is unknown here): start that version, or restore a backup.`,
      );
    if (file.checksum !== checksum)
      throw new Error(
        `migrations/${name} was edited after the database had applied it: bring the file back and put the change into a new one.`,
      );
  }
  const done = new Set(applied.map(({ name }) => name));
  const pending = files.filter(({ name }) => !done.has(name));
  const newest = applied.at(-1)?.name ?? '';
  const late = pending.find(({ name }) => name < newest);
  if (late)
    throw new Error(
      `migrations/${late.name} comes before ${newest}, which the database has already: give it the next number.`,
    );
  return pending;
}

async function applyPatiently(client: pg.Client, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyOnce(client, file);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      const gaveWay = (error as { code?: string }).code === '55P03';
      if (!gaveWay || attempt === TRIES)
        throw new Error(`migrations/${file.name} failed: ${(error as Error).message}`, { cause: error });
      await sleep(100 + 20 * attempt);
    }
  }
}

async function applyOnce(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query(file.text);
  await client.query('insert into public.schema_migrations (name, checksum) values ($1, $2)', [
    file.name,
    file.checksum,
  ]);
  await client.query('commit');
}
