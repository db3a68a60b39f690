import { APP1, contentBegins } from '#src/platform/images/jpeg-segments.ts';
import { headerSegments } from '#src/shared/jpeg-header.ts';

/** A TIFF structure (what EXIF is made of) inside a larger buffer. Offsets in it count from `start`. */
type Tiff = { bytes: Buffer; start: number; end: number; little: boolean; firstIfd: number };

type TiffEntry = {
  /** Absolute offset of the twelve bytes of the entry. */
  at: number;
  tag: number;
  type: number;
  count: number;
  /** Absolute offset of the value, in the entry or elsewhere; may lie outside the structure. */
  valueAt: number;
  valueLength: number;
};

type Ifd = {
  /** Offset in the structure. */
  offset: number;
  /** Absolute, first byte and one after the last (with the pointer to the next table). */
  from: number;
  to: number;
  entries: TiffEntry[];
  /** Offset of the next table, 0 if none. */
  next: number;
  /** False if the table is longer than the structure. */
  whole: boolean;
};

/** Bytes per value of each TIFF type, by its number; unknown types count as one byte. */
const TYPE_BYTES = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const SHORT = 3;

/** The structure whose header is at `start`, or null if there is none. */
function openTiff(bytes: Buffer, start: number, end: number): Tiff | null {
  if (end - start < 8) return null;
  const order = bytes.toString('latin1', start, start + 2);
  if (order !== 'II' && order !== 'MM') return null;
  const tiff: Tiff = { bytes, start, end, little: order === 'II', firstIfd: 0 };
  if (uint16(tiff, start + 2) !== 42) return null;
  return { ...tiff, firstIfd: uint32(tiff, start + 4) };
}

function uint16({ bytes, little }: Tiff, at: number): number {
  return little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

function uint32({ bytes, little }: Tiff, at: number): number {
  return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

/** Reads one table; null if its offset is outside. Entries that do not fit are left out. */
function readIfd(tiff: Tiff, offset: number): Ifd | null {
  const from = tiff.start + offset;
  if (offset < 8 || from + 2 > tiff.end) return null;
  const count = uint16(tiff, from);
  const fitting = Math.min(count, Math.floor((tiff.end - from - 2) / 12));
  const entries = Array.from({ length: fitting }, (_, index) => readEntry(tiff, from + 2 + index * 12));
  const tail = from + 2 + count * 12;
  const hasNext = fitting === count && tail + 4 <= tiff.end;
  return {
    offset,
    from,
    to: Math.min(tiff.end, hasNext ? tail + 4 : from + 2 + fitting * 12),
    entries,
    next: hasNext ? uint32(tiff, tail) : 0,
    whole: fitting === count,
  };
}

function readEntry(tiff: Tiff, at: number): TiffEntry {
  const type = uint16(tiff, at + 2);
  const count = uint32(tiff, at + 4);
  const valueLength = count * (TYPE_BYTES[type] ?? 1);
  const valueAt = valueLength <= 4 ? at + 8 : tiff.start + uint32(tiff, at + 8);
  return { at, tag: uint16(tiff, at), type, count, valueAt, valueLength };
}

/** The numbers of an entry of type SHORT, LONG or IFD; at most `most`, those outside the structure left out. */
function integersOf(tiff: Tiff, entry: TiffEntry, most = 16): number[] {
  const bytesEach = entry.type === SHORT ? 2 : 4;
  const numbers: number[] = [];
  for (let index = 0; index < Math.min(entry.count, most); index++) {
    const at = entry.valueAt + index * bytesEach;
    if (at < tiff.start || at + bytesEach > tiff.end) break;
    numbers.push(entry.type === SHORT ? uint16(tiff, at) : uint32(tiff, at));
  }
  return numbers;
}

/** Pointers to tables below another one: EXIF, interoperability, and pictures inside pictures. */
const TABLE_POINTERS = new Set([0x8769, 0xa005, 0x014a]);
const GPS_POINTER = 0x8825;
const ASCII = 2;
const RATIONALS = new Set([5, 10]);
/** Real files have 3-6 tables. */
const MAX_TABLES = 64;
/** GPS has 32 tags; a crafted table with thousands of long values must not cost seconds. */
const MAX_GPS_VALUES = 64;

/**
 * Overwrites every GPS table of a TIFF structure in place and removes its entry from the parent table. Only the entries
 * of that one table move, so all other offsets stay valid, in EXIF and after it. A structure that cannot be read but
 * seems to point to GPS is overwritten completely: losing exposure data is better than revealing where a child plays.
 * True if anything was changed.
 */
export function emptyGpsTables(bytes: Buffer, start: number, end: number): boolean {
  const tiff = openTiff(bytes, start, end);
  const first = tiff && readIfd(tiff, tiff.firstIfd);
  if (!tiff || !first?.whole) return blankIfSuspect(bytes, start, end);
  const { tables, gpsOffsets } = findTables(tiff, first);
  const otherTables = tables.filter((table) => table === first || !gpsOffsets.has(table.offset));
  const kept = protectedBytes(tiff, otherTables);
  let changed = false;
  for (const offset of gpsOffsets) changed = emptyGpsTable(tiff, offset, kept) || changed;
  for (const table of tables) changed = removeGpsEntries(tiff, table, kept) || changed;
  return changed;
}

function findTables(tiff: Tiff, first: Ifd): { tables: Ifd[]; gpsOffsets: Set<number> } {
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

/** One byte per byte of the structure: 1 in an ordinary table, which GPS values of a crafted file must not overwrite. */
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

/** Removes entries from their table: the later ones and the pointer to the next table move up. */
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

/** How stored pixels become upright: first mirrored left to right, then turned clockwise. */
export type Upright = { mirrored: boolean; quarterTurns: 0 | 1 | 2 | 3 };

const ORIENTATION = 0x0112;

const UPRIGHT: readonly Upright[] = [
  { mirrored: false, quarterTurns: 0 },
  { mirrored: true, quarterTurns: 0 },
  { mirrored: false, quarterTurns: 2 },
  { mirrored: true, quarterTurns: 2 },
  { mirrored: true, quarterTurns: 3 },
  { mirrored: false, quarterTurns: 1 },
  { mirrored: true, quarterTurns: 1 },
  { mirrored: false, quarterTurns: 3 },
];

/**
 * The combination of the file's own EXIF orientation (1-8; absent, broken or anything else counts as 1) and the owner's
 * clockwise quarter turns.
 */
export function uprightOf(bytes: Buffer, turns: number): Upright {
  const own = UPRIGHT[orientationIn(bytes) - 1] ?? { mirrored: false, quarterTurns: 0 };
  return { mirrored: own.mirrored, quarterTurns: ((own.quarterTurns + turns) & 3) as Upright['quarterTurns'] };
}

/** The orientation of the first readable EXIF block, 1-8. */
export function orientationIn(bytes: Buffer): number {
  for (const segment of headerSegments(bytes).segments) {
    if (segment.marker !== APP1 || !contentBegins(bytes, segment, 'Exif\0')) continue;
    const tiff = openTiff(bytes, segment.start + 6, segment.end);
    const entry = tiff && readIfd(tiff, tiff.firstIfd)?.entries.find(({ tag }) => tag === ORIENTATION);
    if (!tiff || !entry) continue;
    const [value = 1] = integersOf(tiff, entry, 1);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
