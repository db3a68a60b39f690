/**
 * `npm run restore -- FILE` restores into an empty DATA_DIR; `npm run restore -- --verify FILE` restores into a temporary
 * folder, lets the data checks run on it and removes it: the proof that a backup is one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { restore } from '#src/platform/backup/restore.ts';
import { StartError, describeFailedStart } from '#src/platform/processes/messages.ts';

/** Runs a check on the restored folder, in its own process. */
async function runCheck(script: string, dataDir: string): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', S3_BUCKET: '', S3_ENDPOINT: '', APP_SECRET: '' };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script)], { stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new StartError(`The restored data did not pass ${script}; see its output above.`);
}

async function restoreAndCheck(file: string, dataDir: string): Promise<void> {
  const startedAt = performance.now();
  const { manifest, server } = await restore({ file, dataDir });
  try {
    console.log(
      `restored the backup of ${manifest.createdAt} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    await runCheck('check-invariants.ts', dataDir);
    if (manifest.hasObjects) await runCheck('storage-check.ts', dataDir);
  } finally {
    await server.stop();
  }
}

try {
  const words = process.argv.slice(2);
  const verify = words.includes('--verify');
  const [file, ...more] = words.filter((word) => word !== '--verify');
  if (!file || more.length > 0) throw new StartError('Usage: npm run restore -- [--verify] FILE');
  if (verify) {
    const folder = await mkdtemp(path.join(tmpdir(), 'sideline-restore-'));
    await restoreAndCheck(file, folder).finally(() => rm(folder, { recursive: true, force: true }));
    console.log('the backup is good; nothing was changed');
  } else {
    // Only the folder counts here: the secret in the environment is the product's, not the archive's.
    await restoreAndCheck(file, path.resolve(process.env.DATA_DIR?.trim() || './data'));
    console.log('start the product with this DATA_DIR');
  }
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 1;
}
