import { beforeAll, describe, expect, test } from 'vitest';
import {
  GALLERY_PASSWORD_REQUIRED,
  lockedGalleryAnswer,
  WRONG_GALLERY_PASSWORD,
  type GalleryAnswer,
} from '#src/features/galleries/galleries.contract.ts';
import { addReadyPhoto, openGallery, settleNeighbourhood, type Neighbourhood } from '#tests/support/neighbourhood.ts';
import { cookieOf } from '#tests/support/photo-desk.ts';
import { useTestHouse } from '#tests/support/test-house.ts';

const house = useTestHouse();
let people: Neighbourhood;
let galleryId: number;
let twinId: number;
let photoId: number;

beforeAll(async () => {
  people = await settleNeighbourhood(house);
  const locked = { password_required: true, password: 'goalkeeper' };
  galleryId = await openGallery(house, people.tokens.owner, people.hawks.id, locked);
  twinId = await openGallery(house, people.tokens.owner, people.hawks.id, locked);
  photoId = await addReadyPhoto(house, { id: galleryId, organizationId: people.hawks.id });
  await addReadyPhoto(house, { id: twinId, organizationId: people.hawks.id });
});

const unlock = (id: number, payload: object, ip = '203.0.113.7') =>
  house.call({ method: 'POST', url: `/api/v1/galleries/${id}/unlock`, payload, remoteAddress: ip });
const read = (id: number, path: string, cookie: string | null = null) =>
  house.call({ method: 'GET', url: `/api/v1/galleries/${id}/${path}`, headers: cookie === null ? {} : { cookie } });
const cookieFor = async (id: number, ip: string) =>
  `gal_${id}=${cookieOf(await unlock(id, { password: 'goalkeeper' }, ip), `gal_${id}`) ?? ''}`;

describe('a gallery with a password', () => {
  test('tells a visitor its header and neither password nor photo (threat 1)', async () => {
    for (const path of ['full', 'gallery_photos', 'gallery_photos?keyword=goal']) {
      const answer = await read(galleryId, path);
      expect(answer.statusCode).toBe(200);
      expect(answer.body).not.toContain('goalkeeper');
      expect(answer.body).not.toContain(String(photoId));
    }
    const [header] = (await read(galleryId, 'full')).json<object[]>();
    expect(header).toEqual({ ...lockedGalleryAnswer.parse(header), gallery_photo: [] });
    expect((await read(galleryId, 'gallery_photos')).json()).toEqual({ photos: [], next: null, total: 0 });
  });

  test('opens with its word, for itself alone (threat 3)', async () => {
    const cookie = await cookieFor(galleryId, '203.0.113.8');
    expect((await read(galleryId, 'full', cookie)).json()).toMatchObject([
      { password: null, unlock_key: null, gallery_photo: [{ id: photoId }] },
    ]);
    expect((await read(twinId, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [] }]);
    const moved = cookie.replace(`gal_${galleryId}`, `gal_${twinId}`);
    expect((await read(twinId, 'full', moved)).json()).toMatchObject([{ gallery_photo: [] }]);
  });

  test('sets a cookie that no script reads and that ends with the browser', async () => {
    const answer = await unlock(galleryId, { password: ' goalkeeper ' }, '203.0.113.9');
    expect(answer.json()).toEqual({ unlocked: true });
    expect(String(answer.headers['set-cookie'])).toMatch(
      new RegExp(`^gal_${galleryId}=[\\w-]{43};.*HttpOnly.*SameSite=Lax`),
    );
    expect(String(answer.headers['set-cookie'])).not.toMatch(/max-age|expires/i);
  });

  test('opens with the key of its owner’s link, which visitors are not told', async () => {
    const [gallery] = (
      await house.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: people.tokens.owner })
    ).json<GalleryAnswer[]>();
    const key = gallery?.unlock_key ?? '';
    expect((await unlock(galleryId, { key }, '203.0.113.10')).statusCode).toBe(200);
    expect((await unlock(twinId, { key }, '203.0.113.10')).statusCode).toBe(401);
  });

  test.each([
    [{ password: 'Goalkeeper' }, 401, WRONG_GALLERY_PASSWORD],
    [{ password: '' }, 422, GALLERY_PASSWORD_REQUIRED],
    [{}, 422, GALLERY_PASSWORD_REQUIRED],
    [{ password: 'x'.repeat(10_000) }, 422, 'At most 100 characters, please.'],
    [{ password: ['goalkeeper'] }, 422, 'Text expected.'],
    [{ password: 'a\u0000' }, 422, 'password contains characters that are not allowed.'],
  ])('answers %j with %d', async (payload, status, message) => {
    const answer = await unlock(galleryId, payload, '203.0.113.11');
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: message });
  });

  test('stays shut when the password changes, for those who knew the old one (threat 5)', async () => {
    const cookie = await cookieFor(twinId, '203.0.113.12');
    expect((await read(twinId, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [{}] }]);
    await house.call({
      method: 'PUT',
      url: `/api/v1/galleries/${twinId}`,
      as: people.tokens.owner,
      payload: { gallery: { password: 'striker' } },
    });
    expect((await read(twinId, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [] }]);
    expect((await unlock(twinId, { password: 'goalkeeper' }, '203.0.113.12')).statusCode).toBe(401);
  });

  test('is no gate to its members', async () => {
    for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
      expect(
        (await house.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as })).json(),
      ).toMatchObject([{ password: 'goalkeeper', gallery_photo: [{ id: photoId }] }]);
    }
    expect(
      (await house.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: people.tokens.neighbour }))
        .body,
    ).not.toContain(String(photoId));
  });
});

test('guessing ends after five tries a minute, also for the right word, and only for this gallery and address (threat 4)', async () => {
  const ip = '198.51.100.1';
  const statuses: number[] = [];
  for (let time = 0; time < 60; time++)
    statuses.push((await unlock(galleryId, { password: `guess ${time}` }, ip)).statusCode);
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(statuses.slice(5))).toEqual(new Set([429]));
  const right = await unlock(galleryId, { password: 'goalkeeper' }, ip);
  expect(right.statusCode).toBe(429);
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
  expect((await unlock(twinId, { password: 'striker' }, ip)).statusCode).toBe(200);
  expect((await unlock(galleryId, { password: 'goalkeeper' }, '198.51.100.2')).statusCode).toBe(200);
});

test('right words do not use up the tries: a whole team behind one address gets in', async () => {
  for (let time = 0; time < 12; time++)
    expect((await unlock(galleryId, { password: 'goalkeeper' }, '198.51.100.3')).statusCode).toBe(200);
});

test('unlocking what has no password does nothing', async () => {
  const open = await openGallery(house, people.tokens.owner, people.hawks.id);
  const answer = await unlock(open, { password: 'anything' });
  expect(answer.json()).toEqual({ unlocked: true });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await unlock(12_345, { password: 'x' })).statusCode).toBe(404);
});
