/**
 * What operators do with the object store, with a real S3 store: check and repair it, back up and restore elsewhere,
 * export data.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportAnswer } from '#src/features/exports/exports.contract.ts';
import { OWNER_ROLE } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres, stopEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { openS3Storage } from '#src/platform/storage/s3-storage.ts';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { storePhoto } from '#tests/faults/support/stored-photo.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { startRadosgw, type Bucket } from '#tests/support/radosgw.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const SCRIPTS = path.join(import.meta.dirname, '../../scripts');
const store = await startRadosgw();
const [first, second, third] = [
  await store.makeBucket('first'),
  await store.makeBucket('second'),
  await store.makeBucket('third'),
];
const place = (bucket: Bucket) => ({
  S3_BUCKET: bucket.bucket,
  S3_ENDPOINT: bucket.endpoint,
  S3_REGION: bucket.region,
  S3_FORCE_PATH_STYLE: 'true',
  AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
});
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: first.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: first.credentials.secretAccessKey,
});

const server = useTestServer({ env: place(first) });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sideline-s3-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await store.stop();
});

type Ended = { code: number; said: string };

/** An operator's command; its output and its exit code. */
async function script(name: string, args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const words = [path.join(SCRIPTS, name), ...args];
  const options = { env: { PATH: process.env.PATH ?? '', ALLOW_SANDBOX: '1', DEMO: 'off', ...env } };
  return promisify(execFile)(process.execPath, words, options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  );
}

describe('with objects in S3', () => {
  let people: Neighborhood;
  let photoId: number;
  beforeAll(async () => {
    people = await settleNeighborhood(server);
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
    ({ id: photoId } = await addPhoto(server, people.tokens.owner, galleryId, {
      bytes: await quartersJpeg(1608, 1000),
    }));
    const lab = openPictureLab({ concurrency: 1 });
    await server.app.uploads.ingest(photoId, lab);
    await lab.close();
  });

  /** Again if a busy machine's database took too long: nothing is changed twice. */
  async function check(...args: string[]): Promise<Ended> {
    const ended = await script('storage-check.ts', args, {
      ...place(first),
      DATABASE_URL: server.data.superUrl,
      DATA_DIR: server.platform.config.dataDir,
      APP_SECRET: server.platform.config.appSecret,
    });
    return ended.said.startsWith('The database does not answer.') ? check(...args) : ended;
  }

  test('damaged and missing renditions are found and made again', async () => {
    const { storage } = server.platform;
    expect(await check()).toEqual({ code: 0, said: 'Rows and objects agree.\n' });
    const [damaged, gone] = await server.data.ownerQuery<{ key: string }>(
      'select object_key as key from renditions where photo_id = $1 order by size',
      [photoId],
    );
    await storage.remove(damaged?.key ?? '');
    await storage.put(damaged?.key ?? '', Buffer.from('rotten'), { contentType: 'image/jpeg' });
    await storage.remove(gone?.key ?? '');
    const found = await check();
    expect([found.code, found.said]).toEqual([1, expect.stringContaining('2 violations.')]);
    const repaired = await check('--repair');
    expect([repaired.code, repaired.said]).toEqual([0, expect.stringContaining('2 repaired, 0 lost.')]);
  });

  test('an organization’s data is exported with its originals', async () => {
    const address = `/api/v1/affiliates/${people.hawks.id}/exports`;
    const asked = await server.call({ method: 'POST', url: address, as: people.tokens.owner });
    await server.app.exports.make(asked.json<ExportAnswer>().id);
    const listed = await server.call({ method: 'GET', url: address, as: people.tokens.owner });
    const [copy] = listed.json<{ exports: ExportAnswer[] }>().exports;
    expect(copy).toMatchObject({ state: 'ready', photos: 1 });
    for (const { url, bytes } of copy?.parts ?? []) {
      const file = await server.call({ method: 'GET', url, as: people.tokens.owner });
      expect([file.statusCode, file.rawPayload.length]).toEqual([200, bytes]);
    }
  });
});

test('a backup of database and bucket is restored into another database and another bucket', async () => {
  const [dataDir, restored, backups] = ['data', 'restored', 'backups'].map((name) => path.join(folder, name));
  await copyPreparedFolder(dataDir ?? '');
  const storage = await openS3Storage(second);
  const database = await startEmbeddedPostgres({ dataDir: dataDir ?? '' });
  try {
    const ownerUrl = embeddedUrl(database.port, OWNER_ROLE, embeddedPasswords(dataDir ?? '').owner);
    const keys = [await storePhoto(ownerUrl, storage, 'the first'), await storePhoto(ownerUrl, storage, 'the second')];
    const backedUp = await script('backup.ts', [`${backups}/`], { ...place(second), DATA_DIR: dataDir ?? '' });
    expect(backedUp.code, backedUp.said).toBe(0);
    await Promise.all(keys.map((key) => storage.remove(key)));

    const { code, said } = await script('restore.ts', [backups ?? ''], { ...place(third), DATA_DIR: restored ?? '' });
    expect(code, said).toBe(0);
    expect(said).toContain('2 objects restored');
    expect(said).toContain('Rows and objects agree.');
    const elsewhere = await openS3Storage(third);
    for (const key of keys) expect(await elsewhere.head(key)).not.toBeNull();
    await elsewhere.close();
  } finally {
    await storage.close();
    await database.stop();
    await stopEmbeddedPostgres(restored ?? '');
  }
});
