import { describe, expect, test, vi } from 'vitest';
import { createBytesCache } from '#src/platform/storage/bytes-cache.ts';

const of = (size: number, fill = 'x') => Buffer.alloc(size, fill);
const give = (bytes: Buffer | null) => vi.fn(async () => bytes);

describe('the byte cache', () => {
  test('loads once and then answers from memory', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    const load = give(of(1000));
    expect(await cache.get('a', load)).toEqual(of(1000));
    expect(await cache.get('a', load)).toEqual(of(1000));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('shares one load between simultaneous callers', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const load = vi.fn(() => promise);
    const answers = Promise.all([cache.get('a', load), cache.get('a', load), cache.get('a', load)]);
    resolve(of(10));
    expect((await answers).map((bytes) => bytes?.length)).toEqual([10, 10, 10]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test.each<[string, number[], string[], string[]]>([
    ['all that fit stay', [10_000, 10_000, 10_000], [], ['a', 'b', 'c']],
    [
      'the longest unused goes first',
      Array.from({ length: 9 }, () => 11_000),
      [],
      ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
    ],
    [
      'what was just used stays',
      Array.from({ length: 9 }, () => 11_000),
      ['a'],
      ['a', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
    ],
  ])('%s', async (_what, sizes, usedBeforeTheLast, stay) => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    const keys = sizes.map((_size, index) => String.fromCharCode(97 + index));
    for (const [index, size] of sizes.entries()) {
      if (index === sizes.length - 1) for (const key of usedBeforeTheLast) await cache.get(key, give(null));
      await cache.get(keys[index] ?? '', give(of(size)));
    }
    const kept: string[] = [];
    for (const key of keys) {
      if (await cache.get(key, give(null))) kept.push(key);
    }
    expect(kept).toEqual(stay);
  });

  test('never holds more than its limit, and frees what it drops', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    const heldBytes = async () => {
      const held = await Promise.all(keys.map((key) => cache.get(key, give(null))));
      return held.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
    };
    for (const [index, key] of keys.entries()) await cache.get(key, give(of(1 + ((index * 7919) % 12_000))));
    expect(await heldBytes()).toBeGreaterThan(80_000);
    expect(await heldBytes()).toBeLessThanOrEqual(100_000);
    for (const key of keys) cache.forget(key);
    expect(await heldBytes()).toBe(0);
    for (const key of keys.slice(0, 9)) await cache.get(key, give(of(10_000)));
    expect(await heldBytes()).toBe(90_000);
  });

  test('drops all keys with a prefix', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    for (const key of ['one a', 'one b', 'two a']) await cache.get(key, give(of(3)));
    cache.forgetAll('one ');
    const held = await Promise.all(['one a', 'one b', 'two a'].map((key) => cache.get(key, give(null))));
    expect(held.map((bytes) => bytes?.length ?? null)).toEqual([null, null, 3]);
  });

  test('does not cache entries larger than an eighth', async () => {
    const cache = createBytesCache({ maxBytes: 80_000 });
    const load = give(of(10_001));
    expect((await cache.get('a', load))?.length).toBe(10_001);
    await cache.get('a', load);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('does not cache empty results and failures', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    expect(await cache.get('a', give(null))).toBeNull();
    await expect(cache.get('a', () => Promise.reject(new Error('the store is away')))).rejects.toThrow(
      'the store is away',
    );
    expect(await cache.get('a', give(of(3)))).toEqual(of(3));
  });

  test('returns but does not cache an entry that is dropped while it loads', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const asked = cache.get('a', () => promise);
    cache.forget('a');
    resolve(of(10, 'old'));
    expect(await asked).toEqual(of(10, 'old'));
    expect(await cache.get('a', give(of(10, 'new')))).toEqual(of(10, 'new'));
  });

  test('lets an entry that is dropped while it loads turn out to be missing', async () => {
    const cache = createBytesCache({ maxBytes: 100_000 });
    const { promise, resolve } = Promise.withResolvers<null>();
    const asked = cache.get('a', () => promise);
    cache.forget('a');
    resolve(null);
    expect(await asked).toBeNull();
  });
});
