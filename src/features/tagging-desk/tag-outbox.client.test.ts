import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TagOutbox, type Batch, type Sent } from '#src/features/tagging-desk/tag-outbox.client.ts';
import { memoryStore, type TagStore, type Work } from '#src/features/tagging-desk/tag-store.client.ts';
import { KEEPS_NO_TAGS, SIGN_IN_AGAIN } from '#src/features/tagging-desk/tagging-desk.contract.ts';

const GALLERY = 7;
const tag = (photoId: number, number = '10'): Work => ({
  kind: 'tags',
  photo_ids: [photoId],
  add: [{ team_id: 1, number }],
  remove: [],
  how: 'hand',
});
const untag = (photoId: number): Work => ({
  kind: 'tags',
  photo_ids: [photoId],
  add: [],
  remove: [{ team_id: 1, number: '10' }],
  how: 'hand',
});
const SAVED: Sent = { is: 'saved', hidden: [], held: [], shown: [], refused: [] };
const UNREACHABLE: Sent = { is: 'unreachable', afterMs: null };

/** A server that gives these answers, then accepts everything, and counts a key once. */
function server(answers: Sent[] = []) {
  const batches: Batch[] = [];
  const keys = new Set<string>();
  const stored: Work[] = [];
  return {
    batches,
    stored,
    photos: () => stored.flatMap((work) => work.photo_ids),
    async send(batch: Batch): Promise<Sent> {
      batches.push(batch);
      const answer = answers.shift() ?? SAVED;
      // The answer was lost on the way, but the server has it.
      const isTaken = answer.is === 'saved' || (answer.is === 'unreachable' && answer.afterMs === 1);
      if (isTaken && !keys.has(batch.clientKey)) {
        keys.add(batch.clientKey);
        stored.push(...batch.work);
      }
      return answer;
    },
  };
}

let lastKey = 0;
const outboxOf = (send: (batch: Batch) => Promise<Sent>, store: TagStore | null = memoryStore(), owner = 1) =>
  new TagOutbox({ owner, send, store: Promise.resolve(store), newKey: () => `key-${++lastKey}` });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('tags in the outbox', () => {
  test('are sent together each second', async () => {
    const { send, batches, photos } = server();
    const outbox = outboxOf(send);
    await pass(10);
    for (const id of [1, 2, 3]) outbox.add(GALLERY, [tag(id)]);
    expect(outbox.state().waiting).toBe(3);
    await pass(900);
    expect(batches).toHaveLength(0);
    await pass(200);
    expect(batches).toHaveLength(1);
    expect(photos()).toEqual([1, 2, 3]);
    expect(outbox.state()).toEqual({ waiting: 0, isOffline: false, trouble: null });
  });

  test('are sent immediately when fifty wait, in batches of fifty', async () => {
    const { send, batches, photos } = server();
    const outbox = outboxOf(send);
    for (let id = 1; id <= 120; id += 1) outbox.add(GALLERY, [tag(id)]);
    await pass(5);
    expect(batches.map(({ work }) => work.length)).toEqual([50, 50]);
    await pass(1_000);
    expect(photos()).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
  });

  test('stay in the order of typing, including undo, one batch at a time', async () => {
    const { send, stored } = server();
    const slow = async (batch: Batch) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return send(batch);
    };
    const outbox = outboxOf(slow);
    const typed: Work[] = [
      tag(1),
      untag(1),
      { kind: 'shown', photo_ids: [2], isShown: false },
      tag(1),
      untag(1),
      tag(2),
    ];
    for (const work of typed) {
      outbox.add(GALLERY, [work]);
      await pass(400);
    }
    await pass(10_000);
    expect(stored).toEqual(typed);
  });

  test('of two galleries or two kinds are sent separately', async () => {
    const { send, batches } = server();
    const outbox = outboxOf(send);
    outbox.add(GALLERY, [tag(1), { kind: 'shown', photo_ids: [2], isShown: false }]);
    outbox.add(8, [tag(3)]);
    await pass(1_100);
    expect(batches.map(({ galleryId, work }) => [galleryId, work[0]?.kind])).toEqual([
      [GALLERY, 'tags'],
      [GALLERY, 'shown'],
      [8, 'tags'],
    ]);
  });

  test('wait while the server is unreachable, and are sent with the same key', async () => {
    const { send, batches, photos } = server([UNREACHABLE, UNREACHABLE]);
    const outbox = outboxOf(send);
    outbox.add(GALLERY, [tag(1)]);
    await pass(1_100);
    outbox.add(GALLERY, [tag(2)]);
    expect(outbox.state()).toMatchObject({ waiting: 2, isOffline: true });
    await pass(10_000);
    expect(photos()).toEqual([1, 2]);
    expect(new Set(batches.slice(0, 3).map(({ clientKey }) => clientKey)).size).toBe(1);
    expect(outbox.state()).toEqual({ waiting: 0, isOffline: false, trouble: null });
  });

  test('count once when only the answer was lost', async () => {
    const { send, batches, stored } = server([{ is: 'unreachable', afterMs: 1 }]);
    const outbox = outboxOf(send);
    outbox.add(GALLERY, [tag(1), tag(2)]);
    await pass(5_000);
    expect(batches).toHaveLength(2);
    expect(stored).toHaveLength(2);
  });

  test('are sent immediately when the network is back', async () => {
    const { send, photos } = server([UNREACHABLE, UNREACHABLE, UNREACHABLE]);
    const outbox = outboxOf(send);
    outbox.add(GALLERY, [tag(1)]);
    await pass(4_500);
    expect(photos()).toEqual([]);
    outbox.tryNow();
    await pass(5);
    expect(photos()).toEqual([1]);
  });

  test('wait for a login', async () => {
    const { send, photos } = server([{ is: 'signed out' }]);
    const outbox = outboxOf(send);
    outbox.add(GALLERY, [tag(1)]);
    await pass(1_100);
    expect(outbox.state()).toMatchObject({ waiting: 1, trouble: SIGN_IN_AGAIN });
    await pass(10_000);
    expect(photos()).toEqual([1]);
    expect(outbox.state().trouble).toBeNull();
  });

  test('that are refused do not delay the others', async () => {
    const { send, photos } = server();
    const answered: number[] = [];
    const outbox = outboxOf((batch) =>
      batch.work.some(({ photo_ids: [id] }) => id === 2)
        ? Promise.resolve({ is: 'refused', error: 'Unknown photo.' })
        : send(batch),
    );
    outbox.watchAnswers(({ sent, batch }) => {
      if (sent.is === 'refused') answered.push(...batch.work.flatMap(({ photo_ids: ids }) => ids));
    });
    for (const id of [1, 2, 3]) outbox.add(GALLERY, [tag(id)]);
    await pass(3_000);
    expect([photos(), answered, outbox.state().waiting]).toEqual([[1, 3], [2], 0]);
  });
});

describe('a window that closes', () => {
  test('leaves its tags to the next one, in order and with their key', async () => {
    const store = memoryStore();
    const lost = server([{ is: 'unreachable', afterMs: 1 }]);
    const first = outboxOf(lost.send, store);
    first.add(GALLERY, [tag(1), tag(2)]);
    await pass(1_005);
    first.add(GALLERY, [tag(3)]);
    await pass(1);
    first.stop();
    const second = outboxOf(lost.send, store);
    await pass(2_000);
    expect(lost.photos()).toEqual([1, 2, 3]);
    expect(second.state().waiting).toBe(0);
  });

  test('leaves nothing to another user', async () => {
    const store = memoryStore();
    const first = outboxOf(() => new Promise(() => undefined), store, 1);
    first.add(GALLERY, [tag(1)]);
    await pass(1_500);
    const { send, batches } = server();
    const second = outboxOf(send, store, 2);
    await pass(5_000);
    expect([batches.length, second.state().waiting, (await store.list(1)).length]).toEqual([0, 0, 1]);
  });
});

test('reports that the browser stores nothing, and still sends', async () => {
  const { send, photos } = server();
  const outbox = outboxOf(send, null);
  outbox.add(GALLERY, [tag(1)]);
  await pass(1_100);
  expect(outbox.state().trouble).toBe(KEEPS_NO_TAGS);
  expect(photos()).toEqual([1]);
});

test('continues in memory when the browser has no space left', async () => {
  const { send, photos } = server();
  const full = { ...memoryStore(), add: () => Promise.reject(new DOMException('', 'QuotaExceededError')) };
  const outbox = outboxOf(send, full);
  outbox.add(GALLERY, [tag(1)]);
  await pass(1_100);
  expect(photos()).toEqual([1]);
  expect(outbox.state()).toEqual({ waiting: 0, isOffline: false, trouble: KEEPS_NO_TAGS });
});
