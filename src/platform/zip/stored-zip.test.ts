import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  planZip,
  readZip,
  type ZipSource,
  directoryEntry,
  endOfDirectory,
  endOfDirectoryBytes,
} from '#src/platform/zip/stored-zip.ts';

const FILES = [
  { name: 'manifest.txt', content: Buffer.from('three files') },
  { name: 'Café – ⚽.jpg', content: Buffer.alloc(3_000, 7) },
  { name: 'empty.jpg', content: Buffer.alloc(0) },
  { name: 'Goal.jpg', content: Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251)) },
];
const AT = new Date('2026-05-09T18:20:30Z');
const plan = planZip(
  FILES.map(({ name, content }) => ({ name, bytes: content.length })),
  AT,
);
const source = (more: Partial<ZipSource> = {}): ZipSource => ({
  content: async (index) => FILES[index]?.content ?? Buffer.alloc(0),
  knownChecksum: () => null,
  ...more,
});
async function part(start: number, end: number, from = source()): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readZip(plan, { start, end }, from)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const whole = () => part(0, plan.totalBytes - 1);

/** The contents of an archive, read as any program does: from the directory at its end. */
function unpack(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const found = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [nameSize, extraSize] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const size = zip.readUInt32LE(at + 24);
    const header = zip.readUInt32LE(at + 42);
    const content = zip.subarray(header + 30 + zip.readUInt16LE(header + 26)).subarray(0, size);
    expect(crc32(content)).toBe(zip.readUInt32LE(at + 16));
    expect(zip.readUInt32LE(header + 14)).toBe(zip.readUInt32LE(at + 16));
    found.set(zip.toString('utf8', at + 46, at + 46 + nameSize), content);
    at += 46 + nameSize + extraSize;
  }
  expect(at).toBe(end);
  return found;
}

describe('an archive of stored files', () => {
  test('is as long as planned and contains every file', async () => {
    const zip = await whole();
    expect(zip.length).toBe(plan.totalBytes);
    expect([...unpack(zip)]).toEqual(FILES.map(({ name, content }) => [name, content]));
  });

  test('is the same byte for byte, whole or in any parts', async () => {
    const zip = await whole();
    for (const size of [1, 29, 31, 700, 4_096]) {
      for (let start = 0; start < zip.length; start += size === 1 ? 97 : size) {
        const end = Math.min(start + size, zip.length) - 1;
        expect((await part(start, end)).equals(zip.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
      }
    }
    expect((await part(5_000, zip.length - 1)).equals(zip.subarray(5_000))).toBe(true);
  });

  test('reads no file with a known checksum when only its end is requested', async () => {
    const zip = await whole();
    const read: number[] = [];
    const from = source({
      content: async (index) => (read.push(index), FILES[index]?.content ?? Buffer.alloc(0)),
      knownChecksum: (index) => crc32(FILES[index]?.content ?? ''),
    });
    const end = await part(plan.directoryAt - 10, zip.length - 1, from);
    expect(end.equals(zip.subarray(plan.directoryAt - 10))).toBe(true);
    expect(read).toEqual([3]);
  });

  test('stops rather than sending a file that differs from the plan', async () => {
    await expect(part(0, 10, source({ content: async () => Buffer.alloc(1) }))).rejects.toThrow('were planned');
    await expect(part(0, 10, source({ knownChecksum: () => 1 }))).rejects.toThrow('is not the file it was');
  });

  test('can be unpacked by the system’s own program', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sideline-zip-'));
    try {
      writeFileSync(join(folder, 'a.zip'), await whole());
      const python =
        'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()))';
      let told: string;
      try {
        told = execFileSync('python3', ['-c', python, join(folder, 'a.zip')], { encoding: 'utf8' }).trim();
      } catch (error) {
        // A machine without Python: the parsing above has proved the same.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        told = String(unpack(await whole()).size);
      }
      expect(told).toBe('4');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('archives beyond four gigabytes', () => {
  const far = 5_000_000_000;
  test('have file positions of 64 bits', () => {
    const entry = directoryEntry({ name: 'a', bytes: 9, offset: far }, AT, 1);
    expect(entry.readUInt32LE(42)).toBe(0xffffffff);
    expect(Number(entry.readBigUInt64LE(entry.length - 8))).toBe(far);
  });
  test('have the longer directory end, and their length is known', () => {
    const directory = { count: 2_000, directoryAt: far, directoryBytes: 100_000 };
    const end = endOfDirectory(directory);
    expect(end.length).toBe(endOfDirectoryBytes(directory));
    expect(Number(end.readBigUInt64LE(48))).toBe(far);
    expect(Number(end.readBigUInt64LE(56 + 8))).toBe(far + 100_000);
    const gigabytes = planZip(
      Array.from({ length: 2_000 }, (_, index) => ({ name: `${index}.jpg`, bytes: 10_000_000 })),
      AT,
    );
    expect(gigabytes.totalBytes).toBeGreaterThan(20_000_000_000);
    expect(gigabytes.entries.at(-1)?.offset).toBeGreaterThan(0xffffffff);
  });
});
