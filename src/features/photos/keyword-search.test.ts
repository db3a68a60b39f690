/** What visitors find and see: searches, the keywords of a gallery, titles, and photos sent by a link. */
import { beforeAll, describe, expect, test } from 'vitest';
import { photosPage } from '#src/features/photos/photos.contract.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const VISITOR = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.1' } as const;
let people: Neighborhood;
let owner: string;
let galleryId: number;
/** Their keywords are below; the last photo is hidden. */
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

const galleryOf = (publicPhotoCount: number) => ({
  id: galleryId,
  organizationId: people.hawks.id,
  publicPhotoCount,
  hasTags: false,
});

async function found(as: string | null, keyword: string): Promise<number[]> {
  const url = `/api/v1/galleries/${galleryId}/gallery_photos?limit=100&keyword=${encodeURIComponent(keyword)}`;
  const answer = photosPage.parse((await server.call({ method: 'GET', url, as })).json());
  expect(answer.total).toBe(answer.photos.length);
  return answer.photos.map((photo) => ids.indexOf(photo.id)).toSorted();
}

describe('a search (rule 54)', () => {
  test.each(['7', '#7', 'no. 7', 'No.7', 'nr 7', 'number 7', ' # 7,'])(
    'for %j means only the number 7',
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
  ])('for %j finds photos with all its words', async (text, photos) => {
    expect(await found(null, text)).toEqual(photos);
  });

  test('for a long text uses its first 120 characters, in a list and beside an open photo', async () => {
    const long = `mia${' '.repeat(117)}99`;
    expect(await found(null, long)).toEqual([0, 1]);
    const beside = await server.app.photos.find(VISITOR, galleryId, ids[0] ?? 0, { keyword: long });
    expect([beside.total, beside.nextId]).toEqual([2, ids[1]]);
  });

  test('by a member includes hidden photos', async () => {
    expect(await found(owner, '99')).toEqual([5]);
  });
});

test('a gallery lists the keywords of its visible photos, each with a search that finds as many', async () => {
  const { chips, sections } = await server.app.photos.outline(galleryOf(5));
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

test.each([
  ['asks for its revisions', false],
  ['has them with its photos', true],
])('a large gallery that %s caches its keywords, but not those of hidden photos', async (_how, hasThem) => {
  const offers = async () => {
    const { revisions } = await server.app.photos.open(VISITOR, galleryId);
    const { chips } = await server.app.photos.outline(galleryOf(500), hasThem ? revisions : undefined);
    return chips.some(({ name }) => name === 'Mia');
  };
  const show = (isShown: boolean) =>
    server.data.ownerQuery(
      'update photos set show_in_gallery = case id when $1 then $3 else not $3 end where id in ($1, $2)',
      [ids[0], ids[5], isShown],
    );
  expect([await offers(), await offers()]).toEqual([true, true]);
  try {
    await show(false);
    expect(await offers()).toBe(false);
  } finally {
    await show(true);
  }
  expect(await offers()).toBe(true);
});

/** A gallery of photos that have one of ten keywords each, `team0` to `team9`. */
async function openTeams(photos: number): Promise<number> {
  const id = await openGallery(server, owner, people.hawks.id, {});
  await server.data.ownerQuery(
    `with made as (
       insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select $1, $2, 'Photo ' || n, 'ready', 'a0' || lpad(n::text, 5, '0') || 'V', 1200, 800, '\\x0102', 'none.jpg', repeat('0', 64), 10
         from generate_series(1, $3::int) as n returning id)
     insert into photo_keywords (photo_id, gallery_id, organization_id, name) select id, $1, $2, 'team' || row_number() over () % 10 from made`,
    [id, people.hawks.id, photos],
  );
  return id;
}

/** How many photos a visitor's search reports. */
async function totalOf(id: number, keyword: string): Promise<number> {
  const url = `/api/v1/galleries/${id}/gallery_photos?keyword=${keyword}`;
  return photosPage.parse((await server.call({ method: 'GET', url })).json()).total;
}

test('a search finds the few visible photos among thousands that are hidden', async () => {
  const id = await openTeams(3_050);
  await server.data.ownerQuery(
    `update photos set show_in_gallery = false
      where id in (select id from photos where gallery_id = $1 order by id limit 3_000)`,
    [id],
  );
  await server.data.ownerQuery('analyze');
  expect(await totalOf(id, 'team')).toBe(50);
});

test('a search that finds many photos does not count one that was just hidden', async () => {
  const id = await openTeams(1_200);
  expect(await totalOf(id, 'team')).toBe(1_000);
  expect(await totalOf(id, 'team7')).toBe(120);
  await server.data.ownerQuery(
    `update photos set show_in_gallery = false
      where id = (select max(photo_id) from photo_keywords where gallery_id = $1 and name = 'team7')`,
    [id],
  );
  expect(await totalOf(id, 'team7')).toBe(119);
});

test('visitors see titles and capture times, members file names (rule 61)', async () => {
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
    (await server.app.chosenPhotos.chosen(VISITOR, organizationId, photoIds)).photos.map(({ id }) => ids.indexOf(id));

  test('are shown in their order, without hidden ones', async () => {
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
