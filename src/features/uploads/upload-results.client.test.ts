import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import { followResults, POLL_EVERY_MS } from '#src/features/uploads/upload-results.client.ts';
import { endOf } from '#src/features/uploads/upload-summary.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

type Fact = { id: number; status: string; problem: string | null };
const DAMAGED = 'This image is damaged.';
let facts: Fact[];
let asked: string[];
let status: number;
let queue: UploadQueue;
let files: File[];

beforeEach(async () => {
  vi.useFakeTimers();
  [facts, asked, status] = [[], [], 200];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json({ photos: facts }, { status }));
  });
  let lastId = 10;
  queue = new UploadQueue(() => Promise.resolve({ delivered: true, photo: { id: ++lastId } as PhotoAnswer }));
  followResults(queue);
  files = ['goal.jpg', 'cut.jpg'].map((name) => new File(['x'], name, { type: 'image/jpeg' }));
  queue.add({ galleryId: 7, affiliateId: 9, files });
  await vi.advanceTimersByTimeAsync(1_000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const look = async (...now: [id: number, status: string][]) => {
  facts = now.map(([id, is]) => ({ id, status: is, problem: is === 'failed' ? DAMAGED : null }));
  await vi.advanceTimersByTimeAsync(POLL_EVERY_MS);
};

test('a photo that turns out to be damaged is no longer counted as one that is in, and is named', async () => {
  expect(endOf(queue.summary())).toEqual({ headline: '2 photos are in', details: [] });
  await look([11, 'ready'], [12, 'processing']);
  await look([12, 'failed']);
  expect(asked).toEqual(['/api/v1/galleries/7/photo_facts?ids=11%2C12', '/api/v1/galleries/7/photo_facts?ids=12']);
  expect(endOf(queue.summary())).toEqual({
    headline: '1 photo is in',
    details: [`1 not uploaded: cut.jpg. ${DAMAGED}`],
  });
});

test('the file of a photo that could not be processed can be uploaded again, and the others are skipped', async () => {
  await look([11, 'ready'], [12, 'failed']);
  queue.add({ galleryId: 7, affiliateId: 9, files });
  await vi.advanceTimersByTimeAsync(1_000);
  const again = queue.summary().ids.filter((id) => id > 2);
  expect(again.map((id) => queue.row(id)).map((row) => [row?.name, row?.stage])).toEqual(
    expect.arrayContaining([
      ['goal.jpg', 'known'],
      ['cut.jpg', 'added'],
    ]),
  );
});

test('no one asks any more once each photo is ready, or was removed', async () => {
  await look([11, 'ready']);
  await look();
  expect([asked.length, endOf(queue.summary()).headline]).toEqual([1, '2 photos are in']);
});

test.each([
  [503, 3],
  [0, 3],
  [401, 1],
  [404, 1],
])('after an answer of %d it asks %d times in nine seconds', async (answer, times) => {
  status = answer === 0 ? 503 : answer;
  if (answer === 0)
    vi.stubGlobal('fetch', (path: string) => {
      asked.push(path);
      return Promise.reject(new TypeError('offline'));
    });
  for (let wait = 0; wait < 3; wait++) await look([11, 'processing']);
  expect(asked).toHaveLength(times);
});
