import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingest, ingestOrWait } from '#src/features/uploads/uploads.service.ts';
import { INGEST_FAILED, UPLOAD_CHANGED, UPLOAD_LOST } from '#src/features/photos/photos.contract.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import type { Developed, DevelopRequest, PictureLab } from '#src/platform/images/images.ts';
import { databaseUnavailable } from '#src/platform/db/connection-faults.ts';
import type { Database } from '#src/platform/db/db.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { faultyStorage } from '#tests/support/faulty-storage.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, listPhotos } from '#tests/support/photo-uploads.ts';
import { exifSegment, iptcSegment, quarters, quartersJpeg, withSegments } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const lab: PictureLab = openPictureLab({ concurrency: 1 });
afterAll(() => lab.close());
let people: Neighborhood;
let owner: string;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id);
});

type Row = {
  status: string;
  problem: string | null;
  upload_key: string | null;
  original_key: string | null;
  order_key: string;
  exif: object;
  iptc: object;
};
const rowOf = async (id: number) => (await server.data.ownerQuery<Row>('select * from photos where id = $1', [id]))[0];
const shot = (takenAt: string, width = 640): Promise<Buffer> =>
  quartersJpeg(width, 480).then((jpeg) => withSegments(jpeg, exifSegment({ exif: [[0x9003, takenAt]] })));

/** Passes every picture to the real lab and remembers the requests. */
function watchedLab(): PictureLab & { asked: DevelopRequest[] } {
  const asked: DevelopRequest[] = [];
  return { asked, develop: (request) => (asked.push(request), lab.develop(request)), close: async () => undefined };
}

describe('an uploaded file becomes a photo', () => {
  test('with its facts, text and renditions, each object under its own hash', async () => {
    const bytes = withSegments(
      await quartersJpeg(1600, 1000),
      exifSegment({ main: [[0x0110, 'EOS 9000']], exif: [[0x9003, '2026:05:09 14:03:22']] }),
      iptcSegment([
        [25, 'jersey 23'],
        [25, 'Goal'],
        [5, 'Final'],
      ]),
    );
    const { id } = await addPhoto(server, owner, galleryId, { bytes });
    const key = (await rowOf(id))?.upload_key ?? '';
    const watched = watchedLab();
    await server.app.uploads.ingest(id, watched);
    // The store has computed it already.
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(watched.asked[0]?.originalSha256).toBe(hash);
    expect(watched.asked[0]?.watermark).toEqual({
      kind: 'text',
      text: 'hawks',
      placement: 'tiled',
      strength: 'normal',
      fallback: 'hawks',
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({
      status: 'ready',
      problem: null,
      upload_key: null,
      exif: { model: 'EOS 9000' },
      iptc: { title: 'Final' },
    });
    expect(row?.original_key).toBe(`originals/${hash.slice(0, 2)}/${hash}.jpg`);
    // Its bytes are deleted and its key stays reserved, so that its form cannot be used again (threat 47).
    expect((await server.platform.storage.head(key))?.bytes).toBe(0);
    const [photo] = await listPhotos(server, null, galleryId);
    expect(photo).toMatchObject({ id, width: 1600, height: 1000, keywords: [{ name: 'jersey 23' }, { name: 'Goal' }] });
    expect(Buffer.from(photo?.thumbhash ?? '', 'base64').length).toBeGreaterThan(4);
    expect(await checkStorage({ database: server.data.database, storage: server.platform.storage })).toEqual([]);
  });

  test('repeatedly without harm, and also for the same bytes', async () => {
    const bytes = await quartersJpeg(500, 400);
    const [one, two] = [
      await addPhoto(server, owner, galleryId, { bytes }),
      await addPhoto(server, owner, galleryId, { bytes }),
    ];
    await Promise.all([one.id, one.id, two.id].map((id) => server.app.uploads.ingest(id, lab)));
    await server.app.uploads.ingest(one.id, lab);
    expect((await rowOf(one.id))?.original_key).toBe((await rowOf(two.id))?.original_key);
    expect((await rowOf(two.id))?.status).toBe('ready');
    const [{ count } = { count: 0 }] = await server.data.ownerQuery<{ count: number }>(
      'select count(*) as count from renditions where photo_id = $1',
      [one.id],
    );
    expect(count).toBeGreaterThanOrEqual(8);
  });

  test('and gives back the memory of its renditions', async () => {
    const { id } = await addPhoto(server, owner, galleryId);
    const pictures: Buffer[] = [];
    const watched: Pick<PictureLab, 'develop'> = {
      async develop(request) {
        const developed = await lab.develop(request);
        if (developed.ok) pictures.push(...developed.renditions.map(({ bytes }) => bytes));
        return developed;
      },
    };
    await server.app.uploads.ingest(id, watched);
    expect((await rowOf(id))?.status).toBe('ready');
    expect(new Set(pictures.map(({ length }) => length))).toEqual(new Set([0]));
  });

  test('in capture order within its batch, however they arrive', async () => {
    const id = await openGallery(server, owner, people.hawks.id);
    const times: [string, string][] = [
      ['C', '2026:05:09 14:03:24'],
      ['A', '2026:05:09 14:03:22'],
      ['B', '2026:05:09 14:03:23'],
    ];
    const photos = [];
    for (const [name, time] of times)
      photos.push(await addPhoto(server, owner, id, { bytes: await shot(time), name, batch: 'day' }));
    const alone = await addPhoto(server, owner, id, { bytes: await shot('1999:01:01 00:00:00'), name: 'newest claim' });
    for (const photo of [...photos, alone].toReversed()) await server.app.uploads.ingest(photo.id, lab);
    expect((await listPhotos(server, null, id)).map((photo) => photo.name)).toEqual(['newest claim', 'A', 'B', 'C']);
  });

  test('but keeps a position that someone has given it', async () => {
    const id = await openGallery(server, owner, people.hawks.id);
    const photo = await addPhoto(server, owner, id, { bytes: await shot('2026:05:09 14:03:22'), batch: 'day' });
    await server.data.ownerQuery("update photos set order_key = 'Zz5', batch_prefix = null where id = $1", [photo.id]);
    await server.app.uploads.ingest(photo.id, lab);
    expect(await rowOf(photo.id)).toMatchObject({ status: 'ready', order_key: 'Zz5' });
  });
});

describe('a faulty file', () => {
  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    ['a text', async () => Buffer.from('<html>no picture</html>'), /^This file is not a JPEG image\.$/],
    ['half a JPEG', async () => (await quartersJpeg(2000, 1500)).subarray(0, 9_000), /^This image is damaged\.$/],
    [
      'a PNG',
      () =>
        sharp(quarters(40, 40), { raw: { width: 40, height: 40, channels: 3 } })
          .png()
          .toBuffer(),
      /^This file is not a JPEG image\.$/,
    ],
  ];
  test.each(cases)(
    '(%s) fails with a message for its owner, is never public and blocks no other',
    async (_name, make, problem) => {
      const id = await openGallery(server, owner, people.hawks.id);
      const bad = await addPhoto(server, owner, id, { bytes: await make() });
      const good = await addPhoto(server, owner, id);
      for (const photo of [bad, good]) await server.app.uploads.ingest(photo.id, lab);
      const row = await rowOf(bad.id);
      expect(row?.status).toBe('failed');
      expect(row?.problem).toMatch(problem);
      expect((await listPhotos(server, owner, id)).map((photo) => photo.status).toSorted()).toEqual([
        'failed',
        'ready',
      ]);
      expect((await listPhotos(server, null, id)).map((photo) => photo.id)).toEqual([good.id]);
      expect((await server.platform.storage.head(row?.upload_key ?? 'none'))?.bytes).toBe(0);
      const page = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/gallery_photos`, as: owner });
      expect(page.json()).toMatchObject({ total: 2 });
    },
  );

  test('that was changed after its claim, or lost, is never sold as another', async () => {
    const { storage } = server.platform;
    const [changed, lost] = [await addPhoto(server, owner, galleryId), await addPhoto(server, owner, galleryId)];
    await storage.put((await rowOf(changed.id))?.upload_key ?? '', await quartersJpeg(300, 300), {
      contentType: 'image/jpeg',
    });
    await storage.remove((await rowOf(lost.id))?.upload_key ?? '');
    await server.app.uploads.ingest(changed.id, lab);
    await server.app.uploads.ingest(lost.id, lab);
    expect(await rowOf(changed.id)).toMatchObject({ status: 'failed', problem: UPLOAD_CHANGED, original_key: null });
    expect(await rowOf(lost.id)).toMatchObject({ status: 'failed', problem: UPLOAD_LOST });
  });

  test('of a photo that was removed meanwhile is ignored', async () => {
    const photo = await addPhoto(server, owner, galleryId);
    await server.call({
      method: 'DELETE',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}`,
      as: owner,
    });
    const watched = watchedLab();
    await server.app.uploads.ingest(photo.id, watched);
    expect(watched.asked).toEqual([]);
  });
});

describe('a failing machine', () => {
  test('leaves the photo processing, and the next attempt succeeds', async () => {
    const faulty = faultyStorage(server.platform.storage);
    const deps = {
      database: server.data.database,
      storage: faulty,
      jobs: server.platform.jobs,
      galleries: server.app.galleries,
      log: server.platform.log,
    };
    for (const call of ['stream', 'copy', 'put'] as const) {
      for (const kind of ['io', 'partial'] as const) {
        if (call === 'copy' && kind === 'partial') continue;
        const { id } = await addPhoto(server, owner, galleryId, {
          bytes: await quartersJpeg(420, 300, { quality: 50 + Math.floor(Math.random() * 40) }),
        });
        faulty.fail({ kind }, { only: [call], times: 1 });
        await expect(ingest(deps, id, lab), `${call} ${kind}`).rejects.toThrow();
        expect((await rowOf(id))?.status).toBe('processing');
        faulty.heal();
        await ingest(deps, id, lab);
        expect((await rowOf(id))?.status).toBe('ready');
      }
    }
    expect(await checkStorage({ database: server.data.database, storage: server.platform.storage })).toEqual([]);
  });

  test.each([
    ['is away', 'io', 0],
    ['breaks off in the middle of the file', 'partial', 0],
    ['and database are away', 'io', 2],
  ] as const)('whose store %s lets the photo wait, and counts no attempt', async (_how, kind, unwritten) => {
    const faulty = faultyStorage(server.platform.storage);
    const { jobs, log } = server.platform;
    let left: number = unwritten;
    const database: Database = {
      ...server.platform.database,
      write: (scope, work) =>
        left-- > 0
          ? Promise.reject(databaseUnavailable(new Error('away')))
          : server.platform.database.write(scope, work),
    };
    const deps = { database, storage: faulty, jobs, galleries: server.app.galleries, log };
    const { id } = await addPhoto(server, owner, galleryId);
    const waiting = () =>
      server.data.ownerQuery<{ later: boolean }>(
        `select start_after > now() + interval '5 seconds' as later from pgboss.job
          where name = 'photo.ingest' and data ->> 'photoId' = $1 and retry_count = 0 order by created_on`,
        [String(id)],
      );
    const before = await waiting();
    faulty.fail({ kind }, { only: ['stream'], times: 1 });
    await ingestOrWait(deps, id, lab);
    expect((await rowOf(id))?.status).toBe('processing');
    expect(await waiting()).toEqual([...before, { later: true }]);
    await ingestOrWait(deps, id, lab);
    expect((await rowOf(id))?.status).toBe('ready');
  });

  test('is reported to the owner after the last attempt (fault F4)', async () => {
    const { id } = await addPhoto(server, owner, galleryId);
    const broken = { develop: async (): Promise<Developed> => Promise.reject(new Error('the picture process died')) };
    await expect(server.app.uploads.ingest(id, broken)).rejects.toThrow('died');
    expect((await rowOf(id))?.status).toBe('processing');
    for (let time = 0; time < 2; time++) await server.app.uploads.giveUp(id);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', problem: INGEST_FAILED });
    await server.app.uploads.ingest(id, lab);
    expect((await rowOf(id))?.status).toBe('failed');
  });
});
