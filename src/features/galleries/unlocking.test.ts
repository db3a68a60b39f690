import { beforeAll, describe, expect, test } from 'vitest';
import {
  GALLERY_PASSWORD_REQUIRED,
  lockedGalleryAnswer,
  WRONG_GALLERY_PASSWORD,
  type GalleryAnswer,
} from '#src/features/galleries/galleries.contract.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let galleryId: number;
let twinId: number;
let photoId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const locked = { password_required: true, password: 'goalkeeper' };
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, locked);
  twinId = await openGallery(server, people.tokens.owner, people.hawks.id, locked);
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
  await addReadyPhoto(server, { id: twinId, organizationId: people.hawks.id });
});

const unlock = (id: number, payload: object, ip = '203.0.113.7') =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${id}/unlock`, payload, remoteAddress: ip });
const read = (id: number, path: string, cookie: string | null = null) =>
  server.call({ method: 'GET', url: `/api/v1/galleries/${id}/${path}`, headers: cookie === null ? {} : { cookie } });
const cookieFor = async (id: number, ip: string) =>
  `gal_${id}=${cookieOf(await unlock(id, { password: 'goalkeeper' }, ip), `gal_${id}`) ?? ''}`;

describe('a gallery with a password', () => {
  test('shows a visitor its header and neither password nor photo (threat 1)', async () => {
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

  test('opens with its password, for itself only (threat 3)', async () => {
    const cookie = await cookieFor(galleryId, '203.0.113.8');
    expect((await read(galleryId, 'full', cookie)).json()).toMatchObject([
      { password: null, unlock_key: null, gallery_photo: [{ id: photoId }] },
    ]);
    expect((await read(twinId, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [] }]);
    const moved = cookie.replace(`gal_${galleryId}`, `gal_${twinId}`);
    expect((await read(twinId, 'full', moved)).json()).toMatchObject([{ gallery_photo: [] }]);
  });

  test('sets a cookie that scripts cannot read and that ends with the browser session', async () => {
    const answer = await unlock(galleryId, { password: ' goalkeeper ' }, '203.0.113.9');
    expect(answer.json()).toEqual({ unlocked: true });
    expect(String(answer.headers['set-cookie'])).toMatch(
      new RegExp(`^gal_${galleryId}=[\\w-]{43};.*HttpOnly.*SameSite=Lax`),
    );
    expect(String(answer.headers['set-cookie'])).not.toMatch(/max-age|expires/i);
  });

  test('opens with the key of its owner’s link, which visitors do not see', async () => {
    const [gallery] = (
      await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: people.tokens.owner })
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
    [{ password: ['goalkeeper'] }, 422, 'Must be text.'],
    [{ password: 'a\u0000' }, 422, 'password contains characters that are not allowed.'],
  ])('%j gets %d', async (payload, status, message) => {
    const answer = await unlock(galleryId, payload, '203.0.113.11');
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: message });
  });

  test('locks again when the password changes, for those who knew the old one (threat 5)', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id, {
      password_required: true,
      password: 'goalkeeper',
    });
    await addReadyPhoto(server, { id, organizationId: people.hawks.id });
    const cookie = await cookieFor(id, '203.0.113.12');
    expect((await read(id, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [{}] }]);
    await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${id}`,
      as: people.tokens.owner,
      payload: { gallery: { password: 'striker' } },
    });
    expect((await read(id, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [] }]);
    expect((await unlock(id, { password: 'goalkeeper' }, '203.0.113.12')).statusCode).toBe(401);
  });

  test('is not locked for its members', async () => {
    for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
      expect(
        (await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as })).json(),
      ).toMatchObject([{ password: 'goalkeeper', gallery_photo: [{ id: photoId }] }]);
    }
    expect(
      (await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: people.tokens.neighbor }))
        .body,
    ).not.toContain(String(photoId));
  });
});

test('guessing ends after five attempts a minute, also for the right password, and only for this gallery and address (threat 4)', async () => {
  const ip = '198.51.100.1';
  const statuses: number[] = [];
  for (let time = 0; time < 12; time++)
    statuses.push((await unlock(galleryId, { password: `guess ${time}` }, ip)).statusCode);
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(statuses.slice(5))).toEqual(new Set([429]));
  const right = await unlock(galleryId, { password: 'goalkeeper' }, ip);
  expect(right.statusCode).toBe(429);
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
  expect((await unlock(twinId, { password: 'goalkeeper' }, ip)).statusCode).toBe(200);
  expect((await unlock(galleryId, { password: 'goalkeeper' }, '198.51.100.2')).statusCode).toBe(200);
});

test('right passwords do not count as attempts: a whole team behind one address gets in', async () => {
  for (let time = 0; time < 12; time++)
    expect((await unlock(galleryId, { password: 'goalkeeper' }, '198.51.100.3')).statusCode).toBe(200);
});

test('unlocking a gallery without a password does nothing', async () => {
  const open = await openGallery(server, people.tokens.owner, people.hawks.id);
  const answer = await unlock(open, { password: 'anything' });
  expect(answer.json()).toEqual({ unlocked: true });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await unlock(12_345, { password: 'x' })).statusCode).toBe(404);
});

describe('without JavaScript', () => {
  const byForm = (fields: Record<string, string>, ip: string, headers: Record<string, string> = {}) =>
    server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/unlock_form`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
      remoteAddress: ip,
    });
  const page = `/hawks/gallery/1?publicView=true`;

  test('the right password leads back to the page with the cookie', async () => {
    const answer = await byForm({ password: 'goalkeeper', to: page }, '203.0.113.30');
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, page]);
    const cookie = `gal_${galleryId}=${cookieOf(answer, `gal_${galleryId}`) ?? ''}`;
    expect((await read(galleryId, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [{ id: photoId }] }]);
  });

  test.each([
    ['a wrong word', { password: 'striker', to: page }, `${page}&gate=wrong`],
    ['no word', { to: page }, `${page}&gate=empty`],
    ['a word without end', { password: 'x'.repeat(500), to: page }, `${page}&gate=wrong`],
    ['a way to another site', { password: 'striker', to: '//evil.example/x' }, '/?gate=wrong'],
    ['no way back', { password: 'striker' }, '/?gate=wrong'],
  ])('%s leads back to the password form, which says why', async (_what, fields, to) => {
    const answer = await byForm(fields as Record<string, string>, `203.0.113.31`);
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, to]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('tries are counted together with those of the call', async () => {
    const ip = '203.0.113.32';
    for (let tries = 0; tries < 4; tries++) await byForm({ password: 'striker', to: page }, ip);
    expect((await unlock(galleryId, { password: 'striker' }, ip)).statusCode).toBe(401);
    expect((await byForm({ password: 'goalkeeper', to: page }, ip)).headers['location']).toBe(`${page}&gate=wait`);
  });

  test('a form of another site is refused', async () => {
    const answer = await byForm({ password: 'goalkeeper' }, '203.0.113.33', { origin: 'https://evil.example' });
    expect(answer.statusCode).toBe(403);
  });
});

describe('an unlock link', () => {
  const follow = (address: string, ip = '203.0.113.40') =>
    server.call({ method: 'GET', url: address, remoteAddress: ip });
  const unlockBy = (key: string, to = '/hawks/gallery/1') =>
    follow(`/api/v1/galleries/${galleryId}/unlock?${new URLSearchParams({ key, to })}`);

  test('has a key that only those who may edit the gallery see', async () => {
    const keyFor = async (id: number, as: string | null) =>
      (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as })).json<GalleryAnswer[]>()[0]
        ?.unlock_key ?? null;
    const key = await keyFor(galleryId, people.tokens.owner);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await keyFor(galleryId, people.tokens.neighbor)).toBeNull();
    expect(await keyFor(galleryId, null)).toBeNull();
    const open = await openGallery(server, people.tokens.owner, people.hawks.id);
    expect(await keyFor(open, people.tokens.owner)).toBeNull();

    const answer = await unlockBy(key ?? '', `/hawks/gallery/1?key=old`);
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, '/hawks/gallery/1']);
    const cookie = `gal_${galleryId}=${cookieOf(answer, `gal_${galleryId}`) ?? ''}`;
    expect((await read(galleryId, 'full', cookie)).json()).toMatchObject([{ gallery_photo: [{ id: photoId }] }]);
  });

  test.each(['', 'made-up', 'x'.repeat(500)])('with a wrong key says so at the password form: %j', async (key) => {
    const answer = await unlockBy(key);
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, '/hawks/gallery/1?gate=link']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});
