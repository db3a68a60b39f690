/** Opens database and store for a script, while the product runs or not. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '#src/platform/clock.ts';
import { readConfig, type Config } from '#src/platform/config/config.ts';
import { embeddedPasswords, embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { openDatabase, type Database } from '#src/platform/db/db.ts';
import { ensureEmbeddedRoles, ensureRolesAt } from '#src/platform/db/roles.ts';
import { deriveKey } from '#src/platform/secrets.ts';
import { openDiskStorage } from '#src/platform/storage/disk-storage.ts';
import { openS3Storage } from '#src/platform/storage/s3-storage.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

export type Beside = { database: Database; storage: Storage; close(): Promise<void> };

/**
 * Configured by the environment of docs/requirements/running.md. An embedded database that is not running is started,
 * and stopped at the end.
 */
export async function openProductData(scriptName: string): Promise<Beside> {
  const config = readConfig(process.env);
  const { addresses, stop } = await openAddresses(config);
  const closers = [stop];
  try {
    const database = await openDatabase({
      url: addresses.appUrl,
      role: addresses.appRole,
      applicationName: `sideline ${scriptName}`,
      statementTimeoutMs: 120_000,
    });
    closers.unshift(() => database.close());
    const storage = await openStorage(config);
    closers.unshift(() => storage.close());
    return { database, storage, close: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** The database of the configuration; an embedded one that is not running is started, and stopped by `stop`. */
export async function openAddresses({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  if (databaseUrl === null) return embedded(dataDir);
  return { addresses: await ensureRolesAt(databaseUrl), stop: async () => undefined };
}

/** Where the objects are, according to the configuration. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.s3) return openS3Storage(config.s3);
  return openDiskStorage({
    folder: path.join(config.dataDir, 'objects'),
    signingSecret: deriveKey(config.appSecret, 'upload policies'),
    baseDomain: config.baseDomain,
    clock: systemClock,
  });
}

async function embedded(dataDir: string) {
  const { clusterDir } = embeddedPaths(dataDir);
  await stat(clusterDir).catch(() => {
    throw new StartError(`There is no database below ${dataDir}; set DATA_DIR or DATABASE_URL.`);
  });
  const server = await startEmbeddedPostgres({ dataDir });
  const addresses = await ensureEmbeddedRoles(server.port, embeddedPasswords(dataDir));
  return { addresses, stop: () => (server.adopted ? Promise.resolve() : server.stop()) };
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close();
}
