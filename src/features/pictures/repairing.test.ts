/** Bit rot (fault F20): real photos whose stored bytes are flipped, truncated or missing, and their repair. */
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { repairStorage } from '#src/features/pictures/repairing.service.ts';
import { PICTURE_UNREADABLE } from '#src/features/photos/photos.contract.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const lab = openPictureLab({ concurrency: 1 });
let people: Neighborhood;
let galleryId: number;
let backup: string;
let photos: number[];
let seed = 0;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});
afterAll(() => lab.close());
beforeEach(async () => {
  await server.data.ownerQuery('delete from renditions');
  // Photos of earlier tests are not part of this one.
  await server.data.ownerQuery('update photos set removed_at = now(), sales_count = 0');
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { name: `Cup ${++seed}` });
  photos = [await makePhoto(), await makePhoto()];
  backup = await mkdtemp(path.join(tmpdir(), 'sideline-backup-'));
  await cp(objects(), path.join(backup, 'objects'), { recursive: true });
  return () => rm(backup, { recursive: true, force: true });
});

const objects = () => path.join(server.platform.config.dataDir, 'objects');
const fileOf = (key: string, folder = objects()) => path.join(folder, key);
const deps = () => ({ database: server.platform.database, storage: server.platform.storage, lab });
const repair = (from: string | null = null) => repairStorage({ ...deps(), backup: from });
/** Photos only: what other tests left in the store has no rows. */
const check = async () => (await checkStorage(deps())).filter((line) => line.startsWith('photo '));

/** Each has its own picture, so that no two share an object. */
async function makePhoto(): Promise<number> {
  const bytes = await quartersJpeg(660 + 8 * ++seed, 440);
  const { id } = await addPhoto(server, people.tokens.owner, galleryId, { bytes });
  await server.app.uploads.ingest(id, lab);
  await untilDecided(server, people.tokens.owner, galleryId, [id]);
  return id;
}

type Row = { id: number; original: string; version: number };
async function rowOf(id = photos[0] ?? 0): Promise<Row> {
  const [row] = await server.data.ownerQuery<Row>(
    'select id, original_key as original, pixel_version as version from photos where id = $1',
    [id],
  );
  return row ?? { id: 0, original: '', version: 0 };
}
const renditionsOf = (id = photos[0] ?? 0) =>
  server.data.ownerQuery<{ key: string; size: number; mark: string }>(
    'select object_key as key, size, mark from renditions where photo_id = $1 order by size, mark',
    [id],
  );

/** Flips one bit in the middle, as a disk does. */
async function rot(key: string, folder = objects()): Promise<void> {
  const bytes = await readFile(fileOf(key, folder));
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(fileOf(key, folder), bytes);
}

const shown = (id: number) =>
  server.call({
    method: 'GET',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}?size=640`,
    as: people.tokens.owner,
  });

test('an intact store is left unchanged', async () => {
  const before = [await rowOf(), await renditionsOf()];
  expect(await repair(backup)).toEqual({ repaired: [], lost: [] });
  expect([await rowOf(), await renditionsOf()]).toEqual(before);
});

test('renditions that are flipped, truncated or missing are made again from the original, with new addresses', async () => {
  const [flipped, cut, gone] = await renditionsOf();
  await rot(flipped?.key ?? '');
  await writeFile(fileOf(cut?.key ?? ''), 'short');
  await unlink(fileOf(gone?.key ?? ''));
  expect(await check()).toHaveLength(3);
  const { repaired, lost } = await repair();
  expect([repaired.length, lost]).toEqual([3, []]);
  expect(repaired[0]).toMatch(/^repaired: photo \d+: clean rendition of 320 px .* has other bytes than were stored$/);
  expect(await check()).toEqual([]);
  expect((await rowOf()).version).toBe(2);
  expect((await rowOf(photos[1])).version).toBe(1);
});

test('a rendition without a row is made, too', async () => {
  await server.data.ownerQuery('delete from renditions where photo_id = $1 and size = 640', [photos[0]]);
  expect((await repair()).repaired).toHaveLength(2);
  expect(await check()).toEqual([]);
  expect(await renditionsOf()).toHaveLength((await renditionsOf(photos[1])).length);
});

test('a rotated photo is still rotated after its renditions were made again', async () => {
  await server.data.ownerQuery('update photos set turns = 1 where id = $1', [photos[0]]);
  await server.app.pictures.turn(photos[0] ?? 0, lab);
  const sizes = async () =>
    server.data.ownerQuery('select size, mark, width, height from renditions where photo_id = $1 order by size, mark', [
      photos[0],
    ]);
  const before = await sizes();
  await rot((await renditionsOf())[0]?.key ?? '');
  await repair();
  expect(await sizes()).toEqual(before);
});

test('an original is restored from the backup, and renditions after it', async () => {
  const { original } = await rowOf();
  const [rendition] = await renditionsOf();
  await rot(original);
  await unlink(fileOf(rendition?.key ?? ''));
  await rm(path.join(backup, 'objects', 'renditions'), { recursive: true });
  const { repaired, lost } = await repair(backup);
  expect([repaired.length, lost]).toEqual([2, []]);
  expect(await check()).toEqual([]);
  expect(await readFile(fileOf(original))).toEqual(await readFile(fileOf(original, path.join(backup, 'objects'))));
});

test('objects are found directly in the folder, too, and renditions are restored without being made again', async () => {
  const [rendition] = await renditionsOf();
  await rot(rendition?.key ?? '');
  expect((await repair(path.join(backup, 'objects'))).repaired).toHaveLength(1);
  expect((await rowOf()).version).toBe(1);
  expect(await check()).toEqual([]);
});

test('an original without a copy is lost and reported; a buyer gets no damaged file, and its bytes are moved away', async () => {
  const { original } = await rowOf();
  const [rendition] = await renditionsOf();
  await rot(original);
  await unlink(fileOf(rendition?.key ?? ''));
  const damaged = await readFile(fileOf(original));
  const { repaired, lost } = await repair();
  expect(repaired).toEqual([]);
  expect(lost).toEqual([
    expect.stringMatching(
      /^lost: photo \d+: original .* has other bytes than were stored \(the original is lost, too\)$/,
    ),
    expect.stringMatching(/^lost: photo \d+: clean rendition of 320 px .* is missing \(the original is lost, too\)$/),
  ]);
  expect(await server.platform.storage.get(original)).toBeNull();
  expect(await server.platform.storage.get(`damaged/${original}`)).toEqual(damaged);
  const download = await server.call({
    method: 'GET',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${photos[0]}?download=true&adminview=true`,
    as: people.tokens.owner,
  });
  expect([download.statusCode, download.json()]).toMatchObject([503, { error: PICTURE_UNREADABLE }]);
  // The backup is found later.
  expect((await repair(backup)).lost).toEqual([]);
  expect(await server.platform.storage.get(`damaged/${original}`)).toBeNull();
  expect(await check()).toEqual([]);
});

test('a damaged copy in the backup is not used as the original', async () => {
  const { original } = await rowOf();
  await unlink(fileOf(original));
  await rot(original, path.join(backup, 'objects'));
  expect((await repair(backup)).lost).toHaveLength(1);
  expect(await server.platform.storage.get(original)).toBeNull();
});

test('of a purged photo only the file is checked', async () => {
  const { original } = await rowOf();
  await server.data.ownerQuery('delete from renditions where photo_id = $1', [photos[0]]);
  await server.data.ownerQuery(
    'update photos set removed_at = now(), purged_at = now(), sales_count = 1 where id = $1',
    [photos[0]],
  );
  await rot(original);
  expect((await repair(backup)).repaired).toHaveLength(1);
  expect(await check()).toEqual([]);
});

test('moved bytes are deleted when the photo is permanently removed', async () => {
  const { original } = await rowOf();
  await rot(original);
  await repair();
  expect(await server.platform.storage.get(`damaged/${original}`)).not.toBeNull();
  await server.platform.database.write({ kind: 'system', why: 'test' }, (tx) =>
    server.app.pictures.purge(tx, { galleryId, photoId: photos[0] ?? 0 }),
  );
  await server.data.ownerQuery('update object_removals set due_at = now()');
  await server.app.pictures.clearObjects();
  expect(await server.platform.storage.get(`damaged/${original}`)).toBeNull();
});

test('a second repair finds nothing to do, and two at the same time do no harm', async () => {
  const [first, second] = await renditionsOf();
  await rot(first?.key ?? '');
  await rot(second?.key ?? '');
  await Promise.all([repair(), repair()]);
  expect(await repair()).toEqual({ repaired: [], lost: [] });
  expect(await check()).toEqual([]);
  expect((await shown(photos[0] ?? 0)).statusCode).not.toBe(503);
});

test('a store that does not respond ends the repair and loses nothing', async () => {
  const { original } = await rowOf();
  await rot(original);
  const away = { ...server.platform.storage, stream: () => Promise.reject(new Error('away')) };
  await expect(repairStorage({ ...deps(), storage: away, backup: null })).rejects.toThrow('away');
  expect(await readFile(fileOf(original))).toHaveLength(
    (await readFile(fileOf(original, path.join(backup, 'objects')))).length,
  );
  await mkdir(path.dirname(fileOf(original)), { recursive: true });
  await copyFile(fileOf(original, path.join(backup, 'objects')), fileOf(original));
  expect(await check()).toEqual([]);
});
