/** Two people share a gallery, and numbers among the keywords become tags. */
import { beforeEach, expect, test } from 'vitest';
import * as words from '#src/features/tagging/tagging.contract.ts';
import type { KeywordsAnswer, TaggingPage, TakeAnswer } from '#src/features/tagging/tagging.contract.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addAthlete, addRoster, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let gallery: { id: number; organizationId: number };
let roster: SeededRoster;
/** In the gallery's order. */
let ids: number[];

beforeEach(async () => {
  people = await settleAnother(server);
  roster = await addRoster(server, people.hawks.id);
  gallery = { id: await openGallery(server, people.tokens.owner, people.hawks.id), organizationId: people.hawks.id };
  ids = [];
  for (let at = 0; at < 5; at++) ids.unshift(await addReadyPhoto(server, gallery));
});

const post = (path: string, as: string | null = people.tokens.owner, payload: object = {}) =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${gallery.id}/tagging/${path}`, as, payload });
const take = async (count: number, as = people.tokens.owner) => (await post('take', as, { count })).json<TakeAnswer>();
const playing = (...teamIds: number[]) =>
  server.data.ownerQuery(
    'insert into gallery_teams (gallery_id, team_id, organization_id) select $1, id, $2 from unnest($3::bigint[]) as team (id)',
    [gallery.id, gallery.organizationId, teamIds],
  );
const name = (photoId: number, ...keywords: string[]) =>
  server.data.ownerQuery(
    'insert into photo_keywords (photo_id, gallery_id, organization_id, name) select $1, $2, $3, unnest($4::text[])',
    [photoId, gallery.id, gallery.organizationId, keywords],
  );
async function look(as = people.tokens.owner): Promise<TaggingPage> {
  return (await server.call({ method: 'GET', url: `/api/v1/galleries/${gallery.id}/tagging`, as })).json<TaggingPage>();
}

test('everyone takes the next photos that nobody has tagged or taken; a new run releases the previous one', async () => {
  const [owner, director] = [people.tokens.owner, people.tokens.parentMember];
  await server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${gallery.id}/tags`,
    as: owner,
    payload: { changes: [{ photo_ids: [ids[0]], checked: true }], client_key: 'looked-at' },
  });
  const before = Date.now();
  const first = await take(2);
  expect(first.photo_ids).toEqual(ids.slice(1, 3));
  expect(Date.parse(first.until ?? '') - before).toBeGreaterThan(19 * 60_000);
  expect(await take(100, director)).toMatchObject({ photo_ids: ids.slice(3) });
  const taken = async (as: string) => (await look(as)).photos.map((photo) => photo.taken);
  expect(await taken(owner)).toEqual([false, false, false, true, true]);
  expect(await taken(director)).toEqual([false, true, true, false, false]);
  // Up to another person's run, and no further.
  expect(await take(100)).toMatchObject({ photo_ids: ids.slice(1, 3) });
  await server.data.ownerQuery("update tagging_runs set until = now() - interval '1 second'");
  expect(await take(100)).toMatchObject({ photo_ids: ids.slice(1) });
  expect(await take(100, director)).toEqual({ photo_ids: [], until: null });
});

test.each([0, 501, 1.5, 'all'])('%j photos cannot be taken', async (count) => {
  const answer = await post('take', people.tokens.owner, { count });
  expect([answer.statusCode, answer.json()]).toEqual([
    422,
    expect.objectContaining({ errors: { count: [words.COUNT_NOT_VALID] } }),
  ]);
});

test('numbers among the keywords become tags if they can mean only one player; other keywords stay', async () => {
  const [first = 0, second = 0, third = 0] = ids;
  await addAthlete(server, people.hawks.id, { firstName: 'Ines', teamId: roster.hawks.id, number: '7' });
  await name(first, '#10', 'goal');
  await name(second, '41', '7');
  await name(third, '10', '12345');
  expect((await look()).keyword_numbers).toBe(4);
  expect((await post('keywords')).statusCode).toBe(409);
  await playing(roster.hawks.id);
  expect((await post('keywords')).json<KeywordsAnswer>()).toEqual({ tagged: 3, left: 1, more: false });
  const page = await look();
  // The 7 may be either of two players.
  expect(page.keyword_numbers).toBe(0);
  // One athlete of the team must not be published, and no one has checked the photos yet.
  expect(page.photos.map((photo) => photo.show_in_gallery)).toEqual(ids.map(() => false));
  expect(page.photos.slice(0, 3).map(({ tags }) => tags.map((tag) => [tag.name, tag.number]))).toEqual([
    [['Maya R.', '10']],
    [[null, '41']],
    [['Maya R.', '10']],
  ]);
  expect(
    await server.data.ownerQuery('select name::text from photo_keywords where gallery_id = $1 order by id', [
      gallery.id,
    ]),
  ).toEqual([{ name: 'goal' }, { name: '7' }, { name: '12345' }]);
});

test('where two teams have a 10, nothing is guessed', async () => {
  await playing(roster.hawks.id, roster.tides.id);
  await name(ids[0] ?? 0, '10', '41', '7');
  expect((await look()).keyword_numbers).toBe(1);
  expect((await post('keywords')).json<KeywordsAnswer>()).toEqual({ tagged: 1, left: 2, more: false });
});

test('keys of batches and runs are deleted when they expire', async () => {
  await take(2);
  await server.data.ownerQuery(
    `insert into tagging_batches (gallery_id, client_key, organization_id, answer, at)
     values ($1, 'an-old-key', $2, '{}', now() - interval '8 days'), ($1, 'a-new-key', $2, '{}', now())`,
    [gallery.id, gallery.organizationId],
  );
  await server.app.tagging.sweep();
  expect(
    await server.data.ownerQuery('select client_key from tagging_batches where gallery_id = $1', [gallery.id]),
  ).toEqual([{ client_key: 'a-new-key' }]);
});

test.each(['take', 'keywords'])('%s is only for members of the organization', async (path) => {
  const { neighbor, foreigner } = people.tokens;
  const statuses = await Promise.all([null, neighbor, foreigner].map(async (as) => (await post(path, as)).statusCode));
  expect(statuses).toEqual([401, 404, 404]);
});
