/** Positions in the middle of a large gallery: found by blocks, and correct after every change of photos. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const COUNT = 4_200;
let people: Neighborhood;
let galleryId: number;
/** The photos as they are, in their order. */
let ids: number[];

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await fillAnother();
});
beforeEach(async () => {
  ids = await order();
});

/** A gallery with its blocks, which the first move creates. */
async function fillAnother(): Promise<number> {
  const id = await openGallery(server, people.tokens.owner, people.hawks.id);
  await server.data.ownerQuery(
    `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
     select $1, $2, 'Photo ' || n, 'ready', 'a0' || lpad(n::text, 5, '0') || 'V', 1200, 800, '\\x0102', 'none.jpg', repeat('0', 64), 10
       from generate_series(1, $3::int) as n`,
    [id, people.hawks.id, COUNT],
  );
  const before = await order(id);
  expect((await move(2_000, 2_400, id)).statusCode).toBe(200);
  expect(await order(id)).toEqual(moved(before, 2_000, 2_400));
  return id;
}

async function order(id = galleryId): Promise<number[]> {
  const rows = await server.data.ownerQuery<{ id: number }>(
    'select id from photos where gallery_id = $1 and removed_at is null order by (not featured), order_key, id',
    [id],
  );
  return rows.map((row) => Number(row.id));
}
async function countBlocks(): Promise<number> {
  const [blocks] = await server.data.ownerQuery<{ count: number }>(
    'select count(*)::int as count from photo_shelves where gallery_id = $1',
    [galleryId],
  );
  return blocks?.count ?? 0;
}
const url = (path: string, id = galleryId) => `/api/v1/galleries/${id}/${path}`;
const call = (method: 'POST' | 'PUT', path: string, payload: object = {}, id = galleryId) =>
  server.call({ method, url: url(path, id), as: people.tokens.owner, payload });
const move = (from: number, to: number, id = galleryId) =>
  call('POST', `update_ordering?from=${from}&to=${to}`, {}, id);
const moved = (before: number[], from: number, to: number) =>
  before.toSpliced(from, 1).toSpliced(to, 0, before[from] ?? 0);
const expectMoved = async (from: number, to: number) => {
  const answer = await move(from, to);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  ids = moved(ids, from, to);
};

test('moves by position mean the photos that are there, move after move', async () => {
  for (const [from, to] of [
    [2_000, 2_400],
    [2_500, 1_700],
    [1_600, 1],
    [ids.length - 1, 2_100],
    [2, 2_099],
    [2_100, 2_101],
  ] as const)
    await expectMoved(from, to);
  expect(await order()).toEqual(ids);
  expect(await countBlocks()).toBeGreaterThan(5);
});

test('positions stay correct after photos were added, featured, hidden and removed, one by one and many at once', async () => {
  const before = ids.length;
  await addPhoto(server, people.tokens.owner, galleryId, { bytes: Buffer.from('x') });
  await call('PUT', `gallery_photos/${ids[2_222]}`, { photo: { featured: true } });
  await call('POST', 'gallery_photos/remove', { ids: ids.slice(1_900, 2_150) });
  await call('PUT', 'gallery_photos', { ids: ids.slice(1_700, 1_800), photo: { show_in_gallery: false } });
  ids = await order();
  expect(ids.length).toBe(before + 1 - 250);
  for (let round = 0; round < 70; round++)
    await expectMoved(1_600 + ((round * 37) % 800), 1_700 + ((round * 91) % 700));
  expect(await order()).toEqual(ids);
});

test('blocks that do not add up are recounted', async () => {
  await server.data.ownerQuery('update photo_shelves set photos = photos + 3 where gallery_id = $1', [galleryId]);
  await expectMoved(2_000, 1_800);
  expect(await order()).toEqual(ids);
});

test('a block that has become too large is divided', async () => {
  await server.data.ownerQuery(
    `with applied as (delete from photo_shelf_steps where gallery_id = $1),
          rest as (delete from photo_shelves where gallery_id = $1 and first_key <> '')
     update photo_shelves set photos = (select count(*) from photos where gallery_id = $1 and not featured and removed_at is null)
      where gallery_id = $1 and first_key = ''`,
    [galleryId],
  );
  expect(await countBlocks()).toBe(1);
  await expectMoved(2_000, 1_800);
  expect(await order()).toEqual(ids);
  expect(await countBlocks()).toBeGreaterThan(5);
});

test('four editors who move photos at the same time, while others remove some, leave a permutation', async () => {
  const gone = new Set(ids.slice(1_500, 1_520));
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, (_, step) => move(1_600 + step * 50, 2_300 - step * 60)),
    ...[...gone].map((id) =>
      server.call({ method: 'DELETE', url: url(`gallery_photos/${id}`), as: people.tokens.parentMember }),
    ),
  ]);
  for (const { statusCode } of answers) expect([200, 204]).toContain(statusCode);
  const after = await order();
  expect(new Set(after)).toEqual(new Set(ids.filter((id) => !gone.has(id))));
  ids = after;
  await expectMoved(1_700, 1_900);
  expect(await order()).toEqual(ids);
});

test('thousands of photos are hidden and removed by one call each, and the counters stay correct', async () => {
  const id = await fillAnother();
  const many = (await order(id)).slice(100);
  const hiding = { ids: many, photo: { show_in_gallery: false } };
  expect((await call('PUT', 'gallery_photos', hiding, id)).json()).toEqual({ updated: many.length });
  expect((await call('POST', 'gallery_photos/remove', { ids: many }, id)).json()).toEqual({ removed: many.length });
  const [counts] = await server.data.ownerQuery<{ photo_count: number }>(
    'select photo_count from galleries where id = $1',
    [id],
  );
  expect(counts?.photo_count).toBe(100);
});
