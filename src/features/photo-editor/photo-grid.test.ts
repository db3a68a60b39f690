/** The editor's grid over HTTP: filters, layout, facts, and changes of many photos. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  PHOTOS_EXPECTED,
  SEARCH_TOO_LONG,
  UNKNOWN_SHOW,
  UNKNOWN_SORT,
  type PhotoFact,
  type PhotoLayout,
} from '#src/features/photos/photo-grid.contract.ts';
import { NOTHING_TO_CHANGE, TOO_MANY_PHOTOS } from '#src/features/photo-editor/photo-editor.contract.ts';
import {
  KEYWORD_REQUIRED,
  PHOTO_HAS_FAILED,
  PHOTO_PRICE_INVALID,
  TOO_MANY_KEYWORDS,
  type PhotosPage,
} from '#src/features/photos/photos.contract.ts';
import { BAD_PLACE } from '#src/shared/paging.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { listPhotos } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

/** A gallery of photos shown or hidden as given; ids in order. */
async function galleryOf(shown: readonly boolean[]): Promise<{ galleryId: number; ids: number[] }> {
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  const ids: number[] = [];
  for (const isShown of shown.toReversed())
    ids.unshift(await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }, { shown: isShown }));
  return { galleryId, ids };
}

const get = (url: string, as: string | null = people.tokens.owner) =>
  server.call({ method: 'GET', url: `/api/v1/galleries/${url}`, as });
const put = (galleryId: number, payload: object, as: string | null = people.tokens.owner) =>
  server.call({ method: 'PUT', url: `/api/v1/galleries/${galleryId}/gallery_photos`, as, payload });
const remove = (galleryId: number, payload: object, as: string | null = people.tokens.owner) =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/gallery_photos/remove`, as, payload });

describe('filters', () => {
  test.each([
    ['default', [0, 1, 2, 3]],
    ['onlyShowInGallery', [0, 2]],
    ['onlyNotShowInGallery', [1, 3]],
  ])('%s pages through its photos and counts them', async (show, places) => {
    const { galleryId, ids } = await galleryOf([true, false, true, false]);
    const first = (await get(`${galleryId}/gallery_photos?show=${show}&limit=1`)).json<PhotosPage>();
    const rest = (await get(`${galleryId}/gallery_photos?show=${show}&after=${first.next}`)).json<PhotosPage>();
    expect([...first.photos, ...rest.photos].map(({ id }) => id)).toEqual(places.map((place) => ids[place]));
    expect([first.total, rest.total, rest.next]).toEqual([places.length, places.length, null]);
  });

  test('show a visitor only what is public', async () => {
    const { galleryId, ids } = await galleryOf([true, false]);
    for (const show of ['default', 'onlyShowInGallery', 'onlyNotShowInGallery']) {
      const page = (await get(`${galleryId}/gallery_photos?show=${show}`, null)).json<PhotosPage>();
      expect(page.photos.map(({ id }) => id)).toEqual([ids[0]]);
    }
  });

  test('that are unknown are refused', async () => {
    const { galleryId } = await galleryOf([true]);
    const answer = await get(`${galleryId}/gallery_photos?show=all`);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([422, UNKNOWN_SHOW]);
  });
});

describe('the layout of a gallery', () => {
  test('lists its photos in order, page by page, with the counts of all filters', async () => {
    const { galleryId, ids } = await galleryOf([true, false, true]);
    const first = (await get(`${galleryId}/photo_layout?limit=2`)).json<PhotoLayout>();
    expect(first).toMatchObject({
      total: 3,
      counts: { default: 3, onlyShowInGallery: 2, onlyNotShowInGallery: 1, withoutKeywords: 3, failed: 0 },
      photos: [
        { id: ids[0], ratio: 1.5, shown: true, featured: false, failed: false },
        { id: ids[1], ratio: 1.5, shown: false, featured: false },
      ],
    });
    const rest = (await get(`${galleryId}/photo_layout?limit=2&after=${first.next}`)).json<PhotoLayout>();
    expect(rest).toEqual({
      photos: [{ id: ids[2], ratio: 1.5, shown: true, featured: false, failed: false }],
      next: null,
      total: 3,
      counts: null,
    });
    const hidden = (await get(`${galleryId}/photo_layout?show=onlyNotShowInGallery`)).json<PhotoLayout>();
    expect([hidden.photos.map(({ id }) => id), hidden.total]).toEqual([[ids[1]], 1]);
  });

  test('and full data of photos are only for members', async () => {
    const { galleryId, ids } = await galleryOf([true]);
    for (const url of [`${galleryId}/photo_layout`, `${galleryId}/photo_facts?ids=${ids[0]}`]) {
      expect((await get(url, null)).statusCode).toBe(401);
      expect((await get(url, people.tokens.neighbor)).statusCode).toBe(404);
      expect((await get(url, people.tokens.parentMember)).statusCode).toBe(200);
    }
    const bad = await get(`${galleryId}/photo_layout?after=x`);
    expect([bad.statusCode, bad.json<{ error: string }>().error]).toEqual([422, BAD_PLACE]);
  });

  test('full data comes in the given order, without photos of other galleries', async () => {
    const { galleryId, ids } = await galleryOf([true, false]);
    const { ids: foreign } = await galleryOf([true]);
    const answer = await get(`${galleryId}/photo_facts?ids=${ids[1]},${foreign[0]},${ids[0]}`);
    const { photos } = answer.json<{ photos: PhotoFact[] }>();
    expect(photos.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(photos[0]).toMatchObject({ show_in_gallery: false, sales_count: 0, sales_rev: 0, contributor: null });
    expect((await get(`${galleryId}/photo_facts?ids=1,x`)).statusCode).toBe(422);
    expect((await get(`${galleryId}/photo_facts?ids=${Array(101).fill(7).join(',')}`)).statusCode).toBe(422);
    expect((await get(`${galleryId}/photo_facts`)).statusCode).toBe(422);
  });
});

const layoutOf = async (galleryId: number, query: string) =>
  (await get(`${galleryId}/photo_layout?${query}`)).json<PhotoLayout>();
const idsOf = ({ photos }: PhotoLayout) => photos.map(({ id }) => id);

describe('failed photos', () => {
  /** The second of three failed. */
  async function withFailed() {
    const gallery = await galleryOf([true, true, false]);
    await server.data.ownerQuery(
      "update photos set status = 'failed', problem = 'This file is damaged.', original_key = null, original_sha256 = null, width = null, height = null where id = $1",
      [gallery.ids[1]],
    );
    return gallery;
  }

  test('are never public: filter, counts and what visitors get agree', async () => {
    const { galleryId, ids } = await withFailed();
    const shown = await layoutOf(galleryId, 'show=onlyShowInGallery');
    expect([idsOf(shown), shown.total]).toEqual([[ids[0]], 1]);
    expect((await get(`${galleryId}/gallery_photos`, null)).json<PhotosPage>().total).toBe(1);
    expect(shown.counts).toEqual({
      default: 3,
      onlyShowInGallery: 1,
      onlyNotShowInGallery: 2,
      withoutKeywords: 2,
      failed: 1,
    });
    expect(idsOf(await layoutOf(galleryId, 'show=onlyNotShowInGallery'))).toEqual([ids[1], ids[2]]);
    expect(await layoutOf(galleryId, 'show=failed')).toMatchObject({
      total: 1,
      photos: [{ id: ids[1], failed: true }],
    });
  });

  test('are not rotated or featured, and the message says why', async () => {
    const { galleryId, ids } = await withFailed();
    const url = `/api/v1/galleries/${galleryId}/gallery_photos/${ids[1]}`;
    const turned = await server.call({ method: 'POST', url: `${url}/rotate`, as: people.tokens.owner });
    const payload = { photo: { featured: true } };
    const featured = await server.call({ method: 'PUT', url, as: people.tokens.owner, payload });
    for (const answer of [turned, featured])
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([409, PHOTO_HAS_FAILED]);
  });
});

describe('the layout of a filter', () => {
  async function expectBare(galleryId: number, ids: readonly (number | undefined)[]) {
    const bare = await layoutOf(galleryId, 'show=withoutKeywords');
    expect([idsOf(bare), bare.total, bare.counts?.withoutKeywords]).toEqual([ids, ids.length, ids.length]);
  }

  test('of photos without keywords loses a photo with its first keyword, and gets it back after its last one', async () => {
    const { galleryId, ids } = await galleryOf([true, false, true]);
    await put(galleryId, { ids: [ids[1]], add_keywords: ['7', '8'] });
    await expectBare(galleryId, [ids[0], ids[2]]);
    const remove = (name: string) =>
      server.data.ownerQuery('delete from photo_keywords where photo_id = $1 and name = $2', [ids[1], name]);
    await remove('7');
    await expectBare(galleryId, [ids[0], ids[2]]);
    await remove('8');
    await expectBare(galleryId, ids);
  });

  test('of photos without keywords is correct when one member removes the last keyword while another adds one', async () => {
    const { galleryId, ids } = await galleryOf([true]);
    const owner = { gallery: galleryId, organization: people.hawks.id };
    const add = (name: string) =>
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name) values (${ids[0]}, ${owner.gallery}, ${owner.organization}, '${name}')`;
    const remove = (name: string) => `delete from photo_keywords where photo_id = ${ids[0]} and name = '${name}'`;
    await server.data.ownerQuery(add('first'));
    for (const [earlier, later] of [
      [remove('first'), add('second')],
      [add('third'), remove('second')],
    ] as const) {
      const one = new pg.Client({ connectionString: server.data.ownerUrl });
      await one.connect();
      await one.query(`begin; ${earlier}`);
      const other = server.data.ownerQuery(later);
      await setTimeout(100);
      await one.query('commit');
      await one.end();
      await other;
      await expectBare(galleryId, []);
    }
  });

  test('by time pages through all photos once, in both directions, also where times are equal or unknown', async () => {
    const { galleryId, ids } = await galleryOf([true, true, true, true]);
    const times = ['2026-11-22T10:00:00Z', '2026-11-22T09:00:00Z', '2026-11-22T09:00:00Z', null];
    for (const [at, time] of times.entries())
      await server.data.ownerQuery(
        "update photos set captured_at = $2, created_at = '2026-11-23T00:00:00Z' where id = $1",
        [ids[at], time],
      );
    const same = [ids[1], ids[2]].toSorted((a = 0, b = 0) => a - b);
    const oldest = [...same, ids[0], ids[3]];
    for (const [sort, order] of [
      ['oldest', oldest],
      ['newest', oldest.toReversed()],
    ] as const) {
      const seen: number[] = [];
      for (let after = ''; seen.length < 9;) {
        const page = await layoutOf(galleryId, `sort=${sort}&limit=1${after === '' ? '' : `&after=${after}`}`);
        seen.push(...idsOf(page));
        if (page.next === null) break;
        after = page.next;
      }
      expect(seen).toEqual(order);
    }
    const custom = await layoutOf(galleryId, 'limit=1');
    const foreign = await get(`${galleryId}/photo_layout?sort=oldest&after=${custom.next}`);
    expect([foreign.statusCode, foreign.json<{ error: string }>().error]).toEqual([422, BAD_PLACE]);
    expect((await get(`${galleryId}/photo_layout?sort=name`)).json<{ error: string }>().error).toBe(UNKNOWN_SORT);
  });

  test('of a search finds keywords and file names, literally, within a filter, and counts them', async () => {
    const { galleryId, ids } = await galleryOf([true, true, false, true]);
    await put(galleryId, { ids: [ids[0], ids[2]], add_keywords: ['Mía'] });
    await server.data.ownerQuery("update photos set name = 'IMG_1001%.jpg' where id = $1", [ids[1]]);
    const found = async (query: string) => {
      const page = await layoutOf(galleryId, query);
      expect(page.total).toBe(page.photos.length);
      return idsOf(page);
    };
    expect(await found('keyword=mia')).toEqual([ids[0], ids[2]]);
    expect(await found('keyword=mia&show=onlyShowInGallery')).toEqual([ids[0]]);
    expect(await found('keyword=img_1001')).toEqual([ids[1]]);
    expect(await found('keyword=%25')).toEqual([ids[1]]);
    expect(await found('keyword=nobody')).toEqual([]);
    const first = await layoutOf(galleryId, 'keyword=mia&limit=1&sort=newest');
    const rest = await layoutOf(galleryId, `keyword=mia&limit=1&sort=newest&after=${first.next}`);
    expect([first.total, rest.total, rest.next]).toEqual([2, 2, null]);
    const long = await get(`${galleryId}/photo_layout?keyword=${'x'.repeat(121)}`);
    expect([long.statusCode, long.json<{ error: string }>().error]).toEqual([422, SEARCH_TOO_LONG]);
  });
});

describe('many photos at once', () => {
  test('are hidden, priced and given keywords; photos outside the gallery are skipped', async () => {
    const { galleryId, ids } = await galleryOf([true, true, true]);
    const { galleryId: otherId, ids: foreign } = await galleryOf([true]);
    const answer = await put(galleryId, {
      ids: [ids[0], ids[1], ids[1], foreign[0], 4],
      photo: { show_in_gallery: false, price_override: 2.5 },
      add_keywords: ['goal, 23', 'Goal'],
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, { updated: 2 }]);
    const photos = await listPhotos(server, people.tokens.owner, galleryId);
    expect(
      photos.map((photo) => [photo.show_in_gallery, photo.price_override, photo.keywords.map(({ name }) => name)]),
    ).toEqual([
      [false, 2.5, ['goal', '23']],
      [false, 2.5, ['goal', '23']],
      [true, null, []],
    ]);
    expect((await listPhotos(server, people.tokens.owner, otherId))[0]?.show_in_gallery).toBe(true);
    await put(galleryId, { ids, photo: { show_in_gallery: true, price_override: null } });
    expect((await listPhotos(server, null, galleryId)).map(({ id, price }) => [id, price])).toEqual(
      ids.map((id) => [id, 4]),
    );
  });

  test('lose the featured photo when it is hidden', async () => {
    const { galleryId, ids } = await galleryOf([true, true]);
    const url = `/api/v1/galleries/${galleryId}/gallery_photos/${ids[1]}`;
    await server.call({ method: 'PUT', url, as: people.tokens.owner, payload: { photo: { featured: true } } });
    await put(galleryId, { ids, photo: { show_in_gallery: false } });
    const photos = await listPhotos(server, people.tokens.owner, galleryId);
    expect(photos.map(({ featured, show_in_gallery: shown }) => [featured, shown])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test('are removed; the second time nothing is left to remove', async () => {
    const { galleryId, ids } = await galleryOf([true, false, true]);
    const { ids: foreign } = await galleryOf([true]);
    expect((await remove(galleryId, { ids: [ids[0], ids[1], foreign[0]] })).json()).toEqual({ removed: 2 });
    expect((await remove(galleryId, { ids: [ids[0], ids[1]] })).json()).toEqual({ removed: 0 });
    expect((await listPhotos(server, people.tokens.owner, galleryId)).map(({ id }) => id)).toEqual([ids[2]]);
  });

  test('that would have too many keywords are refused, and none is changed', async () => {
    const { galleryId, ids } = await galleryOf([true, true]);
    const many = Array.from({ length: 49 }, (_, index) => `word ${index}`);
    expect((await put(galleryId, { ids: [ids[0]], add_keywords: many })).statusCode).toBe(200);
    const answer = await put(galleryId, { ids, photo: { price_override: 9 }, add_keywords: ['a', 'b'] });
    expect(answer.json<{ errors: unknown }>().errors).toEqual({ add_keywords: [TOO_MANY_KEYWORDS] });
    expect(answer.statusCode).toBe(422);
    const photos = await listPhotos(server, people.tokens.owner, galleryId);
    expect(photos.map((photo) => [photo.keywords.length, photo.price_override])).toEqual([
      [49, null],
      [0, null],
    ]);
  });

  test.each([
    ['no ids', { photo: { show_in_gallery: true } }, { ids: [PHOTOS_EXPECTED] }],
    ['an empty list', { ids: [], photo: { show_in_gallery: true } }, { ids: [PHOTOS_EXPECTED] }],
    ['too many', { ids: Array(5_001).fill(7), photo: { show_in_gallery: true } }, { ids: [TOO_MANY_PHOTOS] }],
    ['nothing to change', { ids: [7] }, { photo: [NOTHING_TO_CHANGE] }],
    ['an empty change', { ids: [7], photo: {} }, { photo: [NOTHING_TO_CHANGE] }],
    ['a price that is none', { ids: [7], photo: { price_override: -1 } }, { price_override: [PHOTO_PRICE_INVALID] }],
    ['blank keywords', { ids: [7], add_keywords: [' , '] }, { add_keywords: [KEYWORD_REQUIRED] }],
  ])('with %s are refused with a message', async (_what, payload, errors) => {
    const { galleryId } = await galleryOf([true]);
    const answer = await put(galleryId, payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: unknown }>().errors).toEqual(errors);
  });

  test('with a field that bulk edits do not have are refused', async () => {
    const { galleryId, ids } = await galleryOf([true]);
    expect((await put(galleryId, { ids, photo: { featured: true } })).statusCode).toBe(422);
    expect((await put(galleryId, { ids, photo: { show_in_gallery: false }, other: 1 })).statusCode).toBe(422);
  });

  test('are refused to visitors and other organizations', async () => {
    const { galleryId, ids } = await galleryOf([true]);
    for (const [token, status] of [
      [null, 401],
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
    ] as const) {
      expect((await put(galleryId, { ids, photo: { show_in_gallery: false } }, token)).statusCode).toBe(status);
      expect((await remove(galleryId, { ids }, token)).statusCode).toBe(status);
    }
    expect((await listPhotos(server, null, galleryId)).map(({ id }) => id)).toEqual(ids);
  });

  test('are hidden and removed by two editors at the same time, and counters stay correct', async () => {
    const { galleryId, ids } = await galleryOf(Array(12).fill(true));
    const { owner, parentMember } = people.tokens;
    const half = ids.slice(0, 8);
    const answers = await Promise.all([
      put(galleryId, { ids: half, photo: { show_in_gallery: false } }, owner),
      remove(galleryId, { ids: ids.slice(4).toReversed() }, parentMember),
      put(galleryId, { ids: ids.toReversed(), photo: { price_override: 3 } }, owner),
      remove(galleryId, { ids: ids.slice(6, 10) }, owner),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const photos = await listPhotos(server, owner, galleryId);
    expect(photos.map(({ id }) => id)).toEqual(ids.slice(0, 4));
    const layout = (await get(`${galleryId}/photo_layout`)).json<PhotoLayout>();
    expect(layout.counts).toMatchObject({ default: 4, onlyShowInGallery: 0, onlyNotShowInGallery: 4 });
  });
});
