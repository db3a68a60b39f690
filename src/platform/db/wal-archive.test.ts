import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { archiveSettings, setWalArchive } from '#src/platform/db/wal-archive.ts';

test('an archive that cannot be written to stops the start with a sentence that names its setting', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sideline-archive-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await mkdir(embeddedPaths(dataDir).clusterDir);
  const file = path.join(dataDir, 'file');
  await writeFile(file, '');
  await setWalArchive(dataDir, path.join(file, 'wal'));
  await expect(archiveSettings(dataDir, null)).rejects.toMatchObject({
    name: 'StartError',
    message: `WAL_ARCHIVE_DIR must be a folder in which Sideline may write: ENOTDIR: not a directory, mkdir '${file}/wal'.`,
  });
});
