/**
 * The ETag of an object on disk is its quoted SHA-256. Hashing ten megabytes for each request
 * would be slow, so the hash of a large object is kept below `.etags`, with the file (inode,
 * size, time) it was made of. It is a hint only: when it is missing, torn, older than the
 * object or from before a restore, the bytes are read again.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

const ETAGS = '.etags';
/** Below this, hashing costs as much as reading the hint would. */
export const SMALL_OBJECT_BYTES = 131_072;

type Hint = { sha256: string; inode: number; bytes: number; mtimeMs: number };

export const quotedEtag = (sha256: string): string => `"${sha256}"`;

/** The ETag of an open object, remembered when it is large. */
export async function etagOfFile(folder: string, key: string, handle: FileHandle, stats: Stats): Promise<string> {
  if (stats.size < SMALL_OBJECT_BYTES) return quotedEtag(hashOf(await readWhole(handle, stats.size)));
  const hint = await readHint(folder, key);
  if (hint && hint.inode === stats.ino && hint.bytes === stats.size && hint.mtimeMs === stats.mtimeMs)
    return quotedEtag(hint.sha256);
  const sha256 = await hashFile(handle);
  await rememberEtag(folder, key, quotedEtag(sha256), stats);
  return quotedEtag(sha256);
}

/** Notes the ETag of a large object. A disk that is full or broken costs the hint, never the object. */
export async function rememberEtag(folder: string, key: string, etag: string, stats: Stats): Promise<void> {
  if (stats.size < SMALL_OBJECT_BYTES) return;
  const hint: Hint = { sha256: etag.slice(1, -1), inode: stats.ino, bytes: stats.size, mtimeMs: stats.mtimeMs };
  const file = hintPath(folder, key);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(hint), { mode: 0o600 });
  } catch {
    // The next look at the object hashes it again.
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

/** The bytes of a small open file; fewer when it has been cut since. */
export async function readWhole(handle: FileHandle, bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(bytes);
  const { bytesRead } = await handle.read(whole, 0, bytes, 0);
  return whole.subarray(0, bytesRead);
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 262_144 }))
    hash.update(piece as Buffer);
  return hash.digest('hex');
}
