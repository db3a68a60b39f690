/** Unpacks a backup into a folder and proves that its database starts. */
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { readArchive, type ArchiveEntry } from '#src/platform/backup/archive.ts';
import { MANIFEST, type Manifest } from '#src/platform/backup/backup.ts';
import { startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import {
  choosePostgresAccount,
  embeddedPaths,
  findPostgresBinaries,
  idsOf,
} from '#src/platform/db/embedded-cluster.ts';
import { recoverySettings } from '#src/platform/db/wal-archive.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

const PARTS = ['postgres', 'secrets', 'objects'];
const NOTE = 'restored.json';

/**
 * Restores into `dataDir`, which must not contain a product yet, and starts its database (which replays its log); the
 * caller stops it. The unpacked files are removed if the archive turns out to be damaged.
 */
export async function restore(options: {
  file: string;
  dataDir: string;
  /** Replays an archive of the log up to a moment. */
  replay?: { folder: string; until: Date } | null;
}) {
  const dataDir = path.resolve(options.dataDir);
  const present = await readdir(dataDir).catch(() => []);
  const taken = present.find((name) => PARTS.includes(name));
  if (taken)
    throw new StartError(
      `${path.join(dataDir, taken)} exists already; a backup is restored into a new folder, so set DATA_DIR to one.`,
    );
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = path.join(dataDir, `restoring.${process.pid}`);
  try {
    const manifest = await unpack(options.file, draft);
    await giveToAccount(path.join(draft, 'postgres'), path.join(dataDir, 'postgres'));
    for (const part of PARTS) await rename(path.join(draft, part), path.join(dataDir, part)).catch(ignoreMissing);
    // Shows people when this was restored: sweeps keep objects without a row for 30 days, restored or not (fault F35).
    await writeFile(
      path.join(dataDir, NOTE),
      JSON.stringify({ restoredAt: new Date().toISOString(), backupOf: manifest.createdAt }),
      { mode: 0o600 },
    );
    if (!options.replay) return { manifest, server: await startEmbeddedPostgres({ dataDir }) };
    return { manifest, server: await replayed(dataDir, options.replay, manifest) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Replays the archive; where that cannot be done only the log is left, so that another time can be tried. */
async function replayed(dataDir: string, { folder, until }: { folder: string; until: Date }, { createdAt }: Manifest) {
  const { clusterDir, logFile } = embeddedPaths(dataDir);
  await askForRecovery(clusterDir);
  // A failure of an earlier try must not be taken for one of this.
  await rm(logFile, { force: true });
  try {
    return await startEmbeddedPostgres({ dataDir, recovery: recoverySettings(folder, until) });
  } catch (error) {
    const log = await readFile(logFile, 'utf8').catch(() => '');
    const why = log.match(/(?<=FATAL: {2}).*/g)?.at(-1);
    if (why === undefined) throw error;
    for (const part of [...PARTS, NOTE, 'run']) await rm(path.join(dataDir, part), { recursive: true, force: true });
    const last = log.match(/(?<=last completed transaction was at log time )\S+ [^.+]*/g)?.at(-1);
    throw new StartError(
      `The database cannot be brought to ${until.toISOString()}: ${why}. ${last === undefined ? `${folder} has no transaction since the backup of ${createdAt}.` : `The last transaction in the archive is of ${last} UTC: give an earlier time.`}`,
    );
  }
}

/** PostgreSQL removes this file when it has reached the target time. */
async function askForRecovery(clusterDir: string): Promise<void> {
  const signal = path.join(clusterDir, 'recovery.signal');
  await writeFile(signal, '', { mode: 0o600 });
  const { uid, gid } = await stat(clusterDir);
  await chown(signal, uid, gid);
}

async function unpack(file: string, folder: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  await readArchive(file, async (entry, body) => {
    if (entry.name === MANIFEST) {
      manifest = await readManifest(body);
      return;
    }
    if (!manifest) throw new StartError(`${file} is not a backup of Sideline.`);
    await unpackEntry(path.join(folder, entry.name), entry, body);
  });
  if (!manifest) throw new StartError(`${file} is not a backup of Sideline.`);
  return manifest;
}

async function readManifest(body: AsyncIterable<Buffer>): Promise<Manifest> {
  const manifest = (await json(body)) as Manifest;
  if (manifest.format !== 1)
    throw new StartError('This backup was made by a newer version of Sideline: restore it with that one.');
  return manifest;
}

async function unpackEntry(target: string, entry: ArchiveEntry, body: AsyncIterable<Buffer>): Promise<void> {
  if (entry.kind === 'folder') {
    await mkdir(target, { recursive: true, mode: 0o700 });
    return;
  }
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  // PostgreSQL syncs its whole folder itself before it replays the log.
  const flush = !entry.name.startsWith('postgres/');
  await pipeline(body, createWriteStream(target, { mode: entry.mode & 0o700, flags: 'wx', flush }));
}

/** Files unpacked by root must belong to the account under which PostgreSQL runs. */
async function giveToAccount(unpacked: string, finalDir: string): Promise<void> {
  await chmod(unpacked, 0o700);
  const ids = idsOf(await choosePostgresAccount(finalDir, findPostgresBinaries().nativeDir));
  if (!ids) return;
  for (const entry of await readdir(unpacked, { recursive: true, withFileTypes: true })) {
    await chown(path.join(entry.parentPath, entry.name), ids.uid, ids.gid);
  }
  await chown(unpacked, ids.uid, ids.gid);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
