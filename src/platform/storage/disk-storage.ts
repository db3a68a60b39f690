/**
 * Objects as files below one folder (0700, files 0600), for an installation without S3. All processes of the machine
 * may have it open at the same time: a file never changes once it has its name, it is only replaced by another, so
 * readers and hard links keep what they have.
 */
import { constants, type Stats } from 'node:fs';
import { access, chmod, copyFile, link, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '#src/platform/clock.ts';
import {
  etagOfFile,
  forgetEtag,
  quotedEtag,
  readWhole,
  rememberEtag,
  SMALL_OBJECT_BYTES,
  discardFile,
  incomingPath,
  makeFolder,
  nameFile,
  stageBytes,
  stageFile,
  sweepIncoming,
  syncFolder,
  listFolder,
} from '#src/platform/storage/disk-files.ts';
import { diskSpace, type DiskSpace, type FreeSpaceRule, type StatDisk } from '#src/platform/storage/disk-space.ts';
import { createDiskUploads, type DiskUploads } from '#src/platform/storage/disk-uploads.ts';
import { assertKeyPrefix, assertObjectKey, decodedPath, isObjectKey } from '#src/platform/storage/object-key.ts';
import { signPostPolicy, type PolicyCredentials } from '#src/platform/storage/post-policy.ts';
import { ifThere, isAbsent, isErrno, withFileProblems } from '#src/platform/storage/storage-faults.ts';
import type { ByteRange, ObjectFacts, ObjectInfo, Storage } from '#src/platform/storage/storage.ts';

export type DiskStorageOptions = {
  /** Created if it is missing. */
  folder: string;
  signingSecret: Buffer;
  /** The host suffixes of this installation; decide whose `Location` is ours. */
  baseDomain: string;
  clock: Clock;
  /** Absent: no space is kept free. */
  freeSpace?: FreeSpaceRule;
  /** Tests only: what the operating system reports about the disk. */
  statDisk?: StatDisk;
};

export type DiskStorage = Storage & { readonly kind: 'disk'; readonly uploads: DiskUploads; readonly space: DiskSpace };

const NOTHING_KEPT: FreeSpaceRule = { bytes: 0, percent: 0, mostPercent: 100 };
/** The renditions of an upload need space, too (fault F18). */
const SPACE_PER_UPLOAD = 2;

const DISK_BUCKET = 'objects';

/** Opens the folder and deletes what dead processes left incomplete. Rejects if it cannot be used. */
export async function openDiskStorage(options: DiskStorageOptions): Promise<DiskStorage> {
  const folder = path.resolve(options.folder);
  await makeFolder(folder);
  await chmod(folder, 0o700);
  await sweepIncoming(folder, options.clock.now());
  const credentials: PolicyCredentials = {
    accessKeyId: 'sideline',
    secretAccessKey: options.signingSecret.toString('hex'),
    region: 'local',
    bucket: DISK_BUCKET,
  };
  const space = diskSpace(folder, options.freeSpace ?? NOTHING_KEPT, options.statDisk);

  const write = async (
    key: string,
    body: Uint8Array | Readable,
    { bytes, sha256 }: Partial<ObjectFacts> = {},
  ): Promise<ObjectInfo> => {
    const isWhole = body instanceof Uint8Array;
    const staged = isWhole
      ? await stageBytes(folder, body, sha256)
      : await stageFile(folder, body as AsyncIterable<Uint8Array>);
    if (bytes !== undefined && bytes !== staged.bytes) {
      await discardFile(staged.path);
      throw new Error(`object ${key} was to have ${bytes} bytes and came with ${staged.bytes}`);
    }
    await nameFile(staged.path, fileOf(folder, key)).catch((error: unknown) => discardAfter(staged.path, error));
    return remember(folder, key, quotedEtag(staged.sha256), staged.stats);
  };

  return {
    kind: 'disk',
    space,
    uploads: createDiskUploads({ folder, credentials, clock: options.clock, space }),

    async signUpload({ origin, ...terms }) {
      assertObjectKey(terms.key);
      await space.needForUpload(SPACE_PER_UPLOAD * terms.maxBytes);
      return { url: `${origin}${STORAGE_PATH}`, fields: signPostPolicy(credentials, terms, options.clock.now()) };
    },

    locationOf: locationOnDisk,
    keyOfLocation: (location) => keyOfDiskLocation(location, options.baseDomain),

    put: (key, body, facts) =>
      withFileProblems(async () => {
        await space.needForWork(facts.bytes ?? 0);
        return write(key, body, facts);
      }),

    head: (key) => withObject(folder, key, async (handle, stats) => infoOf(folder, key, handle, stats)),

    get: (key) => ifThere(() => readFile(fileOf(folder, key))),

    stream: (key, range) => openStream(folder, key, range),

    copy: (from, to, { ifEtag } = {}) =>
      withFileProblems(() => copyObject(folder, { from, to, ifEtag: ifEtag ?? null })),

    async remove(key) {
      const file = fileOf(folder, key);
      await withFileProblems(async () => {
        await rm(file, { force: true });
        await forgetEtag(folder, key);
        await syncFolder(path.dirname(file)).catch((error: unknown) => {
          if (!isAbsent(error)) throw error;
        });
      });
    },

    // The name stays taken until the sweep: a form is valid for ten minutes, and its upload is developed within one.
    spend: (key) => withFileProblems(async () => void (await write(key, new Uint8Array()))),

    async hasSpace() {
      const { freeBytes, minimumBytes } = await space.read();
      return freeBytes >= minimumBytes;
    },

    list(prefix) {
      assertKeyPrefix(prefix);
      return listFolder(folder, prefix);
    },

    check: () => withFileProblems(() => access(folder, constants.R_OK | constants.W_OK | constants.X_OK)),

    close: async () => undefined,
  };
}

function fileOf(folder: string, key: string): string {
  assertObjectKey(key);
  return path.join(folder, key);
}

async function discardAfter(staged: string, error: unknown): Promise<never> {
  await discardFile(staged);
  throw error;
}

async function remember(folder: string, key: string, etag: string, stats: Stats): Promise<ObjectInfo> {
  await rememberEtag(folder, key, etag, stats);
  return { key, bytes: stats.size, etag, lastModified: stats.mtime };
}

/** Opens an object and closes it afterwards, unless the work has passed it on (`keep`). */
async function withObject<T>(
  folder: string,
  key: string,
  work: (handle: FileHandle, stats: Stats, keep: () => void) => Promise<T>,
): Promise<T | null> {
  const file = fileOf(folder, key);
  return ifThere(async () => {
    const handle = await open(file, 'r');
    let kept = false;
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return null;
      return await work(handle, stats, () => {
        kept = true;
      });
    } finally {
      if (!kept) await handle.close();
    }
  });
}

async function infoOf(folder: string, key: string, handle: FileHandle, stats: Stats): Promise<ObjectInfo> {
  return { key, bytes: stats.size, etag: await etagOfFile(folder, key, handle, stats), lastModified: stats.mtime };
}

function openStream(folder: string, key: string, range: ByteRange = { start: 0 }): ReturnType<Storage['stream']> {
  return withObject(folder, key, async (handle, stats, keep) => {
    if (range.start < 0 || (range.start > 0 && range.start >= stats.size))
      throw new RangeError(`object ${key} has no byte ${range.start}`);
    const info = await infoOf(folder, key, handle, stats);
    const end = Math.min(range.end ?? Infinity, stats.size - 1);
    if (stats.size < SMALL_OBJECT_BYTES) {
      const whole = await readWhole(handle, stats.size);
      return { body: Readable.from([whole.subarray(range.start, end + 1)], { objectMode: false }), info };
    }
    keep();
    return { body: handle.createReadStream({ start: range.start, end, highWaterMark: 262_144 }), info };
  });
}

/**
 * A second name for the same file: no byte is copied, and since files never change, a later post to the first name
 * cannot reach the second. The version is read from the very file that was linked.
 */
async function copyObject(folder: string, { from, to, ifEtag }: { from: string; to: string; ifEtag: string | null }) {
  const source = fileOf(folder, from);
  assertObjectKey(to);
  const staged = incomingPath(folder);
  try {
    await linkOrCopy(source, staged);
  } catch (error) {
    if (isAbsent(error)) return false;
    await discardFile(staged);
    throw error;
  }
  const handle = await open(staged, 'r');
  try {
    const stats = await handle.stat();
    const etag = await etagOfFile(folder, from, handle, stats);
    if (ifEtag !== null && etag !== ifEtag) {
      await discardFile(staged);
      return false;
    }
    await nameFile(staged, fileOf(folder, to), true);
    await remember(folder, to, etag, stats);
    return true;
  } catch (error) {
    await discardFile(staged);
    throw error;
  } finally {
    await handle.close();
  }
}

async function linkOrCopy(source: string, staged: string): Promise<void> {
  try {
    await link(source, staged);
  } catch (error) {
    // File systems without hard links, or with too many of them on one file.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].some((code) => isErrno(error, code))) throw error;
    await copyFile(source, staged, constants.COPYFILE_FICLONE);
    const handle = await open(staged, 'r');
    await handle.sync().finally(() => handle.close());
  }
}

/** The path of the upload route, which begins the path of every `Location`. */
export const STORAGE_PATH = '/storage';

function locationOnDisk(key: string, origin: string): string {
  return `${origin}${STORAGE_PATH}/${key}`;
}

/** The key that a `Location` of this installation names, with or without scheme and host; null for any other text. */
function keyOfDiskLocation(location: string, baseDomain: string): string | null {
  const pathname = location.startsWith('/') ? location : pathOnOurHost(location, baseDomain);
  const decoded = pathname === null ? null : decodedPath(pathname);
  if (!decoded?.startsWith(`${STORAGE_PATH}/`)) return null;
  const key = decoded.slice(STORAGE_PATH.length + 1);
  return isObjectKey(key) ? key : null;
}

function pathOnOurHost(location: string, baseDomain: string): string | null {
  const url = URL.parse(location);
  if (!url) return null;
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || !isOurHost(url.hostname, baseDomain)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The hosts of docs/requirements/running.md: those below the base domain and below `localhost`, and IP addresses. */
function isOurHost(host: string, baseDomain: string): boolean {
  const isBelow = (domain: string) => host === domain || host.endsWith(`.${domain}`);
  return isBelow(baseDomain) || isBelow('localhost') || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
