/**
 * How objects are written: into a file of their own below `.incoming`, synced to disk, then renamed in one step, then
 * the folder is synced. A crash at any line leaves either nothing or the whole object (fault F1); leftovers in
 * `.incoming` are swept at the next start.
 */
import { createHash, randomBytes } from 'node:crypto';
import fs, { closeSync, constants, fstatSync, fsync, openSync, type Dirent, type Stats } from 'node:fs';
import {
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  readFile,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isAbsent, isErrno, ifThere } from '#src/platform/storage/storage-faults.ts';
import type { ListedObject } from '#src/platform/storage/storage.ts';

/** Keys cannot begin with a dot, so no object can be here. */
const INCOMING = '.incoming';
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000;
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const THIS_RUN = randomBytes(4).toString('hex');

type StagedFile = { path: string; bytes: number; sha256: string; stats: Stats };

/** A unique path below `.incoming`; its name contains the process that made it. */
export function incomingPath(folder: string): string {
  return path.join(folder, INCOMING, [HOST, process.pid, THIS_RUN, randomBytes(8).toString('hex')].join('-'));
}

/**
 * Writes and syncs a new file below `.incoming`; nothing remains if it fails. `onBytes` is called with the number of
 * bytes before each chunk is written (it may throw to stop) and `onWritten` after it.
 */
export async function stageFile(
  folder: string,
  body: AsyncIterable<Uint8Array>,
  options: { onBytes?: (bytes: number) => Promise<void>; onWritten?: (bytes: number) => void } = {},
): Promise<StagedFile> {
  const file = incomingPath(folder);
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(file, NEW_FILE, 0o600);
  try {
    for await (const piece of body) {
      bytes += piece.byteLength;
      await options.onBytes?.(bytes);
      hash.update(piece);
      await writeWhole(async (offset) => (await handle.write(piece, offset)).bytesWritten, piece.byteLength);
      options.onWritten?.(bytes);
    }
    await handle.sync();
    const stats = fstatSync(handle.fd);
    await handle.close();
    return { path: file, bytes, sha256: hash.digest('hex'), stats };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await discardFile(file);
    throw error;
  }
}

/**
 * The same for bytes that are in memory: writing them syncs them. Each way through the thread pool costs more CPU than
 * what is done there, and a file handle more than a descriptor (docs/decisions/0169-guessed-and-prepared.md).
 */
export async function stageBytes(folder: string, bytes: Uint8Array, sha256 = hashOf(bytes)): Promise<StagedFile> {
  const file = incomingPath(folder);
  const fd = await opened(file);
  try {
    try {
      await writeWhole((offset) => written(fd, bytes, offset), bytes.byteLength);
      if (bytes.byteLength === 0) await sync(fd);
      return { path: file, bytes: bytes.byteLength, sha256, stats: fstatSync(fd) };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    await discardFile(file);
    throw error;
  }
}

function opened(file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.open(file, NEW_FILE | constants.O_DSYNC, 0o600, (error, fd) => (error ? reject(error) : resolve(fd)));
  });
}

function written(fd: number, bytes: Uint8Array, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = bytes.byteLength - offset;
    fs.write(fd, bytes, offset, length, null, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** One write may write less than it was given, for example on a disk that is nearly full. */
async function writeWhole(writeFrom: (offset: number) => Promise<number>, length: number): Promise<void> {
  for (let offset = 0; offset < length;) offset += await writeFrom(offset);
}

/** Renames a staged file, replacing any file of that name; `isSecondName` if it may be the same file, as for a copy. */
export async function nameFile(staged: string, target: string, isSecondName = false): Promise<void> {
  await rename(staged, target).catch(async (error: unknown) => {
    if (!isAbsent(error)) throw error;
    await makeFolder(path.dirname(target));
    await rename(staged, target);
  });
  // rename(2) leaves two names of one file as they are.
  if (isSecondName) await discardFile(staged);
  await syncFolder(path.dirname(target));
}

/** Renames a staged file only if the name is free; false if it is not. Of parallel callers one wins, also across processes. */
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

/** Makes a folder that survives a power failure, with its parents. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

/** Syncs a folder's entries to disk. Only that may wait for the disk and goes through the thread pool. */
export async function syncFolder(folder: string): Promise<void> {
  const fd = openSync(folder, 'r');
  try {
    await sync(fd);
  } finally {
    closeSync(fd);
  }
}

const sync = promisify(fsync);

/** Deletes what dead processes of this machine left in `.incoming`, and everything older than a day. */
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

/** Objects whose key begins with `prefix`; objects that appear or vanish during the walk may be included or not. */
export async function* listFolder(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const wholeFolders = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  yield* walk(folder, wholeFolders, prefix);
}

async function* walk(folder: string, below: string, prefix: string): AsyncGenerator<ListedObject> {
  for (const entry of await entriesOf(path.join(folder, below))) {
    const name = `${below}${orderedName(entry)}`;
    if (entry.isDirectory()) {
      if (name.startsWith(prefix) || prefix.startsWith(name)) yield* walk(folder, name, prefix);
    } else if (name.startsWith(prefix)) {
      const object = await describe(folder, name);
      if (object) yield object;
    }
  }
}

/** A folder sorts like its objects, with the slash that follows its name. */
function orderedName(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await ifThere(() => readdir(directory, { withFileTypes: true }));
  const visible = (entries ?? []).filter(
    (entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()),
  );
  return visible.sort((a, b) => (orderedName(a) < orderedName(b) ? -1 : 1));
}

async function describe(folder: string, key: string): Promise<ListedObject | null> {
  const stats = await ifThere(() => stat(path.join(folder, key)));
  return stats && { key, bytes: stats.size, lastModified: stats.mtime };
}

/**
 * The ETag of an object on disk is its quoted SHA-256. Hashing ten megabytes for each request would be slow, so the
 * hash of a large object is stored below `.etags`, with the file (inode, size, time) it was made from. It is only a
 * hint: if it is missing, damaged, older than the object or from before a restore, the bytes are hashed again.
 */
const ETAGS = '.etags';
/** Below this, hashing costs as much as reading the hint would. */
export const SMALL_OBJECT_BYTES = 131_072;

type Hint = { sha256: string; inode: number; bytes: number; mtimeMs: number };

export const quotedEtag = (sha256: string): string => `"${sha256}"`;

/** The ETag of an open object, cached if it is large. */
export async function etagOfFile(folder: string, key: string, handle: FileHandle, stats: Stats): Promise<string> {
  if (stats.size < SMALL_OBJECT_BYTES) return quotedEtag(hashOf(await readWhole(handle, stats.size)));
  const hint = await readHint(folder, key);
  if (hint && hint.inode === stats.ino && hint.bytes === stats.size && hint.mtimeMs === stats.mtimeMs)
    return quotedEtag(hint.sha256);
  const sha256 = await hashFile(handle);
  await rememberEtag(folder, key, quotedEtag(sha256), stats);
  return quotedEtag(sha256);
}

/** Stores the ETag of a large object. A full or broken disk costs the hint, never the object. */
export async function rememberEtag(folder: string, key: string, etag: string, stats: Stats): Promise<void> {
  if (stats.size < SMALL_OBJECT_BYTES) return;
  const hint: Hint = { sha256: etag.slice(1, -1), inode: stats.ino, bytes: stats.size, mtimeMs: stats.mtimeMs };
  const file = hintPath(folder, key);
  const write = () => writeFile(file, JSON.stringify(hint), { mode: 0o600 });
  try {
    await write().catch(async () => {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await write();
    });
  } catch {
    // The next read of the object hashes it again.
  }
}

export async function forgetEtag(folder: string, key: string): Promise<void> {
  await rm(hintPath(folder, key), { force: true });
}

function hintPath(folder: string, key: string): string {
  return path.join(folder, ETAGS, key);
}

async function readHint(folder: string, key: string): Promise<Hint | null> {
  try {
    const hint = JSON.parse(await readFile(hintPath(folder, key), 'utf8')) as Partial<Hint>;
    return /^[0-9a-f]{64}$/.test(hint.sha256 ?? '') ? (hint as Hint) : null;
  } catch {
    return null;
  }
}

/** The bytes of a small open file; fewer if it has been truncated since. */
export async function readWhole(handle: FileHandle, bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(bytes);
  const { bytesRead } = await handle.read(whole, 0, bytes, 0);
  return whole.subarray(0, bytesRead);
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 262_144 }))
    hash.update(piece as Buffer);
  return hash.digest('hex');
}
