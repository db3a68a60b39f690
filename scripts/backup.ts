/**
 * `npm run backup -- FILE`: one file with the embedded database, the objects and the secrets. `npm run backup --
 * [--keep N] [--days N] FOLDER/`: adds a backup to a folder: any database, any store, only objects that are new. For a
 * running product or a stopped one; the outcome is recorded in the table `backups`.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { backUpToFolder } from '#src/platform/backup/backup-folder.ts';
import { noted } from '#src/platform/backup/backup-log.ts';
import { backUp } from '#src/platform/backup/backup.ts';
import { openOwner } from '#src/platform/backup/owner.ts';
import { readConfig, type Config } from '#src/platform/config/config.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { readCommandLine } from './command-line.ts';
import { openStorage } from './product-data.ts';

const USAGE = 'Usage: npm run backup -- FILE, or npm run backup -- [--keep N] [--days N] FOLDER/';

function readArguments() {
  const { values, positionals } = readCommandLine({ keep: { type: 'string' }, days: { type: 'string' } }, USAGE);
  const [place, ...more] = positionals;
  const [keep, days] = [values.keep, values.days].map((text) => (text === undefined ? null : Number(text)));
  const isCount = (count: number | null = null) => count === null || (Number.isInteger(count) && count > 0);
  if (!place || more.length > 0 || !isCount(keep) || !isCount(days)) throw new StartError(USAGE);
  const isFolder = /[/\\]$/.test(place) || (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isFolder && (keep ?? days ?? null) !== null) throw new StartError(USAGE);
  return { place: path.resolve(place), isFolder, thinned: { keep: keep ?? null, days: days ?? null } };
}

async function intoFile(config: Config, ownerUrl: string, file: string): Promise<void> {
  const { files, bytes } = await noted(ownerUrl, 'file', () =>
    backUp({ dataDir: config.dataDir, file, withObjects: config.s3 === null }),
  );
  const elsewhere = config.s3 ? '; the objects are in S3 and not in it' : '';
  console.log(`${file}: ${files} files, ${bytes} bytes${elsewhere}`);
}

type Thinned = { keep: number | null; days: number | null };

async function intoFolder(config: Config, ownerUrl: string, folder: string, thinned: Thinned): Promise<void> {
  const storage = await openStorage(config);
  const { dataDir, databaseUrl } = config;
  const { file, objects, bytes } = await noted(ownerUrl, 'folder', async () => {
    const wrote = await backUpToFolder({ folder, dataDir, databaseUrl, storage, ...thinned });
    if (wrote.damaged.length > 0)
      throw new StartError(
        `${wrote.file} is complete, except for ${wrote.damaged.length} objects that are damaged in the store: ${wrote.damaged.slice(0, 5).join(', ')}. Run npm run storage:check.`,
      );
    return wrote;
  }).finally(() => storage.close());
  console.log(`${path.join(folder, 'databases', file)}: ${objects} new objects, ${bytes} bytes`);
}

try {
  const { place, isFolder, thinned } = readArguments();
  const config = readConfig(process.env);
  if (!isFolder && config.databaseUrl !== null)
    throw new StartError(`With DATABASE_URL a backup is a folder: npm run backup -- ${place}/`);
  const { ownerUrl, stop } = await openOwner(config);
  await (isFolder ? intoFolder(config, ownerUrl, place, thinned) : intoFile(config, ownerUrl, place)).finally(stop);
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 1;
}
