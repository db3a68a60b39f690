import { describe, expect, test } from 'vitest';
import { createCdn, purgeCdnJob } from '#src/platform/cdn/cdn.ts';
import { deriveKey } from '#src/platform/secrets.ts';

const NOON = Date.parse('2026-05-09T12:00:00Z');
const KEY = deriveKey('a secret of the tests', 'public pictures');
const PICTURE = { galleryId: 12, photoId: 34, version: '3.m' };
const PURGE = { url: 'https://cdn.example/purge', token: 't', reachesPrivate: false };

function cdnAt(ms: number, { key = KEY, seconds = 300 } = {}) {
  const queued: unknown[] = [];
  const cdn = createCdn({
    settings: { origin: 'https://pictures.example', seconds, purge: PURGE },
    key,
    clock: { now: () => new Date(ms) },
    jobs: { enqueue: async (_tx, job, payload, options = {}) => void queued.push([job.name, payload, options]) },
  });
  return { cdn, queued };
}

const addressAt = (ms: number, seconds = 300) => cdnAt(ms, { seconds }).cdn.addressOf(PICTURE) ?? '';
const sealOf = (address: string) => address.split('/').at(-2) ?? '';
const SEAL = sealOf(addressAt(NOON));
const [UNTIL = '', SIGNATURE = ''] = SEAL.split('.');

describe('a signed address', () => {
  test('is the same for everyone for half of its lifetime, and then changes', () => {
    expect(addressAt(NOON + 149_000)).toBe(addressAt(NOON));
    expect(addressAt(NOON + 150_000)).not.toBe(addressAt(NOON));
  });

  test.each([240, 300, 3_600, 86_400])(
    'of %d seconds is valid at most that long, and at least half of it',
    (seconds) => {
      for (let ms = NOON; ms < NOON + 1_000 * seconds; ms += 26_700 * (seconds / 1000)) {
        const left = cdnAt(ms).cdn.secondsLeft(PICTURE, sealOf(addressAt(ms, seconds))) ?? 0;
        expect(left).toBeLessThanOrEqual(seconds);
        // Pages are cached for 30 seconds, and lists on them for 60.
        expect(left).toBeGreaterThan(Math.max(90, seconds / 2 - 1));
      }
    },
  );

  test.each([
    ['is ours', PICTURE, SEAL, 300],
    ['is of another photo', { ...PICTURE, photoId: 35 }, SEAL, null],
    ['is of a neighbor’s gallery', { ...PICTURE, galleryId: 13 }, SEAL, null],
    ['is of the clean version', { ...PICTURE, version: '3.c' }, SEAL, null],
    ['is of other pixels', { ...PICTURE, version: '4.m' }, SEAL, null],
    ['is of joined numbers', { galleryId: 1, photoId: 234, version: '3.m' }, SEAL, null],
    ['ends later', PICTURE, `${Number(UNTIL) + 1}.${SIGNATURE}`, null],
    ['ends with a zero before', PICTURE, `0${UNTIL}.${SIGNATURE}`, null],
    ['is cut', PICTURE, SEAL.slice(0, -1), null],
    ['has one letter changed', PICTURE, `${UNTIL}.${SIGNATURE.startsWith('A') ? 'B' : 'A'}${SIGNATURE.slice(1)}`, null],
    ['has no signature', PICTURE, UNTIL, null],
    ['is empty', PICTURE, '', null],
  ])('is valid or not: %s', (_which, picture, seal, left) => {
    expect(cdnAt(NOON).cdn.secondsLeft(picture, seal)).toBe(left);
  });

  test('expires, and is then still recognized as ours', () => {
    expect(cdnAt(NOON + 299_000).cdn.secondsLeft(PICTURE, SEAL)).toBe(1);
    expect(cdnAt(NOON + 300_000).cdn.secondsLeft(PICTURE, SEAL)).toBe(0);
    expect(cdnAt(NOON + 86_400_000).cdn.secondsLeft(PICTURE, SEAL)).toBe(0);
  });

  test('of another installation is not valid', () => {
    const other = cdnAt(NOON, { key: deriveKey('another secret', 'public pictures') });
    expect(other.cdn.secondsLeft(PICTURE, SEAL)).toBeNull();
  });
});

describe('purging', () => {
  test('is queued twice: for now, and for copies that were on their way to the CDN', async () => {
    const { cdn, queued } = cdnAt(NOON);
    await cdn.requestPurgeOf(null as never, 12, [34, 35]);
    const payload = { tags: ['photo-34', 'photo-35'] };
    expect(queued).toEqual([
      [purgeCdnJob.name, payload, {}],
      [purgeCdnJob.name, payload, { startAfterSeconds: 10 }],
    ]);
  });

  test('of many photos purges their gallery, and of none purges nothing', async () => {
    const { cdn, queued } = cdnAt(NOON);
    const photos = Array.from({ length: 31 }, (_, id) => id);
    await cdn.requestPurgeOf(null as never, 12, photos);
    await cdn.requestPurgeOf(null as never, 12, []);
    expect(queued.map((job) => (job as unknown[])[1])).toEqual([{ tags: ['gallery-12'] }, { tags: ['gallery-12'] }]);
  });
});

test('without a CDN nothing is signed and nothing is queued', async () => {
  const jobs = { enqueue: () => Promise.reject(new Error('queued')) };
  const cdn = createCdn({ settings: null, key: KEY, clock: { now: () => new Date(NOON) }, jobs });
  expect([cdn.origin, cdn.addressOf(PICTURE)]).toEqual([null, null]);
  await cdn.requestPurge(null as never, ['photo-34']);
  await cdn.purge(['photo-34']);
});
