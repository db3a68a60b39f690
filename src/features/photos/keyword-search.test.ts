/** What visitors find and see: searches, the keywords that a gallery offers, titles, and photos sent by a link. */
import { beforeAll, describe, expect, test } from 'vitest';
import { photosPage } from '#src/features/photos/photos.contract.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const VISITOR = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.1' } as const;
let people: Neighborhood;
let owner: string;
let galleryId: number;
/** Named by their keywords below; the last one is hidden. */
let ids: number[];
const KEYWORDS = [['7', 'Mia'], ['17', 'mia lopez'], ['7', 'corner kick'], ['170', '#4'], ['Zoë 7'], ['99']];

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id, {});
  ids = [];
  const gallery = { id: galleryId, organizationId: people.hawks.id };
  for (const [index, keywords] of KEYWORDS.entries()) {
    const shown = index < KEYWORDS.length - 1;
    const id = await addReadyPhoto(server, gallery, { name: `IMG_10${index}2.jpg`, shown });
    ids.push(id);
    const answer = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/add_keywords`,
      as: owner,
      payload: { photo: { id, keywords } },
    });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  }
});

async function found(as: string | null, keyword: string): Promise<number[]> {
  const url = `/api/v1/galleries/${galleryId}/gallery_photos?limit=100&keyword=${encodeURIComponent(keyword)}`;
  const answer = photosPage.parse((await server.call({ method: 'GET', url, as })).json());
  expect(answer.total).toBe(answer.photos.length);
  return answer.photos.map((photo) => ids.indexOf(photo.id)).toSorted();
}

describe('a search (rule 54)', () => {
  test.each(['7', '#7', 'no. 7', 'No.7', 'nr 7', 'number 7', ' # 7,'])(
    'for %j means the number 7 alone',
    async (seven) => {
      expect(await found(null, seven)).toEqual([0, 2]);
    },
  );

  test.each([
    ['Mia 7', [0]],
    ['7, mia', [0]],
    ['kick corner 7', [2]],
    ['mia', [0, 1]],
    ['"mia"', [0]],
    ['zoe', [4]],
    ['4', [3]],
    // No one wears the 70, and the only photo of the 99 is hidden.
    ['70', [3]],
    ['99', []],
    ['mia 99', []],
    [' , ', []],
  ])('for %j finds what has all its words', async (text, photos) => {
    expect(await found(null, text)).toEqual(photos);
  });

  test('by a member includes hidden photos', async () => {
    expect(await found(owner, '99')).toEqual([5]);
  });
});

test('a gallery offers the keywords of its visible photos, each with a search that finds as many', async () => {
  const { chips, sections } = await server.app.photos.outline(galleryId, 5);
  expect(sections).toEqual([]);
  expect(chips.map(({ name, count }) => `${name} ${count}`)).toEqual([
    '#4 1',
    '7 2',
    '17 1',
    '170 1',
    'corner kick 1',
    'Mia 1',
    'mia lopez 1',
    'Zoë 7 1',
  ]);
  for (const { search, count } of chips) expect(await found(null, search), search).toHaveLength(count);
});

test('a large gallery caches what it offers for half a minute, but not the keywords of a photo that was hidden', async () => {
  const offers = async (total: number) =>
    (await server.app.photos.outline(galleryId, total)).chips.some(({ name }) => name === 'Mia');
  const show = (isShown: boolean) =>
    server.data.ownerQuery('update photos set show_in_gallery = $2 where id = $1', [ids[0], isShown]);
  expect(await offers(500)).toBe(true);
  try {
    await show(false);
    expect(await offers(500)).toBe(true);
    expect(await offers(499)).toBe(false);
  } finally {
    await show(true);
  }
  expect(await offers(500)).toBe(true);
});

test('visitors see titles and capture times, members the names of files (rule 61)', async () => {
  const url = `/api/v1/galleries/${galleryId}/gallery_photos?limit=100`;
  const names = async (as: string | null) =>
    photosPage.parse((await server.call({ method: 'GET', url, as })).json()).photos.map(({ name }) => name);
  expect((await names(null)).toSorted()[0]).toBe('Photo 1002');
  expect((await names(null)).join()).not.toMatch(/IMG|jpg/);
  expect((await names(owner)).toSorted()[0]).toBe('IMG_1002.jpg');
  await server.data.ownerQuery(`update photos set exif = '{"takenAt":"2026-05-16T07:12:30"}' where id = $1`, [ids[0]]);
  const page = photosPage.parse((await server.call({ method: 'GET', url })).json());
  expect(page.photos.find(({ id }) => id === ids[0])?.captured_at).toBe('2026-05-16T07:12:30');
});

describe('photos sent as a link', () => {
  const chosen = async (organizationId: number, photoIds: readonly number[]) =>
    (await server.app.chosenPhotos.chosen(VISITOR, organizationId, photoIds)).map(({ id }) => ids.indexOf(id));

  test('are shown in their order, without the hidden ones', async () => {
    const [first = 0, second = 0, , , , hidden = 0] = ids;
    expect(await chosen(people.hawks.id, [second, hidden, first, second, 123])).toEqual([1, 0]);
  });

  test('are not shown under another club, nor from a locked or deleted gallery', async () => {
    expect(await chosen(people.hawks.id + 1, ids)).toEqual([]);
    await server.data.ownerQuery(`update galleries set password_required = true where id = $1`, [galleryId]);
    expect(await chosen(people.hawks.id, ids)).toEqual([]);
    await server.data.ownerQuery(`update galleries set password_required = false, active = false where id = $1`, [
      galleryId,
    ]);
    expect(await chosen(people.hawks.id, ids)).toEqual([]);
    await server.data.ownerQuery(`update galleries set active = true where id = $1`, [galleryId]);
  });
});
