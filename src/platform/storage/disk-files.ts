/**
 * How bytes come to rest: into a file of their own below `.incoming`, flushed, then given
 * their name in one step, then the folder flushed. A crash at any line leaves either nothing
 * or the whole object (fault F1); what it leaves in `.incoming` is swept at the next start.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAbsent, isErrno } from '#src/platform/storage/storage-faults.ts';

/** Keys cannot begin with a dot, so no object can be here. */
const INCOMING = '.incoming';
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000;
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const THIS_RUN = randomBytes(4).toString('hex');

export type StagedFile = { path: string; bytes: number; sha256: string };

/** A unique path below `.incoming`; its name says which process made it. */
export function incomingPath(folder: string): string {
  return path.join(folder, INCOMING, [HOST, process.pid, THIS_RUN, randomBytes(8).toString('hex')].join('-'));
}

/**
 * Writes and flushes a new file below `.incoming`; nothing stays when it fails. `onBytes` is
 * told the number of bytes before each piece is written (it may throw to stop) and `onWritten` after it.
 */
export async function stageFile(
  folder: string,
  body: AsyncIterable<Uint8Array>,
  watch: { onBytes?: (bytes: number) => Promise<void>; onWritten?: (bytes: number) => void } = {},
): Promise<StagedFile> {
  const file = incomingPath(folder);
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of body) {
      bytes += piece.byteLength;
      await watch.onBytes?.(bytes);
      hash.update(piece);
      await writeWhole(handle, piece);
      watch.onWritten?.(bytes);
    }
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await discardFile(file);
    throw error;
  }
  return { path: file, bytes, sha256: hash.digest('hex') };
}

type WritableHandle = { write(bytes: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }> };

/** One write may take less than it was given, for example on a disk that is nearly full. */
async function writeWhole(handle: WritableHandle, piece: Uint8Array): Promise<void> {
  for (let offset = 0; offset < piece.byteLength;) {
    const { bytesWritten } = await handle.write(piece, offset, piece.byteLength - offset);
    offset += bytesWritten;
  }
}

/** Gives a staged file its name, in place of whatever has it. */
export async function nameFile(staged: string, target: string): Promise<void> {
  await makeFolder(path.dirname(target));
  await rename(staged, target);
  // Two names of one file are left as they are by rename(2).
  await discardFile(staged);
  await syncFolder(path.dirname(target));
}

/** Gives a staged file its name only if nothing has it yet; false when something has. Of parallel callers one wins, also across processes. */
export async function nameFileOnce(staged: string, target: string): Promise<boolean> {
  await makeFolder(path.dirname(target));
  try {
    await link(staged, target);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    await discardFile(staged);
    return false;
  }
  await discardFile(staged);
  await syncFolder(path.dirname(target));
  return true;
}

export async function discardFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Makes a folder that outlives a power cut, with those above it. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

/** Flushes a folder's names. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what dead processes of this machine left in `.incoming`, and whatever is a day old. */
export async function sweepIncoming(folder: string, now: Date): Promise<void> {
  const incoming = path.join(folder, INCOMING);
  await makeFolder(incoming);
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    if (isLeftBehind(name) || (await ageMs(file, now)) > FORGOTTEN_AFTER_MS) {
      await unlink(file).catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    }
  }
}

function isLeftBehind(name: string): boolean {
  const [host, pid, run] = name.split('-');
  if (host !== HOST) return false;
  if (Number(pid) === process.pid) return run !== THIS_RUN;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isErrno(error, 'ESRCH');
  }
}

async function ageMs(file: string, now: Date): Promise<number> {
  try {
    return now.getTime() - (await stat(file)).mtimeMs;
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
}
