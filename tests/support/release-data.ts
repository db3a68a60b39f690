/** The rows of a database as one compressed file, so that a later version can be started on them (docs/decisions/0066). */
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { withClient } from '#src/platform/db/client.ts';
import { migrate } from '#src/platform/db/migrate.ts';

/** Names have their schema; `schema`: the newest migration that the database had. */
export type ReleaseData = {
  schema: string;
  /** Of a throwaway product: what it encrypted must be readable. */
  appSecret: string;
  tables: { name: string; columns: string[]; rows: unknown[][] }[];
  sequences: { name: string; value: string }[];
};

const OUR_TABLES = `n.nspname in ('public', 'sandbox_provider') and c.relname <> 'schema_migrations'`;

/** Everything but the job queue. @param client of the owner, or of a superuser */
export async function readData(client: pg.ClientBase): Promise<Omit<ReleaseData, 'appSecret'>> {
  const newest = await client.query<{ name: string }>('select max(name) as name from schema_migrations');
  const found = await client.query<{ name: string; columns: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            array(select quote_ident(a.attname) from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and ${OUR_TABLES} order by 1`,
  );
  const tables = [];
  for (const { name, columns } of found.rows) {
    const texts = columns.map((column) => `${column}::text`).join(', ');
    const { rows } = await client.query<unknown[]>({
      text: `select ${texts} from ${name} order by 1`,
      rowMode: 'array',
    });
    tables.push({ name, columns, rows });
  }
  const sequences = await client.query<{ name: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
       from pg_sequences where schemaname in ('public', 'sandbox_provider') and last_value is not null order by 1`,
  );
  return { schema: newest.rows[0]?.name ?? '', tables, sequences: sequences.rows };
}

/** Inserts the rows into a database of the same schema, unchanged: no trigger runs. @param client of a superuser */
async function writeData(client: pg.ClientBase, { tables, sequences }: ReleaseData): Promise<void> {
  await client.query("begin; set local session_replication_role = 'replica'");
  for (const { name, columns, rows } of tables) {
    await client.query(`delete from ${name}`);
    const list = columns.join(', ');
    const types = await client.query<{ type: string }>(
      `select format_type(a.atttypid, a.atttypmod) as type from unnest($2::text[]) with ordinality as asked (name, at)
         join pg_attribute a on a.attrelid = $1::regclass and quote_ident(a.attname) = asked.name order by asked.at`,
      [name, columns],
    );
    const values = types.rows.map(({ type }, at) => `(one -> ${at} #>> '{}')::${type}`).join(', ');
    await client.query(
      `insert into ${name} (${list}) overriding system value select ${values} from jsonb_array_elements($1::jsonb) as one`,
      [JSON.stringify(rows)],
    );
  }
  for (const { name, value } of sequences) await client.query('select setval($1, $2)', [name, value]);
  await client.query('commit');
}

export async function saveData(file: string, data: ReleaseData): Promise<void> {
  await writeFile(file, gzipSync(JSON.stringify(data), { level: 9 }));
}

const RELEASES = path.join(import.meta.dirname, '../upgrades');
const OURS = path.join(import.meta.dirname, '../../migrations');

/**
 * Migrates an empty database to an earlier schema: the migrations up to this one, which must not have been edited
 * since.
 */
export async function migrateTo(newest: string, ownerUrl: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-release-'));
  try {
    for (const name of (await readdir(OURS)).filter((each) => each <= newest))
      await copyFile(path.join(OURS, name), path.join(folder, name));
    await migrate(ownerUrl, { folder });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function readRelease(release: string): ReleaseData {
  return JSON.parse(gunzipSync(readFileSync(path.join(RELEASES, `${release}.json.gz`))).toString()) as ReleaseData;
}

/**
 * Turns an empty database into that of a release, with rows that the release's own code has written. Returns its newest
 * migration.
 */
export async function fillAsRelease(release: string, urls: { ownerUrl: string; superUrl: string }): Promise<string> {
  const data = readRelease(release);
  await migrateTo(data.schema, urls.ownerUrl);
  await withClient(urls.superUrl, (client) => writeData(client, data));
  return data.schema;
}
