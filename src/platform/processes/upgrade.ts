/**
 * What every start does before it serves: migrates the database to this version, as far as that is safe (decision
 * record 0066).
 */
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { migrate, type Upgrade } from '#src/platform/db/migrate.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { openDatabaseHost } from '#src/platform/processes/database-host.ts';
import { requireSameSecret } from '#src/platform/processes/same-secret.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

export type UpgradeOptions = {
  config: Pick<Config, 'appSecret' | 'allowSandbox' | 'dataDir' | 'databaseUrl' | 'migratesAtStart' | 'upgradeBackups'>;
  log: Logger;
  addresses: DatabaseAddresses;
};

/**
 * Applies pending migrations. The embedded database is backed up first, unless it is new. An operator's database is
 * changed only by `npm run migrate` or if MIGRATE=start allows it; an empty one at any start.
 * @throws StartError if it must not be changed now, or belongs to another APP_SECRET
 */
export async function upgradeDatabase({ config, log, addresses }: UpgradeOptions): Promise<void> {
  const { dataDir, databaseUrl, upgradeBackups: keep } = config;
  const { ownerUrl } = addresses;

  async function before({ from, pending }: Upgrade): Promise<void> {
    if (from === null) return;
    if (databaseUrl !== null) return allowChange(from, pending);
    if (keep > 0) {
      // The supervisor that keeps running needs none of it.
      const { backUpBeforeUpgrade } = await import('#src/platform/backup/upgrade-backup.ts');
      return backUpBeforeUpgrade({ dataDir, ownerUrl, from, keep, log });
    }
    log.warn({ from, pending }, 'the database is changed without a backup (UPGRADE_BACKUPS=0)');
  }

  function allowChange(from: string, pending: readonly string[]): void {
    if (!config.migratesAtStart)
      throw new StartError(
        `The database is at ${from} and this version needs ${pending.at(-1)}: back it up, then run "npm run migrate" once, or start with MIGRATE=start.`,
      );
    log.warn({ from, pending }, 'the database is changed to this version; Sideline makes no backup of it');
  }

  const applied = await migrate(ownerUrl, { before });
  if (applied.length > 0) log.info({ applied }, 'the database was brought to this version');
  await requireSameSecret(ownerUrl, config);
}

/** `npm run migrate`: the same without serving; for an operator's database, or a folder whose product is stopped. */
export async function runMigrations({ config, log }: { config: Config; log: Logger }): Promise<void> {
  const host = await openDatabaseHost({ config, log, onMoved: () => undefined });
  try {
    const { addresses } = host;
    await upgradeDatabase({ config: { ...config, migratesAtStart: true }, log, addresses });
    await installJobSchema(addresses.ownerUrl);
    log.info('the database is at this version');
  } finally {
    await host.stop();
  }
}
