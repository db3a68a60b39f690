import { afterEach, expect, test, vi } from 'vitest';
import { rotatePhotos } from '#src/features/photo-editor/rotating.client.ts';

afterEach(() => vi.unstubAllGlobals());

/** A server that rotates all photos but `refused` and `lost`; returns the turns it got, and how many at a time. */
function fakeServer(refused: readonly number[] = [], lost: readonly number[] = []) {
  const got = { turns: new Map<number, unknown>(), most: 0 };
  let open = 0;
  vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
    const id = Number(/gallery_photos\/(\d+)\/rotate$/.exec(address)?.[1]);
    got.turns.set(id, (JSON.parse(body) as { turns: unknown }).turns);
    got.most = Math.max(got.most, ++open);
    await Promise.resolve();
    open -= 1;
    if (lost.includes(id)) throw new TypeError('Failed to fetch');
    if (refused.includes(id)) return Response.json({ error: 'Too many.', errors: {} }, { status: 429 });
    return Response.json({ id, image_url: `/new/${id}` });
  });
  return got;
}

function openEditor() {
  const changed = new Map<number, unknown>();
  const refreshed: number[] = [];
  const pages = {
    galleryId: 5,
    change: (id: number, answer: object) => void changed.set(id, answer),
    refresh: (ids: readonly number[] = []) => void refreshed.push(...ids),
  };
  return { changed, refreshed, pages };
}

const IDS = [1, 2, 3, 4, 5, 6];

test('all chosen photos are rotated, at most four at a time, and shown rotated', async () => {
  const server = fakeServer();
  const { pages, changed, refreshed } = openEditor();
  const counted: number[] = [];
  const done = await rotatePhotos(pages, IDS, { turns: 3, onProgress: (count) => counted.push(count) });
  expect(done.error).toBeNull();
  expect(done.rotated.toSorted()).toEqual(IDS);
  expect([...server.turns]).toEqual(IDS.map((id) => [id, 3]));
  expect(server.most).toBe(4);
  expect(counted).toEqual(IDS);
  expect(changed.get(6)).toMatchObject({ image_url: '/new/6' });
  expect(refreshed.toSorted()).toEqual(IDS);
});

test('after a refusal no more photos are sent, and those that were rotated are known for the way back', async () => {
  const server = fakeServer([2]);
  const { pages, refreshed } = openEditor();
  const done = await rotatePhotos(pages, IDS, { turns: 1, onProgress: () => undefined });
  expect(done.error).toBe('Too many.');
  expect(done.rotated.toSorted()).toEqual([1, 3, 4]);
  expect([...server.turns.keys()]).toEqual([1, 2, 3, 4]);
  expect(refreshed.toSorted()).toEqual([1, 3, 4]);
});

test('a photo whose response was lost may be rotated: it is loaded again, and is not counted as rotated', async () => {
  fakeServer([], [2]);
  const { pages, refreshed } = openEditor();
  const done = await rotatePhotos(pages, IDS, { turns: 1, onProgress: () => undefined });
  expect(done.unknown).toEqual([2]);
  expect(done.rotated.toSorted()).toEqual([1, 3, 4]);
  expect(refreshed.toSorted()).toEqual([1, 2, 3, 4]);
});
