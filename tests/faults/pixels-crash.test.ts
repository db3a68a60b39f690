/**
 * The worker is killed while it rotates a photo, draws watermarks again or removes objects: visitors see complete
 * pictures at every moment, and the next attempt succeeds.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import type { IngestProgramTask } from '#tests/faults/ingest-program.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, listPhotos } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const lab = openPictureLab({ concurrency: 1 });
afterAll(() => lab.close());
let people: Neighborhood;
let owner: string;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
});

/** Runs one step in its own process; returns its exit. */
async function run(task: IngestProgramTask, crashAt: CrashPoint): Promise<unknown[]> {
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
const scope = () => ({ kind: 'tenants', organizationIds: [people.hawks.id] }) as const;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const look = (photo: PhotoAnswer, query = 'size=320', as: string | null = null) =>
  server.call({
    method: 'GET',
    url: `/api/v1/galleries/${photo.gallery_id}/gallery_photos/${photo.id}?${query}`,
    as,
  });
const checked = (days: number) =>
  checkStorage({
    ...server.platform,
    database: server.data.database,
    clock: { now: () => new Date(Date.now() + days * 86_400_000) },
  });

async function gallery(count: number, quality: number): Promise<PhotoAnswer[]> {
  const id = await openGallery(server, owner, people.hawks.id);
  for (let at = 0; at < count; at++) {
    const { id: photoId } = await addPhoto(server, owner, id, {
      bytes: await quartersJpeg(700, 500 + at, { quality }),
    });
    await server.app.uploads.ingest(photoId, lab);
  }
  return listPhotos(server, owner, id);
}

test.each<CrashPoint>(['turn.after_store', 'turn.before_commit'])(
  'a kill at %s while a photo is turned',
  async (point) => {
    const [photo] = await gallery(1, 60 + point.length);
    if (!photo) throw new Error('no photo');
    await server.data.ownerQuery('update photos set turns = 1 where id = $1', [photo.id]);
    const before = await look(photo);
    expect(await run({ step: 'turn', photoId: photo.id }, point)).toEqual(KILLED);
    const during = await look(photo);
    expect([during.statusCode, sha256(during.rawPayload)]).toEqual([200, sha256(before.rawPayload)]);
    await server.app.pictures.turn(photo.id, lab);
    const [now] = await listPhotos(server, owner, photo.gallery_id);
    expect([now?.width, now?.height, now?.turning]).toEqual([500, 700, false]);
    expect((await look(photo)).statusCode).toBe(200);
    expect([...(await checked(0)), ...(await checked(2))]).toEqual([]);
  },
);

test.each<CrashPoint>(['remark.after_store', 'remark.before_commit'])(
  'a kill at %s while photos are marked anew',
  async (point) => {
    const photos = await gallery(3, 50 + point.length);
    const text = `Mark ${point.length}`;
    await server.platform.database.write(scope(), async (tx) => {
      await tx.updateTable('organizations').set({ watermark_text: text }).where('id', '=', people.hawks.id).execute();
      await server.app.pictures.remark(tx, people.hawks.id);
    });
    const clean = await Promise.all(photos.map((photo) => look(photo, 'size=320&adminview=true', owner)));
    expect(await run({ step: 'remark', organizationId: people.hawks.id }, point)).toEqual(KILLED);
    for (const [at, photo] of photos.entries()) {
      const answer = await look(photo);
      expect(answer.statusCode).toBe(200);
      expect(sha256(answer.rawPayload)).not.toBe(sha256(clean[at]?.rawPayload ?? Buffer.alloc(0)));
    }
    expect(await server.app.pictures.remarkPhotos(people.hawks.id, lab)).toEqual({ isDone: true });
    const rows = await server.data.ownerQuery<{ mark_name: string }>(
      'select distinct mark_name from photos where gallery_id = $1',
      [photos[0]?.gallery_id],
    );
    expect(rows).toEqual([{ mark_name: `4 tiled normal text ${text}` }]);
    expect([...(await checked(0)), ...(await checked(2))]).toEqual([]);
  },
);

test.each<CrashPoint>(['purge.condemned', 'purge.after_remove'])(
  'a kill at %s while objects are removed',
  async (point) => {
    const bytes = await quartersJpeg(600, 400, { quality: 40 + point.length });
    const id = await openGallery(server, owner, people.hawks.id);
    const first = await addPhoto(server, owner, id, { bytes });
    await server.app.uploads.ingest(first.id, lab);
    await server.platform.database.write(scope(), (tx) =>
      server.app.pictures.purge(tx, { galleryId: id, photoId: first.id }),
    );
    await server.data.ownerQuery("update object_removals set due_at = now() - interval '1 minute'");
    expect(await run({ step: 'clear' }, point)).toEqual(KILLED);
    // The same file is uploaded again before the sweep.
    const again = await addPhoto(server, owner, id, { bytes });
    await server.app.uploads.ingest(again.id, lab);
    await server.app.pictures.clearObjects();
    const [photo] = await listPhotos(server, null, id);
    expect(photo?.id).toBe(again.id);
    for (const size of [320, 480, 640, 960, 1440]) expect((await look(again, `size=${size}`)).statusCode).toBe(200);
    expect([...(await checked(0)), ...(await checked(2))]).toEqual([]);
  },
);
