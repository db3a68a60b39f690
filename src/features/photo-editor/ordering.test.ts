/** `update_ordering` over HTTP: positions, messages, races (rule 28; bad input 63; threat 66). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { keyBetween } from '#src/features/photos/photo-order.rules.ts';
import { FIRST_PHOTO_STAYS, NO_SUCH_PLACE, PLACE_EXPECTED } from '#src/features/photo-editor/photo-editor.contract.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, listPhotos } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

/** A gallery with this many photos; their ids in order. */
async function galleryOf(count: number): Promise<{ galleryId: number; ids: number[] }> {
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  const ids: number[] = [];
  for (let index = 0; index < count; index++)
    ids.unshift(await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }));
  return { galleryId, ids };
}

const order = async (galleryId: number) =>
  (await listPhotos(server, people.tokens.owner, galleryId)).map(({ id }) => id);

/** Not enough for a key that is too long. */
const GROWN_MOVES = 540;

/** Gives the photos the keys that so many moves of the last one behind the second one leave. */
async function growKeys(galleryId: number, ids: readonly number[]): Promise<string[]> {
  const rows = await server.data.ownerQuery<{ key: string }>(
    'select order_key as key from photos where gallery_id = $1 order by order_key',
    [galleryId],
  );
  const keys = rows.map(({ key }) => key);
  for (let move = 0; move < GROWN_MOVES; move++) {
    keys.splice(2, 0, keyBetween(keys[1] ?? null, keys[2] ?? null) ?? '');
    keys.pop();
  }
  await server.data.ownerQuery(
    'update photos p set order_key = given.key from unnest($1::bigint[], $2::text[]) as given (id, key) where p.id = given.id',
    [ids, keys],
  );
  return keys;
}

function move(galleryId: number, query: string, as: string | null = people.tokens.owner) {
  return server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/update_ordering?${query}`, as });
}
const feature = (galleryId: number, id: number) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}`,
    as: people.tokens.owner,
    payload: { photo: { featured: true } },
  });

/** The same move in an array. */
function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from] as Item);
}

describe('moving a photo', () => {
  test.each([
    [1, 2],
    [1, 5],
    [5, 1],
    [4, 2],
    [3, 3],
    [2, 4],
  ])('from %i to %i puts it there and returns the order', async (from, to) => {
    const { galleryId, ids } = await galleryOf(6);
    const answer = await move(galleryId, `from=${from}&to=${to}`);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({ photo_ids: moved(ids, from, to) });
    expect(await order(galleryId)).toEqual(moved(ids, from, to));
  });

  test('counts a featured photo at position 0, also when its key is not the first', async () => {
    const { galleryId, ids } = await galleryOf(5);
    const last = ids[4] ?? 0;
    await feature(galleryId, last);
    const fresh = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
    const before = await order(galleryId);
    expect(before[0]).toBe(last);
    expect(before).toContain(fresh);
    expect((await move(galleryId, 'from=4&to=1')).json()).toEqual({ photo_ids: moved(before, 4, 1) });
    expect((await move(galleryId, 'from=1&to=5')).statusCode).toBe(200);
    expect(await order(galleryId)).toEqual(moved(moved(before, 4, 1), 1, 5));
  });

  test('by its id puts it after the given photo, wherever that is by then', async () => {
    const { galleryId, ids } = await galleryOf(6);
    await move(galleryId, 'from=1&to=5');
    const answer = await move(galleryId, `from=4&to=2&photo_id=${ids[4]}&after_id=${ids[1]}`);
    expect(answer.json()).toEqual({ photo_ids: [ids[0], ids[2], ids[3], ids[5], ids[1], ids[4]] });
  });

  test.each([
    ['the first one', 'from=0&to=3', FIRST_PHOTO_STAYS],
    ['to the first place', 'from=3&to=0', FIRST_PHOTO_STAYS],
    ['the first one nowhere', 'from=0&to=0', FIRST_PHOTO_STAYS],
    ['from beyond the end', 'from=9999&to=1', NO_SUCH_PLACE],
    ['beyond the end', 'from=1&to=4', NO_SUCH_PLACE],
    ['from a negative place', 'from=-1&to=1', PLACE_EXPECTED],
    ['from no number', 'from=a&to=1', PLACE_EXPECTED],
    ['without places', '', PLACE_EXPECTED],
    ['half a place', 'from=1.5&to=2', PLACE_EXPECTED],
    ['a huge place', 'from=1e9&to=2', PLACE_EXPECTED],
  ])('is refused (%s), and nothing moves', async (_what, query, words) => {
    const { galleryId, ids } = await galleryOf(4);
    const answer = await move(galleryId, query);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ error: string }>().error).toBe(words);
    expect(await order(galleryId)).toEqual(ids);
  });

  test('that is first is refused by its id, too; a removed one is a conflict', async () => {
    const { galleryId, ids } = await galleryOf(3);
    const first = await move(galleryId, `photo_id=${ids[0]}&after_id=${ids[2]}`);
    expect([first.statusCode, first.json<{ error: string }>().error]).toEqual([422, FIRST_PHOTO_STAYS]);
    const { ids: foreign } = await galleryOf(2);
    expect((await move(galleryId, `photo_id=${foreign[1]}&after_id=${ids[2]}`)).statusCode).toBe(409);
    expect((await move(galleryId, `photo_id=${ids[1]}&after_id=${foreign[1]}`)).statusCode).toBe(409);
    expect((await move(galleryId, `photo_id=${ids[1]}`)).statusCode).toBe(422);
    expect(await order(galleryId)).toEqual(ids);
  });

  test('is refused to visitors and other organizations', async () => {
    const { galleryId, ids } = await galleryOf(3);
    expect((await move(galleryId, 'from=1&to=2', null)).statusCode).toBe(401);
    for (const token of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await move(galleryId, 'from=1&to=2', token)).statusCode).toBe(404);
    expect(await order(galleryId)).toEqual(ids);
    expect((await move(galleryId, 'from=1&to=2', people.tokens.parentMember)).statusCode).toBe(200);
  });

  test('six hundred times into the same gap stays correct, and keys stay short', async () => {
    const { galleryId, ids } = await galleryOf(6);
    const [, anchor, ...others] = ids;
    let expected = ids;
    const grown = await growKeys(galleryId, ids);
    expect(Math.max(...grown.map((key) => key.length))).toBeGreaterThan(90);
    for (let round = GROWN_MOVES; round < 600; round++) {
      const id = others[round % others.length] ?? 0;
      const answer = await move(galleryId, `photo_id=${id}&after_id=${anchor}`);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      expected = expected.filter((other) => other !== id).toSpliced(2, 0, id);
    }
    expect(await order(galleryId)).toEqual(expected);
    const [longest] = await server.data.ownerQuery<{ length: number }>(
      'select max(length(order_key)) as length from photos where gallery_id = $1',
      [galleryId],
    );
    expect(longest?.length).toBeLessThanOrEqual(100);
  }, 120_000);
});

type Action = { kind: 'move' | 'behind' | 'feature' | 'hide' | 'add' | 'remove'; one: number; other: number };
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('move', 'move', 'move', 'behind', 'behind', 'feature', 'hide', 'add', 'remove'),
  one: fc.nat(11),
  other: fc.nat(11),
});

test('editors who order, feature, hide, add and remove at the same time leave a permutation with the featured photo first', async () => {
  const { owner, parentMember } = people.tokens;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
      async (rounds) => {
        const { galleryId, ids } = await galleryOf(8);
        const alive = new Set(ids);
        const url = `/api/v1/galleries/${galleryId}/gallery_photos`;
        for (const round of rounds) {
          const answers = await Promise.all(
            round.map(async ({ kind, one, other }, index) => {
              const as = index % 2 === 0 ? owner : parentMember;
              const id = ids[one % ids.length] ?? 0;
              if (kind === 'add') {
                alive.add((await addPhoto(server, as, galleryId, { bytes: Buffer.from('x'), batch: 'b' })).id);
                return 201;
              }
              if (kind === 'move') return (await move(galleryId, `from=${one}&to=${other}`, as)).statusCode;
              if (kind === 'behind')
                return (await move(galleryId, `photo_id=${id}&after_id=${ids[other % ids.length]}`, as)).statusCode;
              if (kind === 'remove') {
                const answer = await server.call({ method: 'POST', url: `${url}/remove`, as, payload: { ids: [id] } });
                alive.delete(id);
                return answer.statusCode;
              }
              const photo = kind === 'feature' ? { featured: true } : { show_in_gallery: false };
              return (await server.call({ method: 'PUT', url: `${url}/${id}`, as, payload: { photo } })).statusCode;
            }),
          );
          for (const status of answers) expect([200, 201, 404, 409, 422]).toContain(status);
          const photos = await listPhotos(server, owner, galleryId);
          expect(new Set(photos.map(({ id }) => id))).toEqual(alive);
          expect(photos.map((photo) => photo.sequence_index)).toEqual(photos.map((_, index) => index));
          for (const [index, photo] of photos.entries()) if (photo.featured) expect(index).toBe(0);
          const [twice] = await server.data.ownerQuery<{ count: number }>(
            `select count(*)::int as count from (select order_key from photos where gallery_id = $1 and removed_at is null
            group by order_key having count(*) > 1) as twice`,
            [galleryId],
          );
          expect(twice?.count).toBe(0);
        }
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);
