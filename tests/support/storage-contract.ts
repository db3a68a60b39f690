/** What every store must do: run against the disk driver and against a real S3 store. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mirrorObjects } from '#src/platform/backup/mirror-objects.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { openDiskRig, type StorageRig } from '#tests/support/storage-rig.ts';
import { testUploadForms } from '#tests/support/upload-contract.ts';
import { newUploadKey as newKey } from '#tests/support/upload-form.ts';

const JPEG = { contentType: 'image/jpeg' };

export function testStorageContract(name: string, open: () => Promise<StorageRig>): void {
  describe(`${name} storage`, () => {
    let rig: StorageRig;
    beforeAll(async () => {
      rig = await open();
    }, 120_000);
    afterAll(() => rig?.close(), 60_000);

    testObjects(() => rig.storage);
    testUploadForms(() => rig);
  });
}

function testObjects(store: () => Storage): void {
  const put = async (bytes: Uint8Array): Promise<string> => {
    const key = newKey();
    await store().put(key, bytes, JPEG);
    return key;
  };

  describe('objects', () => {
    test('what was put is there whole, with one version that stays', async () => {
      const bytes = randomBytes(400_000);
      const key = newKey();
      const stored = await store().put(key, bytes, { ...JPEG, bytes: bytes.length });
      expect(stored).toMatchObject({ key, bytes: bytes.length });
      const head = await store().head(key);
      expect(head).toMatchObject({ key, bytes: bytes.length, etag: stored.etag });
      expect(Math.abs(Date.now() - (head?.lastModified.getTime() ?? 0))).toBeLessThan(60_000);
      expect(await store().get(key)).toEqual(bytes);
      expect((await store().head(key))?.etag).toBe(stored.etag);
    });

    test('objects are copied into another store and back, only those that are not there', async () => {
      const other = await openDiskRig();
      try {
        const key = await put(randomBytes(300_000));
        await other.storage.put('gone/a.jpg', Buffer.from('only there'), JPEG);
        const gone: string[] = [];
        const first = await mirrorObjects(store(), other.storage, (only) => gone.push(only));
        expect(first.objects).toBeGreaterThan(0);
        expect(await mirrorObjects(store(), other.storage)).toEqual({ objects: 0, bytes: 0, damaged: [] });
        expect(gone).toEqual(['gone/a.jpg']);
        const bytes = await store().get(key);
        await store().remove(key);
        expect((await mirrorObjects(other.storage, store())).objects).toBe(2);
        expect(await store().get(key)).toEqual(bytes);
      } finally {
        await other.close();
      }
    });

    test('an object that is not what its name says is told, and not copied', async () => {
      const other = await openDiskRig();
      try {
        const key = `originals/00/${'0'.repeat(64)}.jpg`;
        await other.storage.put(key, Buffer.from('rotten'), JPEG);
        expect(await mirrorObjects(other.storage, store())).toEqual({ objects: 0, bytes: 0, damaged: [key] });
        expect(await store().head(key)).toBeNull();
      } finally {
        await other.close();
      }
    });

    test('a stream is stored as bytes are', async () => {
      const bytes = randomBytes(200_000);
      const key = newKey();
      await store().put(key, Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)]), JPEG);
      expect(await store().get(key)).toEqual(bytes);
    });

    test('a stream that breaks, or has not the length it was to have, stores nothing', async () => {
      const key = newKey();
      const broken = Readable.from(
        (function* () {
          yield randomBytes(1000);
          throw new Error('the source broke');
        })(),
      );
      await expect(store().put(key, broken, JPEG)).rejects.toThrow('the source broke');
      await expect(store().put(key, randomBytes(10), { ...JPEG, bytes: 11 })).rejects.toThrow('was to have 11 bytes');
      expect(await store().head(key)).toBeNull();
    });

    test('putting again replaces, with another version', async () => {
      const key = await put(Buffer.from('first'));
      const before = await store().head(key);
      await store().put(key, Buffer.from('other'), JPEG);
      expect(await store().get(key)).toEqual(Buffer.from('other'));
      expect((await store().head(key))?.etag).not.toBe(before?.etag);
    });

    test('what is not there is null, and removing it is fine', async () => {
      const key = newKey();
      expect([await store().head(key), await store().get(key), await store().stream(key)]).toEqual([null, null, null]);
      await store().remove(key);
      const there = await put(Buffer.from('x'));
      await store().remove(there);
      expect(await store().head(there)).toBeNull();
    });

    test('part of a key is no object', async () => {
      const key = await put(Buffer.from('x'));
      const parent = key.slice(0, key.lastIndexOf('/'));
      expect([await store().head(parent), await store().get(parent), await store().stream(parent)]).toEqual([
        null,
        null,
        null,
      ]);
    });

    test.each<[string, { start: number; end?: number }, number, number]>([
      ['the first byte', { start: 0, end: 0 }, 0, 1],
      ['the middle', { start: 100, end: 199 }, 100, 200],
      ['from a place to the end', { start: 150 }, 150, Infinity],
      ['beyond the end as far as it goes', { start: 150, end: 10_000_000 }, 150, Infinity],
    ])('a range is streamed: %s', async (_what, range, from, to) => {
      for (const size of [1000, 300_000]) {
        const bytes = randomBytes(size);
        const key = await put(bytes);
        const found = await store().stream(key, range);
        expect(found?.info).toMatchObject({ key, bytes: size, etag: (await store().head(key))?.etag });
        expect(await whole(found?.body)).toEqual(bytes.subarray(from, to));
      }
    });

    test('a range that begins behind the end is a RangeError', async () => {
      const key = await put(Buffer.from('12345'));
      await expect(store().stream(key, { start: 5 })).rejects.toThrow(RangeError);
    });

    test('a copy is made only of the version that was meant', async () => {
      for (const size of [10, 300_000]) {
        const bytes = randomBytes(size);
        const from = await put(bytes);
        const version = (await store().head(from))?.etag ?? '';
        const to = newKey();
        expect(await store().copy(from, to, { ifEtag: '"0123456789abcdef"' })).toBe(false);
        expect(await store().head(to)).toBeNull();
        expect(await store().copy(from, to, { ifEtag: version })).toBe(true);
        expect(sha256(await store().get(to))).toBe(sha256(bytes));
        await store().put(from, randomBytes(size), JPEG);
        expect(await store().copy(from, newKey(), { ifEtag: version })).toBe(false);
        expect(sha256(await store().get(to)), 'what comes to the source later does not reach the copy').toBe(
          sha256(bytes),
        );
        await store().remove(from);
        expect(sha256(await store().get(to))).toBe(sha256(bytes));
      }
    });

    test('a copy that races with a replacement is of the version that was meant, or is not made', async () => {
      const meant = Buffer.alloc(200_000, 'm');
      const later = Buffer.alloc(200_000, 'l');
      const outcomes = new Set<boolean>();
      for (let round = 0; round < 12; round++) {
        const from = await put(meant);
        const ifEtag = (await store().head(from))?.etag ?? '';
        const targets = Array.from({ length: 6 }, newKey);
        const replacement = round % 2 === 0 ? store().put(from, later, JPEG) : Promise.resolve();
        const made = await Promise.all(targets.map((to) => store().copy(from, to, { ifEtag })));
        await replacement;
        for (const [index, to] of targets.entries()) {
          const copied = await store().get(to);
          outcomes.add(made[index] ?? false);
          expect(copied === null ? null : copied.equals(meant)).toBe(made[index] ? true : null);
        }
      }
      expect(outcomes).toContain(true);
    });

    test('a copy replaces, may be made again, and needs a source', async () => {
      const from = await put(Buffer.from('new'));
      const to = await put(Buffer.from('old'));
      expect(await store().copy(from, to)).toBe(true);
      expect(await store().copy(from, to)).toBe(true);
      expect(await store().get(to)).toEqual(Buffer.from('new'));
      expect(await store().copy(newKey(), to)).toBe(false);
      expect(await store().get(to)).toEqual(Buffer.from('new'));
    });

    test('a listing has all objects below a prefix, in key order', async () => {
      const below = `renditions/${randomBytes(4).toString('hex')}`;
      const keys = ['a/2.jpg', 'a/10.jpg', 'a-b/1.jpg', 'a.b/1.jpg', 'ab.jpg', 'a0/1.jpg', 'b/c/d.jpg', 'b/cc.jpg'].map(
        (rest) => `${below}/${rest}`,
      );
      for (const key of keys) await store().put(key, Buffer.from(key), JPEG);
      const listed = async (prefix: string) => (await collected(store().list(prefix))).map(({ key }) => key);
      const inOrder = keys.toSorted();
      expect(await listed(`${below}/`)).toEqual(inOrder);
      expect(await listed(`${below}/a`)).toEqual(inOrder.filter((key) => key.startsWith(`${below}/a`)));
      expect(await listed(`${below}/b/c`)).toEqual(inOrder.filter((key) => key.startsWith(`${below}/b/c`)));
      expect(await listed(`${below}/b/c/`)).toEqual([`${below}/b/c/d.jpg`]);
      expect(await listed('renditions/nothing-here/')).toEqual([]);
      const [first] = await collected(store().list(`${below}/b/cc`));
      for (const prefix of ['../', '.incoming/', '/etc', 'a/../..', 'a//b'])
        expect(() => store().list(prefix)).toThrow(TypeError);
      expect(first).toMatchObject({
        bytes: Buffer.byteLength(`${below}/b/cc.jpg`),
        lastModified: expect.any(Date) as Date,
      });
    });

    test.each([
      '../escape.jpg',
      '/etc/passwd',
      'a//b.jpg',
      'a/../../b.jpg',
      './a.jpg',
      '.incoming/a',
      'a/.hidden',
      'A/b.jpg',
      'a\\b.jpg',
      'a/b\0.jpg',
      '',
      'a/',
      `a/${'b'.repeat(600)}`,
    ])('the key %j is refused by every call', async (key) => {
      await expect(store().put(key, Buffer.from('x'), JPEG)).rejects.toThrow(TypeError);
      const calls = [
        () => store().head(key),
        () => store().get(key),
        () => store().stream(key),
        () => store().remove(key),
        () => store().copy(key, newKey()),
        () => store().copy(newKey(), key),
      ];
      for (const call of calls) await expect((async () => call())()).rejects.toThrow(TypeError);
    });

    test.each([
      'https://example.com/storage/uploads/1/a.jpg',
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'uploads/1/a.jpg',
      '',
      'http://',
    ])('%j is not a valid Location', (location) => {
      expect(store().keyOfLocation(location)).toBeNull();
    });

    test('a Location with more to it than a key is not valid', () => {
      const location = store().locationOf('uploads/1/a.jpg', 'http://www.sideline.localhost:3000');
      expect(store().keyOfLocation(location)).toBe('uploads/1/a.jpg');
      expect(store().keyOfLocation(location.replace('uploads/1/a', 'uploads%2F1%2Fa'))).toBe('uploads/1/a.jpg');
      for (const odd of ['?x=1', '#x', '/', '%00', '%zz', '%2f..%2fb.jpg'])
        expect(store().keyOfLocation(`${location}${odd}`)).toBeNull();
      expect(store().keyOfLocation(location.replace('uploads/1', '%2e%2e/%2e%2e/etc'))).toBeNull();
      expect(store().keyOfLocation(location.replace('http://', 'http://user:word@'))).toBeNull();
    });

    test('the store answers when asked whether it is there', async () => {
      await expect(store().check()).resolves.toBeUndefined();
    });
  });
}

const sha256 = (bytes: Buffer | null) => bytes && createHash('sha256').update(bytes).digest('hex');

async function whole(body: Readable | undefined): Promise<Buffer> {
  return Buffer.concat(await collected<Buffer>(body ?? []));
}

async function collected<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
