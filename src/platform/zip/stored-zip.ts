/**
 * Archives of files that are stored as they are. Every byte's place is known before the first file is
 * read, so that an archive has a length, and any part of it can be written alone (docs/decisions/0009-orders.md).
 */
import { crc32 } from 'node:zlib';
import {
  directoryEntry,
  directoryEntryBytes,
  endOfDirectory,
  endOfDirectoryBytes,
  localHeader,
  localHeaderBytes,
} from '#src/platform/zip/zip-records.ts';

export type ZipEntry = { /** The name in the archive; safe and unique. */ name: string; bytes: number };

export type ZipPlan = {
  entries: readonly (ZipEntry & { /** Of its header. */ offset: number })[];
  modifiedAt: Date;
  directoryAt: number;
  directoryBytes: number;
  totalBytes: number;
};

export type ZipSource = {
  /** The whole content of an entry: exactly as many bytes as were planned. */
  content(index: number): Promise<Buffer>;
  /** Its CRC-32 when it is known without reading the file; null otherwise. */
  knownChecksum(index: number): number | null;
  /** Told of every checksum that had to be computed. */
  onChecksum?(index: number, checksum: number): void;
};

/** Where everything will lie. `modifiedAt` is the time of every file: the same plan gives the same bytes at any time. */
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

/** The bytes from `start` to `end` (inclusive), file by file: never more than one file is held. */
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
