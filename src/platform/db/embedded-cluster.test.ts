/** The embedded database is accessible only to us. */
import { stat } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { startThrowawayPostgres, type ThrowawayPostgres } from '#tests/support/throwaway-postgres.ts';

let server: ThrowawayPostgres;
beforeAll(async () => {
  server = await startThrowawayPostgres();
});
afterAll(() => server?.stop());

test('its files and its password are readable by no other user of the machine', async () => {
  const { clusterDir, passwordsFile } = embeddedPaths(server.dataDir);
  const modes = await Promise.all([clusterDir, passwordsFile].map(async (file) => (await stat(file)).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600]);
});

test.each(['postgres', 'password', 'sideline', ''])('no one signs in with %j as the password', async (password) => {
  for (const user of ['postgres', 'sideline_owner', 'sideline_app']) {
    const address = new URL(server.superUrl);
    Object.assign(address, { username: user, password });
    const client = new pg.Client({ connectionString: address.href });
    await expect(client.connect(), user).rejects.toThrow(/password/);
    await client.end().catch(() => undefined);
  }
});

test('it listens for this machine only, and asks everyone for a password', async () => {
  const client = new pg.Client({ connectionString: server.superUrl });
  await client.connect();
  const { rows } = await client.query<{ listens: string; methods: string[] }>(
    `select current_setting('listen_addresses') as listens, array_agg(distinct auth_method) as methods from pg_hba_file_rules`,
  );
  await client.end();
  expect(rows).toEqual([{ listens: '127.0.0.1', methods: ['scram-sha-256'] }]);
});
