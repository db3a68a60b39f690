import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  truncate,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isProblem } from '#src/shared/problem.ts';
import { openDiskRig, type DiskRig } from '#tests/support/storage-rig.ts';

const JPEG = { contentType: 'image/jpeg' };
const KEY = 'uploads/1/2/a.jpg';

let rig: DiskRig;
beforeEach(async () => {
  rig = await openDiskRig();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rig.close();
});

const incoming = () => readdir(path.join(rig.folder, '.incoming'));
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isProblem(error) ? error.code : error),
  );
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Makes a method of open files fail as the operating system would, from the given call on. */
async function failFiles(method: 'write' | 'sync', code: string, fromCall = 1): Promise<void> {
  const handle = await open(path.join(rig.folder, 'probe'), 'w');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const real = prototype[method] as (...args: unknown[]) => Promise<unknown>;
  let calls = 0;
  vi.spyOn(prototype, method as 'sync').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    return ++calls < fromCall
      ? (real.apply(this, args) as Promise<void>)
      : Promise.reject(Object.assign(new Error(`${code}: injected`), { code }));
  });
}

describe('the disk driver', () => {
  test('folders are closed to others and files too', async () => {
    await rig.storage.put(KEY, randomBytes(200_000), JPEG);
    const modeOf = async (name: string) => ((await stat(path.join(rig.folder, name))).mode & 0o777).toString(8);
    for (const folder of ['', '.incoming', '.etags', 'uploads', 'uploads/1', 'uploads/1/2'])
      expect(await modeOf(folder), folder).toBe('700');
    for (const file of [KEY, `.etags/${KEY}`]) expect(await modeOf(file), file).toBe('600');
    await chmod(rig.folder, 0o755);
    const again = await openDiskRig({ folder: rig.folder });
    expect(await modeOf('')).toBe('700');
    await again.server.close();
  });

  test.each([10, 300_000])(
    'the version is the quoted SHA-256, also of %i bytes that changed behind our back',
    async (size) => {
      const first = randomBytes(size);
      expect((await rig.storage.put(KEY, first, JPEG)).etag).toBe(`"${sha256(first)}"`);
      const file = path.join(rig.folder, KEY);
      const rotten = Buffer.from(first).fill(0, 0, 5);
      await writeFile(file, rotten);
      expect((await rig.storage.head(KEY))?.etag).toBe(`"${sha256(rotten)}"`);
      const streamed = await rig.storage.stream(KEY);
      streamed?.body.destroy();
      expect(streamed?.info.etag).toBe(`"${sha256(rotten)}"`);
      await truncate(file, size / 2);
      expect(await rig.storage.head(KEY)).toMatchObject({
        bytes: size / 2,
        etag: `"${sha256(rotten.subarray(0, size / 2))}"`,
      });
    },
  );

  test.each(['', '{', '{"sha256":"x"}', 'null', '[]'])(
    'a hint of the version that reads %j is made anew',
    async (hint) => {
      const bytes = randomBytes(300_000);
      const { etag } = await rig.storage.put(KEY, bytes, JPEG);
      await writeFile(path.join(rig.folder, '.etags', KEY), hint);
      expect((await rig.storage.head(KEY))?.etag).toBe(etag);
      expect(await readFile(path.join(rig.folder, '.etags', KEY), 'utf8')).toContain(sha256(bytes));
    },
  );

  test('a large object is not hashed again at each look', async () => {
    await rig.storage.put(KEY, randomBytes(300_000), JPEG);
    const file = path.join(rig.folder, '.etags', KEY);
    const hint = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...hint, sha256: 'a'.repeat(64) }));
    expect((await rig.storage.head(KEY))?.etag).toBe(`"${'a'.repeat(64)}"`);
  });

  test.each<['write' | 'sync', string, number, string]>([
    ['write', 'ENOSPC', 1, 'storage_full'],
    ['write', 'ENOSPC', 3, 'storage_full'],
    ['write', 'EDQUOT', 2, 'storage_full'],
    ['write', 'EIO', 2, 'unavailable'],
    ['sync', 'EIO', 1, 'unavailable'],
    ['sync', 'ENOSPC', 1, 'storage_full'],
  ])(
    'when %s answers %s at call %i the object is refused as %s and nothing stays',
    async (method, code, fromCall, problem) => {
      await rig.storage.put(KEY, Buffer.from('before'), JPEG);
      await failFiles(method, code, fromCall);
      const pieces = async function* () {
        for (let piece = 0; piece < 4; piece++) yield randomBytes(1000);
      };
      const { Readable } = await import('node:stream');
      expect(await problemOf(rig.storage.put(KEY, Readable.from(pieces()), JPEG))).toBe(problem);
      expect(await problemOf(rig.storage.put('uploads/1/2/new.jpg', Readable.from(pieces()), JPEG))).toBe(problem);
      vi.restoreAllMocks();
      expect(await rig.storage.get(KEY)).toEqual(Buffer.from('before'));
      expect(await rig.storage.head('uploads/1/2/new.jpg')).toBeNull();
      expect(await incoming()).toEqual([]);
    },
  );

  test('the words of a full disk are for people', async () => {
    await failFiles('write', 'ENOSPC');
    await expect(rig.storage.put(KEY, Buffer.from('x'), JPEG)).rejects.toThrow(
      "Storage is full. Please tell the site's administrator.",
    );
  });

  test('a real full disk refuses forms and objects, keeps what it has, and recovers', async (context) => {
    const disk = path.join(rig.folder, 'small');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      context.skip('this user may not mount a small disk');
    }
    try {
      const small = await openDiskRig({ folder: disk });
      const sign = (maxBytes: number) =>
        small.storage.signUpload({
          key: KEY,
          contentType: 'image/jpeg',
          maxBytes,
          expiresAt: new Date(Date.now() + 60_000),
          origin: small.origin,
        });
      const kept = randomBytes(1_000_000);
      await small.storage.put('originals/kept.jpg', kept, JPEG);
      expect(await problemOf(sign(10_485_760))).toBe('storage_full');
      expect(await problemOf(sign(1_000_000))).toBeNull();
      expect(await problemOf(small.storage.put('originals/large.jpg', randomBytes(3_500_000), JPEG))).toBe(
        'storage_full',
      );
      expect(await readdir(path.join(disk, '.incoming'))).toEqual([]);
      expect(await small.storage.get('originals/kept.jpg')).toEqual(kept);
      await small.storage.remove('originals/kept.jpg');
      expect(await problemOf(small.storage.put('originals/large.jpg', randomBytes(3_500_000), JPEG))).toBeNull();
      await small.server.close();
    } finally {
      execFileSync('umount', [disk], { stdio: 'ignore' });
    }
  });

  test('a folder that is gone is unavailable, not empty', async () => {
    const away = await openDiskRig();
    await away.close();
    expect(await problemOf(away.storage.check())).toBe('unavailable');
    expect(await problemOf(away.storage.put(KEY, Buffer.from('x'), JPEG))).toBe('unavailable');
  });

  test('opening sweeps what dead processes left, and nothing of the living', async () => {
    await rig.storage.put(KEY, Buffer.from('x'), JPEG);
    const folder = path.join(rig.folder, '.incoming');
    const host = createHash('sha256')
      .update((await import('node:os')).hostname())
      .digest('hex')
      .slice(0, 8);
    const dead = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    const old = new Date(Date.now() - 25 * 3600 * 1000);
    const names = {
      ofTheDead: `${host}-${dead}-00000000-1`,
      ofAnEarlierRunOfThisPid: `${host}-${process.pid}-00000000-2`,
      ofALivingOther: `${host}-${process.ppid}-00000000-3`,
      ofAnotherMachine: `ffffffff-${dead}-00000000-4`,
      ofAnotherMachineADayAgo: `ffffffff-${dead}-00000000-5`,
    };
    for (const name of Object.values(names)) await writeFile(path.join(folder, name), 'half');
    await utimes(path.join(folder, names.ofAnotherMachineADayAgo), old, old);
    const again = await openDiskRig({ folder: rig.folder });
    expect((await incoming()).toSorted()).toEqual([names.ofALivingOther, names.ofAnotherMachine].toSorted());
    expect(await again.storage.get(KEY)).toEqual(Buffer.from('x'));
    await again.server.close();
  });

  test('a copy shares the file of its source where links are possible', async () => {
    await rig.storage.put(KEY, randomBytes(1000), JPEG);
    await rig.storage.copy(KEY, 'originals/ab/c.jpg');
    const inode = async (key: string) => (await stat(path.join(rig.folder, key))).ino;
    expect(await inode('originals/ab/c.jpg')).toBe(await inode(KEY));
    expect(await incoming()).toEqual([]);
  });

  test('hidden files, links made by hand and folders without objects are not listed', async () => {
    await rig.storage.put(KEY, randomBytes(200_000), JPEG);
    await writeFile(path.join(rig.folder, 'uploads/1/.DS_Store'), 'x');
    await mkdir(path.join(rig.folder, 'uploads/7'));
    await link(path.join(rig.folder, KEY), path.join(rig.folder, '.incoming/odd'));
    const keys: string[] = [];
    for await (const { key } of rig.storage.list('')) keys.push(key);
    expect(keys).toEqual([KEY]);
  });

  test.each([
    'http://lakeside.sideline.localhost:3000',
    'http://sideline.localhost',
    'https://www.sideline.localhost',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    '',
  ])('a Location on %j is ours', (origin) => {
    expect(rig.storage.keyOfLocation(`${origin}/storage/${KEY}`)).toBe(KEY);
  });

  test.each([
    'http://sideline.localhost.example.com',
    'http://notsideline.example',
    'ftp://www.sideline.localhost',
    '//www.sideline.localhost',
    'http://me@www.sideline.localhost',
  ])('a Location on %j is not', (origin) => {
    expect(rig.storage.keyOfLocation(`${origin}/storage/${KEY}`)).toBeNull();
  });
});
