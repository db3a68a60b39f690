import { createHash, randomBytes } from 'node:crypto';
import { unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { RENDITION_SIZES } from '#src/shared/picture-sizes.ts';
import { faultyStorage } from '#tests/support/faulty-storage.ts';
import { openDiskRig, type DiskRig } from '#tests/support/storage-rig.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
let rig: DiskRig;
let organizationId: number;
let galleryId: number;
beforeAll(async () => {
  rig = await openDiskRig();
  const [organization] = await db.ownerQuery<{ id: number }>(
    `insert into organizations (kind, name, domain_name) values ('organization', 'Hawks', 'hawks') returning id`,
  );
  organizationId = organization?.id ?? 0;
  const [gallery] = await db.ownerQuery<{ id: number }>(
    `insert into galleries (organization_id, name, price_cents) values ($1, 'Final', 400) returning id`,
    [organizationId],
  );
  galleryId = gallery?.id ?? 0;
});
afterAll(() => rig.close());

type Made = { id: number; originalKey: string; renditionKeys: string[] };

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const check = () => checkStorage({ database: db.database, storage: rig.storage });
const fileOf = (key: string) => path.join(rig.folder, key);

async function store(key: string, bytes: Buffer): Promise<Buffer> {
  await rig.storage.put(key, bytes, { contentType: 'image/jpeg' });
  return bytes;
}

/** A ready photo with its original and all renditions, as ingest makes it. */
async function makePhoto(columns: { removed?: boolean; salesCount?: number } = {}): Promise<Made> {
  const original = randomBytes(5000);
  const originalKey = `originals/${sha256(original).slice(0, 2)}/${sha256(original)}.jpg`;
  await store(originalKey, original);
  const [photo] = await db.ownerQuery<{ id: number }>(
    `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes, removed_at, sales_count)
     values ($1, $2, 'a.jpg', 'ready', 'a', 100, 80, '\\x01', $3, $4, $5, $6, $7) returning id`,
    [
      galleryId,
      organizationId,
      originalKey,
      sha256(original),
      original.length,
      columns.removed ? new Date() : null,
      columns.salesCount ?? 0,
    ],
  );
  const id = photo?.id ?? 0;
  const renditionKeys: string[] = [];
  for (const size of RENDITION_SIZES) {
    for (const mark of ['clean', 'marked']) {
      const bytes = randomBytes(size);
      const key = `renditions/${id}/${size}-${mark}-${sha256(bytes).slice(0, 16)}.jpg`;
      await store(key, bytes);
      renditionKeys.push(key);
      await db.ownerQuery(
        `insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height) values ($1, $2, $3, 'jpeg', 1, $4, $5, $6, 100, 80)`,
        [id, size, mark, key, sha256(bytes), bytes.length],
      );
    }
  }
  return { id, originalKey, renditionKeys };
}

async function ageByHours(key: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3600 * 1000);
  await utimes(fileOf(key), then, then);
}

async function listKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of rig.storage.list('')) keys.push(key);
  return keys;
}

describe('the check of rows and objects', () => {
  beforeEach(async () => {
    await db.ownerQuery('delete from renditions');
    await db.ownerQuery('delete from photos');
    await db.ownerQuery('delete from uploads');
    for (const key of await listKeys()) await rig.storage.remove(key);
  });

  test('finds nothing if all is correct, with old objects too', async () => {
    for (let count = 0; count < 3; count++) await makePhoto();
    const keys = await listKeys();
    expect(keys.length).toBe(33);
    for (const key of keys) await ageByHours(key, 1000);
    expect(await check()).toEqual([]);
  });

  test('reports missing, truncated and damaged objects with their photo', async () => {
    const [whole, lost, cut, rotten] = [await makePhoto(), await makePhoto(), await makePhoto(), await makePhoto()];
    await unlink(fileOf(lost.originalKey));
    await writeFile(fileOf(cut.renditionKeys[0] ?? ''), Buffer.alloc(10));
    const flipped = (await rig.storage.get(rotten.renditionKeys[9] ?? '')) ?? Buffer.alloc(0);
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    await writeFile(fileOf(rotten.renditionKeys[9] ?? ''), flipped);
    const lines = await check();
    expect(lines.toSorted()).toEqual(
      [
        `photo ${lost.id}: original ${lost.originalKey} is missing`,
        `photo ${cut.id}: clean rendition of 320 px ${cut.renditionKeys[0]} has 10 bytes and should have 320`,
        `photo ${rotten.id}: marked rendition of 1440 px ${rotten.renditionKeys[9]} has other bytes than were stored`,
      ].toSorted(),
    );
    expect(lines.join()).not.toContain(String(whole.id));
  });

  test('reports missing renditions of a photo', async () => {
    const { id } = await makePhoto();
    await db.ownerQuery(
      `delete from renditions where photo_id = $1 and (size = 640 or mark = 'marked' and size = 320)`,
      [id],
    );
    expect(await check()).toEqual([
      `photo ${id}: has no marked rendition of 320 px`,
      `photo ${id}: has no clean rendition of 640 px`,
      `photo ${id}: has no marked rendition of 640 px`,
    ]);
  });

  test('expects 960 px only if the other set has it: older photos have none', async () => {
    const [older, halfMade] = [await makePhoto(), await makePhoto()];
    await db.ownerQuery('delete from renditions where photo_id = $1 and size = 960', [older.id]);
    await db.ownerQuery(`delete from renditions where photo_id = $1 and size = 960 and mark = 'clean'`, [halfMade.id]);
    expect(await check()).toEqual([`photo ${halfMade.id}: has no clean rendition of 960 px`]);
  });

  test('lists objects without a row once they are older than a day', async () => {
    await store('uploads/1/2/young.jpg', Buffer.from('x'));
    await store('uploads/1/2/old.jpg', Buffer.from('xyz'));
    await store('originals/ab/old.jpg', Buffer.from('xyz'));
    await store('settings/1/logo.png', Buffer.from('xyz'));
    await ageByHours('uploads/1/2/young.jpg', 23);
    for (const key of ['uploads/1/2/old.jpg', 'originals/ab/old.jpg', 'settings/1/logo.png']) await ageByHours(key, 25);
    expect((await check()).map((line) => line.replace(/, of [^)]*/, ''))).toEqual([
      'object originals/ab/old.jpg (3 bytes) belongs to no row',
      'object uploads/1/2/old.jpg (3 bytes) belongs to no row',
    ]);
  });

  test('does not list an old upload that a row still names as an orphan', async () => {
    await store('uploads/1/2/known.jpg', Buffer.from('x'));
    await store('uploads/1/2/claimed.jpg', Buffer.from('x'));
    await ageByHours('uploads/1/2/known.jpg', 30);
    await ageByHours('uploads/1/2/claimed.jpg', 30);
    await db.ownerQuery(
      `insert into uploads (key, gallery_id, organization_id, contribute_key_hash, filename, expires_at) values ('uploads/1/2/known.jpg', $1, $2, '\\x01', 'a.jpg', now())`,
      [galleryId, organizationId],
    );
    await db.ownerQuery(
      `insert into photos (gallery_id, organization_id, name, order_key, upload_key) values ($1, $2, 'a.jpg', 'a', 'uploads/1/2/claimed.jpg')`,
      [galleryId, organizationId],
    );
    expect(await check()).toEqual([]);
  });

  test('expects only sold photos among removed ones', async () => {
    const [unsold, sold] = [await makePhoto({ removed: true }), await makePhoto({ removed: true, salesCount: 1 })];
    for (const { originalKey } of [unsold, sold]) await unlink(fileOf(originalKey));
    expect(await check()).toEqual([`photo ${sold.id}: original ${sold.originalKey} is missing`]);
  });

  test('checks every page of photos', async () => {
    const [first, ...others] = [await makePhoto(), await makePhoto()];
    await db.ownerQuery(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes
         from photos, generate_series(1, 450) where id = $1`,
      [first.id],
    );
    const lines = await check();
    expect(lines.length).toBe(450 * 8);
    expect(new Set(lines.map((line) => /^photo (\d+): has no/.exec(line)?.[1])).size).toBe(450);
    expect(others.length).toBe(1);
  });

  test('reports a store that does not answer as a failure, not as a violation', async () => {
    await makePhoto();
    const storage = faultyStorage(rig.storage);
    storage.fail({ kind: 'busy' });
    await expect(checkStorage({ database: db.database, storage })).rejects.toMatchObject({ code: 'unavailable' });
    storage.fail({ kind: 'partial' });
    await expect(checkStorage({ database: db.database, storage })).rejects.toThrow();
  });
});
