/** How often a sender may ask, and how many emails are sent. */
import { beforeEach, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let galleryId: number;

// Each test has its own owners, because their emails are limited per day.
beforeEach(async () => {
  people = await settleAnother(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

const newPhoto = () => addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
const ask = async (photoId: number, contact: string, remoteAddress: string) =>
  (
    await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/takedown`,
      payload: { reason: 'My son.', contact, guardian: true },
      remoteAddress,
    })
  ).statusCode;
const emailsTo = async (recipient: string) => (await server.data.emailsTo(recipient)).length;

test('the sixth request for one photo within an hour has to wait, whatever address it has', async () => {
  const photoId = await newPhoto();
  const statuses = [];
  for (let asked = 0; asked < 6; asked += 1) statuses.push(await ask(photoId, 'mother@family.test', '198.51.100.1'));
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  expect(await ask(photoId, 'mother@family.test', '198.51.100.2')).toBe(202);
  expect(await emailsTo('mother@family.test')).toBe(1);
});

test('an asker’s address gets at most ten emails a day, and the owners’ twenty; every request counts', async () => {
  const before = await emailsTo(people.emails.owner);
  for (let asked = 0; asked < 24; asked += 1)
    expect(await ask(await newPhoto(), 'victim@family.test', `203.0.113.${asked + 1}`)).toBe(202);
  expect(await emailsTo('victim@family.test')).toBe(10);
  expect(await emailsTo(people.emails.owner)).toBeLessThanOrEqual(20);
  expect(await emailsTo(people.emails.owner)).toBeGreaterThan(before);
  const rows = await server.data.ownerQuery<{ count: number; hidden: number }>(
    "select count(*)::integer as count, (count(*) filter (where hid_first))::integer as hidden from takedowns where contact = 'victim@family.test'",
  );
  // One address is one asker, wherever it sends from: three photos are hidden before review.
  expect(rows).toEqual([{ count: 24, hidden: 3 }]);
});

test('requests for missing photos use up no email limit, and one asker not the owners’', async () => {
  const riverside = await openGallery(server, people.tokens.foreigner, people.stranger.id);
  const askHere = async (photoId: number, contact: string, remoteAddress: string) =>
    (
      await server.call({
        method: 'POST',
        url: `/api/v1/galleries/${riverside}/gallery_photos/${photoId}/takedown`,
        payload: { reason: 'My son.', contact, guardian: true },
        remoteAddress,
      })
    ).statusCode;
  const photoHere = () => addReadyPhoto(server, { id: riverside, organizationId: people.stranger.id });
  for (let asked = 0; asked < 22; asked += 1)
    expect(await askHere(1_000 + asked, 'father@family.test', '198.51.100.11')).toBe(404);
  for (let asked = 0; asked < 8; asked += 1)
    expect(await askHere(await photoHere(), `troll${asked}@family.test`, '198.51.100.11')).toBe(202);
  expect(await emailsTo(people.emails.foreigner)).toBe(5);
  expect(await askHere(await photoHere(), 'father@family.test', '198.51.100.12')).toBe(202);
  expect(await emailsTo(people.emails.foreigner)).toBe(6);
  expect(await emailsTo('father@family.test')).toBe(1);
});

test('a hidden photo does not reveal who asked; other requests count until it is decided', async () => {
  const photoId = await newPhoto();
  expect(await ask(photoId, 'one@family.test', '198.51.100.21')).toBe(202);
  expect(await ask(photoId, 'one@family.test', '198.51.100.22')).toBe(202);
  expect(await ask(photoId, 'other@family.test', '198.51.100.22')).toBe(202);
  const rows = await server.data.ownerQuery<{ id: number; contact: string; hid_first: boolean }>(
    'select id, contact, hid_first from takedowns where photo_id = $1 order by id',
    [photoId],
  );
  expect(rows.map(({ contact, hid_first }) => [contact, hid_first])).toEqual([
    ['one@family.test', true],
    ['other@family.test', false],
  ]);
  const decided = await server.call({
    method: 'PUT',
    url: `/api/v1/affiliates/${people.hawks.id}/takedowns/${rows[0]?.id}`,
    as: people.tokens.owner,
    payload: { decision: 'hide' },
  });
  expect(decided.statusCode).toBe(200);
  // Both got an answer.
  expect(await emailsTo('other@family.test')).toBe(2);
  for (const contact of ['one@family.test', 'third@family.test'])
    expect(await ask(photoId, contact, '198.51.100.23')).toBe(404);
});

test('simultaneous requests about one photo are all answered', async () => {
  const photoId = await newPhoto();
  const statuses = await Promise.all(
    Array.from({ length: 30 }, (_, at) => ask(photoId, `crowd${at}@family.test`, `192.0.2.${at + 1}`)),
  );
  expect(new Set(statuses)).toEqual(new Set([202]));
});
