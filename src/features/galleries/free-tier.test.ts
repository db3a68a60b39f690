/** The limits of the free tier (rule 27, invariant I10) under simultaneous requests. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { putUpload } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let owner: string;
let clubId: number;
let bytes: Buffer;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.neighbor;
  clubId = people.tides.id;
  bytes = await quartersJpeg(64, 48);
});

beforeEach(async () => {
  await server.data.ownerQuery('update galleries set active = false where organization_id = $1', [clubId]);
  await setFreeTier(true);
});

const setFreeTier = (freeTier: boolean) =>
  server.platform.database
    .write({ kind: 'system', why: 'a test changes the plan' }, (tx) =>
      server.app.organizations.setFreeTier(tx, clubId, freeTier),
    )
    .then(() => server.app.organizations.forget(clubId));
const create = (as = owner) =>
  server.call({
    method: 'POST',
    url: '/api/v1/galleries/',
    as,
    payload: { gallery: { organization_id: clubId, name: 'Meet', price_per_photo: 1, photos_by: 'Rosa' } },
  });
const bringBack = (galleryId: number) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/galleries/${galleryId}`,
    as: people.tokens.admin,
    payload: { gallery: { active: true } },
  });
const claim = (galleryId: number, key: string) =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${galleryId}/gallery_photos`,
    as: owner,
    payload: { photo: { key } },
  });
const contribute = (contributeKey: string, keys: readonly string[]) =>
  server.call({
    method: 'POST',
    url: '/api/v1/contributor',
    payload: { contributeKey, photos: keys.map((key) => ({ key })), name: 'Ana', email: 'ana@families.test' },
  });
const full = async (galleryId: number) => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: owner });
  return answer.json<{ contribute_key: string; photo_count: number; gallery_photo: unknown[] }[]>()[0];
};
async function contributed(contributeKey: string): Promise<string> {
  const policy = await server.call({
    method: 'POST',
    url: '/api/v1/policy',
    payload: { contributeKey, filename: 'a.jpg' },
  });
  expect(policy.statusCode, policy.body).toBe(200);
  const { key } = policy.json<{ key: string }>();
  await server.platform.storage.put(key, bytes, { contentType: 'image/jpeg' });
  return key;
}
const fillUp = (galleryId: number, count: number) =>
  server.data.ownerQuery(
    `insert into photos (gallery_id, organization_id, name, order_key)
     select $1, $2, 'P', 'b' || lpad(n::text, 6, '0') || 'V' from generate_series(1, $3::integer) n`,
    [galleryId, clubId, count],
  );
const photoCount = async (galleryId: number) =>
  (
    await server.data.ownerQuery<{ photo_count: number }>('select photo_count from galleries where id = $1', [
      galleryId,
    ])
  )[0]?.photo_count;
const activeGalleries = async () =>
  (
    await server.data.ownerQuery<{ count: number }>(
      'select count(*)::integer as count from galleries where organization_id = $1 and active',
      [clubId],
    )
  )[0]?.count;
const statuses = (answers: readonly { statusCode: number }[]) => answers.map((answer) => answer.statusCode).toSorted();

describe('the limit of one active gallery', () => {
  test('holds for six simultaneous requests, by its own member and by its parent’s', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => create(index % 2 === 0 ? owner : people.tokens.parentMember)),
    );
    expect(statuses(answers)).toEqual([201, 403, 403, 403, 403, 403]);
    for (const answer of answers.filter(({ statusCode }) => statusCode === 403))
      expect(answer.json()).toMatchObject({ error: UPGRADE_FOR_MORE_GALLERIES });
  });

  test('holds for three that a platform admin restores while another one is created', async () => {
    const ids: number[] = [];
    for (let made = 0; made < 3; made += 1) {
      ids.push((await create()).json<{ id: number }>().id);
      await server.call({ method: 'POST', url: `/api/v1/galleries/${ids.at(-1)}/inactive`, as: owner });
    }
    const answers = await Promise.all([...ids.map(bringBack), create()]);
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(3);
    expect(await activeGalleries()).toBe(1);
    const refused = answers.find(({ statusCode }) => statusCode === 403);
    expect(refused?.json()).toMatchObject({ error: UPGRADE_FOR_MORE_GALLERIES });
  });
});

describe('the limit of 500 photos', () => {
  let galleryId: number;
  beforeEach(async () => {
    galleryId = await openGallery(server, owner, clubId);
  });

  test('lets the owner and contributors together add one more at 499, and the rest after an upgrade', async () => {
    const link = (await full(galleryId))?.contribute_key ?? '';
    const own = await Promise.all(Array.from({ length: 4 }, () => putUpload(server, owner, galleryId, { bytes })));
    const theirs = await Promise.all(Array.from({ length: 4 }, () => contributed(link)));
    await fillUp(galleryId, 499);
    const answers = await Promise.all([
      ...own.map((key) => claim(galleryId, key)),
      ...theirs.map((key) => contribute(link, [key])),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1);
    for (const answer of answers.filter(({ statusCode }) => statusCode >= 300))
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: UPGRADE_FOR_MORE_PHOTOS }]);
    expect(await photoCount(galleryId)).toBe(500);
    await setFreeTier(false);
    const left = own.filter((_key, index) => answers[index]?.statusCode === 403);
    for (const key of left) expect((await claim(galleryId, key)).statusCode).toBe(201);
    expect(await photoCount(galleryId)).toBe(500 + left.length);
  });

  test('refuses a contribution that would exceed it; of two that fit only one by one, it accepts one', async () => {
    const link = (await full(galleryId))?.contribute_key ?? '';
    const keys = await Promise.all(Array.from({ length: 13 }, () => contributed(link)));
    await fillUp(galleryId, 495);
    const refused = await contribute(link, keys.slice(0, 6));
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: UPGRADE_FOR_MORE_PHOTOS }]);
    expect(await photoCount(galleryId)).toBe(495);
    const [...both] = await Promise.all([contribute(link, keys.slice(6, 10)), contribute(link, keys.slice(9, 13))]);
    expect(both.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1);
    expect(await photoCount(galleryId)).toBe(499);
    // Photos of refused contributions are not used up.
    expect((await contribute(link, keys.slice(0, 1))).statusCode).toBeLessThan(300);
    expect(await photoCount(galleryId)).toBe(500);
  });

  test('refuses a form for the 501st photo, for the owner and for a contributor', async () => {
    const link = (await full(galleryId))?.contribute_key ?? '';
    await fillUp(galleryId, 500);
    for (const payload of [{ filename: 'a.jpg' }, { filename: 'a.jpg', contributeKey: link }]) {
      const answer = await server.call({
        method: 'POST',
        url: `/api/v1/policy?gallery_id=${galleryId}`,
        as: 'contributeKey' in payload ? null : owner,
        payload,
      });
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: UPGRADE_FOR_MORE_PHOTOS }]);
    }
  });

  test('does not count failed photos, and removed ones make space', async () => {
    const keys = await Promise.all(Array.from({ length: 2 }, () => putUpload(server, owner, galleryId, { bytes })));
    await fillUp(galleryId, 500);
    await server.data.ownerQuery(
      "update photos set status = 'failed', problem = 'x' where id = (select id from photos where gallery_id = $1 limit 1)",
      [galleryId],
    );
    expect(statuses(await Promise.all(keys.map((key) => claim(galleryId, key))))).toEqual([201, 403]);
    expect(await photoCount(galleryId)).toBe(500);
  });
});

describe('a club that goes back to the free tier', () => {
  test('loses nothing, and can add nothing new until it fits', async () => {
    await setFreeTier(false);
    const ids = [];
    for (let made = 0; made < 3; made += 1) ids.push(await openGallery(server, owner, clubId));
    const [large, small, third] = ids as [number, number, number];
    await fillUp(large, 600);
    const [forLarge, forSmall] = [
      await putUpload(server, owner, large, { bytes }),
      await putUpload(server, owner, small, { bytes }),
    ];
    await setFreeTier(true);
    expect(await activeGalleries()).toBe(3);
    expect((await full(large))?.gallery_photo).toHaveLength(600);
    expect((await claim(large, forLarge)).json()).toMatchObject({ error: UPGRADE_FOR_MORE_PHOTOS });
    expect((await claim(small, forSmall)).statusCode).toBe(201);
    // Their settings can still be changed.
    const renamed = await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${third}`,
      as: owner,
      payload: { gallery: { name: 'Relay' } },
    });
    expect(renamed.statusCode).toBe(200);
    for (const id of [third, small]) {
      expect((await create()).json()).toMatchObject({ error: UPGRADE_FOR_MORE_GALLERIES });
      await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: owner });
    }
    expect((await create()).statusCode).toBe(403);
    await server.call({ method: 'POST', url: `/api/v1/galleries/${large}/inactive`, as: owner });
    expect((await create()).statusCode).toBe(201);
  });

  test('during simultaneous creations: each gallery was created before or refused after', async () => {
    await setFreeTier(false);
    const answers = await Promise.all([create(), create(), setFreeTier(true), create(), create()]);
    for (const answer of answers) if (answer) expect([201, 403]).toContain(answer.statusCode);
    expect((await create()).statusCode).toBe((await activeGalleries()) === 0 ? 201 : 403);
  });
});

test('no free club is beyond its limits afterwards', async () => {
  // The tests above leave a club that had more before.
  await server.data.ownerQuery('update galleries set active = false where organization_id = $1', [clubId]);
  await openGallery(server, owner, clubId);
  const broken = await checkInvariants({ database: server.data.database, sandboxCards: true });
  expect(broken.filter((line) => line.startsWith('I10'))).toEqual([]);
});
