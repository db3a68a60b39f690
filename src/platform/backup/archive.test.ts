import { execFileSync } from 'node:child_process';
import {
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
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract, pack as createPack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createArchive, readArchive } from '#src/platform/backup/archive.ts';

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
  it('restores every file and folder as it was', async () => {
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

  it('is not readable by other users, and appears only when it is complete', async () => {
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

  it('reports why it cannot be written', async () => {
    const archive = createArchive(path.join(folder, 'missing', 'all.tar'));
    const work = archive.addText('a', 'b').then(archive.finish);
    await expect(work).rejects.toThrow('ENOENT');
    await archive.abandon();
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
    ['no seal', () => writeFileSync(file, Buffer.alloc(1024))],
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

  it.each(['../escape', '/etc/passwd', 'a/../../b', 'a\\b'])('never writes a file outside: %s', async (name) => {
    const pack = createPack();
    pack.entry({ name }, 'content');
    pack.finalize();
    writeFileSync(file, await buffer(pack));
    await expect(unpack()).rejects.toThrow('would land outside');
  });
});

describe('the tar format', () => {
  it('holds files of more than eight gigabytes', async () => {
    const size = 9 * 1024 ** 3;
    const pack = createPack();
    pack.entry({ name: 'huge', size });
    const header = await pack[Symbol.asyncIterator]().next();
    const entries = extract();
    const found = new Promise((resolve) => entries.once('entry', resolve));
    entries.write(header.value);
    expect(await found).toMatchObject({ name: 'huge', size });
  });

  it('reads archives from before tar-stream', async () => {
    writeFileSync(file, gunzipSync(Buffer.from(EARLIER_ARCHIVE, 'base64')));
    const found = await unpack();
    expect(found.get('hello.txt')?.toString()).toBe('Grüße');
    expect(found.get('tree/empty')).toBeNull();
    expect(found.get(`tree/${LONG}`)?.toString()).toBe('deep');
  });
});

/** Compressed with gzip. */
const EARLIER_ARCHIVE = [
  'H4sIAAAAAAACA+2cQW7bMBBFte4pDK0TZzgkh3WArHsOSqJsB4otWCrgIOhZcouuuvPFCnsTwGrTKq1oGfrfC3GnxZt5Q9GCVqGq',
  'tvN23ybDhYhIiE5X6l6JyCXKaiIRds4kRE6MS2aURMjXpvW7hKLca4T5sjv8OLyGBJlm2l0IdwPf49Th7/Y/nfW/OKOTmUX/x+Ef',
  'nur2+W48/NXxB/7R+FfbzfJ2458GMsEH+AsT+F+A/yCV0J8/G2fB/6L8/2Ml9OdvtGXwHwn/f66E/vyF2YH/6Ph/sBJ682dSZMB/',
  'xPx7VUJ//soJ9v/Xwf8vKqE/fy1awP/K+P+2Evrzt1bh/Od6+Z9VQn/+Tjs8/0dJ7feD3+NP//8o0efnv6JVMtuD/+BRys5q364e',
  'BhbB2+pTgkzG/6dVb/9r0ozzv+n439mu/w38H8X/HNv/mATwP/wP/7/x5877XyKa4P8o/teX8z8mAfwP/8P/zKrjf8b+P47/zRj8',
  'j0kA/8P/k/W/7p7/H9//gf8j+N+Oy/+YBPA//D8x/5tfnP8z/B/F/zJW/2MSwP/o/0n4Xwj7/0v538no/b/cHb4fXsP8sV5iFFyp',
  '/8WYd/xvOv7XGt9/iJEihBpdMN006yJU6024bYKv5o/NdhN//qvz5z+ljML3X6LkJS3XVWjSe75Js+f2uFJuwXSTNivPVtL7NNDn',
  'RaZV4XIpXe5NJiYzKisLVibknsvcu1B6R97aEEzhLeXM7PNFVvpgKP2GNkMQBBldfgLZRxDqAE4AAA==',
].join('');
