import { beforeAll, describe, expect, test } from 'vitest';
import {
  DELETE_KEYWORD_FAILED,
  HIDDEN_PHOTO_CANNOT_BE_FEATURED,
  KEYWORD_REQUIRED,
  PHOTO_PRICE_INVALID,
  photosPage,
  TOO_MANY_KEYWORDS,
  VOTING_IS_CLOSED,
  type PhotoAnswer,
  type PhotosPage,
} from '#src/features/photos/photos.contract.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf, listPhotos } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let owner: string;
/** Ten photos in the members' order, the third hidden. */
let gallery: { id: number; organizationId: number };
let ids: number[];

async function fill(
  count: number,
  hidden: readonly number[] = [],
  fields: Record<string, unknown> = {},
): Promise<{ id: number; ids: number[] }> {
  const id = await openGallery(server, owner, people.hawks.id, fields);
  const added: number[] = [];
  // `addReadyPhoto` puts each new photo before the others.
  for (let index = count - 1; index >= 0; index--)
    added.unshift(
      await addReadyPhoto(
        server,
        { id, organizationId: people.hawks.id },
        { name: `Photo ${index}`, shown: !hidden.includes(index) },
      ),
    );
  return { id, ids: added };
}

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  const filled = await fill(10, [2]);
  gallery = { id: filled.id, organizationId: people.hawks.id };
  ids = filled.ids;
});

const at = (photoId: number, galleryId: number) => `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`;
const put = (as: string | null, photoId: number, photo: object, galleryId: number) =>
  server.call({ method: 'PUT', url: at(photoId, galleryId), as, payload: { photo } });
const page = async (as: string | null, query: string, id = gallery.id) => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/gallery_photos${query}`, as });
  expect(answer.statusCode, answer.body).toBe(200);
  return photosPage.parse(answer.json());
};
async function leaf(as: string | null, query: string, id = gallery.id): Promise<PhotoAnswer[]> {
  const photos: PhotoAnswer[] = [];
  for (let next: string | null = ''; next !== null;) {
    const answer: PhotosPage = await page(
      as,
      `?${query}${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`,
      id,
    );
    photos.push(...answer.photos);
    next = answer.next;
  }
  return photos;
}

const callerOf = async (as: string | null) => ({
  actor: await server.app.accounts.actorOf(as),
  visitorId: null,
  unlocks: new Map<number, string>(),
  ip: '203.0.113.1',
});

describe('photos of a gallery', () => {
  test.each([1, 3, 9, 10, 100])('paged by %d are the list of `full`, for visitors and members', async (limit) => {
    for (const as of [null, owner]) {
      const photos = await leaf(as, `limit=${limit}`);
      expect(photos).toEqual(await listPhotos(server, as, gallery.id));
      expect(photos.map((photo) => photo.sequence_index)).toEqual(photos.map((_photo, index) => index));
    }
    expect((await leaf(owner, `limit=${limit}`)).map((photo) => photo.id)).toEqual(ids);
  });

  test('hide hidden photos from visitors, in every request (threat 7)', async () => {
    const hidden = ids[2] ?? 0;
    expect((await leaf(null, 'limit=4')).map((photo) => photo.id)).toEqual(ids.filter((id) => id !== hidden));
    expect((await page(null, '?limit=1')).total).toBe(9);
    expect((await page(owner, '?limit=1')).total).toBe(10);
    const caller = await callerOf(null);
    await expect(server.app.photos.find(caller, gallery.id, hidden)).rejects.toMatchObject({ code: 'not_found' });
    const beside = await server.app.photos.find(caller, gallery.id, ids[1] ?? 0);
    expect(beside).toMatchObject({ index: 1, total: 9, previousId: ids[0], nextId: ids[3] });
    expect(await server.app.photos.sellable(caller, ids)).toHaveLength(9);
  });

  test('have neighbors that wrap around', async () => {
    const caller = await callerOf(owner);
    expect(await server.app.photos.find(caller, gallery.id, ids[0] ?? 0)).toMatchObject({
      index: 0,
      total: 10,
      previousId: ids[9],
      nextId: ids[1],
    });
    expect(await server.app.photos.find(caller, gallery.id, ids[9] ?? 0)).toMatchObject({
      index: 9,
      previousId: ids[8],
      nextId: ids[0],
    });
    expect((await server.app.photos.find(caller, gallery.id, ids[3] ?? 0, { asVisitor: true })).index).toBe(2);
    const alone = await fill(1);
    expect(await server.app.photos.find(caller, alone.id, alone.ids[0] ?? 0)).toMatchObject({
      index: 0,
      total: 1,
      previousId: alone.ids[0],
      nextId: alone.ids[0],
    });
  });

  test('show members more than visitors (rule 9, threat 78)', async () => {
    const [mine] = await listPhotos(server, owner, gallery.id);
    const [theirs] = await listPhotos(server, null, gallery.id);
    expect(mine).toMatchObject({ exif: {}, iptc: {}, contributor: null, sales_count: 0, sales_rev: 0 });
    for (const field of ['exif', 'iptc', 'contributor', 'gallery_contributor_id', 'sales_count', 'sales_rev'])
      expect(theirs).not.toHaveProperty(field);
  });

  test.each(['?after=x', '?after=W10', '?limit=0', '?limit=-1', '?limit=abc'])('are refused with %s', async (query) => {
    expect(
      (await server.call({ method: 'GET', url: `/api/v1/galleries/${gallery.id}/gallery_photos${query}` })).statusCode,
    ).toBe(422);
  });

  test('are an empty list for an empty gallery', async () => {
    const { id } = await fill(0);
    expect(await page(null, '', id)).toEqual({ photos: [], next: null, total: 0 });
  });
});

describe('an editor', () => {
  test('shows, hides, prices and names', async () => {
    const { id, ids: own } = await fill(2);
    const photoId = own[0] ?? 0;
    expect(
      (
        await put(
          owner,
          photoId,
          { show_in_gallery: false, price_override: 2.5, name: ' Winner ', likes: 99, status: 'failed' },
          id,
        )
      ).json(),
    ).toMatchObject({
      show_in_gallery: false,
      price_override: 2.5,
      price: 2.5,
      name: 'Winner',
      likes: 0,
      status: 'ready',
    });
    expect(await listPhotos(server, null, id)).toHaveLength(1);
    expect((await put(owner, photoId, { price_override: null, show_in_gallery: true }, id)).json()).toMatchObject({
      price_override: null,
      price: 4,
    });
    expect((await put(owner, photoId, { price_override: 0 }, id)).json()).toMatchObject({ price: 0 });
    for (const price of ['2', -1, 0.001, 10_000.01]) {
      const answer = await put(owner, photoId, { price_override: price }, id);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: PHOTO_PRICE_INVALID });
    }
  });

  test('features one photo, which is then first, and the previous one moves to second position', async () => {
    const { id, ids: own } = await fill(4, [3]);
    const order = async () => (await listPhotos(server, owner, id)).map((photo) => own.indexOf(photo.id));
    expect((await put(owner, own[2] ?? 0, { featured: true }, id)).json()).toMatchObject({
      featured: true,
      sequence_index: 0,
    });
    expect(await order()).toEqual([2, 0, 1, 3]);
    await put(owner, own[1] ?? 0, { featured: true }, id);
    expect(await order()).toEqual([1, 2, 0, 3]);
    await put(owner, own[1] ?? 0, { featured: false }, id);
    expect(await order()).toEqual([1, 2, 0, 3]);
    const hidden = await put(owner, own[3] ?? 0, { featured: true }, id);
    expect(hidden.statusCode).toBe(422);
    expect(hidden.json()).toMatchObject({ error: HIDDEN_PHOTO_CANNOT_BE_FEATURED });
    await put(owner, own[3] ?? 0, { featured: true, show_in_gallery: true }, id);
    expect((await put(owner, own[3] ?? 0, { show_in_gallery: false }, id)).json()).toMatchObject({ featured: false });
  });

  test('and nine others at the same time leave exactly one featured, at position 0 (bad input 64)', async () => {
    const { id, ids: own } = await fill(10);
    const statuses = (await Promise.all(own.map((photoId) => put(owner, photoId, { featured: true }, id)))).map(
      (answer) => answer.statusCode,
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const photos = await listPhotos(server, owner, id);
    expect(photos.filter((photo) => photo.featured).map((photo) => photo.sequence_index)).toEqual([0]);
    expect(new Set(photos.map((photo) => photo.id))).toEqual(new Set(own));
  });

  test('removes a photo, once; the person who bought it keeps it', async () => {
    const { id, ids: own } = await fill(2);
    const photoId = own[0] ?? 0;
    const remove = () => server.call({ method: 'DELETE', url: at(photoId, id), as: owner });
    expect((await remove()).statusCode).toBe(204);
    expect((await remove()).statusCode).toBe(404);
    expect(await listPhotos(server, owner, id)).toHaveLength(1);
    expect((await put(owner, photoId, { name: 'x' }, id)).statusCode).toBe(404);
    const [row] = await server.data.ownerQuery<{ original_key: string }>(
      'select original_key from photos where id = $1',
      [photoId],
    );
    expect(row?.original_key).toBe('originals/none.jpg');
  });

  test('cannot change another tenant’s photo through their own gallery (threats 15, 16)', async () => {
    const mine = await openGallery(server, people.tokens.foreigner, people.stranger.id);
    const filled = await fill(1, [], { allow_voting: true });
    const theirs = filled.ids[0] ?? 0;
    const keyword = (
      await server.call({
        method: 'POST',
        url: `/api/v1/galleries/${filled.id}/add_keywords`,
        as: owner,
        payload: { photo: { id: theirs, keywords: ['mine'] } },
      })
    ).json<{ keywords: { id: number }[] }>();
    const call = (method: 'PUT' | 'DELETE' | 'POST' | 'GET', url: string, payload?: object) =>
      server.call({ method, url, as: people.tokens.foreigner, ...(payload ? { payload } : {}) });
    for (const base of [at(theirs, mine), at(theirs, filled.id)]) {
      expect((await call('PUT', base, { photo: { name: 'Stolen', show_in_gallery: false } })).statusCode).toBe(404);
      expect((await call('DELETE', base)).statusCode).toBe(404);
      expect((await call('GET', `${base}?adminview=true&download=true`)).statusCode).toBe(404);
    }
    for (const verb of ['add_like', 'remove_like', 'add_vote', 'remove_vote'])
      expect((await call('POST', `${at(theirs, mine)}/${verb}`)).statusCode, verb).toBeGreaterThanOrEqual(403);
    for (const id of [mine, filled.id]) {
      expect(
        (await call('POST', `/api/v1/galleries/${id}/add_keywords`, { photo: { id: theirs, keywords: ['stolen'] } }))
          .statusCode,
      ).toBe(404);
      expect(
        (
          await call(
            'DELETE',
            `/api/v1/galleries/${id}/delete_keyword?photo_id=${theirs}&keyword_id=${keyword.keywords[0]?.id}`,
          )
        ).statusCode,
      ).toBe(404);
    }
    const [photo] = await listPhotos(server, owner, filled.id);
    expect(photo).toMatchObject({ name: 'Photo 0', show_in_gallery: true, likes: 0, keywords: [{ name: 'mine' }] });
  });
});

describe('keywords', () => {
  const add = (photoId: number, keywords: unknown, id: number) =>
    server.call({
      method: 'POST',
      url: `/api/v1/galleries/${id}/add_keywords`,
      as: owner,
      payload: { photo: { id: photoId, keywords } },
    });

  test('are trimmed, split at commas, unique without case, and all returned', async () => {
    const { id, ids: own } = await fill(1);
    const photoId = own[0] ?? 0;
    expect(
      (await add(photoId, [' 23 ', { name: 'Goal, Équipe' }, 'GOAL', ''], id))
        .json<{ keywords: { name: string }[] }>()
        .keywords.map((keyword) => keyword.name),
    ).toEqual(['23', 'Goal', 'Équipe']);
    expect(
      (await add(photoId, ['<img src=x onerror=alert(1)>', "'; drop table photos", '⚽'], id)).json<{
        keywords: unknown[];
      }>().keywords,
    ).toHaveLength(6);
    const keywords = (await listPhotos(server, null, id))[0]?.keywords ?? [];
    expect(keywords.map((keyword) => keyword.name)).toContain('<img src=x onerror=alert(1)>');
    const remove = (keywordId: unknown) =>
      server.call({
        method: 'DELETE',
        url: `/api/v1/galleries/${id}/delete_keyword?photo_id=${photoId}&keyword_id=${String(keywordId)}`,
        as: owner,
      });
    expect((await remove(keywords[0]?.id)).statusCode).toBe(204);
    for (const wrong of [keywords[0]?.id, 'abc', '']) {
      const answer = await remove(wrong);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ error: DELETE_KEYWORD_FAILED });
    }
  });

  test('are at most 50 of 60 characters, also with simultaneous additions', async () => {
    const { id, ids: own } = await fill(1);
    const photoId = own[0] ?? 0;
    for (const [keywords, message] of [
      [[], KEYWORD_REQUIRED],
      [[' ', ','], KEYWORD_REQUIRED],
      [['x'.repeat(300)], 'A keyword can have at most 60 characters.'],
      ['goal', KEYWORD_REQUIRED],
      [[7], KEYWORD_REQUIRED],
    ] as const) {
      const answer = await add(photoId, keywords, id);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: message });
    }
    const many = (from: number) => Array.from({ length: 30 }, (_, index) => `word ${from + index}`);
    const answers = await Promise.all([add(photoId, many(0), id), add(photoId, many(100), id)]);
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 422]);
    expect(answers.find((answer) => answer.statusCode === 422)?.json()).toMatchObject({ error: TOO_MANY_KEYWORDS });
    expect((await listPhotos(server, owner, id))[0]?.keywords).toHaveLength(30);
  });

  test('are searched literally, without case and accents, among visible photos only (bad input 86)', async () => {
    const { id, ids: own } = await fill(5, [4]);
    const words = ['23', 'Équipe 100%', 'a_b\\c', '123', '23 hidden'];
    for (const [index, word] of words.entries()) await add(own[index] ?? 0, [word], id);
    const found = async (as: string | null, keyword: string) => {
      const answer = await page(as, `?limit=2&keyword=${encodeURIComponent(keyword)}`, id);
      const photos = await leaf(as, `limit=2&keyword=${encodeURIComponent(keyword)}`, id);
      expect(answer.total).toBe(photos.length);
      expect(photos.map((photo) => photo.sequence_index)).toEqual(photos.map((_photo, index) => index));
      return photos.map((photo) => own.indexOf(photo.id));
    };
    expect(await found(null, '23')).toEqual([0]);
    expect(await found(owner, '23')).toEqual([0]);
    expect(await found(owner, 'hidden')).toEqual([4]);
    expect(await found(null, ' EQUIPE')).toEqual([1]);
    expect(await found(null, '%')).toEqual([1]);
    expect(await found(null, '_')).toEqual([2]);
    expect(await found(null, '\\')).toEqual([2]);
    expect(await found(null, '.*')).toEqual([]);
    expect(await found(null, 'x'.repeat(3_000))).toEqual([]);
  });
});

describe('likes and votes', () => {
  const press = (photoId: number, verb: string, cookie: string | null, id: number) =>
    server.call({ method: 'POST', url: `${at(photoId, id)}/${verb}`, headers: cookie === null ? {} : { cookie } });

  test('are one per visitor, however often and fast they are sent (bad input 102)', async () => {
    const { id, ids: own } = await fill(1);
    const photoId = own[0] ?? 0;
    const first = await press(photoId, 'add_like', null, id);
    expect(first.json()).toEqual({ likes: 1, liked: true });
    const cookie = `visitor=${cookieOf(first, 'visitor') ?? ''}`;
    const answers = await Promise.all(Array.from({ length: 100 }, () => press(photoId, 'add_like', cookie, id)));
    expect(new Set(answers.map((answer) => answer.body))).toEqual(new Set(['{"likes":1,"liked":true}']));
    expect(answers[0]?.headers['set-cookie']).toBeUndefined();
    expect((await press(photoId, 'add_like', null, id)).json()).toEqual({ likes: 2, liked: true });
    const mine = await server.call({
      method: 'GET',
      url: `/api/v1/galleries/${id}/gallery_photos?limit=1`,
      headers: { cookie },
    });
    expect(mine.json()).toMatchObject({ photos: [{ likes: 2, liked: true, voted: false }] });
    for (let time = 0; time < 2; time++)
      expect((await press(photoId, 'remove_like', cookie, id)).json()).toEqual({ likes: 1, liked: false });
  });

  test('of a forged visitor count as a new one', async () => {
    const { id, ids: own } = await fill(1);
    const answer = await press(
      own[0] ?? 0,
      'add_like',
      'visitor=11111111-1111-4111-8111-111111111111.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      id,
    );
    expect(cookieOf(answer, 'visitor')).not.toContain('11111111');
  });

  test('are accepted only where voting is on; none on hidden photos or behind a password', async () => {
    const open = await fill(2, [1], { allow_voting: true });
    const [shown = 0, hidden = 0] = open.ids;
    const cookie = `visitor=${cookieOf(await press(shown, 'add_vote', null, open.id), 'visitor') ?? ''}`;
    expect((await press(shown, 'add_vote', cookie, open.id)).json()).toEqual({ votes: 1, voted: true });
    expect((await press(shown, 'remove_vote', cookie, open.id)).json()).toEqual({ votes: 0, voted: false });
    const closed = await fill(1);
    const refused = await press(closed.ids[0] ?? 0, 'add_vote', cookie, closed.id);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ error: VOTING_IS_CLOSED });
    expect((await press(hidden, 'add_like', cookie, open.id)).statusCode).toBe(404);
    const locked = await fill(1, [], { password_required: true, password: 'x1' });
    expect((await press(locked.ids[0] ?? 0, 'add_like', cookie, locked.id)).statusCode).toBe(404);
    const failed = closed.ids[0] ?? 0;
    await server.data.ownerQuery(`update photos set status = 'failed', problem = 'Unreadable.' where id = ${failed}`);
    const byMember = await server.call({ method: 'POST', url: `${at(failed, closed.id)}/add_like`, as: owner });
    expect(byMember.statusCode).toBe(404);
  });
});
