/** The desk and its outbox together, as a fast typist uses them without a network: a clock instead of a browser. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeskPlayer } from '#src/features/tagging-desk/desk-model.rules.ts';
import { DeskSession } from '#src/features/tagging-desk/desk-session.client.ts';
import { TagOutbox, type Batch, type Sent } from '#src/features/tagging-desk/tag-outbox.client.ts';
import { memoryStore, type Work } from '#src/features/tagging-desk/tag-store.client.ts';
import { deskPhoto } from '#tests/support/desk-photo.ts';

const PHOTOS = 500;
const PLAYERS = 40;
const LINE_MS = 100;
const GALLERY = 7;

const players = Array.from({ length: PLAYERS }, (_, at): DeskPlayer => ({
  athleteId: 1_000 + at,
  name: `Player ${at}`,
  folded: `player ${at}`,
  teamId: 1,
  number: String(at),
  consent: 'yes',
}));
const photos = Array.from({ length: PHOTOS }, (_, at) => deskPhoto(at + 1));
const numberOf = (tag: { athlete_id: number } | { team_id: number; number: string }) =>
  'number' in tag ? tag.number : String(tag.athlete_id - 1_000);

/** A server that counts a batch once; while it is away, it may have taken the batch whose answer is lost. */
function distantServer() {
  const tags = new Map(photos.map(({ id }) => [id, new Set<string>()]));
  const keys = new Set<string>();
  let isAway = false;
  const take = (work: Work) => {
    if (work.kind !== 'tags') return;
    for (const id of work.photo_ids) {
      for (const tag of work.add) tags.get(id)?.add(numberOf(tag));
      for (const tag of work.remove) tags.get(id)?.delete(numberOf(tag));
    }
  };
  return {
    cut: () => (isAway = true),
    restore: () => (isAway = false),
    stored: () => [...tags.values()].map((numbers) => [...numbers].join(' ')),
    async send({ clientKey, work }: Batch): Promise<Sent> {
      const wasAway = isAway;
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (wasAway) return { is: 'unreachable', afterMs: null };
      if (!keys.has(clientKey)) work.forEach(take);
      keys.add(clientKey);
      return isAway
        ? { is: 'unreachable', afterMs: null }
        : { is: 'saved', hidden: [], held: [], shown: [], refused: [] };
    },
  };
}

function openDesk() {
  const server = distantServer();
  let lastKey = 0;
  const outbox = new TagOutbox({
    owner: 1,
    send: server.send,
    store: Promise.resolve(memoryStore()),
    newKey: () => `key-${++lastKey}`,
  });
  const session = new DeskSession({
    galleryId: GALLERY,
    roster: { teams: [{ id: 1, name: 'Hawks', shortName: 'Hawks' }], players },
    first: { photos, next: null, done: 0, total: PHOTOS },
    load: async () => ({ photos, next: null }),
    send: (galleryId, work) => outbox.add(galleryId, work),
  });
  const type = async (lines: readonly string[]) => {
    for (const line of lines) {
      session.type(line);
      session.enter(false);
      await vi.advanceTimersByTimeAsync(LINE_MS);
    }
  };
  const undo = (times: number) => {
    for (let undone = 0; undone < times; undone += 1) session.undo();
  };
  return { server, outbox, session, type, undo };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('no tag is lost when 500 are typed at ten a second, the network is cut for 20 seconds, and some are undone meanwhile', async () => {
  const numbers = Array.from({ length: PHOTOS }, (_, at) => String((at * 7) % PLAYERS));
  const { server, outbox, session, type, undo } = openDesk();
  await type(numbers.slice(0, 100));
  server.cut();
  await type(numbers.slice(100, 290));
  expect(outbox.state().isOffline).toBe(true);
  // What was typed since the last batch was acknowledged waits, more than three batches.
  expect(outbox.state().waiting).toBeGreaterThanOrEqual(190);
  undo(10);
  await type(numbers.slice(280, 290));
  server.restore();
  await type(numbers.slice(290));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(outbox.state()).toEqual({ waiting: 0, isOffline: false, trouble: null });
  expect(server.stored()).toEqual(numbers);
  expect(session.state().tagged).toBe(PHOTOS);
  undo(25);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(outbox.state().waiting).toBe(0);
  expect(server.stored()).toEqual(numbers.map((number, at) => (at < 475 ? number : '')));
  expect(session.state()).toMatchObject({ tagged: 475, place: 475 });
});
