// @ts-check
/**
 * JPEG files of folders, and whether a file is complete: programs write exports slowly, and copies arrive over
 * networks.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The server accepts files up to this size. */
export const MAX_BYTES = 10_485_760;
/** Windows has none of these. */
const NO_LINKS = constants.O_NOFOLLOW ?? 0;
/** A file without the marker that ends a JPEG must be unchanged for this long. */
const STILL_WITHOUT_END_MS = 30_000;

/** @typedef {{ path: string, size: number, mtimeMs: number, isNamed?: boolean }} Found `isNamed`: by who started the program */

/**
 * The JPEG files below these paths, by name. Hidden files and folders are skipped: programs keep unfinished copies in
 * them. Links are skipped, too: anyone who may write into a shared folder could otherwise have files from elsewhere on
 * this computer sent, or make the program walk in circles.
 * @param {readonly string[]} paths @param {{ recursive: boolean }} options
 * @returns {Promise<Found[]>}
 */
export async function findFiles(paths, { recursive }) {
  /** @type {Found[]} */
  const found = [];
  /** @param {string} at @param {boolean} isNamed */
  const visit = async (at, isNamed) => {
    const facts = await (isNamed ? stat(at) : lstat(at)).catch(() => null);
    if (facts?.isFile() && /\.jpe?g$/i.test(at)) {
      const { size, mtimeMs } = facts;
      found.push({ path: at, size, mtimeMs, ...(isNamed ? { isNamed } : {}) });
    }
    if (!facts?.isDirectory() || !(isNamed || recursive)) return;
    for (const name of (await readdir(at)).toSorted())
      if (!name.startsWith('.')) await visit(path.join(at, name), false);
  };
  for (const each of paths) await visit(each, true);
  return found;
}

/**
 * Records size and time of files and says which are complete: those that have not changed for a while.
 * @param {{ settleMs: number, now?: () => number }} options
 */
export function watchFiles({ settleMs, now = Date.now }) {
  /** @type {Map<string, Found & { sinceMs: number }>} */
  const looks = new Map();
  return {
    /** @param {Found} file */
    async isWhole(file) {
      const before = looks.get(file.path);
      const isSame = before?.size === file.size && before.mtimeMs === file.mtimeMs;
      const sinceMs = isSame ? before.sinceMs : now();
      looks.set(file.path, { ...file, sinceMs });
      const stillMs = now() - sinceMs;
      if (file.size === 0 || stillMs < settleMs) return false;
      return stillMs >= STILL_WITHOUT_END_MS || (await endsLikeJpeg(file.path));
    },
    /** It will be checked again. @param {string} at */
    forget: (at) => void looks.delete(at),
  };
}

/** @param {string} at */
async function endsLikeJpeg(at) {
  const file = await open(at).catch(() => null);
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(2);
    await file.read(end, 0, 2, Math.max(0, size - 2));
    return end[0] === 0xff && end[1] === 0xd9;
  } finally {
    await file.close();
  }
}

/** @typedef {{ bytes: Uint8Array<ArrayBuffer>, sha: string } | { problem: string } | 'changed' | 'gone'} Read */

/**
 * The file's content, unless it changed while it was read.
 * @param {Found} found @returns {Promise<Read>}
 */
export async function readWhole({ path: at, size, mtimeMs, isNamed }) {
  if (size > MAX_BYTES) return { problem: 'is larger than 10 MB.' };
  const file = await open(at, constants.O_RDONLY | (isNamed ? 0 : NO_LINKS)).catch(() => null);
  if (file === null) return 'gone';
  try {
    const bytes = Uint8Array.from(await file.readFile());
    const after = await file.stat();
    if (bytes.length !== size || after.size !== size || after.mtimeMs !== mtimeMs) return 'changed';
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return { problem: 'is not a JPEG image.' };
    return { bytes, sha: createHash('sha256').update(bytes).digest('hex') };
  } finally {
    await file.close();
  }
}
