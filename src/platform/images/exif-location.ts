import { integersOf, openTiff, readIfd, type Ifd, type Tiff, type TiffEntry } from '#src/platform/images/tiff.ts';

/** Tables that hang below another one: EXIF, interoperability, and pictures inside pictures. */
const TABLE_POINTERS = new Set([0x8769, 0xa005, 0x014a]);
const GPS_POINTER = 0x8825;
const ASCII = 2;
const RATIONALS = new Set([5, 10]);
/** Real files have 3-6 tables. */
const MAX_TABLES = 64;
/** GPS has 32 tags; a crafted table with thousands of long values must not cost seconds. */
const MAX_GPS_VALUES = 64;

/**
 * Empties every GPS table of a TIFF structure in place and takes its entry out of the table above.
 * Nothing moves but the entries of that one table, so all other offsets stay valid, in EXIF and
 * after it. A structure that cannot be read but seems to point to GPS is overwritten whole:
 * losing exposure data is better than revealing where a child plays. True if anything was changed.
 */
export function emptyGpsTables(bytes: Buffer, start: number, end: number): boolean {
  const tiff = openTiff(bytes, start, end);
  const first = tiff && readIfd(tiff, tiff.firstIfd);
  if (!tiff || !first?.whole) return blankIfSuspect(bytes, start, end);
  const { tables, gpsOffsets } = walk(tiff, first);
  const kept = protectedBytes(
    tiff,
    tables.filter((table) => table === first || !gpsOffsets.has(table.offset)),
  );
  let changed = false;
  for (const offset of gpsOffsets) changed = emptyGpsTable(tiff, offset, kept) || changed;
  for (const table of tables) changed = removeGpsEntries(tiff, table, kept) || changed;
  return changed;
}

function walk(tiff: Tiff, first: Ifd): { tables: Ifd[]; gpsOffsets: Set<number> } {
  const tables: Ifd[] = [first];
  const seen = new Set([first.offset]);
  const gpsOffsets = new Set<number>();
  for (let index = 0; index < tables.length && tables.length < MAX_TABLES; index++) {
    const table = tables[index] as Ifd;
    const below = table.entries
      .filter(({ tag }) => TABLE_POINTERS.has(tag))
      .flatMap((entry) => integersOf(tiff, entry));
    for (const entry of table.entries) {
      if (entry.tag === GPS_POINTER) for (const offset of integersOf(tiff, entry)) gpsOffsets.add(offset);
    }
    for (const offset of [...below, table.next]) {
      const next = seen.has(offset) ? null : readIfd(tiff, offset);
      seen.add(offset);
      if (next) tables.push(next);
    }
  }
  return { tables, gpsOffsets };
}

/** One byte per byte of the structure: 1 in an ordinary table, which GPS values of a crafted file must not take along. */
function protectedBytes(tiff: Tiff, tables: Ifd[]): Uint8Array {
  const kept = new Uint8Array(tiff.end - tiff.start);
  kept.fill(1, 0, 8);
  for (const table of tables) kept.fill(1, table.from - tiff.start, table.to - tiff.start);
  return kept;
}

function emptyGpsTable(tiff: Tiff, offset: number, kept: Uint8Array): boolean {
  let changed = false;
  const seen = new Set<number>();
  for (let table = readIfd(tiff, offset); table && !seen.has(table.offset) && seen.size < 8;) {
    seen.add(table.offset);
    const next: Ifd | null = table.next === 0 ? null : readIfd(tiff, table.next);
    for (const entry of table.entries.slice(0, MAX_GPS_VALUES)) changed = zeroValue(tiff, entry, kept) || changed;
    changed = zero(tiff, table.from, table.to, kept) || changed;
    table = next;
  }
  return changed;
}

function zeroValue(tiff: Tiff, entry: TiffEntry, kept: Uint8Array): boolean {
  return zero(tiff, Math.max(tiff.start, entry.valueAt), Math.min(tiff.end, entry.valueAt + entry.valueLength), kept);
}

function zero(tiff: Tiff, from: number, to: number, kept: Uint8Array): boolean {
  let changed = false;
  for (let at = from; at < to; at++) {
    if (kept[at - tiff.start] === 1 || tiff.bytes[at] === 0) continue;
    tiff.bytes[at] = 0;
    changed = true;
  }
  return changed;
}

/** Takes entries out of their table: the later ones and the pointer to the next table move up. */
function removeGpsEntries(tiff: Tiff, table: Ifd, kept: Uint8Array): boolean {
  const { bytes } = tiff;
  const gone = table.entries.filter(isGpsEntry);
  for (const entry of gone.toReversed()) {
    if (entry.valueLength > 4 && entry.tag !== GPS_POINTER) zeroValue(tiff, entry, kept);
    bytes.copyWithin(entry.at, entry.at + 12, table.to);
    bytes.fill(0, table.to - 12, table.to);
  }
  if (gone.length > 0) {
    const count = table.entries.length - gone.length;
    if (tiff.little) bytes.writeUInt16LE(count, table.from);
    else bytes.writeUInt16BE(count, table.from);
  }
  return gone.length > 0;
}

/** The pointer, or coordinates in an ordinary table (the interoperability table has other tags 1 and 2). */
function isGpsEntry({ tag, type, count }: TiffEntry): boolean {
  if (tag === GPS_POINTER) return true;
  if (tag === 2 || tag === 4) return RATIONALS.has(type) && count === 3;
  return (tag === 1 || tag === 3) && type === ASCII && count === 2;
}

function blankIfSuspect(bytes: Buffer, start: number, end: number): boolean {
  const block = bytes.subarray(start, end);
  if (block.indexOf(Buffer.from([0x88, 0x25])) < 0 && block.indexOf(Buffer.from([0x25, 0x88])) < 0) return false;
  block.fill(0);
  return true;
}
