import sharp, { type JpegOptions } from 'sharp';

/** Pictures that tests make themselves: drawn ones, and metadata blocks written byte by byte. */

export const RED = [220, 30, 30] as const;
export const GREEN = [30, 180, 40] as const;
export const BLUE = [30, 50, 210] as const;
export const WHITE = [240, 240, 240] as const;

/** Raw pixels of four colored quarters: red and green above, blue and white below. */
export function quarters(width: number, height: number): Buffer {
  const left = Math.ceil(width / 2);
  const above = Math.ceil(height / 2);
  // By rows: pixel by pixel takes longer than most tests that need a picture.
  const row = (one: readonly number[], other: readonly number[]) => {
    const pixels = Buffer.alloc(width * 3, Buffer.from(other));
    return pixels.fill(Buffer.from(one), 0, left * 3);
  };
  const rows = (count: number, pixels: Buffer) => Buffer.alloc(count * pixels.length, pixels);
  return Buffer.concat([rows(above, row(RED, GREEN)), rows(height - above, row(BLUE, WHITE))]);
}

/** The four quarters as a JPEG file; `options` as of sharp's encoder. */
export function quartersJpeg(width: number, height: number, options: JpegOptions = {}): Promise<Buffer> {
  return sharp(quarters(width, height), { raw: { width, height, channels: 3 } })
    .jpeg(options)
    .toBuffer();
}

/** A file with these dimensions in its header and almost no picture data. */
export function headerOnlyJpeg(
  width: number,
  height: number,
  frame: { marker?: number; depth?: number; components?: number } = {},
): Buffer {
  const { marker = 0xc0, depth = 8, components = 3 } = frame;
  const content = Buffer.alloc(6 + components * 3);
  content[0] = depth;
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  content[5] = components;
  for (let index = 0; index < components; index++) content.set([index + 1, 0x11, 0], 6 + index * 3);
  const scan = Buffer.from([0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x00, 0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segment(marker, content), scan]);
}

/** One marker segment. */
export function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The file with segments inserted right after its start. */
export function withSegments(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** A value of an EXIF tag: text, whole numbers (SHORT), or fractions (RATIONAL, of 1000). */
export type TagValue = string | number[] | { fractions: number[] } | { bytes: Buffer };
export type Tags = [tag: number, value: TagValue][];
export type ExifTables = { little?: boolean; main?: Tags; exif?: Tags; gps?: Tags; thumbnail?: Tags };

/** A whole APP1 segment with EXIF tables, offsets and all, in either byte order. */
export function exifSegment(tables: ExifTables): Buffer {
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffBlock(tables)]));
}

/** The TIFF structure alone. Tables in the order main, EXIF, GPS, thumbnail, each followed by its values. */
export function tiffBlock({ little = true, main = [], exif, gps, thumbnail }: ExifTables): Buffer {
  const u16 = (value: number): Buffer => {
    const bytes = Buffer.alloc(2);
    if (little) bytes.writeUInt16LE(value);
    else bytes.writeUInt16BE(value);
    return bytes;
  };
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const encoded = (value: TagValue): { type: number; count: number; bytes: Buffer } => {
    if (typeof value === 'string') {
      const bytes = Buffer.from(`${value}\0`, 'utf8');
      return { type: 2, count: bytes.length, bytes };
    }
    if (Array.isArray(value)) return { type: 3, count: value.length, bytes: Buffer.concat(value.map(u16)) };
    if ('bytes' in value) return { type: 7, count: value.bytes.length, bytes: value.bytes };
    const parts = value.fractions.flatMap((part) => [u32(Math.round(part * 1000)), u32(1000)]);
    return { type: 5, count: value.fractions.length, bytes: Buffer.concat(parts) };
  };
  /** `pointers` are tags whose value is an offset. */
  const table = (tags: Tags, at: number, pointers: [number, number][], next: number): Buffer => {
    const count = tags.length + pointers.length;
    let valuesAt = at + 2 + count * 12 + 4;
    const entries: Buffer[] = [];
    const values: Buffer[] = [];
    for (const [tag, value] of tags) {
      const { type, count: items, bytes } = encoded(value);
      const inline = bytes.length <= 4;
      const padded = Buffer.concat([bytes, Buffer.alloc(inline ? 4 - bytes.length : bytes.length % 2)]);
      entries.push(Buffer.concat([u16(tag), u16(type), u32(items), inline ? padded : u32(valuesAt)]));
      if (!inline) {
        values.push(padded);
        valuesAt += padded.length;
      }
    }
    for (const [tag, offset] of pointers) entries.push(Buffer.concat([u16(tag), u16(4), u32(1), u32(offset)]));
    return Buffer.concat([u16(count), ...entries, u32(next), ...values]);
  };
  const pointerCount = (exif ? 1 : 0) + (gps ? 1 : 0);
  const empty: [number, number][] = Array.from({ length: pointerCount }, () => [0, 0]);
  const exifAt = 8 + table(main, 8, empty, 0).length;
  const exifTable = exif ? table(exif, exifAt, [], 0) : Buffer.alloc(0);
  const gpsAt = exifAt + exifTable.length;
  const gpsTable = gps ? table(gps, gpsAt, [], 0) : Buffer.alloc(0);
  const thumbnailAt = gpsAt + gpsTable.length;
  const thumbnailTable = thumbnail ? table(thumbnail, thumbnailAt, [], 0) : Buffer.alloc(0);
  const pointers: [number, number][] = [];
  if (exif) pointers.push([0x8769, exifAt]);
  if (gps) pointers.push([0x8825, gpsAt]);
  const mainTable = table(main, 8, pointers, thumbnail ? thumbnailAt : 0);
  return Buffer.concat([
    Buffer.from(little ? 'II' : 'MM'),
    u16(42),
    u32(8),
    mainTable,
    exifTable,
    gpsTable,
    thumbnailTable,
  ]);
}

/** GPS tags of a place, as a phone writes them. */
export function gpsTags(latitude: number, longitude: number): Tags {
  const sexagesimal = (value: number): number[] => {
    const minutes = (Math.abs(value) % 1) * 60;
    return [Math.floor(Math.abs(value)), Math.floor(minutes), (minutes % 1) * 60];
  };
  return [
    [1, latitude < 0 ? 'S' : 'N'],
    [2, { fractions: sexagesimal(latitude) }],
    [3, longitude < 0 ? 'W' : 'E'],
    [4, { fractions: sexagesimal(longitude) }],
    [29, '2026:05:09'],
  ];
}

/** An APP13 segment with IPTC values (application record). */
export function iptcSegment(values: [dataset: number, value: Buffer | string][]): Buffer {
  const records = values.map(([dataset, value]) => {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
    const head = Buffer.from([0x1c, 2, dataset, 0, 0]);
    head.writeUInt16BE(bytes.length, 3);
    return Buffer.concat([head, bytes]);
  });
  return photoshopSegment(0x0404, Buffer.concat(records));
}

/** An APP13 segment with one Photoshop resource. */
export function photoshopSegment(id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write('8BIM', 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(content.length, 8);
  const padding = Buffer.alloc(content.length % 2);
  return segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), head, content, padding]));
}

/** An APP1 segment with an XMP packet. */
export function xmpSegment(packet: string): Buffer {
  return segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), Buffer.from(packet)]));
}

/** Picture data of the main picture, from its first scan to its end. */
export function pictureData(jpeg: Buffer): Buffer {
  let at = 2;
  while (jpeg[at + 1] !== 0xda) at += 2 + jpeg.readUInt16BE(at + 2);
  return jpeg.subarray(at, jpeg.indexOf(Buffer.from([0xff, 0xd9]), at) + 2);
}
