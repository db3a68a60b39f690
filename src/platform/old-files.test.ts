import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeOldFiles } from '#src/platform/old-files.ts';

test('emails as files are deleted after 30 days, copies from before an update after 90, and nothing else ever', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sideline-old-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const files = ['outbox/new-photos-0f.eml', 'outbox/note.txt', 'backups/upgrade-from-0100_x.tar', 'backups/own.tar'];
  for (const file of files) {
    await mkdir(path.dirname(path.join(dataDir, file)), { recursive: true });
    await writeFile(path.join(dataDir, file), 'x');
  }
  const after = (days: number) => removeOldFiles(dataDir, new Date(Date.now() + days * 86_400_000));
  expect(await after(29)).toEqual([]);
  expect(await after(31)).toEqual(['outbox/new-photos-0f.eml']);
  expect(await after(89)).toEqual([]);
  expect(await after(91)).toEqual(['backups/upgrade-from-0100_x.tar']);
  expect(await after(9_999)).toEqual([]);
  expect((await readdir(dataDir, { recursive: true })).toSorted()).toEqual([
    'backups',
    'backups/own.tar',
    'outbox',
    'outbox/note.txt',
  ]);
  expect(await removeOldFiles(path.join(dataDir, 'none'), new Date())).toEqual([]);
});
