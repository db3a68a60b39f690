/**
 * A folder of backups: each run adds the whole database and only the new objects. The database first: objects are
 * immutable and outlive their rows, so every object that a copied row names still exists when the objects are copied. A
 * backup is valid when its description exists, which is written last.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backUp } from '#src/platform/backup/backup.ts';
import { mirrorObjects, type Mirrored } from '#src/platform/backup/mirror-objects.ts';
import { dumpDatabase } from '#src/platform/backup/postgres-tools.ts';
import { systemClock } from '#src/platform/clock.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { openDiskStorage } from '#src/platform/storage/disk-storage.ts';
import { isErrno } from '#src/platform/storage/storage-faults.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { DAY_MS } from '#src/shared/dates.ts';
import { isProblem } from '#src/shared/problem.ts';

/** What is known about one backup in the folder. */
export type FolderBackup = {
  format: 1;
  /** Its file below `databases`. */
  file: string;
  /** `cluster`: the embedded database with the secrets; `dump`: made by pg_dump. */
  kind: 'cluster' | 'dump';
  createdAt: string;
  bytes: number;
  sha256: string;
};

type FolderOptions = {
  folder: string;
  dataDir: string;
  /** Null: the embedded database. */
  databaseUrl: string | null;
  storage: Storage;
  /** How many of the newest backups are kept; null: all. Objects that none of them can refer to are removed. */
  keep: number | null;
  /**
   * Of these, all but the newest are removed after this many days; null or not given: they are kept while they are
   * among the newest.
   */
  days?: number | null;
  now?: Date;
  /** Tests only: called when everything acknowledged so far is in the backup. */
  onDatabaseFixed?: () => void;
};

const DATABASES = 'databases';
const GONE = 'gone.json';
/** The database of one run, whole or not. */
const DATABASE_FILE = /^(\d{4}-\d\d-\d\dT[\d-]+Z)\.(?:tar|dump)(?:\.part)?$/;

/** The objects of a backup folder, as a store. */
export function openBackupObjects(folder: string): Promise<Storage> {
  return openDiskStorage({
    folder: path.join(folder, 'objects'),
    // Would sign upload forms; no caller needs that for a backup.
    signingSecret: Buffer.alloc(32),
    baseDomain: 'localhost',
    clock: systemClock,
  });
}

/** Adds a backup, of a running product or a stopped one. @throws StartError */
export async function backUpToFolder(options: FolderOptions): Promise<Mirrored & { file: string }> {
  const { folder, now = new Date() } = options;
  await mkdir(path.join(folder, DATABASES), { recursive: true, mode: 0o700 });
  await removeUnfinished(folder, now);
  try {
    const backup = await backUpDatabase(options, now);
    const objects = await openBackupObjects(folder);
    const goneNow: string[] = [];
    const mirrored = await keepingFresh(path.join(folder, DATABASES, backup.file), () =>
      mirrorObjects(options.storage, objects, (key) => goneNow.push(key)),
    );
    await writeWhole(path.join(folder, DATABASES, `${stampOf(now)}.json`), JSON.stringify(backup));
    await thinOut(options, objects, goneNow, now);
    return { ...mirrored, bytes: mirrored.bytes + backup.bytes, file: backup.file };
  } catch (error) {
    throw isFull(error) ? new StartError(noSpace(folder), { cause: error }) : error;
  }
}

const isFull = (error: unknown) => isErrno(error, 'ENOSPC') || (isProblem(error) && error.code === 'storage_full');
const noSpace = (folder: string) =>
  `There is no space left in ${folder}: free some and run the backup again. Earlier backups of the folder are not affected.`;

/** What runs left that were ended or failed: without a description it is no backup, and it may be as large as one. */
async function removeUnfinished(folder: string, now: Date): Promise<void> {
  const names = await readdir(path.join(folder, DATABASES));
  for (const name of names) {
    const stamp = DATABASE_FILE.exec(name)?.[1];
    if (stamp === undefined || names.includes(`${stamp}.json`)) continue;
    const file = path.join(folder, DATABASES, name);
    const found = await stat(file).catch(() => null);
    // Another run may be writing it, or still copying objects (`keepingFresh`).
    if (found && now.getTime() - found.mtimeMs > DAY_MS) await rm(file, { force: true });
  }
}

/** Copying the first objects may take days, in which other runs must not count this one's database as unfinished. */
async function keepingFresh<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const touch = () => void utimes(file, new Date(), new Date()).catch(() => undefined);
  const timer = setInterval(touch, DAY_MS / 24);
  return work().finally(() => clearInterval(timer));
}

const stampOf = (at: Date) => at.toISOString().replaceAll(/[:.]/g, '-');

async function backUpDatabase(options: FolderOptions, now: Date): Promise<FolderBackup> {
  const { folder, dataDir, databaseUrl, onDatabaseFixed } = options;
  const kind = databaseUrl === null ? 'cluster' : 'dump';
  const file = `${stampOf(now)}.${kind === 'cluster' ? 'tar' : 'dump'}`;
  const target = path.join(folder, DATABASES, file);
  if (databaseUrl === null)
    await backUp({ dataDir, file: target, withObjects: false, ...(onDatabaseFixed && { onDatabaseFixed }) });
  else {
    // Its snapshot of the database is taken at its start.
    onDatabaseFixed?.();
    const draft = `${target}.part`;
    try {
      await dumpDatabase(databaseUrl, draft);
      await flush(draft);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
  return { format: 1, file, kind, createdAt: now.toISOString(), ...(await measure(target)) };
}

async function measure(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.part`, 'w', 0o600);
  await handle
    .writeFile(text)
    .then(() => handle.sync())
    .finally(() => handle.close());
  await rename(`${file}.part`, file);
}

/** The backups of a folder, the oldest first. */
export async function listFolderBackups(folder: string): Promise<FolderBackup[]> {
  const names = await readdir(path.join(folder, DATABASES)).catch(() => []);
  const described = names.filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(
    described.map(async (name) => {
      const backup = JSON.parse(await readFile(path.join(folder, DATABASES, name), 'utf8')) as FolderBackup;
      if (backup.format !== 1)
        throw new StartError('This backup was made by a newer version of Sideline: restore it with that one.');
      return backup;
    }),
  );
}

/** The file of a backup, verified. @throws StartError if its bytes have changed since they were written */
export async function intactFile(folder: string, backup: FolderBackup): Promise<string> {
  const file = path.join(folder, DATABASES, backup.file);
  const { sha256 } = await measure(file);
  if (sha256 !== backup.sha256) throw new StartError(`${file} is damaged: restore another backup of the folder.`);
  return file;
}

/**
 * Removes backups beyond `keep`, those older than `days`, and objects that had left the product before the oldest
 * remaining backup was made. Until then a deleted object is kept, because an older database may refer to it.
 */
async function thinOut(options: FolderOptions, objects: Storage, goneNow: readonly string[], now: Date): Promise<void> {
  const { folder, keep, days = null, storage } = options;
  const list = path.join(folder, GONE);
  const before = JSON.parse(await readFile(list, 'utf8').catch(() => '{}')) as Record<string, string>;
  const since = new Map(goneNow.map((key) => [key, before[key] ?? now.toISOString()]));
  const backups = await listFolderBackups(folder);
  const expired = days === null ? '' : new Date(now.getTime() - days * DAY_MS).toISOString();
  const beyond = keep === null ? 0 : backups.length - keep;
  const old = backups.slice(0, -1).filter(({ createdAt }, at) => at < beyond || createdAt < expired);
  for (const { file } of old) {
    // Without its description it is no longer valid.
    await rm(path.join(folder, DATABASES, file.replace(/\.\w+$/, '.json')), { force: true });
    await rm(path.join(folder, DATABASES, file), { force: true });
  }
  const oldest = backups[old.length]?.createdAt ?? now.toISOString();
  for (const [key, goneAt] of keep === null && days === null ? [] : [...since]) {
    if (goneAt >= oldest || (await storage.head(key)) !== null) continue;
    await objects.remove(key);
    since.delete(key);
  }
  await writeWhole(list, JSON.stringify(Object.fromEntries(since)));
}
