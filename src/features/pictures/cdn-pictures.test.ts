/** Public pictures through a CDN: who gets its addresses, what it may fetch, and what purges them (decision record 0063). */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { signVisitor, VISITOR_COOKIE } from '#src/http/cookies.ts';
import { CDN_TOKEN, FakeCdn } from '#tests/support/fake-cdn.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { addPhoto, cookieOf, untilDecided } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { addRoster, type SeededRoster } from '#tests/support/rosters.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const CDN_URL = 'https://pictures.example';
const env: Record<string, string> = { RATE_LIMIT_FACTOR: '1000', PICTURES_CDN_URL: CDN_URL, CDN_PURGE_PRIVATE: '1' };
const cdn = new FakeCdn();
beforeAll(async () => {
  env['CDN_PURGE_URL'] = `${await cdn.start()}/purge`;
  env['CDN_PURGE_TOKEN'] = CDN_TOKEN;
});
afterAll(() => cdn.stop());

const late = { ms: 0 };
const server = useTestServer({
  works: true,
  pages: true,
  env,
  clock: { now: () => new Date(Date.now() + late.ms) },
});
let people: Neighborhood;
let owner: string;
let original: Buffer;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
  original = await quartersJpeg(600, 400);
  cdn.origin = async (path) => {
    const { statusCode, headers, rawPayload } = await fromOrigin(path);
    return { status: statusCode, headers: headers as Record<string, string>, body: rawPayload };
  };
});

/** As the CDN requests it: by another host name. */
const fromOrigin = (path: string, headers: Record<string, string> = {}) =>
  server.call({ method: 'GET', url: path, headers: { host: 'pictures.example', ...headers } });

/** A gallery with one photo that has pixels. */
async function settle(fields: Record<string, unknown> = {}) {
  const galleryId = await openGallery(server, owner, people.hawks.id, { display_watermark: false, ...fields });
  const { id } = await addPhoto(server, owner, galleryId, { bytes: original, name: 'Winning goal' });
  await untilDecided(server, owner, galleryId, [id]);
  return { galleryId, photoId: id };
}

async function listed(galleryId: number, as: string | null = null, headers: Record<string, string> = {}) {
  const url = `/api/v1/galleries/${galleryId}/gallery_photos`;
  const answer = await server.call({ method: 'GET', url, as, headers });
  const [photo] = answer.json<{ photos: PhotoAnswer[] }>().photos;
  if (!photo) throw new Error(`no photo: ${answer.body}`);
  return photo.image_url;
}

/** The path in a visitor's address of the gallery's first photo. */
async function signedPath(galleryId: number, size = 1440): Promise<string> {
  const address = await listed(galleryId);
  expect(address).toMatch(/^https:\/\/pictures\.example\/api\/v1\/pictures\/.*\/1440\.jpg$/);
  return address.slice(CDN_URL.length).replace('1440.jpg', `${size}.jpg`);
}

const untilPurged = (...tags: string[]) =>
  vi.waitFor(() => expect(cdn.purged).toEqual(expect.arrayContaining(tags)), { timeout: 15_000, interval: 50 });

const jobsOf = (tag: string) =>
  server.data.ownerQuery(`select 1 from pgboss.job where name = 'cdn.purge' and data->'tags' ? $1`, [tag]);

describe('addresses of a CDN', () => {
  test('are given for galleries that every visitor sees alike, on pages too, whose policy allows them', async () => {
    const { galleryId } = await settle();
    const path = await signedPath(galleryId);
    const host = `${people.parent.path}.sideline.localhost:3000`;
    const page = await server.call({
      method: 'GET',
      url: `/${people.hawks.path}/gallery/${galleryId}`,
      headers: { host },
    });
    expect(page.body).toContain(CDN_URL + path.replace('1440.jpg', '480.jpg'));
    const policy = String(page.headers['content-security-policy']).split('; ');
    expect(policy.find((part) => part.startsWith('img-src'))).toBe(
      `img-src 'self' data: blob: ${CDN_URL} sideline.localhost:3000 *.sideline.localhost:3000`,
    );
    const home = await server.call({ method: 'GET', url: `/${people.hawks.path}`, headers: { host } });
    expect(home.body).toContain(`${CDN_URL}/api/v1/pictures/${galleryId}/`);
  });

  test.each([
    ['an unlisted gallery', { is_private: true }],
    ['a gallery with a password', { password_required: true, password: 'goalkeeper' }],
  ])('are not given for %s', async (_which, fields) => {
    const { galleryId, photoId } = await settle(fields);
    const unlocked = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/unlock`,
      payload: { password: 'goalkeeper' },
    });
    const cookie = `gal_${galleryId}=${cookieOf(unlocked, `gal_${galleryId}`)}`;
    const own = `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?v=1.c`;
    expect(await listed(galleryId, null, { cookie })).toBe(own);
    // Even a signature would not open it: what is not for everyone is not for a CDN.
    const signed = server.platform.cdn.addressOf({ galleryId, photoId, version: '1.c' })?.slice(CDN_URL.length);
    expect((await fromOrigin(signed ?? '', { cookie })).statusCode).toBe(404);
  });

  test('are not given to members, whose pictures are clean', async () => {
    const { galleryId, photoId } = await settle({ display_watermark: true });
    const own = `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?v=1.m`;
    expect(await listed(galleryId, owner)).toBe(own);
  });
});

describe('what a CDN may fetch', () => {
  test('is a rendition, cached until its address expires, with tags for purging', async () => {
    const { galleryId, photoId } = await settle();
    const answer = await fromOrigin(await signedPath(galleryId, 480), { accept: 'image/avif,image/webp' });
    expect(answer.statusCode).toBe(200);
    const { width, format } = await sharp(answer.rawPayload).metadata();
    expect([width, format]).toEqual([480, 'jpeg']);
    const { 'cache-control': keeping, 'cache-tag': tags, vary, 'set-cookie': cookies } = answer.headers;
    const maxAge = Number(/^public, max-age=(\d+)$/.exec(String(keeping))?.[1]);
    expect(maxAge).toBeGreaterThan(120);
    expect(maxAge).toBeLessThanOrEqual(300);
    expect(tags).toBe(`photo-${photoId},gallery-${galleryId},organization-${people.hawks.id}`);
    expect(answer.headers['cdn-tag']).toBe(tags);
    expect(answer.headers['surrogate-key']).toBe(String(tags).replaceAll(',', ' '));
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect([vary, cookies]).toEqual([undefined, undefined]);
  });

  test('is the same for everyone: a member’s session opens no clean copy', async () => {
    const { galleryId } = await settle({ display_watermark: true });
    const path = await signedPath(galleryId);
    const asCdn = await fromOrigin(path);
    const asOwner = await server.call({ method: 'GET', url: `${path}?adminview=true&download=true`, as: owner });
    expect(asOwner.headers.etag).toBe(asCdn.headers.etag);
    expect(asOwner.headers['cache-control']).toMatch(/^public/);
  });

  test('is nothing with a changed address', async () => {
    const [one, neighbor] = [await settle(), await settle()];
    const path = await signedPath(one.galleryId);
    const other = await addReadyPhoto(server, { id: one.galleryId, organizationId: people.hawks.id });
    const changed = [
      path.replace('1440.jpg', '500.jpg'),
      path.replace('1440.jpg', '1440.png'),
      path.replace('/1.c/', '/1.m/'),
      path.replace('/1.c/', '/2.c/'),
      path.replace(String(one.photoId), String(other)),
      path.replace(String(one.photoId), String(neighbor.photoId)),
      path.replace(String(one.galleryId), String(neighbor.galleryId)),
      path.replace(/\/(\d+)\./, (_all, until) => `/${Number(until) + 300}.`),
      path.replace(/.\/1440/, '/1440'),
      path.replace(String(one.photoId), 'x'),
    ];
    for (const address of changed) {
      const { statusCode, headers } = await fromOrigin(address);
      expect([address, statusCode, headers['cache-control']]).toEqual([address, 404, 'no-store']);
    }
  });

  test('is cached for a minute at most if the pixels have changed since', async () => {
    const { galleryId, photoId } = await settle();
    const path = await signedPath(galleryId);
    await server.data.ownerQuery('update photos set pixel_version = 2 where id = $1', [photoId]);
    expect((await fromOrigin(path)).headers['cache-control']).toBe('public, max-age=60');
  });

  test('ends: browsers are then redirected to our own address, where rights are checked again', async () => {
    const { galleryId, photoId } = await settle();
    const path = await signedPath(galleryId, 640);
    late.ms = 301_000;
    try {
      const answer = await fromOrigin(path);
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([302, 'no-store']);
      const own = `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?v=1.c&size=640`;
      expect(answer.headers.location).toBe(`http://www.sideline.localhost:3000${own}`);
      expect((await server.call({ method: 'GET', url: own })).statusCode).toBe(200);
    } finally {
      late.ms = 0;
    }
  });
});

describe('a hidden photo', () => {
  const hide = (galleryId: number, photoId: number) =>
    server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`,
      as: owner,
      payload: { photo: { show_in_gallery: false } },
    });

  test('is refused to the CDN immediately, and purged from it', async () => {
    const { galleryId, photoId } = await settle();
    const path = await signedPath(galleryId);
    await cdn.get(path);
    expect((await cdn.get(path)).headers['x-cache']).toBe('hit');
    expect((await hide(galleryId, photoId)).statusCode).toBe(200);
    expect((await fromOrigin(path)).statusCode).toBe(404);
    await untilPurged(`photo-${photoId}`);
    expect((await cdn.get(path)).status).toBe(404);
  });

  test('is purged again and again until the CDN confirms it', async () => {
    const { galleryId, photoId } = await settle();
    cdn.failures.set(`photo-${photoId}`, 2);
    await hide(galleryId, photoId);
    await untilPurged(`photo-${photoId}`);
    expect(cdn.failures.get(`photo-${photoId}`)).toBe(0);
  });

  test('is not purged if the change was rolled back', async () => {
    const { galleryId, photoId } = await settle();
    const refused = await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`,
      as: owner,
      payload: { photo: { show_in_gallery: false, featured: true } },
    });
    expect(refused.statusCode).toBe(422);
    expect(await jobsOf(`photo-${photoId}`)).toEqual([]);
  });
});

describe('a purge follows', () => {
  type Made = { galleryId: number; photoId: number };
  let children: SeededRoster;
  beforeAll(async () => {
    children = await addRoster(server, people.hawks.id);
  });
  const put = (url: string, payload: object) => server.call({ method: 'PUT', url, as: owner, payload });
  const post = (url: string, payload: object, as: string | null = owner) =>
    server.call({ method: 'POST', url, as, payload });
  const gallery = ({ galleryId }: Made) => `/api/v1/galleries/${galleryId}`;
  const photos = (made: Made) => `${gallery(made)}/gallery_photos`;
  const change = (fields: object) => (made: Made) => put(gallery(made), { gallery: fields });
  const tag = (made: Made, athleteId: number) =>
    put(`${gallery(made)}/tags`, {
      changes: [{ photo_ids: [made.photoId], add: [{ athlete_id: athleteId }] }],
      client_key: randomUUID(),
    });
  const askToHide = (made: Made) =>
    post(
      `${photos(made)}/${made.photoId}/takedown`,
      { reason: 'My daughter', contact: 'mother@family.test', guardian: true },
      null,
    );
  /** The photo becomes a stranger's contribution; returns the cookie that identifies them. */
  async function contribute({ galleryId, photoId }: Made): Promise<{ cookie: string }> {
    const { visitorId, cookie } = signVisitor(server.platform.keys.visitorCookies, randomUUID());
    await server.data.ownerQuery(
      `with sent as (insert into gallery_contributors (gallery_id, organization_id, name, email, visitor_id)
         values ($1, $2, 'Ana', 'ana@families.test', $4) returning id)
       update photos set gallery_contributor_id = sent.id from sent where photos.id = $3`,
      [galleryId, people.hawks.id, photoId, visitorId],
    );
    return { cookie: `${VISITOR_COOKIE}=${cookie}` };
  }
  const ofPhoto = ({ photoId }: Made) => `photo-${photoId}`;
  const ofGallery = ({ galleryId }: Made) => `gallery-${galleryId}`;

  test.each<[string, (made: Made) => Promise<{ statusCode: number; body: string }>, (made: Made) => string]>([
    [
      'hiding several photos',
      (made) => put(photos(made), { ids: [made.photoId], photo: { show_in_gallery: false } }),
      ofPhoto,
    ],
    [
      'removing a photo',
      (made) => server.call({ method: 'DELETE', url: `${photos(made)}/${made.photoId}`, as: owner }),
      ofPhoto,
    ],
    ['removing several photos', (made) => post(`${photos(made)}/remove`, { ids: [made.photoId] }), ofPhoto],
    ['a request to hide a photo', askToHide, ofPhoto],
    [
      'rejecting a contribution that was shown',
      async (made) => {
        await contribute(made);
        return put(`${gallery(made)}/contributions`, { ids: [made.photoId], decision: 'reject' });
      },
      ofPhoto,
    ],
    [
      'withdrawing one’s own contribution',
      async (made) => {
        const { cookie } = await contribute(made);
        const url = `/api/v1/contributor/photos/${made.photoId}?gallery_id=${made.galleryId}`;
        return server.call({ method: 'DELETE', url, headers: { cookie } });
      },
      ofPhoto,
    ],
    ['tagging a child who must not be shown', (made) => tag(made, children.sam.id), ofPhoto],
    [
      'the “no” of a child on a photo',
      async (made) => {
        expect((await tag(made, children.maya.id)).statusCode).toBe(200);
        return put(`/api/v1/athletes/${children.maya.id}`, { athlete: { consent: 'no' } });
      },
      ofPhoto,
    ],
    ['closing a gallery', (made) => post(`${gallery(made)}/inactive`, {}), ofGallery],
    ['taking a gallery off the list', change({ is_private: true }), ofGallery],
    ['a password', change({ password_required: true, password: 'goalkeeper' }), ofGallery],
    ['switching the watermark', change({ display_watermark: true }), ofGallery],
  ])('%s', async (_what, act, tagOf) => {
    const galleryId = await openGallery(server, owner, people.hawks.id, { display_watermark: false });
    const owned = { id: galleryId, organizationId: people.hawks.id };
    // Of five photos one may be hidden by a stranger's request.
    const ids = await Promise.all(Array.from({ length: 5 }, () => addReadyPhoto(server, owned)));
    const made = { galleryId, photoId: ids[0] ?? 0 };
    const answer = await act(made);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    await untilPurged(tagOf(made));
  });

  test('deleting a photo on request, too', async () => {
    const galleryId = await openGallery(server, owner, people.hawks.id);
    const owned = { id: galleryId, organizationId: people.hawks.id };
    const ids = await Promise.all(Array.from({ length: 5 }, () => addReadyPhoto(server, owned)));
    const made = { galleryId, photoId: ids[0] ?? 0 };
    expect((await askToHide(made)).statusCode).toBeLessThan(300);
    const asked = await jobsOf(ofPhoto(made));
    const url = `/api/v1/affiliates/${people.hawks.id}/takedowns`;
    const list = await server.call({ method: 'GET', url, as: owner });
    const { takedowns } = list.json<{ takedowns: { id: number; photo: { id: number } }[] }>();
    const request = takedowns.find(({ photo }) => photo.id === made.photoId);
    const answer = await put(`${url}/${request?.id}`, { decision: 'delete' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await jobsOf(ofPhoto(made))).length).toBeGreaterThan(asked.length);
  });

  test('deleting an organization', async () => {
    const { stranger, tokens } = people;
    const url = `/api/v1/organizations/${stranger.path}`;
    const answer = await server.call({ method: 'DELETE', url, as: tokens.admin });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    await untilPurged(`organization-${stranger.id}`);
  });

  test('no other change', async () => {
    const galleryId = await openGallery(server, owner, people.hawks.id);
    const answer = await put(`/api/v1/galleries/${galleryId}`, { gallery: { name: 'Final', price_per_photo: 9 } });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await jobsOf(`gallery-${galleryId}`)).toEqual([]);
  });
});

test('the CDN’s route declares who may call it, and exists only with a CDN', () => {
  const route = server.built.routes.find(({ url }) => url.startsWith('/api/v1/pictures/'));
  expect(route?.access).toMatchObject({ who: 'anyone', ignoresSession: true, onAnyHost: true });
});
