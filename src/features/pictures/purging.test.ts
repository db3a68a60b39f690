import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import * as renditionStore from '#src/features/pictures/rendition-store.service.ts';
import { markRemoved } from '#src/features/pictures/renditions.sql.ts';
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { iptcSegment, quartersJpeg, withSegments } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let owner: string;
let galleryId: number;
let shade = 40;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id);
});

/** Different bytes each time. */
const picture = async () =>
  withSegments(await quartersJpeg(700, 500, { quality: (shade += 1) }), iptcSegment([[25, 'Anna Smith']]));

async function ready(bytes: Buffer): Promise<PhotoAnswer> {
  const added = await addPhoto(server, owner, galleryId, { bytes });
  const [photo] = await untilDecided(server, owner, galleryId, [added.id]);
  if (photo?.status !== 'ready') throw new Error(`not ready: ${photo?.problem}`);
  return photo;
}

/** Adds a line of a paid order; returns its key. */
async function sell(photo: PhotoAnswer): Promise<string> {
  const [order] = await server.data.ownerQuery<{ id: number }>(
    `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address, subtotal_cents, tax_cents, donation_cents, share_bps, paid_at)
     values ($1, $2, $1, '\\x00', 'paid', 'A', 'B', 'a@b.test', 400, 0, 0, 2000, now()) returning id`,
    [randomBytes(16).toString('base64url'), people.hawks.id],
  );
  const key = randomBytes(16).toString('base64url');
  await server.data.ownerQuery(
    'insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key) values ($1, $2, $3, $4, 400, $5)',
    [order?.id, people.hawks.id, photo.id, galleryId, key],
  );
  await server.data.ownerQuery('update photos set sales_count = 1 where id = $1', [photo.id]);
  return key;
}

const purge = (photo: PhotoAnswer) =>
  server.platform.database.write({ kind: 'tenants', organizationIds: [people.hawks.id] }, (tx) =>
    server.app.pictures.purge(tx, { galleryId, photoId: photo.id }),
  );
const look = (photo: PhotoAnswer, query = '', as: string | null = null) =>
  server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}?${query}`, as });
async function keysOf(photo: PhotoAnswer): Promise<{ renditions: string[]; original: string }> {
  const rows = await server.data.ownerQuery<{ object_key: string }>(
    'select distinct object_key from renditions where photo_id = $1',
    [photo.id],
  );
  const [row] = await server.data.ownerQuery<{ original_key: string }>(
    'select original_key from photos where id = $1',
    [photo.id],
  );
  return { renditions: rows.map(({ object_key }) => object_key), original: row?.original_key ?? '' };
}
async function there(keys: readonly string[]): Promise<number> {
  const found = await Promise.all(keys.map((key) => server.platform.storage.head(key)));
  return found.filter((info) => info !== null).length;
}
const checked = (days: number) =>
  checkStorage({
    ...server.platform,
    database: server.data.database,
    clock: { now: () => new Date(Date.now() + days * 86_400_000) },
  });
const anHourLater = () =>
  server.data.ownerQuery("update object_removals set due_at = due_at - interval '2 hours' where removed_at is null");

describe('a purged photo', () => {
  test('is immediately gone at every address, then from the store, including its file if it was not sold', async () => {
    const photo = await ready(await picture());
    const { renditions, original } = await keysOf(photo);
    expect(renditions.length).toBeGreaterThanOrEqual(6);
    const heard: string[] = [];
    const stop = (await purgedObjects.listen(server.data.database, (keys) =>
      heard.push(...keys),
    )) as () => Promise<void>;
    for (const size of [320, 480, 640, 960, 1440]) expect((await look(photo, `size=${size}`)).statusCode).toBe(200);
    await purge(photo);
    for (const query of ['size=320', 'size=1440', new URL(photo.image_url, 'http://x').search.slice(1), 'v=1.m'])
      expect((await look(photo, query)).statusCode).toBe(404);
    expect((await look(photo, 'adminview=true', owner)).statusCode).toBe(404);
    expect((await look(photo, 'adminview=true&download=true', owner)).statusCode).toBe(404);
    await expect.poll(() => there(renditions)).toBe(0);
    await expect.poll(() => heard.toSorted()).toEqual(renditions.toSorted());
    await stop();
    expect(await there([original])).toBe(1);
    await anHourLater();
    await server.app.pictures.clearObjects();
    expect(await there([original])).toBe(0);
    const [row] = await server.data.ownerQuery(
      'select exif, iptc, dhash, length(thumbhash) as hash from photos where id = $1',
      [photo.id],
    );
    expect(row).toEqual({ exif: {}, iptc: {}, dhash: null, hash: 0 });
    expect(await server.data.ownerQuery('select id from photo_keywords where photo_id = $1', [photo.id])).toEqual([]);
    expect([...(await checked(0)), ...(await checked(2))]).toEqual([]);
    // Purging again is fine.
    await purge(photo);
  });

  test('that was sold keeps its file, and nothing else', async () => {
    const bytes = await picture();
    const photo = await ready(bytes);
    const orderKey = await sell(photo);
    const { renditions, original } = await keysOf(photo);
    expect((await look(photo, `orderkey=${orderKey}`)).statusCode).toBe(200);
    await purge(photo);
    await anHourLater();
    await expect.poll(() => there(renditions)).toBe(0);
    await server.app.pictures.clearObjects();
    expect(await there([original])).toBe(1);
    const download = await look(photo, `orderkey=${orderKey}&download=true`);
    expect(download.statusCode).toBe(200);
    expect(download.rawPayload.equals(bytes)).toBe(true);
    expect((await look(photo, `orderkey=${orderKey}`)).statusCode).toBe(404);
    expect([...(await checked(0)), ...(await checked(2))]).toEqual([]);
  });

  test('keeps objects that another photo shares with it', async () => {
    const bytes = await picture();
    const [one, other] = [await ready(bytes), await ready(bytes)];
    const keys = await keysOf(one);
    expect(await keysOf(other)).toEqual(keys);
    await purge(one);
    await anHourLater();
    await server.app.pictures.clearObjects();
    expect(await there([...keys.renditions, keys.original])).toBe(keys.renditions.length + 1);
    expect((await look(other)).statusCode).toBe(200);
    await purge(other);
    await anHourLater();
    await server.app.pictures.clearObjects();
    expect(await there([...keys.renditions, keys.original])).toBe(0);
  });

  test('leaves the new photo complete while the same file is uploaded again', async () => {
    for (let round = 0; round < 4; round++) {
      const bytes = await picture();
      const first = await ready(bytes);
      const [again] = await Promise.all([
        ready(bytes),
        (async () => {
          await purge(first);
          await anHourLater();
          await Promise.all([server.app.pictures.clearObjects(), server.app.pictures.clearObjects()]);
        })(),
      ]);
      const { renditions, original } = await keysOf(again);
      await server.app.pictures.clearObjects();
      expect(await there([...renditions, original])).toBe(renditions.length + 1);
    }
    expect(await checked(0)).toEqual([]);
  });

  test('leaves the same pixels of another photo complete: objects removed between storing and referring are stored again', async () => {
    const { database, storage } = server.platform;
    const system = { kind: 'system', why: 'a test' } as const;
    const bytes = randomBytes(64);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const rendition = { size: 320, mark: 'marked', sha256, bytes, width: 3, height: 2 } as const;
    const key = `renditions/${sha256.slice(0, 2)}/${sha256}.jpg`;
    // The sweep has read that the object is condemned; before it continues, the same object is stored for another photo.
    await server.data.ownerQuery('insert into object_removals (object_key, condemned_at) values ($1, now())', [key]);
    const stored = await renditionStore.storeForNow({ database, storage }, [rendition]);
    await storage.remove(key);
    await database.write(system, (tx) => markRemoved(tx, [key]));
    await database.write(system, (tx) => renditionStore.protectFromPurge({ storage }, tx, stored));
    expect(await storage.get(key)).toEqual(bytes);
    await storage.remove(key);
  });

  test('is no longer on a share card', async () => {
    const id = await openGallery(server, owner, people.hawks.id);
    const one = await addPhoto(server, owner, id, { bytes: await picture() });
    await untilDecided(server, owner, id, [one.id]);
    const card = () => server.call({ method: 'GET', url: `/api/v1/share_cards/galleries/${id}` });
    const before = await card();
    await server.platform.database.write({ kind: 'tenants', organizationIds: [people.hawks.id] }, (tx) =>
      server.app.pictures.purge(tx, { galleryId: id, photoId: one.id }),
    );
    const after = await card();
    expect(after.statusCode).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.rawPayload.equals(before.rawPayload)).toBe(false);
    const neutral = await server.call({ method: 'GET', url: '/api/v1/share_cards/galleries/0' });
    expect(after.rawPayload.equals(neutral.rawPayload)).toBe(true);
  });
});

describe('a photo that its owner removed', () => {
  test('is purged an hour later, unless an order has it', async () => {
    const [plain, sold, young] = [
      await ready(await picture()),
      await ready(await picture()),
      await ready(await picture()),
    ];
    const orderKey = await sell(sold);
    for (const photo of [plain, sold, young])
      await server.call({
        method: 'DELETE',
        url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}`,
        as: owner,
      });
    await server.data.ownerQuery("update photos set removed_at = now() - interval '2 hours' where id = any($1)", [
      [plain.id, sold.id],
    ]);
    const keys = await Promise.all([plain, sold, young].map(keysOf));
    expect(await server.app.pictures.purgeRemoved()).toBe(1);
    await anHourLater();
    await server.app.pictures.clearObjects();
    const counts = await Promise.all(keys.map(({ renditions, original }) => there([...renditions, original])));
    expect(counts).toEqual([0, (keys[1]?.renditions.length ?? 0) + 1, (keys[2]?.renditions.length ?? 0) + 1]);
    expect((await look(sold, `orderkey=${orderKey}`)).statusCode).toBe(200);
    expect((await look(sold, `orderkey=${orderKey}&download=true`)).statusCode).toBe(200);
    expect([...(await checked(0)), ...(await checked(2))]).toEqual([]);
  });
});
