/** How often one may ask, and how many letters come of it. */
import { beforeAll, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighbourhood, type Neighbourhood } from '#tests/support/neighbourhood.ts';
import { useTestHouse } from '#tests/support/test-house.ts';

const house = useTestHouse();
let people: Neighbourhood;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighbourhood(house);
  galleryId = await openGallery(house, people.tokens.owner, people.hawks.id);
});

const newPhoto = () => addReadyPhoto(house, { id: galleryId, organizationId: people.hawks.id });
const ask = async (photoId: number, contact: string, remoteAddress: string) =>
  (
    await house.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/takedown`,
      payload: { reason: 'My son.', contact, guardian: true },
      remoteAddress,
    })
  ).statusCode;
const lettersTo = async (recipient: string) =>
  (
    await house.data.ownerQuery<{ count: number }>(
      'select count(*)::integer as count from mail_outbox where recipient = $1',
      [recipient],
    )
  )[0]?.count;

test('the sixth request for one photo within an hour waits, whoever it names', async () => {
  const photoId = await newPhoto();
  const statuses = [];
  for (let asked = 0; asked < 6; asked += 1) statuses.push(await ask(photoId, 'mother@family.test', '198.51.100.1'));
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  expect(await ask(photoId, 'mother@family.test', '198.51.100.2')).toBe(202);
  expect(await lettersTo('mother@family.test')).toBe(1);
});

test('a stranger’s mailbox gets ten letters a day at most, and the owners’ twenty; every request counts', async () => {
  const before = (await lettersTo('owner@people.test')) ?? 0;
  for (let asked = 0; asked < 24; asked += 1)
    expect(await ask(await newPhoto(), 'victim@family.test', `203.0.113.${asked + 1}`)).toBe(202);
  expect(await lettersTo('victim@family.test')).toBe(10);
  expect((await lettersTo('owner@people.test')) ?? 0).toBeLessThanOrEqual(20);
  expect((await lettersTo('owner@people.test')) ?? 0).toBeGreaterThan(before);
  const rows = await house.data.ownerQuery<{ count: number; hidden: number }>(
    "select count(*)::integer as count, (count(*) filter (where hid_first))::integer as hidden from takedowns where contact = 'victim@family.test'",
  );
  // One address is one asker, from wherever it is sent: three photos are hidden unseen.
  expect(rows).toEqual([{ count: 24, hidden: 3 }]);
});
