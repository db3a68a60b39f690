import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import { ensureEmbeddedRoles, ensureRolesAt } from '#src/platform/db/roles.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { createDiskReserve } from '#src/platform/db/disk-reserve.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { startEmbeddedPostgres, throughSocket, type EmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { setWalArchive } from '#src/platform/db/wal-archive.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

/** Where the product's database runs, kept running if it is ours. */
export type DatabaseHost = {
  addresses: DatabaseAddresses;
  stop(): Promise<void>;
};

/** Any number, other than that of migrations: held while a supervisor owns a `DATA_DIR`. */
const SUPERVISOR_LOCK = 730_212_042;
const LOCK_WAIT_MS = 5000;
const RESERVE_CHECK_MS = 10_000;

type DatabaseHostOptions = {
  config: Pick<Config, 'dataDir' | 'databaseUrl'> & Partial<Pick<Config, 'walArchiveDir'>>;
  log: Logger;
  /** Called when a restarted server listens at another port. */
  onMoved: (addresses: DatabaseAddresses) => void;
};

/** Starts, adopts or finds the database. Throws StartError if another Sideline owns the folder. */
export async function openDatabaseHost(options: DatabaseHostOptions): Promise<DatabaseHost> {
  const { databaseUrl } = options.config;
  if (databaseUrl !== null) return { addresses: await ensureRolesAt(databaseUrl), stop: async () => undefined };
  return hostEmbedded(options);
}

async function hostEmbedded({ config, log, onMoved }: DatabaseHostOptions): Promise<DatabaseHost> {
  const { dataDir } = config;
  let isStopping = false;
  const reserve = createDiskReserve({ dataDir, log });
  await setWalArchive(dataDir, config.walArchiveDir ?? null);
  await reserve.giveUpIfFull();
  let server = await startEmbeddedPostgres({ dataDir });
  if (server.adopted) log.info({ databasePid: server.pid }, 'the embedded database was still running and is adopted');
  const host: DatabaseHost = {
    addresses: await addressesOf(server.port),
    async stop() {
      isStopping = true;
      clearInterval(keeper);
      await lock.end().catch(() => undefined);
      await server.stop();
    },
  };
  let lock = await takeLock(host.addresses.ownerUrl, dataDir);
  watchOver().catch((error: unknown) => log.error({ err: error }, 'the embedded database is no longer watched'));
  const keeper = setInterval(() => void reserve.keep(), RESERVE_CHECK_MS);
  keeper.unref();
  return host;

  /** The product's own processes connect by the socket; others (scripts, migrations) by the port. */
  async function addressesOf(port: number): Promise<DatabaseAddresses> {
    const addresses = await ensureEmbeddedRoles(port, embeddedPasswords(dataDir));
    return { ...addresses, appUrl: throughSocket(addresses.appUrl, dataDir) };
  }

  /** If the server stops unexpectedly it is restarted at the same port; processes wait and reconnect (fault F13). */
  async function watchOver(): Promise<void> {
    for (;;) {
      await server.exited;
      if (isStopping) return;
      log.error({ databasePid: server.pid }, 'the embedded database ended and is started again');
      const oldPort = server.port;
      server = await startWithRetries(oldPort);
      if (isStopping) return server.stop();
      lock = await takeLock(host.addresses.ownerUrl, dataDir).catch(() => lock);
      if (server.port === oldPort) continue;
      host.addresses = await addressesOf(server.port);
      onMoved(host.addresses);
    }
  }

  async function startWithRetries(preferredPort: number): Promise<EmbeddedPostgres> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      try {
        await reserve.giveUpIfFull();
        return await startEmbeddedPostgres({ dataDir, preferredPort });
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start; trying again');
        await sleep(pauseMs);
      }
    }
  }
}

/**
 * Two supervisors with one folder would stop each other's database. A session holds the lock, so it is released however
 * its process ends.
 */
async function takeLock(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sideline supervisor',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined);
  await client.connect();
  for (const deadline = Date.now() + LOCK_WAIT_MS; Date.now() < deadline; await sleep(100)) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      SUPERVISOR_LOCK,
    ]);
    if (rows[0]?.taken) return client;
  }
  await client.end();
  throw new StartError(`Another Sideline already runs on ${dataDir}; stop it, or set DATA_DIR to another folder.`);
}
