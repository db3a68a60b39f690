/**
 * The archive of the write-ahead log (`WAL_ARCHIVE_DIR`): every segment that is full, or a minute old, as a file. With
 * a backup folder it restores the embedded database to any moment after a backup.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { embeddedPaths, makeFolderFor } from '#src/platform/db/embedded-cluster.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

const LONGEST_GAP = '60s';

/** Used in a shell command, and in PostgreSQL's own text, where `%` has a meaning. */
const quoted = (file: string) => `'${file.replaceAll("'", String.raw`'\''`).replaceAll('%', '%%')}'`;

/** Stores the setting next to the data; null: no archive. Takes effect when the database starts. */
export async function setWalArchive(dataDir: string, folder: string | null): Promise<void> {
  const { archiveFile } = embeddedPaths(dataDir);
  if (folder === null) await rm(archiveFile, { force: true });
  else await writeFile(archiveFile, path.resolve(folder), { mode: 0o600 });
}

/** The start settings of a database that has an archive; creates the folder. */
export async function archiveSettings(
  dataDir: string,
  ids: { uid: number; gid: number } | null,
): Promise<Record<string, string>> {
  const folder = await readFile(embeddedPaths(dataDir).archiveFile, 'utf8').catch(() => null);
  if (folder === null) return {};
  await makeFolderFor(ids, folder).catch((error: unknown) => {
    const { message } = error as Error;
    throw new StartError(`WAL_ARCHIVE_DIR must be a folder in which Sideline may write: ${message}.`, { cause: error });
  });
  // A segment that already exists, from before a crash, must be the same; it is never replaced by another one.
  const target = quoted(`${folder}/`);
  return {
    archive_mode: 'on',
    archive_timeout: LONGEST_GAP,
    archive_command: `if test -f ${target}%f.gz; then gunzip -c ${target}%f.gz | cmp -s - %p; else gzip -c %p > ${target}%f.part && sync ${target}%f.part && mv ${target}%f.part ${target}%f.gz; fi`,
  };
}

/** The settings with which a restored database replays an archive up to a moment, and then continues on its own. */
export function recoverySettings(folder: string, until: Date): Record<string, string> {
  return {
    restore_command: `gunzip -c ${quoted(`${path.resolve(folder)}/`)}%f.gz > %p`,
    // It is parsed before time zones have names.
    recovery_target_time: until.toISOString().replace('Z', '+00'),
    recovery_target_action: 'promote',
    // Otherwise it reports that it is ready, and answers, before it has reached the moment.
    hot_standby: 'off',
  };
}
