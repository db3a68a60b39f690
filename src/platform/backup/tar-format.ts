/**
 * As much of the tar format (POSIX ustar with pax records) as a backup needs, so that any `tar` can read the file and
 * a bare machine without `tar` can still make and restore it.
 */
export const BLOCK = 512;
const OCTAL_LIMIT = 8 ** 11;

export type TarEntry = {
  /** Relative, with `/`. */
  name: string;
  kind: 'file' | 'folder';
  bytes: number;
  mode: number;
  /** Seconds since 1970. */
  modifiedAt: number;
};

/** Bytes that fill the last block of a file. */
export function paddingOf(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

/** The header block of an entry, with a pax record before it when the name or the size does not fit. */
export function encodeHeader(entry: TarEntry): Buffer {
  const records: Record<string, string> = {};
  const name = entry.kind === 'folder' ? `${entry.name}/` : entry.name;
  if (Buffer.byteLength(name) > 100) records.path = name;
  if (entry.bytes >= OCTAL_LIMIT) records.size = String(entry.bytes);
  const header = headerBlock({ ...entry, name }, entry.kind === 'folder' ? '5' : '0');
  if (Object.keys(records).length === 0) return header;
  const body = Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  const extension = headerBlock({ ...entry, name: 'pax', bytes: body.length, mode: 0o600 }, 'x');
  return Buffer.concat([extension, body, Buffer.alloc(paddingOf(body.length)), header]);
}

/** Two empty blocks end an archive. */
export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

function headerBlock(entry: Omit<TarEntry, 'kind'>, type: '0' | '5' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(Buffer.from(entry.name).subarray(0, 100).toString('latin1'), 0, 'latin1');
  block.write(octal(entry.mode & 0o7777, 8), 100);
  block.write(octal(0, 8) + octal(0, 8), 108);
  block.write(octal(entry.bytes < OCTAL_LIMIT ? entry.bytes : 0, 12), 124);
  block.write(octal(Math.max(0, Math.floor(entry.modifiedAt)), 12), 136);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function paxRecord(key: string, value: string): Buffer {
  const tail = Buffer.from(` ${key}=${value}\n`);
  // A record begins with its own length, digits included.
  let length = tail.length + 1;
  while (tail.length + String(length).length !== length) length = tail.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), tail]);
}

/** The checksum field counts as eight spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 32;
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}

export type DecodedHeader = { entry: TarEntry; type: string } | 'end';

/** Reads a header block; throws when it is damaged. Records of a preceding pax header win. */
export function decodeHeader(block: Buffer, records: ReadonlyMap<string, string>): DecodedHeader {
  if (block.every((byte) => byte === 0)) return 'end';
  const text = (start: number, length: number) => block.toString('utf8', start, start + length).replace(/\0.*$/s, '');
  const octal = (start: number, length: number) => Number.parseInt(text(start, length).trim() || '0', 8);
  if (octal(148, 8) !== checksumOf(block)) throw new Error('The archive is damaged: a header does not add up.');
  const type = text(156, 1) || '0';
  const name = records.get('path') ?? text(0, 100);
  const bytes = Number(records.get('size') ?? octal(124, 12));
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error('The archive is damaged: a size is no number.');
  const entry: TarEntry = {
    name: name.replace(/\/$/, ''),
    kind: type === '5' ? 'folder' : 'file',
    bytes,
    mode: octal(100, 8),
    modifiedAt: octal(136, 12),
  };
  return { entry, type };
}

/** The records of a pax header's body. */
export function decodePax(body: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(32, at);
    const length = Number(body.toString('latin1', at, space));
    if (space < 0 || !Number.isSafeInteger(length) || length < 4)
      throw new Error('The archive is damaged: a name is cut off.');
    const record = body.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}
