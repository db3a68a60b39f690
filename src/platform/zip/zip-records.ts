/** The records of an archive, as APPNOTE.TXT 6.3 lays them out: stored files, names in UTF-8, zip64 where numbers ask for it. */

type Entry = { name: string; bytes: number; offset: number };
type Directory = { count: number; directoryAt: number; directoryBytes: number };

const UTF8_NAMES = 1 << 11;
const PLAIN = 20;
const ZIP64 = 45;
/** Written on Unix, so that unpacked files may be read by their owner and looked at by others. */
const MADE_BY = (3 << 8) | ZIP64;
const FILE_MODE = (0o100644 << 16) >>> 0;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

const nameBytes = (name: string) => Buffer.byteLength(name, 'utf8');
const isFar = (entry: Entry) => entry.offset >= MAX_32;
const isLarge = ({ count, directoryAt, directoryBytes }: Directory) =>
  count >= MAX_16 || directoryAt >= MAX_32 || directoryBytes >= MAX_32;

export const localHeaderBytes = (name: string) => 30 + nameBytes(name);
export const directoryEntryBytes = (entry: Entry) => 46 + nameBytes(entry.name) + (isFar(entry) ? 12 : 0);
export const endOfDirectoryBytes = (directory: Directory) => 22 + (isLarge(directory) ? 56 + 20 : 0);

/** Fields one behind the other, little-endian: `[bytes, value]`. */
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

/** UTC, because the same archive must come out the same wherever it is written. DOS begins in 1980 and counts two seconds. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** Precedes a file. */
export function localHeader(entry: Entry, modifiedAt: Date, checksum: number): Buffer {
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
