/**
 * The copy of the embedded database that is made before an update: database and secrets, in `DATA_DIR/backups`. Objects
 * are left out: they are immutable, and no migration touches them.
 */
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { backUp } from '#src/platform/backup/backup.ts';
import { withClient } from '#src/platform/db/client.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

const NAME = /^upgrade-from-.+\.tar$/;
/** The write-ahead log that is copied with the tables, and some spare space. */
const MARGIN_BYTES = 256 * 1_048_576;

type UpgradeBackupOptions = {
  dataDir: string;
  ownerUrl: string;
  /** The newest migration of the database. */
  from: string;
  /** How many are kept, each of another schema. */
  keep: number;
  log: Logger;
};

/**
 * Makes `DATA_DIR/backups/upgrade-from-….tar` while the database runs. One file per schema, so that an update that
 * fails repeatedly does not replace the copy from before it.
 * @throws StartError if there is not enough space
 */
export async function backUpBeforeUpgrade({ dataDir, ownerUrl, from, keep, log }: UpgradeBackupOptions): Promise<void> {
  const folder = path.join(dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `upgrade-from-${from.replace(/\.sql$/, '')}.tar`);
  const draft = `${file}.new`;
  // Left by a start that was killed.
  for (const name of await readdir(folder))
    if (/\.new(\.part)?$/.test(name)) await rm(path.join(folder, name), { force: true });
  await requireSpace(folder, ownerUrl);
  const startedAt = performance.now();
  log.info({ file }, 'the database is backed up before it is brought to this version');
  const { bytes } = await backUp({ dataDir, file: draft, withObjects: false });
  await rename(draft, file);
  await keepNewest(folder, keep);
  log.info({ file, bytes, ms: Math.round(performance.now() - startedAt) }, 'the database is backed up');
}

async function requireSpace(folder: string, ownerUrl: string): Promise<void> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes'),
  );
  const wanted = Number(rows[0]?.bytes ?? 0) + MARGIN_BYTES;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= wanted) return;
  throw new StartError(
    `There is no space for the backup before the update: ${folder} needs ${Math.ceil(wanted / 1_048_576)} MB. Free some, or start once with UPGRADE_BACKUPS=0 if you have a backup of your own.`,
  );
}

async function keepNewest(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, madeAt: (await stat(path.join(folder, name))).mtimeMs })),
  );
  for (const { name } of dated.toSorted((one, other) => other.madeAt - one.madeAt).slice(keep))
    await rm(path.join(folder, name), { force: true });
}
