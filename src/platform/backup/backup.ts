/**
 * An online backup of the embedded product: the database as it runs, its write-ahead log, the secrets and the stored
 * objects, in one file. The database first: objects are immutable and outlive their rows, so every object that a copied
 * row names still exists when the objects are copied.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { createArchive, type ArchiveWriter } from '#src/platform/backup/archive.ts';
import { withClient } from '#src/platform/db/client.ts';
import { embeddedPasswords, embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, runningPostgresPort, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

export const MANIFEST = 'sideline-backup.json';
export type Manifest = { format: 1; createdAt: string; postgresMajor: number; hasObjects: boolean };

/** Rewritten by every server, or meaningful only to the running one (PostgreSQL's own base backup leaves them out, too). */
const LEFT_OUT_FILES = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'tablespace_map',
  'pg_internal.init',
]);
const LEFT_OUT_CONTENTS = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

function isLeftOut(relative: string): boolean {
  const name = path.posix.basename(relative);
  return (
    LEFT_OUT_FILES.has(name) ||
    name.startsWith('pgsql_tmp') ||
    LEFT_OUT_CONTENTS.some((folder) => relative.startsWith(`${folder}/`))
  );
}

type BackupOptions = {
  dataDir: string;
  /** The file to write; must not exist. */
  file: string;
  /** False if objects are in an S3 store, which has its own backups. */
  withObjects: boolean;
  /** Called when the database's part is about to end: everything acknowledged before is in the backup. */
  onDatabaseFixed?: () => void;
};

/** For a running product or a stopped one. Throws StartError for what the caller can fix. */
export async function backUp(options: BackupOptions): Promise<{ files: number; bytes: number; objects: number }> {
  const { dataDir, file } = options;
  if (existsSync(file)) throw new StartError(`${file} exists already; choose another name.`);
  if (!existsSync(embeddedPaths(dataDir).clusterDir))
    throw new StartError(`${dataDir} holds no database; set DATA_DIR to the folder of the product.`);
  const running = await runningPostgresPort(dataDir);
  const own = running === null ? await startEmbeddedPostgres({ dataDir }) : null;
  const archive = createArchive(file);
  try {
    const url = embeddedUrl(running ?? own?.port ?? 0, 'postgres', embeddedPasswords(dataDir).superuser, 'postgres');
    await withClient(url, (client) => copyDatabase(client, archive, options), 'sideline backup');
    await archive.addTree('secrets', path.join(dataDir, 'secrets'));
    const others = archive.count();
    if (options.withObjects) await archive.addTree('objects', path.join(dataDir, 'objects'));
    const objects = archive.count() - others;
    return { ...(await archive.finish()), objects };
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    await own?.stop();
  }
}

async function copyDatabase(client: pg.Client, archive: ArchiveWriter, options: BackupOptions): Promise<void> {
  const { dataDir, withObjects } = options;
  const { clusterDir } = embeddedPaths(dataDir);
  const version = await client.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  const manifest: Manifest = {
    format: 1,
    createdAt: new Date().toISOString(),
    postgresMajor: version.rows[0]?.major ?? 0,
    hasObjects: withObjects,
  };
  await archive.addText(MANIFEST, JSON.stringify(manifest));
  // Holds the write-ahead log from here on, however much is written meanwhile; released with this session.
  await client.query("select pg_create_physical_replication_slot('sideline_backup_' || pg_backend_pid(), true, true)");
  await client.query("select pg_backup_start('sideline', true)");
  await archive.addTree('postgres', clusterDir, isLeftOut);
  options.onDatabaseFixed?.();
  const stopped = await client.query<{ labelfile: string; spcmapfile: string; last: string }>(
    'select labelfile, spcmapfile, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
  );
  const { labelfile = '', spcmapfile = '', last = '' } = stopped.rows[0] ?? {};
  await archive.addText('postgres/backup_label', labelfile);
  if (spcmapfile) await archive.addText('postgres/tablespace_map', spcmapfile);
  const first = /\(file ([0-9A-F]{24})\)/.exec(labelfile)?.[1];
  if (!first || !last) throw new Error('PostgreSQL did not say where its backup begins and ends.');
  const segments = await client.query<{ name: string }>(
    "select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name between $1 and $2 order by name",
    [first, last],
  );
  if (segments.rows[0]?.name !== first || segments.rows.at(-1)?.name !== last)
    throw new Error('A part of the write-ahead log was deleted before it could be copied; try again.');
  for (const { name } of segments.rows)
    await archive.addFile(`postgres/pg_wal/${name}`, path.join(clusterDir, 'pg_wal', name));
}
