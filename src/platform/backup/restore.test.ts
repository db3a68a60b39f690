import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createArchive } from '#src/platform/backup/archive.ts';
import { MANIFEST } from '#src/platform/backup/backup.ts';
import { restore } from '#src/platform/backup/restore.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sideline-restore-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** A backup that unpacks and whose database does not start, for a reason of which PostgreSQL's log has nothing. */
async function backupOfOldPostgres(): Promise<string> {
  const file = path.join(dataDir, 'backup.tar');
  const archive = createArchive(file);
  await archive.addText(MANIFEST, JSON.stringify({ format: 1, createdAt: '2026-11-01T00:00:00.000Z' }));
  await archive.addText('postgres/PG_VERSION', '9\n');
  await archive.finish();
  return file;
}

describe('a replay that fails', () => {
  it('is not blamed on an earlier try, and keeps what it restored where the archive is not at fault', async () => {
    const file = await backupOfOldPostgres();
    writeFileSync(path.join(dataDir, 'postgres.log'), 'FATAL:  recovery ended before configured recovery target\n');
    const replay = { folder: path.join(dataDir, 'archive'), until: new Date() };
    await expect(restore({ file, dataDir, replay })).rejects.toThrow('was made by PostgreSQL 9');
    expect(existsSync(path.join(dataDir, 'postgres'))).toBe(true);
  });
});
