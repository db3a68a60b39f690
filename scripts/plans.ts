/**
 * `npm run plans [-- --photos 10000000 --orders 1000000 --organizations 10000 --parts 16]`: fills a database of its
 * own, explains the most frequent statements as the app's role, divides the tables (deploy/partitions), explains them
 * again, and prints both (docs/capacity.md). Ten million photos take 25 GB below the temporary folder and an hour. With
 * `--folder DIR` the database stays there, and is reused if it is filled.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { typeParsers } from '#src/platform/db/kysely-driver.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { ensureEmbeddedRoles } from '#src/platform/db/roles.ts';
import { HOT_STATEMENTS, OTHER_STATEMENTS, readSamples, sumStatements } from '#tests/load/hot-statements.ts';
import { fillLargeTables } from '#tests/load/large-tables.ts';
import { measurePlans, openPlanSession, type PlanFigures } from '#tests/load/plans.ts';
import { divideTables } from '#tests/support/divided-tables.ts';

/** Settings of a database server of this size; the embedded one is configured for less. */
const SETTINGS = {
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  maintenance_work_mem: '1GB',
  wal_level: 'minimal',
  archive_mode: 'off',
  max_wal_size: '1GB',
  wal_keep_size: '0',
};
const SAMPLES = 40;

const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '10000000' },
    orders: { type: 'string', default: '1000000' },
    organizations: { type: 'string', default: '10000' },
    parts: { type: 'string', default: '16' },
    folder: { type: 'string' },
  },
});
const [photos, orders, organizations, parts] = [values.photos, values.orders, values.organizations, values.parts].map(
  (word) => {
    const number = Number(word);
    if (Number.isSafeInteger(number) && number > 0) return number;
    console.error(`"${word}" is not a whole number above 0.`);
    process.exit(2);
  },
) as [number, number, number, number];

const folder = values.folder ?? (await mkdtemp(path.join(tmpdir(), 'sideline-plans-')));
// PostgreSQL, under its own account, must be able to traverse it.
await mkdir(folder, { recursive: true });
await chmod(folder, 0o711);
const server = await startEmbeddedPostgres({ dataDir: folder, unsafe: true, settings: SETTINGS });
try {
  const passwords = embeddedPasswords(folder);
  const { ownerUrl, appUrl } = await ensureEmbeddedRoles(server.port, passwords);
  await migrate(ownerUrl);
  const superUrl = embeddedUrl(server.port, 'postgres', passwords.superuser);
  const owner = new pg.Client({ connectionString: ownerUrl, types: typeParsers });
  owner.on('error', () => undefined);
  await owner.connect();
  const has = async (table: string, is: string) =>
    (await owner.query(`select from pg_class where oid = '${table}'::regclass and ${is}`)).rowCount === 1;
  if (!(await has('ledger_entries', 'reltuples > 0')))
    await fillLargeTables(superUrl, { organizations, photos, orders }, console.log);
  if (await has('photos', "relkind = 'p'")) console.log(tableOf(await measureAll(owner, appUrl), null));
  else {
    const whole = await measureAll(owner, appUrl);
    console.log(tableOf(whole, null));
    const began = performance.now();
    await divideTables(ownerUrl, parts);
    await owner.query('vacuum analyze');
    console.log(`divided into ${parts} parts in ${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
    console.log(tableOf(whole, await measureAll(owner, appUrl)));
  }
  await owner.end();
} finally {
  await server.stop();
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}

/** By the name of the statement. */
async function measureAll(owner: pg.Client, appUrl: string): Promise<Map<string, PlanFigures>> {
  const samples = await readSamples(owner, SAMPLES);
  const sellers = await owner.query<{ id: number }>('select distinct organization_id as id from orders');
  const client = await openPlanSession(appUrl);
  const figures = new Map<string, PlanFigures>();
  for (const hot of [...HOT_STATEMENTS, ...OTHER_STATEMENTS])
    figures.set(hot.name, await measurePlans(client, hot, samples));
  for (const hot of sumStatements(sellers.rows.map(({ id }) => id)))
    figures.set(hot.name, await measurePlans(client, hot, samples.slice(0, 1)));
  await client.end();
  return figures;
}

function tableOf(whole: ReadonlyMap<string, PlanFigures>, divided: ReadonlyMap<string, PlanFigures> | null): string {
  const of = (figures: PlanFigures | undefined) =>
    figures === undefined ? [] : [String(figures.pages), figures.ms.toFixed(2), String(figures.parts ?? '')];
  const lines = [...whole].map(([name, figures]) =>
    [
      name,
      String(figures.rows),
      ...of(figures).slice(0, divided === null ? 3 : 2),
      ...of(divided?.get(name)),
      figures.ways.join(', '),
    ].join(' | '),
  );
  const head = [
    'Statement',
    'rows',
    'pages',
    'ms',
    ...(divided === null ? ['parts'] : ['pages, divided', 'ms, divided', 'parts']),
    'indexes',
  ];
  return [head.join(' | '), head.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`).join('\n');
}
