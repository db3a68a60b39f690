/**
 * Faults F2 and F3: the process is killed while it claims an upload or develops a photo. What was acknowledged exists,
 * nothing is partial.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { sweepUploads } from '#src/features/uploads/upload-sweep.service.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import type { IngestProgramTask } from '#tests/faults/ingest-program.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, listPhotos, putUpload } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const lab = openPictureLab({ concurrency: 1 });
afterAll(() => lab.close());
let people: Neighborhood;
let owner: string;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id);
});

/** Runs one step in its own process; returns its exit. */
async function run(task: IngestProgramTask, crashAt: CrashPoint | '' = ''): Promise<unknown[]> {
  const { dataDir, appSecret } = server.platform.config;
  const program = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'ingest-program.ts'), server.data.appUrl, JSON.stringify(task)],
    {
      env: { ...process.env, DATA_DIR: dataDir, APP_SECRET: appSecret, DEMO: 'off', CRASH_AT: crashAt },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return once(program, 'exit');
}

const KILLED = [null, 'SIGKILL'];
const IN_TWO_DAYS = { now: () => new Date(Date.now() + 2 * 86_400_000) };
const jobsOf = (photoId: number) =>
  server.data.ownerQuery("select id from pgboss.job where name = 'photo.ingest' and data->>'photoId' = $1", [
    String(photoId),
  ]);

/** Uploads that still have bytes: a used upload form leaves an empty file until the sweep. */
async function keptUploads(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, bytes } of server.platform.storage.list('uploads/')) if (bytes > 0) keys.push(key);
  return keys;
}

describe('a kill while an upload is claimed', () => {
  test('before the commit leaves nothing, and the same claim succeeds later', async () => {
    const key = await putUpload(server, owner, galleryId);
    const before = (await listPhotos(server, owner, galleryId)).length;
    expect(await run({ step: 'claim', token: owner, galleryId, key }, 'claim.before_commit')).toEqual(KILLED);
    expect(await listPhotos(server, owner, galleryId)).toHaveLength(before);
    expect(
      (
        await server.call({
          method: 'POST',
          url: `/api/v1/galleries/${galleryId}/gallery_photos`,
          as: owner,
          payload: { photo: { key } },
        })
      ).statusCode,
    ).toBe(201);
    const [photo] = await listPhotos(server, owner, galleryId);
    expect(photo?.status).toBe('processing');
    expect(await jobsOf(photo?.id ?? 0)).toHaveLength(1);
  });

  test('after the commit leaves the photo and its job', async () => {
    const key = await putUpload(server, owner, galleryId);
    const before = (await listPhotos(server, owner, galleryId)).length;
    expect(await run({ step: 'claim', token: owner, galleryId, key }, 'claim.after_commit')).toEqual(KILLED);
    const photos = await listPhotos(server, owner, galleryId);
    expect(photos).toHaveLength(before + 1);
    expect(await jobsOf(photos[0]?.id ?? 0)).toHaveLength(1);
  });
});

describe('a kill while a photo is developed', () => {
  test.each<[CrashPoint, string]>([
    ['ingest.after_original', 'processing'],
    ['ingest.mid_renditions', 'processing'],
    ['ingest.before_ready', 'processing'],
    ['ingest.after_ready', 'ready'],
  ])('at %s leaves it %s, whole for anyone who looks, and the next attempt ends well', async (point, status) => {
    const id = await openGallery(server, owner, people.hawks.id);
    const bytes = await quartersJpeg(1000, 700, { quality: 60 + point.length });
    const before = await keptUploads();
    const photo = await addPhoto(server, owner, id, { bytes });
    expect(await run({ step: 'ingest', photoId: photo.id }, point)).toEqual(KILLED);
    expect((await listPhotos(server, owner, id))[0]?.status).toBe(status);
    const look = () => server.call({ method: 'GET', url: `/api/v1/galleries/${id}/gallery_photos/${photo.id}` });
    expect((await look()).statusCode).toBe(status === 'ready' ? 200 : 404);
    await server.app.uploads.ingest(photo.id, lab);
    expect((await listPhotos(server, null, id))[0]?.status).toBe('ready');
    expect((await look()).statusCode).toBe(200);
    expect(await checkStorage({ database: server.data.database, storage: server.platform.storage })).toEqual([]);
    // A kill after the commit leaves the upload behind; a day later it is swept.
    const left = (await keptUploads()).filter((key) => !before.includes(key));
    expect(left).toHaveLength(point === 'ingest.after_ready' ? 1 : 0);
    await sweepUploads({ ...server.platform, clock: IN_TWO_DAYS });
    expect((await keptUploads()).filter((key) => left.includes(key))).toEqual([]);
  });
});
