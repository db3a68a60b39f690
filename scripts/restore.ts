/**
 * `npm run restore -- FILE` restores into an empty DATA_DIR; `npm run restore -- [--at TIME] FOLDER` restores a backup
 * of a folder, also into DATABASE_URL and S3, and with `--wal ARCHIVE` the embedded database as it was at that time;
 * with `--verify` into a temporary folder that is deleted after the data checks ran on it: this proves that the backup
 * works.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noted } from '#src/platform/backup/backup-log.ts';
import { openOwner } from '#src/platform/backup/owner.ts';
import { bringUpToDate, linkObjects, restoreDatabase, restoreObjects } from '#src/platform/backup/restore-folder.ts';
import { restore } from '#src/platform/backup/restore.ts';
import { readConfig, type Config } from '#src/platform/config/config.ts';
import { embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { readCommandLine } from './command-line.ts';
import { openStorage } from './product-data.ts';

const USAGE =
  'Usage: npm run restore -- [--verify] FILE, or npm run restore -- [--verify] [--at TIME [--wal ARCHIVE]] FOLDER';
/** The product's own settings do not apply to a folder that is checked on its own. */
const ALONE = { DATABASE_URL: '', S3_BUCKET: '', S3_ENDPOINT: '', APP_SECRET: '' };

/**
 * Where database and objects are. Reading it must not create a secret: the folder may still be empty, and the backup
 * has its own.
 */
const placesOf = (env: NodeJS.ProcessEnv) =>
  readConfig({ ...env, APP_SECRET: env.APP_SECRET?.trim() || '-'.repeat(32), DEMO: 'off', ALLOW_SANDBOX: '1' });

type Place = { dataDir: string; env: NodeJS.ProcessEnv; isTrial: boolean };

function readArguments() {
  const { values, positionals } = readCommandLine(
    { verify: { type: 'boolean', default: false }, at: { type: 'string' }, wal: { type: 'string' } },
    USAGE,
  );
  const [source, ...more] = positionals;
  const at = values.at === undefined ? null : new Date(values.at);
  if (!source || more.length > 0 || (at !== null && Number.isNaN(at.getTime()))) throw new StartError(USAGE);
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new StartError(`${source} is not there.`);
  const isFolder = found.isDirectory();
  const wal = values.wal ?? null;
  if ((!isFolder && at !== null) || (wal !== null && at === null)) throw new StartError(USAGE);
  return { source, isFolder, at, wal, verify: values.verify };
}

/** Runs a check on what was restored, in its own process. Returns whether all is well. */
async function runCheck(script: string, { dataDir, env }: Place, words: string[] = []): Promise<boolean> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...words], {
    stdio: 'inherit',
    env: { ...process.env, ...env, DATA_DIR: dataDir },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 && code !== 1) throw new StartError(`${script} could not look at the restored data; see above.`);
  return code === 0;
}

/**
 * Rows must be right. Objects may be from another moment than the rows: missing ones are listed above, and everything
 * else works; only a trial fails for it.
 */
async function check(place: Place, rowsAt: string, hasObjects: boolean): Promise<void> {
  if (!(await runCheck('check-invariants.ts', place, ['--at', rowsAt])))
    throw new StartError('The restored rows did not pass check-invariants.ts; see its output above.');
  if (!hasObjects || (await runCheck('storage-check.ts', place))) return;
  if (place.isTrial) throw new StartError('Rows and objects of this backup do not agree; see above.');
  console.log(
    'Rows and objects do not agree: see the lines above. Photos whose objects are missing cannot be shown or downloaded until these are put back into the store; objects that belong to no row are newer than the database and are kept, for 30 days at least. Everything else works.',
  );
}

async function fromFile(file: string, place: Place): Promise<void> {
  const startedAt = performance.now();
  const { manifest, server } = await restore({ file, dataDir: place.dataDir });
  await bringUpToDate(place.dataDir, server);
  try {
    say(manifest.createdAt, startedAt);
    await check(place, manifest.createdAt, manifest.hasObjects);
  } finally {
    await server.stop();
  }
}

/** Before anything is written: a database without its objects would have to be emptied before the next attempt. */
async function refuseBadStore(config: Config): Promise<void> {
  if (config.s3 === null) return;
  const storage = await openStorage(config);
  await storage.check().finally(() => storage.close());
}

type Moment = { at: Date | null; wal: string | null };

async function fromFolder(folder: string, moment: Moment, place: Place): Promise<void> {
  const startedAt = performance.now();
  const { dataDir, isTrial } = place;
  const config = placesOf({ ...process.env, ...place.env, DATA_DIR: dataDir });
  await refuseBadStore(config);
  const { backup, stop } = await restoreDatabase({ folder, ...moment, dataDir, databaseUrl: config.databaseUrl });
  try {
    if (isTrial) await linkObjects(folder, dataDir);
    else {
      const storage = await openStorage(config);
      const { objects } = await restoreObjects(folder, storage).finally(() => storage.close());
      console.log(`${objects} objects restored`);
    }
    say(backup.createdAt, startedAt);
    await check(place, (moment.wal && moment.at?.toISOString()) ?? backup.createdAt, true);
  } finally {
    await stop();
  }
}

const say = (createdAt: string, startedAt: number) =>
  console.log(`restored the backup of ${createdAt} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

/** Records the trial in the product's own database, if there is one on this machine. */
async function notedHere(work: () => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = placesOf(process.env);
  if (databaseUrl === null && !existsSync(embeddedPaths(dataDir).clusterDir)) return work();
  const { ownerUrl, stop } = await openOwner({ dataDir, databaseUrl });
  await noted(ownerUrl, 'verify', () => work().then(() => ({ bytes: 0, objects: 0 }))).finally(stop);
}

try {
  const { source, isFolder, verify, ...moment } = readArguments();
  const restoreInto = (place: Place) => (isFolder ? fromFolder(source, moment, place) : fromFile(source, place));
  if (verify) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'sideline-restore-'));
    await notedHere(() => restoreInto({ dataDir, env: ALONE, isTrial: true })).finally(() =>
      rm(dataDir, { recursive: true, force: true }),
    );
    console.log('the backup is good; nothing was changed');
  } else {
    const dataDir = path.resolve(process.env.DATA_DIR?.trim() || './data');
    // For a file only the folder counts: the secret in the environment is the product's, not the archive's.
    await restoreInto({ dataDir, env: isFolder ? {} : ALONE, isTrial: false });
    console.log('start the product with these settings');
  }
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 1;
}
