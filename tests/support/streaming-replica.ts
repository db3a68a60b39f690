/** A primary and its streaming replica, of the embedded PostgreSQL. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords, embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { ensureEmbeddedRoles } from '#src/platform/db/roles.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';

const run = promisify(execFile);
const FAST = { unsafe: true, maxConnections: 60 };
/** The same for both: a replica with fewer stops. */
const SENDERS = { max_wal_senders: '3' };

export type StreamingPair = Awaited<ReturnType<typeof startStreamingPair>>;

export async function startStreamingPair() {
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-replica-'));
  const [dataDir, copyDir] = [path.join(folder, 'primary'), path.join(folder, 'replica')];
  const passwords = embeddedPasswords(dataDir);
  const first = await startEmbeddedPostgres({ dataDir, ...FAST });
  const { ownerUrl } = await ensureEmbeddedRoles(first.port, passwords);
  await migrate(ownerUrl);
  await installJobSchema(ownerUrl);
  await first.stop();
  // The files of a stopped server are a base backup.
  await run('cp', ['-a', dataDir, copyDir]);
  const primary = await startEmbeddedPostgres({ dataDir, ...FAST, settings: SENDERS });
  await writeFile(path.join(embeddedPaths(copyDir).clusterDir, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${passwords.superuser}`;
  const replica = await startEmbeddedPostgres({
    dataDir: copyDir,
    ...FAST,
    settings: { ...SENDERS, primary_conninfo: source },
  });
  const urlOf = (port: number, user: 'app' | 'owner' | 'superuser') =>
    embeddedUrl(port, user === 'superuser' ? 'postgres' : `sideline_${user}`, passwords[user]);
  const onReplica = (text: string) =>
    withClient(
      urlOf(replica.port, 'superuser'),
      async (client) => (await client.query<{ at: string }>(text)).rows[0]?.at,
    );
  return {
    ownerUrl: urlOf(primary.port, 'owner'),
    appUrl: urlOf(primary.port, 'app'),
    superUrl: urlOf(primary.port, 'superuser'),
    replicaUrl: urlOf(replica.port, 'app'),
    /** The replica keeps receiving and shows its present data, until `release`. */
    hold: () => onReplica('select pg_wal_replay_pause()'),
    release: () => onReplica('select pg_wal_replay_resume()'),
    replayed: () => onReplica('select pg_last_wal_replay_lsn()::text as at'),
    stopReplica: () => replica.stop(),
    async stop() {
      await replica.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
