/** A picture that needs more memory than a picture process may use, or whose process the system kills. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INGEST_FAILED } from '#src/features/photos/photos.contract.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const lab = openPictureLab({ concurrency: 1 });
/** A process of this size is too large from its start. */
const tightLab = openPictureLab({ concurrency: 1, maxMegabytes: 1 });
afterAll(() => Promise.all([lab.close(), tightLab.close()]));
let people: Neighborhood;
let galleryId: number;
let seed = 0;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

/** Large enough to take a while. */
const claim = async () => {
  const bytes = await quartersJpeg(4_000 + ++seed, 3_000);
  return (await addPhoto(server, people.tokens.owner, galleryId, { bytes })).id;
};
const decided = async (id: number) => (await untilDecided(server, people.tokens.owner, galleryId, [id]))[0];
const state = async (id: number) =>
  (
    await server.data.ownerQuery<{ status: string; problem: string | null }>(
      'select status, problem from photos where id = $1',
      [id],
    )
  )[0];

test('a picture that needs too much memory waits for its next attempt, which may have more', async () => {
  const id = await claim();
  await expect(server.app.uploads.ingest(id, tightLab)).rejects.toThrow('The picture process ended: too much memory.');
  expect(await state(id)).toEqual({ status: 'processing', problem: null });
  await server.app.uploads.ingest(id, lab);
  expect((await decided(id))?.status).toBe('ready');
});

test('after its last attempt the photo has failed, with a sentence for its owner, and never waits', async () => {
  const id = await claim();
  for (let attempt = 0; attempt < 4; attempt++)
    await expect(server.app.uploads.ingest(id, tightLab)).rejects.toThrow('too much memory');
  await server.app.uploads.giveUp(id);
  expect(await decided(id)).toMatchObject({ status: 'failed', problem: INGEST_FAILED });
  // A late result changes nothing.
  await server.app.uploads.ingest(id, lab);
  expect((await state(id))?.status).toBe('failed');
});

test('a picture process that the machine kills leaves the photo to its next attempt', async () => {
  const id = await claim();
  const lab = openPictureLab({ concurrency: 1 });
  const first = server.app.uploads.ingest(id, lab);
  first.catch(() => undefined);
  const pid = await new Promise<number>((resolve) => {
    const look = setInterval(() => {
      const [found] = lab.pids();
      if (found === undefined) return;
      clearInterval(look);
      resolve(found);
    }, 1);
  });
  process.kill(pid, 'SIGKILL');
  await expect(first).rejects.toThrow('The picture process ended: SIGKILL.');
  expect((await state(id))?.status).toBe('processing');
  await server.app.uploads.ingest(id, lab);
  await lab.close();
  expect((await decided(id))?.status).toBe('ready');
});
