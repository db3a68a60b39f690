import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What a running PostgreSQL says of itself in `postmaster.pid`. */
export type Postmaster = { pid: number; port: number; ready: boolean };

/** Reads `postmaster.pid`; null when there is none or it is not whole yet. */
export async function readPostmaster(postgresDir: string): Promise<Postmaster | null> {
  const text = await readFile(path.join(postgresDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  return { pid, port: Number.isSafeInteger(port) ? port : 0, ready: lines[7]?.trim() === 'ready' };
}

/** True while a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process of a `postmaster.pid` really is a PostgreSQL: after a reboot or in a
 * new container the number may belong to any process. Unknown (no /proc) counts as yes.
 */
export async function isPostgresProcess(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    // A zombie has an empty command line and holds nothing any more.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('postgres');
  } catch (error) {
    return process.platform !== 'linux' || (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
