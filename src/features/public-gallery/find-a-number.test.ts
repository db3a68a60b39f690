/** A gallery's page with public numbers: field, chips, alternative texts, and never a name. */
import { beforeAll, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addRoster, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
let people: Neighborhood;
let roster: SeededRoster;
let gallery: { id: number; organizationId: number };

beforeAll(async () => {
  people = await settleAnother(server);
  roster = await addRoster(server, people.hawks.id);
  gallery = { id: await openGallery(server, people.tokens.owner, people.hawks.id), organizationId: people.hawks.id };
  const photoId = await addReadyPhoto(server, gallery, { name: 'IMG_0214.jpg' });
  await server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${gallery.id}/tags`,
    as: people.tokens.owner,
    payload: {
      changes: [{ photo_ids: [photoId], add: [{ athlete_id: roster.maya.id }, { athlete_id: roster.leo.id }] }],
      client_key: 'find-a-number',
    },
  });
});

const setMode = (mode: string) =>
  server.data.ownerQuery(
    `insert into athlete_settings (organization_id, mode) values ($1, $2) on conflict (organization_id) do update set mode = excluded.mode`,
    [people.hawks.id, mode],
  );

async function page(search = ''): Promise<string> {
  const answer = await server.call({
    method: 'GET',
    url: `/${people.hawks.path}/gallery/${gallery.id}${search}`,
    headers: { host: `${people.parent.path}.sideline.localhost` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.body.replaceAll('<!-- -->', '');
}

test('in mode numbers the page has a field and chips for numbers, and photos show theirs; an unknown number is reported', async () => {
  await setMode('numbers');
  const html = await page();
  expect(html).toContain('Find a number');
  expect(html).toMatch(/href="[^"]*search=10"/);
  expect(html).toMatch(/alt="Photo 214, numbers 10 and 7"/);
  for (const typed of ['99', '%2399', 'no. 99'])
    expect(await page(`?search=${typed}`)).toContain('No photo of number 99 here yet.');
  const long = `10${'+'.repeat(118)}99`;
  expect(await page(`?search=${long}`)).toContain('1 photo with “10”');
  expect(html).not.toMatch(/Maya|Rivera|Leo|Park/);
});

test.each(['private', 'off'])('in mode %s the page looks as if nobody were tagged', async (mode) => {
  await setMode(mode);
  const html = await page();
  expect(html).toContain('Search photos by keyword');
  expect(html).not.toMatch(/Find a number|numbers 10|search=10|Maya|Rivera|Leo|Park/);
});
