import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Delivery, Sending, Progress } from '#src/features/uploads/send-photo.client.ts';
import { UploadQueue } from '#src/features/uploads/upload-queue.client.ts';
import {
  CHOSEN_TWICE,
  COUNTER_RESET_MS,
  NO_FOLDERS,
  PARALLEL_UPLOADS,
  UPLOAD_TRIES,
} from '#src/features/uploads/upload-tray.contract.ts';

type Trip = { parcel: Sending; progress: Progress; answer: (delivery: Delivery) => void };

const DELIVERED: Delivery = { delivered: true, photo: null };
const passing = (seconds: number | null): Delivery => ({
  delivered: false,
  problem: 'Not now.',
  retryAfterSeconds: seconds,
  final: false,
  concernsAll: false,
});
const FINAL: Delivery = {
  delivered: false,
  problem: 'No JPEG.',
  retryAfterSeconds: null,
  final: true,
  concernsAll: false,
};
const FULL: Delivery = {
  delivered: false,
  problem: 'Please Upgrade.',
  retryAfterSeconds: null,
  final: false,
  concernsAll: true,
};

let trips: Trip[];
let queue: UploadQueue;
let batches: number;
beforeEach(() => {
  vi.useFakeTimers();
  trips = [];
  batches = 0;
  queue = new UploadQueue(
    (parcel, progress) =>
      new Promise((resolve, reject) => {
        trips.push({ parcel, progress, answer: resolve });
        progress.signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      }),
    { newBatch: () => `batch-${++batches}` },
  );
});
afterEach(() => vi.useRealTimers());

const files = (count: number, prefix = 'p') =>
  Array.from(
    { length: count },
    (_, index) => new File([new Uint8Array(100)], `${prefix}${index}.jpg`, { type: 'image/jpeg', lastModified: index }),
  );
const add = (chosen: File[], galleryId = 1) => queue.add({ galleryId, affiliateId: 9, files: chosen });
/** In the order of choosing. */
const stages = () =>
  queue
    .summary()
    .ids.toSorted((one, other) => one - other)
    .map((id) => queue.row(id)?.stage);
const settle = () => vi.advanceTimersByTimeAsync(250);
async function answer(index: number, delivery: Delivery): Promise<void> {
  trips[index]?.answer(delivery);
  await settle();
}

describe('the upload queue', () => {
  test('sends three at a time, in the order of choosing, with one batch per drop', async () => {
    add(files(5));
    expect(stages()).toEqual(['sending', 'sending', 'sending', 'waiting', 'waiting']);
    expect(trips).toHaveLength(PARALLEL_UPLOADS);
    await answer(1, DELIVERED);
    expect(stages()).toEqual(['sending', 'added', 'sending', 'sending', 'waiting']);
    add(files(1, 'later'));
    for (const index of [0, 2, 3, 4, 5]) await answer(index, DELIVERED);
    expect(trips.map(({ parcel }) => parcel.batch)).toEqual([...Array(5).fill('batch-1'), 'batch-2']);
    expect(trips.map(({ parcel }) => parcel.name)).toEqual([
      'p0.jpg',
      'p1.jpg',
      'p2.jpg',
      'p3.jpg',
      'p4.jpg',
      'later0.jpg',
    ]);
  });

  test('keeps its count until photos are chosen again; three seconds after the last one, that starts a new count', async () => {
    const done: number[][] = [];
    queue.watchDone((...told) => done.push(told));
    add(files(2));
    await answer(0, DELIVERED);
    await vi.advanceTimersByTimeAsync(COUNTER_RESET_MS * 2);
    expect(queue.summary().counts.added).toBe(1);
    await answer(1, DELIVERED);
    expect(queue.summary().counts.added).toBe(2);
    // Specification A§9: files-done, once.
    expect(done).toEqual([[2, 0]]);
    add(files(1, 'soon'));
    await answer(2, DELIVERED);
    expect(queue.summary().counts.added).toBe(3);
    await vi.advanceTimersByTimeAsync(COUNTER_RESET_MS);
    expect(queue.summary().counts.added).toBe(3);
    add(files(1, 'later'));
    await answer(3, DELIVERED);
    expect(queue.summary().counts).toMatchObject({ added: 1, known: 0 });
    expect(done).toEqual([
      [2, 0],
      [3, 0],
      [1, 0],
    ]);
  });

  test('retries a temporary failure after the time in the server’s response, and gives up after some attempts', async () => {
    add(files(1));
    await answer(0, passing(5));
    expect(queue.row(1)).toMatchObject({ stage: 'waiting', problem: 'Not now.' });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(trips).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(trips).toHaveLength(2);
    for (let index = 1; index < UPLOAD_TRIES; index++) {
      await answer(index, passing(1));
      await vi.advanceTimersByTimeAsync(20_000);
    }
    expect(trips).toHaveLength(UPLOAD_TRIES);
    expect(queue.row(1)).toMatchObject({ stage: 'failed', problem: 'Not now.' });
    queue.retryAll();
    expect(trips).toHaveLength(UPLOAD_TRIES + 1);
    await answer(UPLOAD_TRIES, DELIVERED);
    expect(queue.row(1)?.stage).toBe('added');
  });

  test('is not blocked by one failed photo', async () => {
    add(files(4));
    await answer(0, FINAL);
    expect(stages()).toEqual(['refused', 'sending', 'sending', 'sending']);
    for (const index of [1, 2, 3]) await answer(index, DELIVERED);
    expect(queue.summary().counts).toMatchObject({ added: 3, refused: 1 });
    await vi.advanceTimersByTimeAsync(COUNTER_RESET_MS);
    add(files(1, 'later'));
    expect(stages()).toEqual(['refused', 'sending']);
    queue.retry(1);
    expect(queue.row(1)?.stage).toBe('refused');
  });

  test('shows first what needs attention, and knows where the work is', async () => {
    add(files(5));
    expect(queue.summary()).toMatchObject({ ids: [1, 2, 3, 4, 5], firstInWork: 0 });
    await answer(0, DELIVERED);
    await answer(2, FINAL);
    expect(queue.summary()).toMatchObject({ ids: [3, 1, 2, 4, 5], firstInWork: 2 });
    for (const index of [1, 3, 4]) await answer(index, DELIVERED);
    expect(queue.summary().firstInWork).toBe(-1);
  });

  test('asks once about a whole gallery, not for each photo; other galleries continue', async () => {
    add(files(5));
    add(files(2, 'other'), 2);
    await answer(0, FULL);
    expect(stages()).toEqual(['failed', 'sending', 'sending', 'failed', 'failed', 'sending', 'waiting']);
  });

  test('pauses and resumes without losing or doubling anything', async () => {
    add(files(4));
    trips[0]?.progress.onStored();
    queue.pause();
    expect(stages()).toEqual(['adding', 'waiting', 'waiting', 'waiting']);
    expect(trips[1]?.progress.signal.aborted).toBe(true);
    expect(trips[0]?.progress.signal.aborted).toBe(false);
    await answer(0, DELIVERED);
    expect(trips).toHaveLength(3);
    queue.resume();
    expect(trips.map(({ parcel }) => parcel.name)).toEqual([
      'p0.jpg',
      'p1.jpg',
      'p2.jpg',
      'p1.jpg',
      'p2.jpg',
      'p3.jpg',
    ]);
    // A late event of the aborted request changes nothing.
    trips[1]?.progress.onSent(100);
    expect(queue.row(2)?.sentBytes).toBe(0);
  });

  test('stops everything but what is already stored when it is canceled', async () => {
    add(files(5));
    trips[2]?.progress.onStored();
    queue.cancelAll();
    expect(stages()).toEqual(['adding']);
    expect(trips.slice(0, 2).every(({ progress }) => progress.signal.aborted)).toBe(true);
    expect(queue.isBusy()).toBe(true);
    await answer(2, DELIVERED);
    expect(queue.isBusy()).toBe(false);
    expect(trips).toHaveLength(3);
  });

  test('reports folders and files that were chosen twice, and sends the latter on request', async () => {
    const [first] = files(1);
    if (!first) throw new Error('no file');
    queue.add({ galleryId: 1, affiliateId: 9, files: [first, first], folders: ['Spring'] });
    expect([1, 2, 3].map((id) => queue.row(id)?.problem)).toEqual([NO_FOLDERS, null, CHOSEN_TWICE]);
    queue.retry(1);
    expect(queue.row(1)?.stage).toBe('refused');
    queue.retry(3);
    expect(stages()).toEqual(['refused', 'sending', 'sending']);
  });

  test('updates a row’s progress immediately, and the total a few times a second', async () => {
    add(files(300));
    let [rowCalls, otherCalls, summaryCalls] = [0, 0, 0];
    queue.watchRow(1, () => rowCalls++);
    queue.watchRow(2, () => otherCalls++);
    queue.watchSummary(() => summaryCalls++);
    for (let bytes = 1; bytes <= 50; bytes++) trips[0]?.progress.onSent(bytes);
    expect([rowCalls, otherCalls, summaryCalls]).toEqual([50, 0, 0]);
    await vi.advanceTimersByTimeAsync(250);
    expect([otherCalls, summaryCalls]).toEqual([0, 1]);
    expect(queue.summary()).toMatchObject({ bytes: 30_000, sentBytes: 50 });
  });
});
