/** What everyone may find by an athlete's number, and what no one may. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NUMBER_NOT_VALID, type NumbersAnswer, type PhotosPage } from '#src/features/photos/photos.contract.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addRoster, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let roster: SeededRoster;
let gallery: { id: number; organizationId: number };
/** In the gallery's order. */
let ids: number[];
let keys = 0;

beforeAll(async () => {
  people = await settleAnother(server);
  roster = await addRoster(server, people.hawks.id);
});

beforeEach(async () => {
  await setMode('numbers');
  gallery = { id: await openGallery(server, people.tokens.owner, people.hawks.id), organizationId: people.hawks.id };
  ids = [];
  for (let at = 0; at < 4; at++) ids.unshift(await addReadyPhoto(server, gallery));
});

const setMode = (mode: string, unknown = 'show') =>
  server.data.ownerQuery(
    `insert into athlete_settings (organization_id, mode, unknown_consent) values ($1, $2, $3)
     on conflict (organization_id) do update set mode = excluded.mode, unknown_consent = excluded.unknown_consent`,
    [people.hawks.id, mode, unknown],
  );

async function tag(at: number, ...add: object[]): Promise<void> {
  const answer = await server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${gallery.id}/tags`,
    as: people.tokens.owner,
    payload: { changes: [{ photo_ids: [ids[at]], add }], client_key: `numbers-${++keys}` },
  });
  expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ tagged: 1, refused: [] })]);
}
const athlete = ({ id }: { id: number }) => ({ athlete_id: id });

async function photos(query = '', as: string | null = null): Promise<PhotosPage> {
  const answer = await server.call({
    method: 'GET',
    url: `/api/v1/galleries/${gallery.id}/gallery_photos${query}`,
    as,
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<PhotosPage>();
}
const found = async (query: string, as: string | null = null) => {
  const page = await photos(query, as);
  return { at: page.photos.map(({ id }) => ids.indexOf(id)), total: page.total };
};
/** Publishes a photo although the consent of one of its athletes, Sam, hides it. */
const makeException = (at: number) =>
  server.data.ownerQuery(
    "insert into photo_exceptions (photo_id, athlete_id, organization_id, reason) values ($1, $2, $3, 'Seen from behind')",
    [ids[at], roster.sam.id, gallery.organizationId],
  );
const numbersByPhoto = async () => (await photos()).photos.map((photo) => [ids.indexOf(photo.id), photo.numbers]);
const NONE = { photos: [], next: null, total: 0 };
const numbers = async (as: string | null = null) =>
  (await server.call({ method: 'GET', url: `/api/v1/galleries/${gallery.id}/numbers`, as })).json<NumbersAnswer>()
    .numbers;

describe('in mode numbers', () => {
  beforeEach(async () => {
    await tag(0, athlete(roster.maya), athlete(roster.leo));
    await tag(1, athlete(roster.kai));
    await tag(2, { team_id: roster.hawks.id, number: '41' });
  });

  test('photos are found by number, by team, and by what someone types', async () => {
    expect(await found('?number=10')).toEqual({ at: [0, 1], total: 2 });
    expect(await found(`?number=10&team=${roster.tides.id}`)).toEqual({ at: [1], total: 1 });
    expect(await found(`?team=${roster.hawks.id}`)).toEqual({ at: [0, 2], total: 2 });
    expect(await found('?keyword=10')).toEqual({ at: [0, 1], total: 2 });
    expect(await found('?keyword=tides%2010')).toEqual({ at: [1], total: 1 });
    expect(await photos('?number=99')).toEqual(NONE);
    expect(await photos('?number=1')).toEqual(NONE);
  });

  test('the photos found come page by page', async () => {
    const first = await photos('?number=10&limit=1');
    expect([first.photos.map(({ id }) => id), first.total]).toEqual([[ids[0]], 2]);
    expect(await found(`?number=10&limit=1&after=${first.next}`)).toEqual({ at: [1], total: 2 });
  });

  test('a keyword that is a number finds photos if no one is tagged with it', async () => {
    await server.data.ownerQuery(
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name) values ($1, $2, $3, '55')`,
      [ids[3], gallery.id, gallery.organizationId],
    );
    expect(await found('?keyword=55')).toEqual({ at: [3], total: 1 });
  });

  test('each number has its team and its count of photos, and is shown with the photo; names are not', async () => {
    expect(await numbers()).toEqual([
      { team_id: roster.hawks.id, team: 'Hawks', number: '7', photos: 1 },
      { team_id: roster.hawks.id, team: 'Hawks', number: '10', photos: 1 },
      { team_id: roster.hawks.id, team: 'Hawks', number: '41', photos: 1 },
      { team_id: roster.tides.id, team: 'Tides', number: '10', photos: 1 },
    ]);
    const page = await photos();
    expect(page.photos.map((photo) => photo.numbers)).toEqual([['10', '7'], ['10'], ['41'], []]);
    expect(JSON.stringify([page, await numbers()])).not.toMatch(/Maya|Rivera|Leo|Park|Kai|Brandt|athlete_id|"tags"/);
  });

  test('a photo that a member hid is found by its number only by members', async () => {
    const before = await found('?number=10');
    ids.push(await addReadyPhoto(server, gallery, { shown: false }));
    await tag(4, athlete(roster.maya));
    expect(await found('?number=10')).toEqual(before);
    expect((await found('?number=10', people.tokens.owner)).at).toContain(4);
  });

  test('members see tags with names, and photos that visitors do not see', async () => {
    await tag(3, athlete(roster.sam));
    const page = await photos('', people.tokens.owner);
    expect(page.photos[0]?.tags?.map(({ name, team, number }) => [name, team, number])).toEqual([
      ['Maya R.', 'Hawks', '10'],
      ['Leo P.', 'Hawks', '7'],
    ]);
    expect(await found('?number=4', people.tokens.owner)).toEqual({ at: [3], total: 1 });
    expect(await photos('?number=4')).toEqual(NONE);
    expect((await numbers()).map(({ number }) => number)).not.toContain('4');
  });

  test('another organization’s member is a visitor here', async () => {
    expect((await photos('', people.tokens.neighbor)).photos[0]).toMatchObject({ numbers: ['10', '7'] });
    expect((await photos('', people.tokens.neighbor)).photos[0]?.tags).toBeUndefined();
  });

  test('a cached response ends with the next tag, with a removed tag, and with a change of the mode', async () => {
    for (let time = 0; time < 3; time++) await photos('?number=10');
    await tag(2, athlete(roster.maya));
    expect(await found('?number=10')).toEqual({ at: [0, 1, 2], total: 3 });
    for (let time = 0; time < 3; time++) await photos('?number=10');
    await server.data.ownerQuery('delete from photo_tags where photo_id = $1', [ids[0]]);
    expect(await found('?number=10')).toEqual({ at: [1, 2], total: 2 });
    for (let time = 0; time < 3; time++) await photos('?number=10');
    await setMode('private');
    expect(await photos('?number=10')).toEqual(NONE);
  });

  test('the number of a child who must not be published is not shown with a photo that is an exception', async () => {
    await tag(3, athlete(roster.sam), athlete(roster.leo));
    await makeException(3);
    expect(await numbersByPhoto()).toContainEqual([3, ['7']]);
    expect(await photos('?number=4')).toEqual(NONE);
  });

  test('a bare number of such a child is not shown either', async () => {
    await server.data.ownerQuery(
      "insert into photo_tags (organization_id, gallery_id, photo_id, team_id, number, how) values ($1, $2, $3, $4, '4', 'hand')",
      [gallery.organizationId, gallery.id, ids[3], roster.hawks.id],
    );
    await makeException(3);
    expect(await numbersByPhoto()).toContainEqual([3, []]);
    expect(await photos('?number=4')).toEqual(NONE);
    expect((await numbers()).map(({ number }) => number)).not.toContain('4');
  });

  test('an athlete whose consent is unknown is found only if the organization publishes them', async () => {
    await setMode('numbers', 'hide');
    expect(await found('?number=10')).toEqual({ at: [0], total: 1 });
  });
});

test.each(['private', 'off'])('in mode %s everything looks as if no one were tagged', async (mode) => {
  await tag(0, athlete(roster.maya));
  await setMode(mode);
  expect(await photos('?number=10')).toEqual(NONE);
  expect(await photos('?number=99')).toEqual(NONE);
  expect(await photos(`?team=${roster.hawks.id}`)).toEqual(NONE);
  expect(await photos('?keyword=10')).toEqual(NONE);
  expect(await numbers()).toEqual([]);
  const page = await photos();
  expect(page.photos.every((photo) => photo.numbers === undefined && photo.tags === undefined)).toBe(true);
});

test('a gallery that was never tagged has no new fields', async () => {
  const [photo] = (await photos()).photos;
  expect(Object.keys(photo ?? {})).not.toEqual(expect.arrayContaining(['numbers']));
  expect(Object.keys((await photos('', people.tokens.owner)).photos[0] ?? {})).not.toEqual(
    expect.arrayContaining(['tags']),
  );
  expect(await photos('?number=10')).toEqual(NONE);
  expect(await numbers()).toEqual([]);
});

test('behind a password nothing is shown', async () => {
  await tag(0, athlete(roster.maya));
  await server.data.ownerQuery(
    "update galleries set password_required = true, password_encrypted = '\\x00' where id = $1",
    [gallery.id],
  );
  expect(await photos('?number=10')).toEqual(NONE);
  expect(await numbers()).toEqual([]);
});

test.each(['x', '12345', '-1', '1.0'])('%j is not a number', async (number) => {
  const answer = await server.call({
    method: 'GET',
    url: `/api/v1/galleries/${gallery.id}/gallery_photos?number=${number}`,
  });
  expect([answer.statusCode, answer.json()]).toEqual([
    422,
    expect.objectContaining({ errors: { number: [NUMBER_NOT_VALID] } }),
  ]);
});
