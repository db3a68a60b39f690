import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createArchive, readArchive } from '#src/platform/backup/archive.ts';
import { END_OF_ARCHIVE, decodeHeader, decodePax, encodeHeader } from '#src/platform/backup/tar-format.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sideline-archive-'));
  file = path.join(folder, 'all.tar');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LONG = `${'long-name/'.repeat(15)}größe.jpg`;

async function pack(): Promise<void> {
  mkdirSync(path.join(folder, 'tree', path.dirname(LONG)), { recursive: true });
  mkdirSync(path.join(folder, 'tree', 'empty'));
  writeFileSync(path.join(folder, 'tree', 'block'), Buffer.alloc(512, 1));
  writeFileSync(path.join(folder, 'tree', 'big'), Buffer.alloc(3_000_001, 7));
  writeFileSync(path.join(folder, 'tree', 'nothing'), '');
  writeFileSync(path.join(folder, 'tree', 'skipped'), 'x');
  writeFileSync(path.join(folder, 'tree', LONG), 'deep');
  const archive = createArchive(file);
  await archive.addText('hello.txt', 'Grüße');
  await archive.addTree('tree', path.join(folder, 'tree'), (relative) => relative === 'skipped');
  await archive.addFile('gone', path.join(folder, 'does-not-exist'));
  await archive.finish();
}

async function unpack(): Promise<Map<string, Buffer | null>> {
  const found = new Map<string, Buffer | null>();
  await readArchive(file, async (entry, body) => {
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part);
    found.set(entry.name, entry.kind === 'folder' ? null : Buffer.concat(parts));
  });
  return found;
}

describe('an archive', () => {
  it('gives back every file and folder as it was', async () => {
    await pack();
    const found = await unpack();
    expect(found.get('hello.txt')?.toString()).toBe('Grüße');
    expect(found.get('tree/empty')).toBeNull();
    expect(found.get('tree/block')).toEqual(Buffer.alloc(512, 1));
    expect(found.get('tree/big')?.equals(Buffer.alloc(3_000_001, 7))).toBe(true);
    expect(found.get('tree/nothing')).toEqual(Buffer.alloc(0));
    expect(found.get(`tree/${LONG}`)?.toString()).toBe('deep');
    expect([...found.keys()]).not.toContain('tree/skipped');
    expect([...found.keys()]).not.toContain('gone');
  });

  it('is for nobody else to read, and appears only when it is whole', async () => {
    const archive = createArchive(file);
    await archive.addText('a', 'b');
    expect(existsSync(file)).toBe(false);
    await archive.finish();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const abandoned = createArchive(path.join(folder, 'other.tar'));
    await abandoned.addText('a', 'b');
    await abandoned.abandon();
    expect(existsSync(path.join(folder, 'other.tar.part'))).toBe(false);
  });

  it.runIf(existsSync('/usr/bin/tar') || existsSync('/bin/tar'))('can be read by any tar', async () => {
    await pack();
    mkdirSync(path.join(folder, 'out'));
    execFileSync('tar', ['-xf', file, '-C', path.join(folder, 'out')]);
    expect(readFileSync(path.join(folder, 'out', 'tree', LONG), 'utf8')).toBe('deep');
    expect(statSync(path.join(folder, 'out', 'tree', 'big')).size).toBe(3_000_001);
  });

  it.each([
    ['a changed byte', () => patch(700_000)],
    ['a changed header', () => patch(20)],
    ['a missing end', () => truncateSync(file, statSync(file).size - 4096)],
    ['a missing half', () => truncateSync(file, 1_500_000)],
    ['nothing in it', () => truncateSync(file, 0)],
    ['no seal', () => writeFileSync(file, END_OF_ARCHIVE)],
  ])('is refused with %s', async (_what, damage) => {
    await pack();
    damage();
    await expect(unpack()).rejects.toThrow(/The archive (is damaged|is cut off|ends without)/);
  });

  function patch(at: number): void {
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }

  it.each(['../escape', '/etc/passwd', 'a/../../b', 'a\\b'])('never puts a file outside: %s', async (name) => {
    writeFileSync(file, encodeHeader({ name, kind: 'file', bytes: 0, mode: 0o600, modifiedAt: 0 }));
    appendFileSync(file, END_OF_ARCHIVE);
    await expect(unpack()).rejects.toThrow('would land outside');
  });
});

describe('the tar format', () => {
  it('holds files of more than eight gigabytes', () => {
    const bytes = 9 * 1024 ** 3;
    const encoded = encodeHeader({ name: 'huge', kind: 'file', bytes, mode: 0o600, modifiedAt: 0 });
    const records = decodePax(encoded.subarray(512, encoded.indexOf(0, 512)));
    expect(decodeHeader(encoded.subarray(-512), records)).toMatchObject({ entry: { name: 'huge', bytes } });
  });
});
