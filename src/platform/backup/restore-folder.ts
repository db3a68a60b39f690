/** Restores one backup of a folder: its database, and every object of the folder, into an empty place. */
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import {
  intactFile,
  listFolderBackups,
  openBackupObjects,
  type FolderBackup,
} from '#src/platform/backup/backup-folder.ts';
import { mirrorObjects } from '#src/platform/backup/mirror-objects.ts';
import { restoreDump } from '#src/platform/backup/postgres-tools.ts';
import { restore } from '#src/platform/backup/restore.ts';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { ensureEmbeddedRoles, ensureRolesAt } from '#src/platform/db/roles.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

type FolderRestore = {
  folder: string;
  /** The newest backup that began before this time; null: the newest. */
  at: Date | null;
  dataDir: string;
  /** The archive of the log, replayed up to `at`; null: the backup as it is. */
  wal: string | null;
  /** Null: the embedded database below `dataDir`. */
  databaseUrl: string | null;
};

async function chooseBackup(folder: string, at: Date | null): Promise<FolderBackup> {
  const backups = await listFolderBackups(folder);
  const chosen = backups.findLast(({ createdAt }) => at === null || new Date(createdAt) <= at);
  if (chosen) return chosen;
  const oldest = backups[0]?.createdAt;
  throw new StartError(
    oldest === undefined ? `${folder} holds no backup.` : `The oldest backup in ${folder} is of ${oldest}.`,
  );
}

/** Restores the database; the caller stops it. @throws StartError if there already is one */
export async function restoreDatabase(
  options: FolderRestore,
): Promise<{ backup: FolderBackup; stop(): Promise<void> }> {
  const { folder, dataDir, databaseUrl } = options;
  const backup = await chooseBackup(folder, options.at);
  const file = await intactFile(folder, backup);
  if (backup.kind === 'cluster') {
    if (databaseUrl !== null)
      throw new StartError(
        'This backup is of the embedded database: restore it into a DATA_DIR, without DATABASE_URL.',
      );
    const replay = options.wal !== null && options.at !== null ? { folder: options.wal, until: options.at } : null;
    const { server } = await restore({ file, dataDir, replay });
    await bringUpToDate(dataDir, server);
    return { backup, stop: () => server.stop() };
  }
  if (options.wal !== null) throw new StartError('Only a backup of the embedded database can be replayed.');
  if (databaseUrl !== null) {
    await refuseUsedDatabase(databaseUrl);
    const { ownerUrl } = await ensureRolesAt(databaseUrl);
    await restoreAndMigrate(ownerUrl, file);
    return { backup, stop: async () => undefined };
  }
  await refuseUsedFolder(dataDir);
  const server = await startEmbeddedPostgres({ dataDir });
  await bringUpToDate(dataDir, server, (ownerUrl) => restoreDump(ownerUrl, file));
  return { backup, stop: () => server.stop() };
}

/**
 * Brings a restored embedded database to the tables of this version, the only ones that the data checks know; `before`
 * fills it. Stops it if that fails.
 */
export async function bringUpToDate(
  dataDir: string,
  server: EmbeddedPostgres,
  before: (ownerUrl: string) => Promise<void> = async () => undefined,
): Promise<void> {
  try {
    const { ownerUrl } = await ensureEmbeddedRoles(server.port, embeddedPasswords(dataDir));
    await before(ownerUrl);
    await migrate(ownerUrl);
  } catch (error) {
    await server.stop().catch(() => undefined);
    throw error;
  }
}

/** The dump contains no rights: migrating grants them to the app's role, and updates an older schema. */
async function restoreAndMigrate(ownerUrl: string, file: string): Promise<void> {
  await restoreDump(ownerUrl, file);
  await migrate(ownerUrl);
}

async function refuseUsedDatabase(databaseUrl: string): Promise<void> {
  const used = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ used: boolean }>(
      "select to_regclass('public.schema_migrations') is not null as used",
    );
    return rows[0]?.used ?? true;
  });
  if (used) throw new StartError('DATABASE_URL names a database of Sideline; a backup is restored into an empty one.');
}

async function refuseUsedFolder(dataDir: string): Promise<void> {
  const present: string[] = await readdir(dataDir).catch(() => []);
  if (present.includes('postgres'))
    throw new StartError(
      `${path.join(dataDir, 'postgres')} exists already; a backup is restored into a new folder, so set DATA_DIR to one.`,
    );
}

/** Copies every object of the folder that is missing in the store. May be repeated until it is complete. */
export async function restoreObjects(folder: string, storage: Storage) {
  const objects = await openBackupObjects(folder);
  return mirrorObjects(objects, storage).finally(() => objects.close());
}

/** For a trial: links the objects, which stay in the folder and are read there. */
export async function linkObjects(folder: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await symlink(path.resolve(folder, 'objects'), path.join(dataDir, 'objects'));
}
