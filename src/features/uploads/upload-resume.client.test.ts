/** How uploads resume: waiting for network and session, stored uploads, and photos that are already in the gallery. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import type { Delivery, Sending, Progress, Refusal } from '#src/features/uploads/send-photo.client.ts';
import type { Inspected } from '#src/features/uploads/upload-inspection.client.ts';
import type { Adopted, UploadKeeper, UploadFacts } from '#src/features/uploads/upload-keeper.client.ts';
import { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import {
  ALREADY_HERE,
  CHOSEN_AGAIN,
  KEEPS_NOTHING,
  LONGEST_WAIT_SECONDS,
  NOT_KEPT,
} from '#src/features/uploads/upload-tray.contract.ts';

type Trip = { parcel: Sending; progress: Progress; answer: (delivery: Delivery) => void };

const DELIVERED: Delivery = { delivered: true, photo: null };
const away = (hold: 'network' | 'session', seconds: number | null = null): Refusal => ({
  delivered: false,
  problem: 'Away.',
  retryAfterSeconds: seconds,
  final: false,
  concernsAll: false,
  hold,
});

let trips: Trip[];
let queue: UploadQueue;
let kept: Map<string, { upload: UploadFacts; file: File | null }>;
let keeper: UploadKeeper;
let known: (file: File) => Inspected;
beforeEach(() => {
  vi.useFakeTimers();
  trips = [];
  kept = new Map();
  known = () => ({ sha256: null, isKnown: false, refusal: null });
  let batches = 0;
  queue = new UploadQueue(
    (parcel, progress) =>
      new Promise((resolve, reject) => {
        trips.push({ parcel, progress, answer: resolve });
        progress.signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      }),
    { newBatch: () => `batch-${++batches}`, inspect: async (_gallery, files) => files.map((file) => known(file)) },
  );
  keeper = {
    add: (uploads) => {
      for (const { upload, file } of uploads)
        kept.set(upload.id, { upload, file: file ?? kept.get(upload.id)?.file ?? null });
    },
    change: async (upload) => void kept.set(upload.id, { upload, file: kept.get(upload.id)?.file ?? null }),
    finish: (upload) => void kept.set(upload.id, { upload: { ...upload, isUp: true }, file: null }),
    drop: (id) => void kept.delete(id),
    trouble: () => null,
  };
  queue.storeIn(keeper);
});
afterEach(() => vi.useRealTimers());

const files = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => new File([new Uint8Array(100)], `p${index}.jpg`, { type: 'image/jpeg', lastModified: index }),
  );
const settle = (ms = 250) => vi.advanceTimersByTimeAsync(ms);
async function add(chosen: File[]): Promise<void> {
  queue.add({ galleryId: 1, affiliateId: 9, files: chosen, upgradePath: '/hawks/upgrade-account' });
  await settle();
}
async function answer(index: number, delivery: Delivery): Promise<void> {
  trips[index]?.answer(delivery);
  await settle();
}
const stages = () =>
  queue
    .summary()
    .ids.toSorted((one, other) => one - other)
    .map((id) => queue.row(id)?.stage);
/** As another window finds it: stored uploads, adopted by a new queue. */
const asFound = (): Adopted[] =>
  [...kept.values()].map(({ upload, file }) => ({ upload: { ...upload, owner: 1, window: 'gone', keptAt: 0 }, file }));

describe('while the network is lost', () => {
  test('everything waits, one photo tries for all with growing pauses, and all continue when it is back', async () => {
    await add(files(6));
    for (const index of [0, 1, 2]) await answer(index, away('network'));
    expect(stages()).toEqual(Array(6).fill('waiting'));
    expect(queue.summary().hold).toBe('network');
    expect(trips).toHaveLength(3);
    for (let tries = 1; tries <= 12; tries++) {
      await settle(LONGEST_WAIT_SECONDS * 1_000);
      expect(trips).toHaveLength(3 + tries);
      await answer(2 + tries, away('network'));
    }
    // However long it took, nothing has failed.
    await settle(LONGEST_WAIT_SECONDS * 1_000);
    await trips.at(-1)?.progress.onKey('uploads/9/1/a.jpg');
    await settle();
    expect(queue.summary().hold).toBeNull();
    expect(stages()).toEqual(['sending', 'sending', 'sending', 'waiting', 'waiting', 'waiting']);
  });

  test('the browser’s own events stop and start it; a time in the server’s response is respected', async () => {
    queue.offline();
    await add(files(2));
    expect(trips).toHaveLength(0);
    queue.tryAgain();
    expect(trips).toHaveLength(2);
    await answer(0, away('network', 60));
    await answer(1, away('network', 60));
    await settle(50_000);
    expect(trips).toHaveLength(2);
    await settle(11_000);
    expect(trips).toHaveLength(3);
  });
});

test('an ended session pauses uploads, which continue after a login', async () => {
  await add(files(2));
  await answer(0, away('session'));
  await answer(1, away('session'));
  await settle(3_600_000);
  expect(trips).toHaveLength(2);
  expect(queue.summary()).toMatchObject({ hold: 'session', counts: { waiting: 2, failed: 0 } });
  queue.tryAgain();
  expect(trips).toHaveLength(4);
});

describe('the stored queue', () => {
  test('has each photo with its batch, its key before it is sent, and nothing of uploaded ones', async () => {
    await add(files(2));
    expect([...kept.values()].map(({ upload }) => [upload.name, upload.batch, upload.key])).toEqual([
      ['p0.jpg', 'batch-1', null],
      ['p1.jpg', 'batch-1', null],
    ]);
    await trips[0]?.progress.onKey('uploads/9/1/a.jpg');
    expect([...kept.values()][0]?.upload.key).toBe('uploads/9/1/a.jpg');
    await answer(0, DELIVERED);
    queue.remove(2);
    expect(kept.size).toBe(0);
  });

  test('is resumed by the next page: in its batch and order, claimed by its key, with no attempts counted', async () => {
    await add(files(3));
    await trips[1]?.progress.onKey('uploads/9/1/b.jpg');
    const found = asFound();
    kept.clear();
    const next = new UploadQueue(
      async (parcel, progress) => new Promise((resolve) => trips.push({ parcel, progress, answer: resolve })),
    );
    trips = [];
    next.storeIn(keeper);
    next.restore(found);
    next.restore(found);
    expect(trips.map(({ parcel }) => [parcel.name, parcel.batch, parcel.key, parcel.file?.size])).toEqual([
      ['p0.jpg', 'batch-1', null, 100],
      ['p1.jpg', 'batch-1', 'uploads/9/1/b.jpg', 100],
      ['p2.jpg', 'batch-1', null, 100],
    ]);
    expect(kept.size).toBe(3);
  });

  test('counts what was uploaded before the reload, until all are', async () => {
    await add(files(3));
    await answer(0, DELIVERED);
    const found = asFound();
    expect(found.map(({ upload, file }) => [upload.name, upload.isUp === true, file === null])).toEqual([
      ['p0.jpg', true, true],
      ['p1.jpg', false, false],
      ['p2.jpg', false, false],
    ]);
    trips = [];
    const next = new UploadQueue(
      (parcel, progress) => new Promise((resolve) => trips.push({ parcel, progress, answer: resolve })),
    );
    next.storeIn(keeper);
    next.restore(found);
    expect(next.summary().counts).toMatchObject({ added: 1, sending: 2 });
    await answer(0, DELIVERED);
    await answer(1, DELIVERED);
    expect(next.summary().counts).toMatchObject({ added: 3, waiting: 0, sending: 0 });
    expect(kept.size).toBe(0);
  });

  test('counts what was uploaded before the browser opened its store', async () => {
    queue.storeIn(null);
    await add(files(3));
    await answer(0, DELIVERED);
    queue.storeIn(keeper);
    const isUpOf = Object.fromEntries(asFound().map(({ upload }) => [upload.name, upload.isUp === true]));
    expect(isUpOf).toEqual({ 'p0.jpg': true, 'p1.jpg': false, 'p2.jpg': false });
  });

  test('of a finished run is dropped by the next page', async () => {
    await add(files(2));
    await answer(0, DELIVERED);
    const found = asFound().slice(0, 1);
    const next = new UploadQueue(() => new Promise(() => undefined));
    next.storeIn(keeper);
    next.restore(found);
    expect(next.summary().ids).toEqual([]);
    expect(kept.has(found[0]?.upload.id ?? '')).toBe(false);
  });

  test('reports a photo without its file as lost, until the same file is chosen again and takes its position', async () => {
    const chosen = files(2);
    await add(chosen);
    const found = asFound().map((adopted) => ({ ...adopted, file: null }));
    queue.cancelAll();
    trips = [];
    queue.restore(found);
    await settle();
    expect(stages()).toEqual(['refused', 'refused']);
    expect(queue.row(queue.summary().ids[0] ?? 0)?.problem).toBe(NOT_KEPT);
    await add(chosen.slice(0, 1));
    expect(trips.map(({ parcel }) => [parcel.name, parcel.batch])).toEqual([['p0.jpg', 'batch-1']]);
    expect(stages()).toEqual(['sending', 'refused']);
  });

  test('is reported as empty if the browser stores nothing', async () => {
    queue.storeIn(null, KEEPS_NOTHING);
    expect(queue.summary().keepingTrouble).toBe(KEEPS_NOTHING);
    await add(files(1));
    await answer(0, DELIVERED);
    expect(stages()).toEqual(['added']);
  });
});

describe('photos that are already in the gallery', () => {
  beforeEach(() => {
    known = (file) => ({
      sha256: file.name === 'p3.jpg' ? 'hash of p2.jpg' : `hash of ${file.name}`,
      isKnown: file.name === 'p1.jpg',
      refusal: null,
    });
  });

  test('are skipped while the others continue, and not checked again after a reload', async () => {
    await add(files(4));
    expect(stages()).toEqual(['sending', 'known', 'sending', 'known']);
    expect([2, 4].map((id) => queue.row(id)?.problem)).toEqual([ALREADY_HERE, CHOSEN_AGAIN]);
    expect([...kept.values()].map(({ upload }) => upload.name)).toEqual(['p0.jpg', 'p2.jpg']);
  });

  test('are uploaded again on request, also after a reload', async () => {
    await add(files(2));
    queue.insistAll();
    expect(stages()).toEqual(['sending', 'sending']);
    expect([...kept.values()].map(({ upload }) => upload.insists)).toEqual([false, true]);
  });

  test('take no place in a gallery that is nearly full, nor do refused files', async () => {
    known = (file) => ({
      sha256: `hash of ${file.name}`,
      isKnown: Number(/\d+/.exec(file.name)?.[0]) < 324,
      refusal: file.name === 'p400.jpg' ? 'Damaged.' : null,
    });
    queue.add({ galleryId: 1, affiliateId: 9, files: files(502), photosLeft: 176 });
    await settle(2_000);
    expect(queue.summary().counts).toMatchObject({ known: 324, waiting: 173, sending: 3, refused: 1, failed: 1 });
    expect(queue.summary().troubled.map(({ name, problem }) => [name, problem])).toEqual([
      ['p400.jpg', 'Damaged.'],
      ['p501.jpg', UPGRADE_FOR_MORE_PHOTOS],
    ]);
  });

  test('are found even if the server says meanwhile that the gallery is full', async () => {
    known = (file) => ({ sha256: file.name, isKnown: file.name === 'p9.jpg', refusal: null });
    queue.add({ galleryId: 1, affiliateId: 9, files: files(10) });
    await vi.advanceTimersByTimeAsync(0);
    await answer(0, { ...away('network'), hold: undefined, problem: 'Full.', concernsAll: true } as unknown as Refusal);
    expect(queue.row(10)?.stage).toBe('known');
    expect(queue.row(9)).toMatchObject({ stage: 'failed', problem: 'Full.' });
  });

  test('may be chosen again after their first upload was canceled', async () => {
    known = () => ({ sha256: 'same', isKnown: false, refusal: null });
    await add(files(1));
    queue.remove(1);
    await add(files(1));
    expect(stages()).toEqual(['sending']);
  });
});
