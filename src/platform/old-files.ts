/**
 * Files below `DATA_DIR` that may contain addresses and names of families, and are therefore deleted (athletes
 * specification B.7).
 */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '#src/shared/dates.ts';

/** Emails as files (if no mail server is set), and copies of the embedded database from before an update. */
const KEPT = [
  { folder: 'outbox', name: /\.eml(\.\w+\.new)?$/, days: 30 },
  { folder: 'backups', name: /^upgrade-from-.+\.tar$/, days: 90 },
] as const;

/** Deletes those whose time has passed; returns which. */
export async function removeOldFiles(dataDir: string, now: Date): Promise<string[]> {
  const gone: string[] = [];
  for (const { folder, name, days } of KEPT) {
    const files = (await readdir(path.join(dataDir, folder)).catch(() => [])).filter((file) => name.test(file));
    for (const file of files.map((each) => path.join(dataDir, folder, each))) {
      const facts = await stat(file).catch(() => null);
      if (facts === null || facts.mtimeMs > now.getTime() - days * DAY_MS) continue;
      await rm(file, { force: true });
      gone.push(path.relative(dataDir, file));
    }
  }
  return gone;
}
