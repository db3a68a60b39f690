import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { END_OF_ARCHIVE, decodeHeader, decodePax, encodeHeader, paddingOf } from '#src/platform/backup/tar-format.ts';
import type { TarEntry } from '#src/platform/backup/tar-format.ts';

/** The last entry: how much came before it, so that a cut or changed archive is noticed. */
const SEAL = 'sideline-seal.json';
const CHUNK_BYTES = 1 << 20;

export type ArchiveWriter = {
  addText(name: string, text: string): Promise<void>;
  /** A file as it is now. One that is being written is copied at the length it had at first; one that is gone is left out. */
  addFile(name: string, file: string): Promise<void>;
  addFolder(name: string): Promise<void>;
  /** Everything below a folder; `skip` looks at paths relative to it. */
  addTree(name: string, folder: string, skip?: (relative: string) => boolean): Promise<void>;
  /** Seals the archive, makes it durable and gives it its name. */
  finish(): Promise<{ files: number; bytes: number }>;
  abandon(): Promise<void>;
};

/** Writes an archive next to its final name (mode 0600: it holds secrets). */
export function createArchive(file: string): ArchiveWriter {
  const draft = `${file}.part`;
  const out = createWriteStream(draft, { mode: 0o600, flags: 'w' });
  const failed = once(out, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;

  async function write(chunk: Buffer): Promise<void> {
    hash.update(chunk);
    bytes += chunk.length;
    if (!out.write(chunk)) await Promise.race([once(out, 'drain'), failed]);
  }

  async function addText(name: string, text: string): Promise<void> {
    const body = Buffer.from(text);
    await write(encodeHeader({ name, kind: 'file', bytes: body.length, mode: 0o600, modifiedAt: Date.now() / 1000 }));
    await write(Buffer.concat([body, Buffer.alloc(paddingOf(body.length))]));
    files += 1;
  }

  async function addFile(name: string, source: string): Promise<void> {
    const handle = await open(source, 'r').catch(ignoreMissing);
    if (!handle) return;
    try {
      const { size, mode, mtimeMs } = await handle.stat();
      await write(encodeHeader({ name, kind: 'file', bytes: size, mode, modifiedAt: mtimeMs / 1000 }));
      for (let at = 0; at < size;) {
        const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        // Shorter than a moment ago: the rest is zeros, as in PostgreSQL's own base backup; the log replays it.
        await write(bytesRead === 0 ? Buffer.alloc(buffer.length) : buffer.subarray(0, bytesRead));
        at += bytesRead === 0 ? buffer.length : bytesRead;
      }
      await write(Buffer.alloc(paddingOf(size)));
      files += 1;
    } finally {
      await handle.close();
    }
  }

  async function addFolder(name: string): Promise<void> {
    await write(encodeHeader({ name, kind: 'folder', bytes: 0, mode: 0o700, modifiedAt: Date.now() / 1000 }));
  }

  async function addTree(
    name: string,
    folder: string,
    skip: (relative: string) => boolean = () => false,
    below = '',
  ): Promise<void> {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(ignoreMissing);
    if (!entries) return;
    await addFolder(path.posix.join(name, below));
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const relative = path.posix.join(below, entry.name);
      if (skip(relative)) continue;
      if (entry.isDirectory()) await addTree(name, folder, skip, relative);
      else if (entry.isFile()) await addFile(path.posix.join(name, relative), path.join(folder, relative));
    }
  }

  return {
    addText,
    addFile,
    addFolder,
    addTree: (name, folder, skip) => addTree(name, folder, skip),
    async finish() {
      const seal = { files, bytes, sha256: hash.copy().digest('hex') };
      await addText(SEAL, JSON.stringify(seal));
      await write(END_OF_ARCHIVE);
      out.end();
      await Promise.race([once(out, 'close'), failed]);
      const handle = await open(draft, 'r');
      await handle.sync();
      await handle.close();
      await rename(draft, file);
      return { files: seal.files, bytes };
    },
    async abandon() {
      out.destroy();
      await rm(draft, { force: true });
    },
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

export type EntrySink = (entry: TarEntry, body: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads an archive from its beginning, giving each entry to `take`, which must read its body. Throws unless the seal at its
 * end agrees with every byte before it.
 */
export async function readArchive(file: string, take: EntrySink): Promise<void> {
  const { size } = await stat(file);
  const source = blocksOf(file);
  let records = new Map<string, string>();
  for (;;) {
    const before = source.progress();
    const decoded = decodeHeader(await source.take(512), records);
    if (decoded === 'end') throw new Error('The archive ends without its seal: it is cut off, or not one of ours.');
    const { entry, type } = decoded;
    if (source.progress().bytes + entry.bytes > size) throw new Error('The archive is cut off.');
    if (type === 'x') {
      records = decodePax(await source.take(entry.bytes));
      await source.take(paddingOf(entry.bytes));
      continue;
    }
    records = new Map();
    if (entry.name === SEAL) {
      const seal = JSON.parse((await source.take(entry.bytes)).toString('utf8')) as { bytes: number; sha256: string };
      if (seal.bytes !== before.bytes || seal.sha256 !== before.sha256())
        throw new Error('The archive is damaged: its seal does not agree with its content.');
      return;
    }
    assertInside(entry.name);
    await take(entry, source.body(entry.bytes));
    await source.take(paddingOf(entry.bytes));
  }
}

/** Nothing of an archive may land outside of where it is unpacked. */
function assertInside(name: string): void {
  const parts = name.split('/');
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0') || parts.includes('..')) {
    throw new Error(`The archive holds a file that would land outside: ${name}`);
  }
}

function blocksOf(file: string) {
  const chunks = createReadStream(file, { highWaterMark: CHUNK_BYTES })[
    Symbol.asyncIterator
  ]() as AsyncIterator<Buffer>;
  const hash = createHash('sha256');
  let rest = Buffer.alloc(0);
  let bytes = 0;

  async function next(most: number): Promise<Buffer> {
    while (rest.length === 0) {
      const { value, done } = await chunks.next();
      if (done) throw new Error('The archive is cut off.');
      rest = Buffer.from(value);
    }
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.length);
    hash.update(part);
    bytes += part.length;
    return part;
  }

  async function* body(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      const part = await next(left);
      left -= part.length;
      yield part;
    }
  }

  return {
    body,
    async take(length: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const part of body(length)) parts.push(part);
      return Buffer.concat(parts);
    },
    /** How far it was read, and the hash of all that; the hash is taken only where it is asked for. */
    progress() {
      const soFar = hash.copy();
      return { bytes, sha256: () => soFar.digest('hex') };
    },
  };
}
