/** A backup in one tar file, which any `tar` can read; its last entry proves that everything before it is complete. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack as createPack, type Header } from 'tar-stream';
import { StartError } from '#src/platform/processes/start-error.ts';

/** The last entry: the length and the hash of everything before it. */
const SEAL = 'sideline-seal.json';
/** Its header, its content and the two empty blocks that end a tar file. */
const SEAL_BYTES = 4 * 512;
const CHUNK_BYTES = 1 << 20;

export type ArchiveWriter = ReturnType<typeof createArchive>;

/** Writes an archive next to its final name (mode 0600: it holds secrets). */
export function createArchive(file: string) {
  const draft = `${file}.part`;
  const pack = createPack();
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;
  const written = pipeline(sealed, createWriteStream(draft, { mode: 0o600, flush: true }));
  written.catch(() => undefined);

  async function* sealed(): AsyncGenerator<Buffer> {
    for await (const chunk of pack as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    const seal = createPack();
    seal.entry({ name: SEAL, mode: 0o600 }, JSON.stringify({ files, bytes, sha256: hash.digest('hex') }));
    seal.finalize();
    yield* seal as AsyncIterable<Buffer>;
  }

  type Entry = { name: string; type: 'file' | 'directory'; size: number; mode: number; mtime?: Date };

  /** @throws errors of writing the archive */
  async function add(header: Entry, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    try {
      await pipeline(content, pack.entry(header));
    } catch (error) {
      // The streams fail together; the first one has the cause.
      await written;
      throw error;
    }
  }

  async function addText(name: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    await add({ name, type: 'file', size: content.length, mode: 0o600 }, [content]);
    files += 1;
  }

  async function addFile(name: string, source: string): Promise<void> {
    const handle = await open(source, 'r').catch(ignoreMissing);
    if (!handle) return;
    try {
      const { size, mode, mtime } = await handle.stat();
      await add({ name, type: 'file', size, mode: mode & 0o7777, mtime }, contentOf(handle, size));
      files += 1;
    } finally {
      await handle.close();
    }
  }

  async function addTree(name: string, folder: string, skip: (relative: string) => boolean = () => false, below = '') {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(ignoreMissing);
    if (!entries) return;
    await add({ name: path.posix.join(name, below), type: 'directory', size: 0, mode: 0o700 }, []);
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const relative = path.posix.join(below, entry.name);
      if (skip(relative)) continue;
      if (entry.isDirectory()) await addTree(name, folder, skip, relative);
      else if (entry.isFile()) await addFile(path.posix.join(name, relative), path.join(folder, relative));
    }
  }

  return {
    addText,
    /** Copies a file at its present length. Leaves it out if it does not exist. */
    addFile,
    /** Everything below a folder; `skip` looks at paths relative to it. */
    addTree: (name: string, folder: string, skip?: (relative: string) => boolean) => addTree(name, folder, skip),
    count: () => files,
    /** Writes the final entry, syncs the archive to disk and renames it to its final name. */
    async finish() {
      // Ends the entries, not the file: the final entry follows.
      pack.push(null);
      await written;
      await rename(draft, file);
      return { files, bytes: bytes + SEAL_BYTES };
    },
    async abandon() {
      pack.destroy();
      await written.catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

/**
 * Exactly `size` bytes of a file. PostgreSQL may shorten a file while it is copied: the rest is zeros, as in its own
 * base backup, and is restored from the write-ahead log.
 */
async function* contentOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    at += chunk.length;
    yield chunk;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

export type ArchiveEntry = {
  /** Relative, with `/`. */
  name: string;
  kind: 'file' | 'folder';
  mode: number;
};
type EntrySink = (entry: ArchiveEntry, body: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads an archive from its beginning, passing each entry to `take`, which must read its body. Throws unless the final
 * entry matches every byte before it.
 */
export async function readArchive(file: string, take: EntrySink): Promise<void> {
  const sealedBytes = (await stat(file)).size - SEAL_BYTES;
  const hash = createHash('sha256');
  let seal = null as { bytes: number; sha256: string } | null;

  async function takeEntry({ name, type, mode }: Header, body: AsyncIterable<Buffer>): Promise<void> {
    if (name === SEAL) {
      seal = (await json(body)) as typeof seal;
      return;
    }
    assertInside(name);
    await take({ name: name.replace(/\/$/, ''), kind: type === 'directory' ? 'folder' : 'file', mode }, body);
  }

  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = sealedBytes;
    for await (const chunk of chunks) {
      if (left > 0) hash.update(chunk.subarray(0, left));
      left -= chunk.length;
      yield chunk;
    }
  }

  const entries = extract();
  const fed = pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), hashed, entries);
  // Its errors reach the reader of `entries`.
  fed.catch(() => undefined);
  for await (const entry of orDamaged(entries))
    await takeEntry(entry.header, orDamaged(entry as AsyncIterable<Buffer>));
  if (!seal) throw new StartError('The archive ends without its seal: it is cut off, or not one of ours.');
  if (seal.bytes !== sealedBytes || seal.sha256 !== hash.digest('hex'))
    throw new StartError('The archive is damaged: its seal does not agree with its content.');
}

/** The next result of an archive's stream; low-level errors get a message that explains them. */
async function* orDamaged<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (cause) {
    throw new StartError('The archive is damaged or cut off, or not one of ours.', { cause });
  }
}

/** No entry of an archive may be written outside the target folder. */
function assertInside(name: string): void {
  const parts = name.split('/');
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0') || parts.includes('..')) {
    throw new Error(`The archive holds a file that would land outside: ${name}`);
  }
}
