/** Members tag the photos of a gallery: what is stored, counted once, refused, and who may. */
import { beforeAll, describe, expect, test } from 'vitest';
import { NUMBER_NOT_VALID } from '#src/features/photos/photos.contract.ts';
import * as words from '#src/features/tagging/tagging.contract.ts';
import type { TaggingPage, TagsAnswer, TakeAnswer } from '#src/features/tagging/tagging.contract.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let gallery: { id: number; organizationId: number };
let team: number;
let maya: number;
let leo: number;

beforeAll(async () => {
  people = await settleAnother(server);
  gallery = await makeGallery();
  const roster = await addRoster(server, people.hawks.id);
  team = roster.hawks.id;
  [maya, leo] = [roster.maya.id, roster.leo.id];
  await server.data.ownerQuery('insert into gallery_teams (gallery_id, team_id, organization_id) values ($1, $2, $3)', [
    gallery.id,
    team,
    people.hawks.id,
  ]);
});

async function makeGallery() {
  return { id: await openGallery(server, people.tokens.owner, people.hawks.id), organizationId: people.hawks.id };
}

let keys = 0;
const send = (changes: unknown, { as = people.tokens.owner as string | null, key = '', galleryId = gallery.id } = {}) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${galleryId}/tags`,
    as,
    payload: { changes, client_key: key === '' ? `test-key-${++keys}` : key },
  });

async function tag(changes: unknown, options: Parameters<typeof send>[1] = {}): Promise<TagsAnswer> {
  const answer = await send(changes, options);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json<TagsAnswer>();
}

async function look(query = '', galleryId = gallery.id): Promise<TaggingPage> {
  const url = `/api/v1/galleries/${galleryId}/tagging${query}`;
  const answer = await server.call({ method: 'GET', url, as: people.tokens.owner });
  expect(answer.statusCode).toBe(200);
  return answer.json<TaggingPage>();
}

const tagsOn = (page: TaggingPage, id: number) =>
  page.photos.find((photo) => photo.id === id)?.tags.map(({ name, team: of, number }) => [name, of, number]);
const ten = () => ({ team_id: team, number: '10' });

describe('PUT /galleries/{id}/tags', () => {
  test('stores and removes an athlete, a number that someone wears, and a bare number', async () => {
    const id = await addReadyPhoto(server, gallery);
    const changes = [{ photo_ids: [id], add: [{ athlete_id: leo }, ten(), { team_id: team, number: '41' }] }];
    expect(await tag(changes)).toEqual({
      tagged: 1,
      hidden: [],
      held: [],
      shown: [id],
      refused: [],
      undo: [expect.any(Object)],
    });
    expect(tagsOn(await look(), id)).toEqual([
      ['Leo P.', 'Hawks', '7'],
      ['Maya R.', 'Hawks', '10'],
      [null, 'Hawks', '41'],
    ]);
    await tag([{ photo_ids: [id], remove: [ten(), { athlete_id: leo }] }]);
    expect(tagsOn(await look(), id)).toEqual([[null, 'Hawks', '41']]);
  });

  test('counts the same key once, with the same answer', async () => {
    const id = await addReadyPhoto(server, gallery);
    const first = await tag([{ photo_ids: [id, 99], add: [ten()] }], { key: 'batch-of-maya' });
    await tag([{ photo_ids: [id], remove: [ten()] }]);
    expect(await tag([{ photo_ids: [id, 99], add: [ten()] }], { key: 'batch-of-maya' })).toEqual(first);
    expect(tagsOn(await look(), id)).toEqual([]);
    expect(first).toEqual({
      tagged: 1,
      hidden: [],
      held: [],
      shown: [id],
      refused: [{ photo_id: 99, error: words.PHOTO_IS_GONE }],
      undo: [{ photo_ids: [id], add: [], remove: [{ athlete_id: expect.any(Number) }] }],
    });
  });

  test('says how to take back what it changed, and leaves what was there before', async () => {
    const ids = [await addReadyPhoto(server, gallery), await addReadyPhoto(server, gallery)];
    const [first = 0] = ids;
    await tag([{ photo_ids: [first], add: [ten(), { team_id: team, number: '41' }] }]);
    const numbersOn = async () => {
      const page = await look();
      return ids.map((id) => tagsOn(page, id)?.map(([, , number]) => number));
    };
    const added = await tag([{ photo_ids: ids, add: [ten(), { athlete_id: leo }] }]);
    expect(await numbersOn()).toEqual([
      ['10', '41', '7'],
      ['10', '7'],
    ]);
    await tag(added.undo);
    expect(await numbersOn()).toEqual([['10', '41'], []]);
    const removed = await tag([{ photo_ids: ids, remove: [ten(), { team_id: team, number: '41' }] }]);
    expect(await numbersOn()).toEqual([[], []]);
    await tag(removed.undo);
    expect((await numbersOn()).map((numbers) => numbers?.toSorted())).toEqual([['10', '41'], []]);
  });

  test('refuses a change with something of another organization, and applies the others', async () => {
    const others = await addRoster(server, people.tides.id);
    const [tides, foreign] = [others.tides.id, others.kai.id];
    const [id, other] = [await addReadyPhoto(server, gallery), await addReadyPhoto(server, gallery)];
    const answer = await tag([
      { photo_ids: [id], add: [{ athlete_id: foreign }, ten()] },
      { photo_ids: [id], remove: [{ athlete_id: foreign }] },
      { photo_ids: [other], add: [{ team_id: tides, number: '10' }] },
      { photo_ids: [other], add: [ten()] },
    ]);
    expect(answer).toEqual({
      tagged: 1,
      hidden: [],
      held: [],
      shown: [other],
      refused: [
        { photo_id: id, error: words.ATHLETE_NOT_FOUND },
        { photo_id: id, error: words.ATHLETE_NOT_FOUND },
        { photo_id: other, error: words.TEAM_NOT_FOUND },
      ],
      undo: [{ photo_ids: [other], add: [], remove: [{ athlete_id: expect.any(Number) }] }],
    });
    const page = await look();
    expect([tagsOn(page, id), tagsOn(page, other)]).toEqual([[], [['Maya R.', 'Hawks', '10']]]);
  });

  test('finishes photos with nobody to name, and reopens them', async () => {
    const own = await makeGallery();
    const [id, other] = [await addReadyPhoto(server, own), await addReadyPhoto(server, own)];
    await tag([{ photo_ids: [id, other], checked: true }], { galleryId: own.id });
    expect(await look('', own.id)).toMatchObject({ done: 2, total: 2, photos: [{ checked: true }, { checked: true }] });
    await tag([{ photo_ids: [other], checked: false }], { galleryId: own.id });
    expect(await look('', own.id)).toMatchObject({ done: 1, total: 2 });
  });

  test('hides a photo of a child who must not be published, names it in the answer, and shows it again without the tag', async () => {
    const id = await addReadyPhoto(server, await makeGallery());
    const [row] = await server.data.ownerQuery<{ galleryId: number }>(
      'select gallery_id as "galleryId" from photos where id = $1',
      [id],
    );
    const galleryId = row?.galleryId ?? 0;
    const four = [{ team_id: team, number: '4' }];
    expect(await tag([{ photo_ids: [id], add: four }], { galleryId })).toEqual({
      tagged: 1,
      hidden: [id],
      held: [],
      shown: [],
      refused: [],
      undo: [{ photo_ids: [id], add: [], remove: [{ athlete_id: expect.any(Number) }] }],
    });
    expect((await look('', galleryId)).photos).toMatchObject([
      { id, show_in_gallery: false, tags: [{ name: 'Sam O.' }] },
    ]);
    await tag([{ photo_ids: [id], remove: four }], { galleryId });
    expect((await look('', galleryId)).photos).toMatchObject([{ id, show_in_gallery: true }]);
  });

  test('releases a held photo with a tag or nobody to name, and holds it again when that is undone', async () => {
    const id = await addReadyPhoto(server, gallery);
    const shown = async () => (await look('?limit=100')).photos.find((photo) => photo.id === id)?.show_in_gallery;
    expect(await shown()).toBe(false);
    const wrong = { team_id: team, number: '41' };
    const steps: [object, boolean][] = [
      [{ checked: true }, true],
      [{ checked: false }, false],
      [{ add: [wrong] }, true],
      [{ remove: [wrong], add: [ten()] }, true],
      [{ remove: [ten()] }, false],
    ];
    for (const [step, isShown] of steps) {
      await tag([{ photo_ids: [id], ...step }]);
      expect([step, await shown()]).toEqual([step, isShown]);
    }
  });

  test.each(['keyword', 'file'])('a tag of a %s that comes back releases no held photo', async (how) => {
    const id = await addReadyPhoto(server, gallery);
    const shown = async () => (await look('?limit=100')).photos.find((photo) => photo.id === id)?.show_in_gallery;
    await tag([{ photo_ids: [id], add: [ten()], how }]);
    expect(await shown()).toBe(false);
    const removed = await tag([{ photo_ids: [id], remove: [ten()] }]);
    await tag(removed.undo);
    expect(tagsOn(await look('?limit=100'), id)).toEqual([['Maya R.', 'Hawks', '10']]);
    expect(await shown()).toBe(false);
  });

  test('an undo leaves a released photo as it was, and holds one again that only its tag had shown', async () => {
    const own = await makeGallery();
    await server.data.ownerQuery(
      'insert into gallery_teams (gallery_id, team_id, organization_id) values ($1, $2, $3)',
      [own.id, team, people.hawks.id],
    );
    const hold = `/api/v1/galleries/${own.id}/hold`;
    const released = await addReadyPhoto(server, own);
    const { through } = (await server.call({ method: 'GET', url: hold, as: people.tokens.owner })).json();
    await server.call({ method: 'POST', url: `${hold}/none`, as: people.tokens.owner, payload: { through } });
    const held = await addReadyPhoto(server, own);
    const shown = async () => {
      const { photos, done } = await look('', own.id);
      return { done, ids: photos.filter((photo) => photo.show_in_gallery).map(({ id }) => id) };
    };
    // It still waits for its tags.
    expect(await shown()).toEqual({ done: 0, ids: [released] });
    expect((await look('', own.id)).photos.map(({ checked, published }) => [checked, published])).toEqual([
      [false, true],
      [false, true],
    ]);
    const both = [released, held];
    for (const [change, undo] of [
      [{ add: [ten()] }, { remove: [ten()] }],
      [{ checked: true }, { checked: false }],
    ]) {
      expect(await tag([{ photo_ids: both, ...change }], { galleryId: own.id })).toMatchObject({ shown: [held] });
      expect(await shown()).toEqual({ done: 2, ids: expect.arrayContaining(both) });
      const back = await tag([{ photo_ids: both, ...undo }], { galleryId: own.id });
      expect(back).toMatchObject({ hidden: [], held: [held], shown: [] });
      expect(await shown()).toEqual({ done: 0, ids: [released] });
    }
    const url = `/api/v1/galleries/${own.id}/tagging/take`;
    const taken = await server.call({ method: 'POST', url, as: people.tokens.owner, payload: {} });
    expect(taken.json<TakeAnswer>().photo_ids).toEqual(expect.arrayContaining(both));
  });

  test('reports all problems', async () => {
    const wrong: [unknown, string][] = [
      [[], words.CHANGES_EXPECTED],
      [[{ photo_ids: [] }], words.PHOTOS_EXPECTED],
      [[{ photo_ids: Array.from({ length: 101 }, (_, at) => at + 1) }], words.TOO_MANY_PHOTOS],
      [
        Array.from({ length: 6 }, (_, at) => ({
          photo_ids: Array.from({ length: 100 }, (_id, id) => at * 100 + id + 1),
        })),
        words.TOO_MANY_PHOTOS,
      ],
      [[{ photo_ids: [1], add: [{ team_id: team, number: '10a' }] }], NUMBER_NOT_VALID],
      [[{ photo_ids: [1], add: ['10'] }], words.TAG_EXPECTED],
    ];
    for (const [changes, message] of wrong) {
      const answer = await send(changes);
      expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining(message)]);
    }
    expect((await send([{ photo_ids: [1], name: 'Maya' }])).statusCode).toBe(422);
    expect((await send([{ photo_ids: [1], how: 'guess' }])).body).toContain(words.HOW_EXPECTED);
    expect((await send([{ photo_ids: [1] }], { key: 'short' })).json()).toMatchObject({
      errors: { client_key: [words.CLIENT_KEY_EXPECTED] },
    });
  });
});

describe('GET /galleries/{id}/tagging', () => {
  test('lists the gallery in its order, with suggestions from keywords that are numbers', async () => {
    const own = await makeGallery();
    await server.data.ownerQuery(
      'insert into gallery_teams (gallery_id, team_id, organization_id) values ($1, $2, $3)',
      [own.id, team, people.hawks.id],
    );
    const ids: number[] = [];
    for (let at = 0; at < 3; at++) ids.unshift(await addReadyPhoto(server, own));
    await server.data.ownerQuery(
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name) select $1, $2, $3, unnest('{10,goal,99}'::text[])`,
      [ids[0], own.id, own.organizationId],
    );
    await server.data.ownerQuery(
      `update photos set exif = '{"make": "NIKON CORPORATION", "model": "NIKON Z 9", "takenAt": "2026-10-03T10:00:00"}' where id = $1`,
      [ids[0]],
    );
    const first = await look('?limit=2', own.id);
    expect(first.photos.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ done: 0, total: 3 });
    expect(first.photos[0]).toMatchObject({
      camera: 'NIKON Z 9',
      captured_at: '2026-10-03T10:00:00',
      tags: [],
      suggested: [{ athlete_id: maya, name: 'Maya R.', team_id: team, team: 'Hawks', number: '10' }],
      checked: false,
      taken: false,
    });
    expect((await look(`?limit=2&after=${first.next}`, own.id)).photos.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test.each(['GET', 'PUT'] as const)('%s is only for members of the organization', async (method) => {
    const url = `/api/v1/galleries/${gallery.id}/${method === 'GET' ? 'tagging' : 'tags'}`;
    const payload = { changes: [{ photo_ids: [1], add: [ten()] }], client_key: 'stranger-1' };
    const statusFor = async (as: string | null) =>
      (await server.call({ method, url, as, ...(method === 'PUT' ? { payload } : {}) })).statusCode;
    const { neighbor, foreigner, parentMember, admin } = people.tokens;
    expect(await Promise.all([null, neighbor, foreigner, parentMember, admin].map(statusFor))).toEqual([
      401, 404, 404, 200, 200,
    ]);
  });
});

test('tags stay with a photo that moves and are deleted with its last file; those of a sold photo stay', async () => {
  const other = await makeGallery();
  const ids = [await addReadyPhoto(server, gallery), await addReadyPhoto(server, gallery)];
  await tag([{ photo_ids: ids, add: [ten()] }]);
  await server.data.ownerQuery('update photos set gallery_id = $1 where id = any($2)', [other.id, ids]);
  expect(tagsOn(await look('', other.id), ids[0] ?? 0)).toEqual([['Maya R.', 'Hawks', '10']]);
  await server.data.ownerQuery(
    'update photos set purged_at = now(), removed_at = now(), sales_count = case when id = $2 then 1 else 0 end where id = any($1)',
    [ids, ids[1]],
  );
  expect(await server.data.ownerQuery('select photo_id from photo_tags where photo_id = any($1)', [ids])).toEqual([
    { photo_id: ids[1] },
  ]);
});
