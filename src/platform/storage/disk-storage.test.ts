import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  truncate,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { minimumOf } from '#src/platform/storage/disk-space.ts';
import { isProblem } from '#src/shared/problem.ts';
import { formEntries, jpegBlob, postForm } from '#tests/support/upload-form.ts';
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
/** Files of the store that this process has open. */
async function openObjects(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const files = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return files.filter((file) => file.startsWith(rig.folder));
}
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

type WriteArguments = [fd: number, bytes: Uint8Array, offset: number, length: number, at: null, done: WriteDone];
type WriteDone = (error: Error | null, count: number) => void;

/** Bytes in memory are written to descriptors: each write takes at most `part` bytes, and after `fails` calls none. */
function failDescriptors(part: number, fails: { code: string; afterCalls: number } | null): void {
  const real = fs.write as (...args: WriteArguments) => void;
  let calls = 0;
  const write = (...[fd, bytes, offset, length, at, done]: WriteArguments) =>
    fails && ++calls > fails.afterCalls
      ? done(Object.assign(new Error(`${fails.code}: injected`), { code: fails.code }), 0)
      : real(fd, bytes, offset, Math.min(part, length), at, done);
  vi.spyOn(fs, 'write').mockImplementation(write as never);
}

describe('the disk driver', () => {
  test('keeps folders and files closed to other users', async () => {
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
    'uses the quoted SHA-256 as version, also of %i bytes that were changed outside',
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

  test.each([10, 300_000])('does not compute the hash of %i bytes that it is told', async (size) => {
    const told = 'ab'.repeat(32);
    expect((await rig.storage.put(KEY, randomBytes(size), { ...JPEG, sha256: told })).etag).toBe(`"${told}"`);
  });

  test.each(['', '{', '{"sha256":"x"}', 'null', '[]'])('rebuilds a version hint that reads %j', async (hint) => {
    const bytes = randomBytes(300_000);
    const { etag } = await rig.storage.put(KEY, bytes, JPEG);
    await writeFile(path.join(rig.folder, '.etags', KEY), hint);
    expect((await rig.storage.head(KEY))?.etag).toBe(etag);
    expect(await readFile(path.join(rig.folder, '.etags', KEY), 'utf8')).toContain(sha256(bytes));
  });

  test('does not hash a large object at each read', async () => {
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

  test.each<[string, number, string]>([
    ['ENOSPC', 0, 'storage_full'],
    ['ENOSPC', 1, 'storage_full'],
    ['EDQUOT', 2, 'storage_full'],
    ['EIO', 1, 'unavailable'],
  ])(
    'when writing bytes in memory answers %s after %i calls they are refused as %s and nothing stays',
    async (code, afterCalls, problem) => {
      await rig.storage.put(KEY, Buffer.from('before'), JPEG);
      failDescriptors(100, { code, afterCalls });
      for (const key of [KEY, 'uploads/1/2/new.jpg'])
        expect(await problemOf(rig.storage.put(key, randomBytes(1_000), JPEG))).toBe(problem);
      vi.restoreAllMocks();
      expect(await rig.storage.get(KEY)).toEqual(Buffer.from('before'));
      expect(await rig.storage.head('uploads/1/2/new.jpg')).toBeNull();
      expect(await incoming()).toEqual([]);
      expect(await openObjects()).toEqual([]);
    },
  );

  test('stores bytes in memory whole, although each write takes fewer than it is given', async () => {
    const bytes = randomBytes(1_000);
    failDescriptors(300, null);
    expect((await rig.storage.put(KEY, bytes, JPEG)).etag).toBe(`"${sha256(bytes)}"`);
    expect(await rig.storage.get(KEY)).toEqual(bytes);
    expect(await openObjects()).toEqual([]);
  });

  test('keeps a form used after its upload has become a photo', async () => {
    const policy = await rig.storage.signUpload({
      key: 'uploads/1/2/once.jpg',
      contentType: 'image/jpeg',
      maxBytes: 1_000,
      expiresAt: new Date(Date.now() + 60_000),
      origin: rig.origin,
    });
    const post = () => postForm(policy.url, formEntries(policy, jpegBlob(500)));
    expect((await post()).status).toBe(201);
    expect((await post()).status).toBe(403);
    await rig.storage.copy('uploads/1/2/once.jpg', 'originals/once.jpg');
    await rig.storage.spend('uploads/1/2/once.jpg');
    expect((await rig.storage.head('originals/once.jpg'))?.bytes).toBe(500);
    expect((await post()).status).toBe(403);
    expect((await rig.storage.head('uploads/1/2/once.jpg'))?.bytes).toBe(0);
  });

  test('has a message for people when the disk is full', async () => {
    failDescriptors(1, { code: 'ENOSPC', afterCalls: 0 });
    await expect(rig.storage.put(KEY, Buffer.from('x'), JPEG)).rejects.toThrow(
      "Storage is full. Please tell the site's administrator.",
    );
  });

  test('refuses forms and objects on a full disk, keeps what it has, and recovers', async (context) => {
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

  test('stops uploads at the limit and photos in progress at half of it, including signed forms and files being sent', async () => {
    let freeBytes = 1_000_000;
    const folder = path.join(rig.folder, 'floor');
    const tight = await openDiskRig({
      folder,
      freeSpace: { bytes: 500_000, percent: 0, mostPercent: 100 },
      statDisk: async () => ({ bavail: freeBytes, blocks: 4_000_000, bsize: 1 }),
    });
    const sign = () =>
      tight.storage.signUpload({
        key: `uploads/1/2/${randomBytes(4).toString('hex')}.jpg`,
        contentType: 'image/jpeg',
        maxBytes: 200_000,
        expiresAt: new Date(Date.now() + 60_000),
        origin: tight.origin,
      });
    try {
      const early = await sign();
      expect(await tight.storage.hasSpace()).toBe(true);
      freeBytes = 899_999;
      expect(await problemOf(sign())).toBe('storage_full');
      freeBytes = 699_999;
      const answer = await postForm(early.url, formEntries(early, jpegBlob(1_000)));
      expect([answer.status, answer.element('Code')]).toEqual([507, 'InsufficientStorage']);
      freeBytes = 499_999;
      expect(await tight.storage.hasSpace()).toBe(false);
      expect(await problemOf(tight.storage.put('renditions/a.jpg', randomBytes(1_000), JPEG))).toBeNull();
      freeBytes = 250_000;
      expect(
        await problemOf(tight.storage.put('renditions/b.jpg', randomBytes(1_000), { ...JPEG, bytes: 1_000 })),
      ).toBe('storage_full');
      freeBytes = 1_000_000;
      const later = await tight.storage.signUpload({
        key: 'uploads/1/2/later.jpg',
        contentType: 'image/jpeg',
        maxBytes: 250_000,
        expiresAt: new Date(Date.now() + 60_000),
        origin: tight.origin,
      });
      expect((await postForm(later.url, formEntries(later, jpegBlob(1_000)))).status).toBe(201);
      const pieces = async function* () {
        yield randomBytes(900_000);
        freeBytes = 1;
        yield randomBytes(900_000);
      };
      const form = { key: 'uploads/1/2/way.jpg', contentType: 'image/jpeg', minBytes: 1, maxBytes: 2_000_000 };
      expect(await problemOf(tight.storage.uploads.stage(form, pieces(), 0))).toBe('storage_full');
      expect(await readdir(path.join(folder, '.incoming'))).toEqual([]);
    } finally {
      await tight.close();
    }
  });

  test.each([
    ['5 % of a large disk', 100e12, { bytes: 1e9, percent: 5, mostPercent: 25 }, 5e12],
    ['1 GB of a usual one', 15e9, { bytes: 1e9, percent: 5, mostPercent: 25 }, 1e9],
    ['a quarter of a small one', 300e6, { bytes: 1e9, percent: 5, mostPercent: 25 }, 75e6],
    ['what the operator says', 300e6, { bytes: 200e6, percent: 5, mostPercent: 100 }, 200e6],
  ])('has a limit of %s', (_name, totalBytes, rule, expected) => expect(minimumOf(totalBytes, rule)).toBe(expected));

  test('reports a missing folder as unavailable, not as empty', async () => {
    const away = await openDiskRig();
    await away.close();
    expect(await problemOf(away.storage.check())).toBe('unavailable');
    expect(await problemOf(away.storage.put(KEY, Buffer.from('x'), JPEG))).toBe('unavailable');
  });

  test('deletes at its start what dead processes left, and nothing of running ones', async () => {
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

  test('shares the file of a copy with its source where links are possible', async () => {
    await rig.storage.put(KEY, randomBytes(1000), JPEG);
    await rig.storage.copy(KEY, 'originals/ab/c.jpg');
    const inode = async (key: string) => (await stat(path.join(rig.folder, key))).ino;
    expect(await inode('originals/ab/c.jpg')).toBe(await inode(KEY));
    expect(await incoming()).toEqual([]);
  });

  test('does not list hidden files, foreign links and folders without objects', async () => {
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
  ])('accepts a Location on %j', (origin) => {
    expect(rig.storage.keyOfLocation(`${origin}/storage/${KEY}`)).toBe(KEY);
  });

  test.each([
    'http://sideline.localhost.example.com',
    'http://notsideline.example',
    'ftp://www.sideline.localhost',
    '//www.sideline.localhost',
    'http://me@www.sideline.localhost',
  ])('refuses a Location on %j', (origin) => {
    expect(rig.storage.keyOfLocation(`${origin}/storage/${KEY}`)).toBeNull();
  });
});
