/**
 * `node tests/upgrades/keep-data.ts DATA_DIR 0.4.0`: writes the rows of a stopped product to `0.4.0.json.gz` in this
 * folder, for tests of later versions. How a release is made: CONTRIBUTING.md.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { readData, saveData } from '#tests/support/release-data.ts';

const [dataDir = '', release = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir });
try {
  const url = embeddedUrl(server.port, 'postgres', embeddedPasswords(dataDir).superuser);
  const appSecret = (await readFile(path.join(dataDir, 'secrets', 'app-secret'), 'utf8')).trim();
  const data = { ...(await withClient(url, readData)), appSecret };
  await saveData(path.join(import.meta.dirname, `${release}.json.gz`), data);
  const rows = data.tables.reduce((sum, table) => sum + table.rows.length, 0);
  process.stdout.write(`${release}: ${data.tables.length} tables, ${rows} rows, at ${data.schema}\n`);
} finally {
  await server.stop();
}
