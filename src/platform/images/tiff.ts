/** A TIFF structure (what EXIF is made of) inside a larger buffer. Offsets in it count from `start`. */
export type Tiff = { bytes: Buffer; start: number; end: number; little: boolean; firstIfd: number };

export type TiffEntry = {
  /** Absolute offset of the twelve bytes of the entry. */
  at: number;
  tag: number;
  type: number;
  count: number;
  /** Absolute offset of the value, in the entry or elsewhere; may lie outside the structure. */
  valueAt: number;
  valueLength: number;
};

export type Ifd = {
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
export function openTiff(bytes: Buffer, start: number, end: number): Tiff | null {
  if (end - start < 8) return null;
  const order = bytes.toString('latin1', start, start + 2);
  if (order !== 'II' && order !== 'MM') return null;
  const tiff: Tiff = { bytes, start, end, little: order === 'II', firstIfd: 0 };
  if (uint16(tiff, start + 2) !== 42) return null;
  return { ...tiff, firstIfd: uint32(tiff, start + 4) };
}

export function uint16({ bytes, little }: Tiff, at: number): number {
  return little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

export function uint32({ bytes, little }: Tiff, at: number): number {
  return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

/** Reads one table; null if its offset is outside. Entries that do not fit are left out. */
export function readIfd(tiff: Tiff, offset: number): Ifd | null {
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
export function integersOf(tiff: Tiff, entry: TiffEntry, most = 16): number[] {
  const bytesEach = entry.type === SHORT ? 2 : 4;
  const numbers: number[] = [];
  for (let index = 0; index < Math.min(entry.count, most); index++) {
    const at = entry.valueAt + index * bytesEach;
    if (at < tiff.start || at + bytesEach > tiff.end) break;
    numbers.push(entry.type === SHORT ? uint16(tiff, at) : uint32(tiff, at));
  }
  return numbers;
}
