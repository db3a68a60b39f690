/**
 * `node tests/upgrades/keep-statements.ts FILE 0.4.0`: of the recorded statements, one of each form that this version's
 * schema understands, into `0.4.0.statements.json.gz`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { withClient } from '#src/platform/db/client.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { startThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

/** The job queue's own tables are its library's; these only read the server's state. */
const NOT_OURS = /pgboss|pg_sleep|pg_backend_pid|pg_stat_activity/i;
const READS_OR_WRITES = /^(\/\*|\(|with\b|select\b|insert\b|update\b|delete\b|merge\b)/i;

/** Ignores the number of rows and the constants of statements. */
const formOf = (text: string): string =>
  text
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/(\(\$(, \$)*\)(, )?)+/g, '()')
    .replaceAll(/(\$(, )?)+/g, '$')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b\d+\b|'[^']*'/g, '0');

const [recorded = '', release = ''] = process.argv.slice(2);
const lines = (await readFile(recorded, 'utf8')).trim().split('\n');
const texts = lines.map((line) => (JSON.parse(line) as string).trim());
const ours = texts.filter((text) => READS_OR_WRITES.test(text) && !NOT_OURS.test(text));
const forms = new Map(ours.map((text) => [formOf(text), text]));
const server = await startThrowawayPostgres();
try {
  await migrate(server.ownerUrl);
  const kept = await withClient(server.appUrl, async (client) => {
    const understood: string[] = [];
    for (const text of forms.values()) {
      const isUnderstood = await client.query(`explain (generic_plan) ${text}`).then(
        () => true,
        (error: Error) => void process.stdout.write(`left out, ${error.message}: ${text}\n`),
      );
      if (isUnderstood) understood.push(text);
    }
    return understood.toSorted();
  });
  const file = path.join(import.meta.dirname, `${release}.statements.json.gz`);
  await writeFile(file, gzipSync(JSON.stringify(kept), { level: 9 }));
  process.stdout.write(`${release}: ${kept.length} statements\n`);
} finally {
  await server.stop();
}
