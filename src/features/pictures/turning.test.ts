import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { TURNS_INVALID } from '#src/features/pictures/pictures.contract.ts';
import { withClient } from '#src/platform/db/client.ts';
import { develop } from '#src/platform/images/develop.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { BLUE, GREEN, iptcSegment, quartersJpeg, RED, WHITE, withSegments } from '#tests/support/pictures.ts';
import { WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let owner: string;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id, { display_watermark: false });
});

async function ready(width = 900, height = 600): Promise<PhotoAnswer> {
  const bytes = withSegments(await quartersJpeg(width, height), iptcSegment([[25, 'goal']]));
  const added = await addPhoto(server, owner, galleryId, { bytes, name: 'Kick-off' });
  const [photo] = await untilDecided(server, owner, galleryId, [added.id]);
  if (photo?.status !== 'ready') throw new Error(`not ready: ${photo?.problem}`);
  return photo;
}

const rotate = (photo: Pick<PhotoAnswer, 'id' | 'gallery_id'>, payload?: object, as: string | null = owner) =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${photo.gallery_id}/gallery_photos/${photo.id}/rotate`,
    as,
    ...(payload === undefined ? {} : { payload }),
  });

/** Which quarter's color is at the top left, clockwise. */
async function cornersOf(address: string): Promise<(readonly number[])[]> {
  const answer = await server.call({ method: 'GET', url: address });
  expect(answer.statusCode).toBe(200);
  const { data, info } = await sharp(answer.rawPayload).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const known = [RED, GREEN, BLUE, WHITE];
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ].map(([x = 0, y = 0]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    const distance = (color: readonly number[]) =>
      color.reduce((sum, value, channel) => sum + Math.abs(value - (data[at + channel] ?? 0)), 0);
    return known.toSorted((one, other) => distance(one) - distance(other))[0] ?? [];
  });
}

/** The corners of a picture that was rotated clockwise by this number of quarter turns. */
const turned = (corners: (readonly number[])[], turns: number) =>
  corners.map((_, at) => corners[(at - turns + 8) % 4] ?? []);

describe('rotating a photo', () => {
  test('returns it rotated, at a new address, with its sides swapped', async () => {
    const photo = await ready();
    const before = await cornersOf(photo.image_url);
    const answer = await rotate(photo);
    expect(answer.statusCode, answer.body).toBe(200);
    const now = answer.json<PhotoAnswer>();
    expect(now).toMatchObject({ id: photo.id, width: 600, height: 900, turning: false, status: 'ready' });
    expect(now.image_url).not.toBe(photo.image_url);
    expect(await cornersOf(now.image_url)).toEqual(turned(before, 1));
    const { width, height } = await sharp(
      (await server.call({ method: 'GET', url: `${now.image_url}&size=320` })).rawPayload,
    ).metadata();
    expect([width, height]).toEqual([213, 320]);
  });

  test.each([1, 2, 3] as const)('by %d quarters', async (turns) => {
    const photo = await ready();
    const before = await cornersOf(photo.image_url);
    const now = (await rotate(photo, { turns })).json<PhotoAnswer>();
    expect(await cornersOf(now.image_url)).toEqual(turned(before, turns));
    expect([now.width, now.height]).toEqual(turns === 2 ? [900, 600] : [600, 900]);
  });

  test('many times at once adds up, and the last response is current (bad input 79)', async () => {
    const photo = await ready();
    const before = await cornersOf(photo.image_url);
    const answers = await Promise.all(Array.from({ length: 7 }, () => rotate(photo)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 7 }, () => 200));
    const [now] = await untilTurned(photo.id);
    expect(await cornersOf(now?.image_url ?? '')).toEqual(turned(before, 3));
    expect([now?.width, now?.height]).toEqual([600, 900]);
    const twice = await Promise.all([rotate(photo), rotate(photo)]);
    expect(twice.every(({ statusCode }) => statusCode === 200)).toBe(true);
    const [again] = await untilTurned(photo.id);
    expect(await cornersOf(again?.image_url ?? '')).toEqual(turned(before, 5));
  });

  test('while it is developed makes it come out rotated', async () => {
    const bytes = await quartersJpeg(800, 500, { quality: 91 });
    const added = await addPhoto(server, owner, galleryId, { bytes });
    const answer = await rotate(added);
    expect(answer.statusCode, answer.body).toBe(200);
    await untilDecided(server, owner, galleryId, [added.id]);
    const [now] = await untilTurned(added.id);
    expect([now?.width, now?.height]).toEqual([500, 800]);
  });

  test('keeps the uploaded file and its text, and a deleted photo stays deleted', async () => {
    const photo = await ready(700, 500);
    const [keyword] = photo.keywords;
    expect(photo.keywords.map(({ name }) => name)).toEqual(['goal']);
    const file = () =>
      server.call({
        method: 'GET',
        url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}?adminview=true&download=true`,
        as: owner,
      });
    const before = await file();
    const deleted = await server.call({
      method: 'DELETE',
      url: `/api/v1/galleries/${galleryId}/delete_keyword?photo_id=${photo.id}&keyword_id=${keyword?.id}`,
      as: owner,
    });
    expect(deleted.statusCode).toBe(204);
    const now = (await rotate(photo)).json<PhotoAnswer>();
    expect(now.keywords).toEqual([]);
    const after = await file();
    expect(after.rawPayload.equals(before.rawPayload)).toBe(true);
    expect(after.headers['cache-control']).toBe('private, no-store');
    expect(await checkStorage({ database: server.data.database, storage: server.platform.storage })).toEqual([]);
  });

  test('is for the members of its gallery, and for photos that exist', async () => {
    const photo = await ready(500, 400);
    expect((await rotate(photo, undefined, null)).statusCode).toBe(401);
    for (const as of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await rotate(photo, undefined, as)).statusCode).toBe(404);
    expect((await rotate(photo, undefined, people.tokens.parentMember)).statusCode).toBe(200);
    const other = await openGallery(server, owner, people.hawks.id);
    expect((await rotate({ id: photo.id, gallery_id: other })).statusCode).toBe(404);
    for (const turns of [0, 4, -1, 1.5, '1', null]) {
      const answer = await rotate(photo, { turns });
      expect(answer.statusCode).toBe(422);
      expect(answer.json<{ errors: object }>().errors).toEqual({ turns: [TURNS_INVALID] });
    }
    await server.call({
      method: 'DELETE',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}`,
      as: owner,
    });
    expect((await rotate(photo)).statusCode).toBe(404);
  });

  test('that failed says so', async () => {
    const added = await addPhoto(server, owner, galleryId, { bytes: Buffer.from('no picture') });
    await untilDecided(server, owner, galleryId, [added.id]);
    expect((await rotate(added)).statusCode).toBe(409);
  });
});

describe('a photo that is rotated', () => {
  /** Like the worker, which does not know of this request; `meanwhile` happens while it develops the photo. */
  const turnDuring = (photoId: number, meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
    server.app.pictures.turn(photoId, {
      async develop(request) {
        await meanwhile();
        return develop({ ...request, original: request.original as Buffer });
      },
    });
  async function requested(): Promise<PhotoAnswer> {
    const photo = await ready(500, 400);
    await server.data.ownerQuery('update photos set turns = 1 where id = $1', [photo.id]);
    return photo;
  }
  const shownOf = ({ id }: PhotoAnswer) =>
    server.data.ownerQuery<{ turns: number; version: number; mark: string }>(
      'select rendered_turns as turns, pixel_version as version, mark_name as mark from photos where id = $1',
      [id],
    );

  test('and removed meanwhile stays as it was', async () => {
    const photo = await requested();
    const before = await shownOf(photo);
    const url = `/api/v1/galleries/${galleryId}/gallery_photos/${photo.id}`;
    await turnDuring(photo.id, () => server.call({ method: 'DELETE', url, as: owner }));
    expect(await shownOf(photo)).toEqual(before);
  });

  test('is locked before its organization, and gets the watermark that is current then', async () => {
    const photo = await requested();
    const [before] = await shownOf(photo);
    await withClient(server.data.ownerUrl, async (other) => {
      await other.query("begin; set local lock_timeout = '500ms'");
      await other.query('select from photos where id = $1 for update', [photo.id]);
      const turning = turnDuring(photo.id);
      await vi.waitFor(async () => expect((await other.query(WAITING_SESSIONS)).rows).toHaveLength(1), 15_000);
      await other.query("update organizations set watermark_text = 'Meanwhile' where id = $1", [people.hawks.id]);
      await other.query('commit');
      await turning;
    });
    expect(await shownOf(photo)).toEqual([
      { turns: 1, version: (before?.version ?? 0) + 1, mark: expect.stringContaining('Meanwhile') },
    ]);
  });
});

async function untilTurned(photoId: number): Promise<PhotoAnswer[]> {
  await expect
    .poll(
      async () =>
        server.data.ownerQuery('select id from photos where id = $1 and turns = rendered_turns and status = $2', [
          photoId,
          'ready',
        ]),
      { timeout: 15_000 },
    )
    .toHaveLength(1);
  return untilDecided(server, owner, galleryId, [photoId]);
}
