/** Numbers that contributors give for their own photos (athletes B.10, decision record 0116). */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALREADY_LOOKED_AT,
  MAX_NUMBERS_AT_ONCE,
  REST_WAITS,
  NUMBERS_AT_ONCE_EXCEEDED,
  type DecidedAnswer,
  type OwnPhotosPage,
  type WaitingPage,
} from '#src/features/contributors/contributors.contract.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf, listPhotos, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { addRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '100' } });
let people: Neighborhood;
let owner: string;
let hawks: { id: number };
beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  ({ hawks } = await addRoster(server, people.hawks.id));
});

type Place = { id: number; key: string };
async function openInvited(): Promise<Place> {
  const id = await openGallery(server, people.tokens.admin, people.hawks.id);
  const url = `/api/v1/galleries/${id}/full`;
  const [full] = (await server.call({ method: 'GET', url, as: people.tokens.admin })).json<GalleryAnswer[]>();
  return { id, key: full?.contribute_key ?? '' };
}

/** Sends photos; returns the browser's cookie. */
async function send({ key }: Place, count: number): Promise<string> {
  const photos: { key: string; name: string }[] = [];
  for (let index = 0; index < count; index++) {
    const policy = await server.call({
      method: 'POST',
      url: '/api/v1/policy',
      payload: { contributeKey: key, filename: 'a.jpg' },
    });
    const object = policy.json<{ key: string }>().key;
    await server.platform.storage.put(object, await quartersJpeg(640, 480), { contentType: 'image/jpeg' });
    photos.push({ key: object, name: `Ana ${index + 1}` });
  }
  const payload = { contributeKey: key, photos, name: 'Ana', email: 'ana@families.test' };
  return cookieOf(await server.call({ method: 'POST', url: '/api/v1/contributor', payload }), 'visitor') ?? '';
}
async function untilReady({ id }: Place): Promise<number[]> {
  const ids = (await listPhotos(server, people.tokens.admin, id)).map((photo) => photo.id);
  await untilDecided(server, people.tokens.admin, id, ids);
  return ids;
}
type Asker = { visitor?: string; key?: string };
const headersOf = ({ visitor, key }: Asker): Record<string, string> => ({
  ...(visitor === undefined ? {} : { cookie: `visitor=${visitor}` }),
  ...(key === undefined ? {} : { 'x-contribute-key': key }),
});
const own = async (galleryId: number, asker: Asker) => {
  const url = `/api/v1/contributor/photos?gallery_id=${galleryId}`;
  return (await server.call({ method: 'GET', url, headers: headersOf(asker) })).json<OwnPhotosPage>();
};
const decide = (galleryId: number, payload: object) =>
  server.call({ method: 'PUT', url: `/api/v1/galleries/${galleryId}/contributions`, as: owner, payload });

describe('numbers', () => {
  const say = (galleryId: number, photoId: number, numbers: unknown, asker: Asker) =>
    server.call({
      method: 'PUT',
      url: `/api/v1/contributor/photos/${photoId}/numbers?gallery_id=${galleryId}`,
      headers: headersOf(asker),
      payload: { numbers },
    });
  const tagsOf = (galleryId: number) =>
    server.data.ownerQuery<{ name: string | null; number: string; how: string }>(
      `select a.first_name as name, t.number, t.how from photo_tags t left join athletes a on a.id = t.athlete_id
        where t.gallery_id = $1 order by t.photo_id, t.number`,
      [galleryId],
    );

  test('are asked for if teams were chosen, wait with the photo, and become tags when it is approved', async () => {
    const place = await openInvited();
    const visitor = await send(place, 3);
    const [hidden = 0, shown = 0, other = 0] = await untilReady(place);
    expect((await own(place.id, { visitor })).photos.every((photo) => photo.numbers === undefined)).toBe(true);
    await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${place.id}/teams`,
      as: owner,
      payload: { team_ids: [hawks.id] },
    });
    expect((await own(place.id, { visitor })).photos.map(({ numbers }) => numbers)).toEqual([[], [], []]);
    // A child who must not be published, one who may be, and a number of no one: the responses are the same.
    for (const [id, numbers] of [
      [hidden, ['4']],
      [shown, ['10', '10', '41']],
      [other, ['10']],
    ] as const) {
      const answer = await say(place.id, id, numbers, { visitor });
      expect([answer.statusCode, answer.json()]).toEqual([200, { numbers: [...new Set(numbers)] }]);
    }
    expect((await say(place.id, other, [], { visitor })).json()).toEqual({ numbers: [] });
    const { photos } = await own(place.id, { visitor });
    // The number makes no difference, and neither does the hold of a team with such a child: the sender has the files.
    expect(photos.map(({ state }) => state)).toEqual(photos.map(() => 'waiting'));
    for (const { image_url: url } of photos)
      expect((await server.call({ method: 'GET', url: `${url}&size=320` })).statusCode).toBe(200);
    expect(await tagsOf(place.id)).toEqual([]);
    const waiting = await server.call({ method: 'GET', url: `/api/v1/galleries/${place.id}/contributions`, as: owner });
    const said = new Map(waiting.json<WaitingPage>().photos.map(({ id, numbers }) => [id, numbers]));
    expect([said.get(hidden), said.get(shown), said.get(other)]).toEqual([['4'], ['10', '41'], undefined]);

    const approved = await decide(place.id, { decision: 'approve', ids: [hidden, shown] });
    // Their consent, or the hold of the gallery: visitors see neither yet.
    const { ids, hidden: kept } = approved.json<DecidedAnswer>();
    expect([new Set(ids), new Set(kept)]).toEqual([new Set([hidden, shown]), new Set([hidden, shown])]);
    expect(await tagsOf(place.id)).toEqual([
      { name: 'Sam', number: '4', how: 'keyword' },
      { name: 'Maya', number: '10', how: 'keyword' },
      { name: null, number: '41', how: 'keyword' },
    ]);
    const rows = await server.data.ownerQuery<{ id: number; cause: string }>(
      "select photo_id as id, cause from photo_withholdings where photo_id = any ($1) and cause = 'consent'",
      [[hidden, shown]],
    );
    expect(rows).toEqual([{ id: hidden, cause: 'consent' }]);
    const late = await say(place.id, shown, ['7'], { visitor });
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: ALREADY_LOOKED_AT }]);
  });

  test('of approved photos reveal nothing to their sender about who hid one, a child’s consent or a member', async () => {
    const place = await openInvited();
    const visitor = await send(place, 3);
    const ids = await untilReady(place);
    const [hidden = 0, shown = 0, off = 0] = ids;
    const waiting = (await own(place.id, { visitor })).photos;
    const put = (path: string, payload: object) =>
      server.call({ method: 'PUT', url: `/api/v1/galleries/${place.id}/${path}`, as: owner, payload });
    await put('teams', { team_ids: [hawks.id] });
    for (const [id, number] of [
      [hidden, '4'],
      [shown, '10'],
      [off, '10'],
    ] as const)
      await say(place.id, id, [number], { visitor });
    await decide(place.id, { decision: 'approve', ids });
    const hold = `/api/v1/galleries/${place.id}/hold`;
    const { through } = (await server.call({ method: 'GET', url: hold, as: owner })).json<{ through: string }>();
    await server.call({ method: 'POST', url: `${hold}/none`, as: owner, payload: { through } });
    await put(`gallery_photos/${off}`, { photo: { show_in_gallery: false } });
    const seen = new Map((await own(place.id, { visitor })).photos.map((photo) => [photo.id, photo]));
    const alike = { state: 'not_chosen', image_url: null, thumbhash: null, may_withdraw: true };
    expect([seen.get(hidden), seen.get(off)]).toMatchObject([alike, alike]);
    expect(seen.get(shown)?.state).toBe('shown');
    // Older addresses, which are valid until tomorrow.
    const look = async (id: number) => {
      const url = waiting.find((photo) => photo.id === id)?.image_url ?? '';
      return (await server.call({ method: 'GET', url: `${url}&size=320` })).statusCode;
    };
    expect([await look(hidden), await look(off), await look(shown)]).toEqual([404, 404, 200]);
  });

  test('are deleted with a photo that is rejected or withdrawn', async () => {
    const place = await openInvited();
    const visitor = await send(place, 2);
    const [rejected = 0, withdrawn = 0] = await untilReady(place);
    for (const id of [rejected, withdrawn]) await say(place.id, id, ['10'], { visitor });
    expect((await decide(place.id, { decision: 'reject', ids: [rejected] })).statusCode).toBe(200);
    const url = `/api/v1/contributor/photos/${withdrawn}?gallery_id=${place.id}`;
    expect((await server.call({ method: 'DELETE', url, headers: headersOf({ visitor }) })).statusCode).toBe(200);
    const left = 'select from contributed_numbers where photo_id = any ($1)';
    expect(await server.data.ownerQuery(left, [[rejected, withdrawn]])).toEqual([]);
    expect(await tagsOf(place.id)).toEqual([]);
  });

  test('are limited in one approval: the rest of a person’s photos waits, chosen photos are refused', async () => {
    const place = await openInvited();
    const visitor = await send(place, 3);
    const ids = (await untilReady(place)).toSorted((one, other) => one - other);
    await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${place.id}/teams`,
      as: owner,
      payload: { team_ids: [hawks.id] },
    });
    // More than twenty per photo, which no one can give: stands for hundreds of photos.
    await server.data.ownerQuery(
      `insert into contributed_numbers (photo_id, number, organization_id)
       select id, n::text, $2 from unnest($1::bigint[]) as id, generate_series(1000, 1000 + $3 - 1) as n`,
      [ids, people.hawks.id, MAX_NUMBERS_AT_ONCE / 2],
    );
    const refused = await decide(place.id, { decision: 'approve', ids });
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { error: NUMBERS_AT_ONCE_EXCEEDED }]);
    expect(await tagsOf(place.id)).toEqual([]);
    const [sender] = await server.data.ownerQuery<{ id: number }>(
      'select gallery_contributor_id as id from photos where id = $1',
      [ids[0]],
    );
    const person = { decision: 'approve', contributor_id: sender?.id };
    expect((await decide(place.id, person)).json()).toMatchObject({
      ids: expect.arrayContaining(ids.slice(0, 2)),
      note: REST_WAITS,
    });
    expect(await tagsOf(place.id)).toHaveLength(MAX_NUMBERS_AT_ONCE);
    const { photos } = await own(place.id, { visitor });
    expect(photos.find(({ id }) => id === ids[2])?.state).toBe('waiting');
    expect((await decide(place.id, person)).json()).toMatchObject({ ids: ids.slice(2) });
  });

  test('can be given only for one’s own photos, and at most twenty', async () => {
    const place = await openInvited();
    const visitor = await send(place, 1);
    const [id = 0] = await untilReady(place);
    const stranger = await send(await openInvited(), 1);
    for (const asker of [{}, { visitor: stranger }, { key: place.key }])
      expect((await say(place.id, id, ['10'], asker)).statusCode).toBe(404);
    const many = Array.from({ length: 21 }, (_, at) => String(at));
    for (const numbers of [many, ['12345'], ['Maya'], '10'])
      expect((await say(place.id, id, numbers, { visitor })).statusCode).toBe(422);
  });
});
