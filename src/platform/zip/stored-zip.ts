/**
 * Archives of files that are stored uncompressed. Every byte's position is known before the first file is read, so that
 * an archive has a length, and any part of it can be written separately (docs/decisions/0009-orders.md).
 */
import { crc32 } from 'node:zlib';

type ZipEntry = { /** The name in the archive; safe and unique. */ name: string; bytes: number };

type ZipPlan = {
  entries: readonly (ZipEntry & { /** Of its header. */ offset: number })[];
  modifiedAt: Date;
  directoryAt: number;
  directoryBytes: number;
  totalBytes: number;
};

export type ZipSource = {
  /** The content of an entry: exactly as many bytes as planned. */
  content(index: number): Promise<Buffer>;
  /** Its CRC-32 if it is known without reading the file; null otherwise. */
  knownChecksum(index: number): number | null;
  /** Called for every checksum that had to be computed. */
  onChecksum?(index: number, checksum: number): void;
};

/** The position of everything. `modifiedAt` is the time of every file: the same plan gives the same bytes at any time. */
export function planZip(files: readonly ZipEntry[], modifiedAt: Date): ZipPlan {
  let offset = 0;
  const entries = files.map((file) => {
    const entry = { name: file.name, bytes: file.bytes, offset };
    offset += localHeaderBytes(file.name) + file.bytes;
    return entry;
  });
  const directoryBytes = entries.reduce((sum, entry) => sum + directoryEntryBytes(entry), 0);
  const end = endOfDirectoryBytes({ count: entries.length, directoryAt: offset, directoryBytes });
  return { entries, modifiedAt, directoryAt: offset, directoryBytes, totalBytes: offset + directoryBytes + end };
}

/** The bytes from `start` to `end` (inclusive), file by file: never more than one file is in memory. */
export async function* readZip(
  plan: ZipPlan,
  { start, end }: { start: number; end: number },
  source: ZipSource,
): AsyncGenerator<Buffer> {
  const checksums = new Map<number, number>();
  const cut = (piece: Buffer, at: number): Buffer =>
    piece.subarray(Math.max(0, start - at), Math.max(0, Math.min(piece.length, end + 1 - at)));

  async function read(index: number): Promise<Buffer> {
    const entry = plan.entries[index];
    const content = await source.content(index);
    if (content.length !== entry?.bytes)
      throw new Error(`${entry?.name} has ${content.length} bytes where ${entry?.bytes} were planned`);
    const known = source.knownChecksum(index);
    const checksum = crc32(content);
    if (known !== null && known !== checksum) throw new Error(`${entry.name} is not the file it was`);
    if (known === null) source.onChecksum?.(index, checksum);
    checksums.set(index, checksum);
    return content;
  }

  for (const [index, entry] of plan.entries.entries()) {
    const contentAt = entry.offset + localHeaderBytes(entry.name);
    if (entry.offset > end || contentAt + entry.bytes <= start) continue;
    const content = await read(index);
    const header = localHeader(entry, plan.modifiedAt, checksums.get(index) ?? 0);
    for (const piece of [cut(header, entry.offset), cut(content, contentAt)]) if (piece.length > 0) yield piece;
  }
  if (end < plan.directoryAt) return;

  let at = plan.directoryAt;
  for (const [index, entry] of plan.entries.entries()) {
    const size = directoryEntryBytes(entry);
    if (at + size > start && at <= end) {
      let checksum = checksums.get(index) ?? source.knownChecksum(index);
      if (checksum === null) {
        await read(index);
        checksum = checksums.get(index) ?? 0;
      }
      const piece = cut(directoryEntry(entry, plan.modifiedAt, checksum), at);
      if (piece.length > 0) yield piece;
    }
    at += size;
  }
  const last = cut(
    endOfDirectory({
      count: plan.entries.length,
      directoryAt: plan.directoryAt,
      directoryBytes: plan.directoryBytes,
    }),
    at,
  );
  if (last.length > 0) yield last;
}

type Entry = { name: string; bytes: number; offset: number };
type Directory = { count: number; directoryAt: number; directoryBytes: number };

const UTF8_NAMES = 1 << 11;
const PLAIN = 20;
const ZIP64 = 45;
/** Written on Unix, so that unpacked files are readable for everyone and writable for their owner. */
const MADE_BY = (3 << 8) | ZIP64;
const FILE_MODE = (0o100644 << 16) >>> 0;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

const nameBytes = (name: string) => Buffer.byteLength(name, 'utf8');
const isFar = (entry: Entry) => entry.offset >= MAX_32;
const isLarge = ({ count, directoryAt, directoryBytes }: Directory) =>
  count >= MAX_16 || directoryAt >= MAX_32 || directoryBytes >= MAX_32;

const localHeaderBytes = (name: string) => 30 + nameBytes(name);
const directoryEntryBytes = (entry: Entry) => 46 + nameBytes(entry.name) + (isFar(entry) ? 12 : 0);
export const endOfDirectoryBytes = (directory: Directory) => 22 + (isLarge(directory) ? 56 + 20 : 0);

/** Consecutive fields, little-endian: `[bytes, value]`. */
function record(...fields: readonly (readonly [1 | 2 | 4 | 8, number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, size);
    at += size;
  }
  return buffer;
}

/**
 * UTC, because the same archive must be identical wherever it is written. DOS time begins in 1980 and counts in steps
 * of two seconds.
 */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** Precedes a file; its layout, like all records here, follows APPNOTE.TXT 6.3. */
function localHeader(entry: Entry, modifiedAt: Date, checksum: number): Buffer {
  const { date, time } = dosTime(modifiedAt);
  return Buffer.concat([
    record(
      [4, 0x04034b50],
      [2, PLAIN],
      [2, UTF8_NAMES],
      [2, 0],
      [2, time],
      [2, date],
      [4, checksum],
      [4, entry.bytes],
      [4, entry.bytes],
      [2, nameBytes(entry.name)],
      [2, 0],
    ),
    Buffer.from(entry.name, 'utf8'),
  ]);
}

/** A file's line in the directory at the end. */
export function directoryEntry(entry: Entry, modifiedAt: Date, checksum: number): Buffer {
  const { date, time } = dosTime(modifiedAt);
  const far = isFar(entry);
  return Buffer.concat([
    record(
      [4, 0x02014b50],
      [2, MADE_BY],
      [2, far ? ZIP64 : PLAIN],
      [2, UTF8_NAMES],
      [2, 0],
      [2, time],
      [2, date],
      [4, checksum],
      [4, entry.bytes],
      [4, entry.bytes],
      [2, nameBytes(entry.name)],
      [2, far ? 12 : 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, FILE_MODE],
      [4, far ? MAX_32 : entry.offset],
    ),
    Buffer.from(entry.name, 'utf8'),
    ...(far ? [record([2, 1], [2, 8], [8, entry.offset])] : []),
  ]);
}

/** Closes the archive. */
export function endOfDirectory(directory: Directory): Buffer {
  const { count, directoryAt, directoryBytes } = directory;
  const large = isLarge(directory);
  const end = record(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(directoryBytes, MAX_32)],
    [4, Math.min(directoryAt, MAX_32)],
    [2, 0],
  );
  if (!large) return end;
  return Buffer.concat([
    record(
      [4, 0x06064b50],
      [8, 44],
      [2, MADE_BY],
      [2, ZIP64],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, directoryBytes],
      [8, directoryAt],
    ),
    record([4, 0x07064b50], [4, 0], [8, directoryAt + directoryBytes], [4, 1]),
    end,
  ]);
}
