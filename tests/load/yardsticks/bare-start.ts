/** Yardstick of P16: a bare Node process that starts the embedded PostgreSQL on an existing folder, runs one query and stops it. */
import pg from 'pg';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';

const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir });
const client = new pg.Client({
  connectionString: embeddedUrl(server.port, 'postgres', embeddedPasswords(dataDir).superuser, 'postgres'),
});
await client.connect();
await client.query('select 1');
await client.end();
await server.stop();
