import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { markName } from '#src/features/pictures/mark.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import {
  MARK_PLACEMENT_INVALID,
  MARK_PREVIEW_UNAVAILABLE,
  MARK_STRENGTH_INVALID,
  MARK_TEXT_TOO_LONG,
} from '#src/features/pictures/pictures.contract.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

// Pictures are made by a process of their own, which may be late on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let owner: string;
let galleryId: number;

// Each test has a club of its own: a new watermark is drawn on all photos of a club.
beforeEach(async () => {
  people = await settleAnother(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id);
});

async function ready(count: number): Promise<PhotoAnswer[]> {
  const added: number[] = [];
  for (let at = 0; at < count; at++) {
    const bytes = await quartersJpeg(700 + at * 10, 500, { quality: 80 });
    added.push((await addPhoto(server, owner, galleryId, { bytes })).id);
  }
  return untilDecided(server, owner, galleryId, added);
}

type Mark = { text?: string | null; placement?: 'tiled' | 'centred'; key?: string | null };

/** Like the settings: columns and `remark` in one transaction. */
async function changeMark({ text = null, placement = 'tiled', key = null }: Mark): Promise<string> {
  await server.platform.database.write({ kind: 'tenants', organizationIds: [people.hawks.id] }, async (tx) => {
    await tx
      .updateTable('organizations')
      .set({ watermark_text: text, watermark_placement: placement, watermark_key: key })
      .where('id', '=', people.hawks.id)
      .execute();
    await server.app.pictures.remark(tx, people.hawks.id);
  });
  return markName({
    organizationName: people.hawks.path,
    domainName: people.hawks.path,
    watermarkText: text,
    watermarkPlacement: placement,
    watermarkKey: key,
    watermarkStrength: 'normal',
  });
}

const marksOf = async () =>
  (
    await server.data.ownerQuery<{ mark_name: string }>(
      'select distinct mark_name from photos where organization_id = $1',
      [people.hawks.id],
    )
  ).map(({ mark_name }) => mark_name);
const untilMarked = (name: string) => expect.poll(marksOf, { timeout: 20_000, interval: 50 }).toEqual([name]);
const LONG = { timeout: 15_000 };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const look = (photo: Pick<PhotoAnswer, 'id'>, query = '', as: string | null = null) =>
  server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}?${query}`, as });
const checked = (at = new Date()) =>
  checkStorage({ ...server.platform, database: server.data.database, clock: { now: () => at } });

describe('a new watermark', () => {
  test('is drawn on every photo, at new addresses, and the clean copies stay unchanged', async () => {
    const photos = await ready(3);
    const before = await Promise.all(photos.map((photo) => look(photo, 'size=640')));
    const clean = await look(photos[0] as PhotoAnswer, 'size=640&adminview=true', owner);
    await untilMarked(await changeMark({ text: 'Go Hawks', placement: 'centred' }));
    const now = await untilDecided(
      server,
      owner,
      galleryId,
      photos.map(({ id }) => id),
    );
    for (const [at, photo] of now.entries()) {
      expect(photo.image_url).not.toBe(photos[at]?.image_url);
      const answer = await look(photo, 'size=640');
      expect(answer.statusCode).toBe(200);
      expect(sha256(answer.rawPayload)).not.toBe(sha256(before[at]?.rawPayload ?? Buffer.alloc(0)));
      const { width, height } = await sharp(answer.rawPayload).metadata();
      expect([width, height]).toEqual([640, Math.round((500 * 640) / (700 + at * 10))]);
    }
    const after = await look(photos[0] as PhotoAnswer, 'size=640&adminview=true', owner);
    expect(after.rawPayload.equals(clean.rawPayload)).toBe(true);
    // Like a complete development, except for the second encoding of its JPEG.
    const again = await ready(1);
    expect(await pixelsApart(now[0] as PhotoAnswer, again[0] as PhotoAnswer)).toBeLessThan(2);
    expect(await checked()).toEqual([]);
    expect(await checked(new Date(Date.now() + 2 * 86_400_000))).toEqual([]);
  });

  test('is always complete: photos keep the old one until the new one is drawn', async () => {
    const photos = await ready(3);
    const cleanOnes = new Set<string>();
    for (const photo of photos) cleanOnes.add(sha256((await look(photo, 'size=320&adminview=true', owner)).rawPayload));
    let isDone = false;
    const statuses = new Set<number>();
    const seen = new Set<string>();
    // One request after another: many at the same time would keep the worker busy.
    const watching = (async () => {
      while (!isDone) {
        for (const photo of photos) {
          const answer = await look(photo, 'size=320');
          statuses.add(answer.statusCode);
          seen.add(sha256(answer.rawPayload));
          await pause(10);
        }
      }
    })();
    try {
      await untilMarked(await changeMark({ text: 'First' }));
      await untilMarked(await changeMark({ text: 'Second', placement: 'centred' }));
    } finally {
      isDone = true;
      await watching;
    }
    expect([...statuses]).toEqual([200]);
    expect([...seen].filter((hash) => cleanOnes.has(hash))).toEqual([]);
    expect(seen.size).toBeGreaterThanOrEqual(photos.length * 2);
  });

  test('is the last of several simultaneous changes, for new photos too', async () => {
    await ready(3);
    await changeMark({ text: 'One' });
    const uploading = ready(2);
    await changeMark({ text: 'Two' });
    const last = await changeMark({ text: 'Three' });
    await uploading;
    // No job is left that could bring an old one back.
    await expect
      .poll(
        () => server.data.ownerQuery("select id from pgboss.job where name = 'photos.remark' and state < 'completed'"),
        { timeout: 15_000 },
      )
      .toEqual([]);
    expect(await marksOf()).toEqual([last]);
  });

  test('that equals the old one draws nothing again', async () => {
    const [photo] = await ready(1);
    await untilMarked(await changeMark({ text: 'Same' }));
    const version = () => server.data.ownerQuery('select pixel_version from photos where id = $1', [photo?.id]);
    const before = await version();
    await changeMark({ text: 'Same' });
    expect(await server.app.pictures.remarkPhotos(people.hawks.id, neverUsed)).toEqual({ isDone: true });
    expect(await version()).toEqual(before);
  });

  test('drawn in an older way is drawn again after an update', async () => {
    await ready(1);
    const name = await changeMark({ text: 'Redrawn' });
    await untilMarked(name);
    await server.data.ownerQuery('update photos set mark_name = $2 where organization_id = $1', [
      people.hawks.id,
      '1 tiled text Redrawn',
    ]);
    await server.app.pictures.remarkOldDrawings();
    await untilMarked(name);
  });

  test('is drawn together with a rotation requested meanwhile', async () => {
    const [photo] = await ready(1);
    const name = changeMark({ text: 'Turning' });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => rotate(photo as PhotoAnswer)));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    await untilMarked(await name);
    await expect
      .poll(
        () => server.data.ownerQuery('select width from photos where id = $1 and turns = rendered_turns', [photo?.id]),
        LONG,
      )
      .toEqual([{ width: 500 }]);
    expect(await checked()).toEqual([]);
  });

  test('skips photos whose clean copy is lost, and is drawn on all others', async () => {
    const [lost, good] = await ready(2);
    const [row] = await server.data.ownerQuery<{ object_key: string }>(
      "select object_key from renditions where photo_id = $1 and mark = 'clean' and size = 640",
      [lost?.id],
    );
    const bytes = (await server.platform.storage.get(row?.object_key ?? '')) ?? Buffer.alloc(0);
    await server.platform.storage.remove(row?.object_key ?? '');
    const name = await changeMark({ text: 'Later' });
    await expect
      .poll(() => server.data.ownerQuery('select mark_name from photos where id = $1', [good?.id]), LONG)
      .toEqual([{ mark_name: name }]);
    expect((await look(lost as PhotoAnswer, 'size=320')).statusCode).toBe(200);
    await server.platform.storage.put(row?.object_key ?? '', bytes, { contentType: 'image/jpeg' });
    // The job is retried automatically.
    await untilMarked(name);
  });
});

const neverUsed = { remark: () => Promise.reject(new Error('there is nothing to mark')) };
const rotate = (photo: PhotoAnswer) =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}/rotate`, as: owner });

/** Mean difference of two photos' public pictures, in levels. */
async function pixelsApart(one: PhotoAnswer, other: PhotoAnswer): Promise<number> {
  const [left, right] = await Promise.all(
    [one, other].map(async (photo) =>
      sharp((await look(photo, 'size=640')).rawPayload)
        .raw()
        .toBuffer(),
    ),
  );
  const size = left?.length ?? 0;
  let sum = 0;
  for (let at = 0; at < size; at++) sum += Math.abs((left?.[at] ?? 0) - (right?.[at] ?? 0));
  return sum / size;
}

describe('the preview of a watermark', () => {
  const preview = (query: string, as: string | null = owner) =>
    server.call({ method: 'GET', url: `/api/v1/affiliates/${people.hawks.id}/watermark_preview?${query}`, as });

  test('shows a photo of the organization with the watermark, to members only, and is not cached', async () => {
    await ready(1);
    const answers = await Promise.all(
      ['', 'placement=centred', 'text=Go%20Hawks', 'text=Go%20Hawks&placement=centred', 'strength=strong'].map(
        (query) => preview(query),
      ),
    );
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.headers['content-type']).toBe('image/jpeg');
      expect(answer.headers['cache-control']).toBe('private, no-store');
      expect((await sharp(answer.rawPayload).metadata()).width).toBe(640);
    }
    expect(new Set(answers.map(({ rawPayload }) => sha256(rawPayload))).size).toBe(5);
    expect((await preview('', people.tokens.parentMember)).statusCode).toBe(200);
    expect((await preview('', people.tokens.admin)).statusCode).toBe(200);
    expect((await preview('', null)).statusCode).toBe(401);
    for (const as of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await preview('', as)).statusCode).toBe(404);
  });

  test('shows a sample where there is no photo', async () => {
    const answer = await server.call({
      method: 'GET',
      url: `/api/v1/affiliates/${people.tides.id}/watermark_preview?text=Tides`,
      as: people.tokens.neighbor,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 427 });
  });

  test('asks for another try when the picture process fails, and works at the next one', async () => {
    const slow = new Error('The picture process ended: slower than 8000 ms.');
    vi.spyOn(server.platform.previews, 'preview').mockRejectedValueOnce(slow);
    const refused = await preview('text=Slow');
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
      503,
      '5',
      { error: MARK_PREVIEW_UNAVAILABLE },
    ]);
    expect((await preview('text=Slow')).statusCode).toBe(200);
  });

  test('reports problems of the request', async () => {
    const answer = await preview(`placement=left&strength=none&text=${'x'.repeat(61)}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: object }>().errors).toEqual({
      placement: [MARK_PLACEMENT_INVALID],
      strength: [MARK_STRENGTH_INVALID],
      text: [MARK_TEXT_TOO_LONG],
    });
  });

  test('never reads an object that is not a watermark of this organization', async () => {
    const [photo] = await ready(1);
    const [row] = await server.data.ownerQuery<{ original_key: string }>(
      'select original_key from photos where id = $1',
      [photo?.id],
    );
    for (const key of [row?.original_key ?? '', 'settings/2/none.png', '../../etc/passwd', ''])
      expect((await preview(`key=${encodeURIComponent(key)}`)).statusCode).toBe(422);
  });
});
