/** Writes src/platform/db/schema.ts from the migrations: `npm run db:types`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '#src/platform/db/client.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { startThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

const root = path.resolve(import.meta.dirname, '..');
const outFile = path.join(root, 'src/platform/db/schema.ts');

/** Columns with `check (x in (…))` become unions of their values. */
async function checkedColumns(url: string): Promise<Record<string, string>> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ table: string; column: string; nullable: boolean; hasDefault: boolean; definition: string }>(
      `select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as table, a.attname as column,
              not a.attnotnull as nullable, a.atthasdef as "hasDefault", pg_get_constraintdef(k.oid) as definition
         from pg_constraint k
         join pg_class c on c.oid = k.conrelid
         join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
        where k.contype = 'c' and cardinality(k.conkey) = 1 and n.nspname in ('public', 'sandbox_provider')`,
    ),
  );
  const unions: Record<string, string> = {};
  for (const { table, column, nullable, hasDefault, definition } of rows) {
    const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)(?: NOT VALID)?$/.exec(definition)?.[1];
    if (list === undefined) continue;
    const values = list.split(', ').map((item) => item.replace(/::\w+$/, ''));
    const union = [...values, ...(nullable ? ['null'] : [])].join(' | ');
    unions[`${table}.${column}`] = hasDefault ? `Generated<${union}>` : union;
  }
  return unions;
}

const server = await startThrowawayPostgres();
try {
  await migrate(server.ownerUrl);
  const columns = await checkedColumns(server.ownerUrl);
  execFileSync(
    process.execPath,
    [
      path.join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
      `--out-file=${outFile}`,
      `--url=${server.ownerUrl}`,
      '--dialect=postgres',
      '--exclude-pattern=schema_migrations',
      `--type-mapping=${JSON.stringify({ int8: 'number', date: 'string' })}`,
      `--overrides=${JSON.stringify({ columns })}`,
    ],
    // It warns about each union (TypeScript 7 has no parser for it) and then writes it unchanged. A real failure
    // throws, with this text.
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
} finally {
  await server.stop();
}
writeFileSync(outFile, readFileSync(outFile, 'utf8').replace('export interface DB {', 'export interface Schema {'));
