/**
 * Everything that a contributor may have is tried on every declared call, in every place that could contain a key: the
 * gallery's link, a personal key, and the cookie of a browser that has sent photos. Contributors reach their own uploads
 * and their own photos; nothing else.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { cookieOf } from '#tests/support/photo-uploads.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
const PERSONAL_KEY = 'AAAAAAAAAAAAAAAAAAAA_w';
let people: Neighborhood;
let galleryId: number;
/** Hidden, the owner's. */
let hiddenPhotoId: number;
let link: string;
let inviteId: number;
let cookie: string;

async function uploadBy(contributeKey: string): Promise<string> {
  const payload = { contributeKey, filename: 'a.jpg' };
  const policy = await server.call({ method: 'POST', url: '/api/v1/policy', payload });
  expect(policy.statusCode, policy.body).toBe(200);
  const { key } = policy.json<{ key: string }>();
  await server.platform.storage.put(key, await quartersJpeg(320, 240), { contentType: 'image/jpeg' });
  return key;
}

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const owner = people.tokens.owner;
  galleryId = await openGallery(server, owner, people.hawks.id, {
    name: 'Cup Final',
    is_private: true,
    password_required: true,
    password: 'goalkeeper',
    allow_public_contributions: true,
  });
  hiddenPhotoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }, { shown: false });
  const full = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: owner });
  link = full.json<GalleryAnswer[]>()[0]?.contribute_key ?? '';
  const [invite] = await server.data.ownerQuery<{ id: number }>(
    'insert into gallery_invites (gallery_id, organization_id, email, key_hash) values ($1, $2, $3, $4) returning id',
    [galleryId, people.hawks.id, 'secret-guest@families.test', hashToken(PERSONAL_KEY)],
  );
  inviteId = Number(invite?.id);
  const sent = await server.call({
    method: 'POST',
    url: '/api/v1/contributor',
    payload: { contributeKey: link, photos: [{ key: await uploadBy(link) }], name: 'Ana', email: 'ana@families.test' },
  });
  cookie = cookieOf(sent, 'visitor') ?? '';
});

/** Calls with the same answer for everyone. */
const OPEN_TO_ALL = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /api/openapi.json',
  'GET /api/docs',
  'POST /logout',
  'GET /api/v1/organizations',
  'GET /api/v1/organizations/:id',
  'GET /api/v1/organizations/by_id/:id',
  'GET /api/v1/affiliates/:domainName',
  'POST /api/v1/organizations/:id/sponsor_views',
  'GET /api/v1/galleries/:id/full',
  'GET /api/v1/galleries/:id/gallery_photos',
  'POST /api/v1/galleries/:id/visits',
  'GET /sitemap.xml',
  'GET /sitemap-pages.xml',
  'GET /sitemap-galleries.xml',
  'GET /robots.txt',
  'GET /.well-known/security.txt',
  // Empty if the organization does not allow searching by number.
  'GET /api/v1/galleries/:id/numbers',
  // A browser forgets its own cards, for every caller.
  'DELETE /api/v1/family',
  'DELETE /api/v1/family/:child',
  'GET /api/v1/share_cards/galleries/:id',
  'GET /api/v1/share_cards/organizations/:id',
]);
/** The calls for which a contributor's key and cookie are meant. */
const THEIRS = new Set([
  'POST /api/v1/policy',
  'GET /api/v1/check-key',
  'POST /api/v1/contributor',
  'GET /api/v1/contributor/photos',
  'DELETE /api/v1/contributor/photos/:photoId',
]);

function addressOf(pattern: string): string {
  return pattern
    .replace(':domainName', people.hawks.path)
    .replace(':inviteId', String(inviteId))
    .replace(/:(galleryId|gallery_id)/, String(galleryId))
    .replace(/:(photoId|photo_id)/, String(hiddenPhotoId))
    .replace(/\/galleries\/:id/, `/galleries/${galleryId}`)
    .replace(/\/affiliates\/:id/, `/affiliates/${people.hawks.id}`)
    .replace(/\/organizations\/:id/, `/organizations/${people.hawks.id}`)
    .replace(/:picture/, 'logo')
    .replace(/:\w+/g, String(galleryId))
    .replace(/\*/, 'anything');
}

/** Bodies that would have an effect if the caller were allowed. */
const bodyFor = (key: string) => ({
  contributeKey: key,
  collabKey: key,
  gallery: { name: 'Stolen', price_per_photo: 1, organization_id: people.hawks.id, active: false },
  photo: { id: hiddenPhotoId, name: 'Stolen', show_in_gallery: true, keywords: ['stolen'] },
  ids: [hiddenPhotoId],
  decision: 'approve',
  action: 'rotate',
  email: 'stolen@families.test',
  gallery_id: galleryId,
});

type Holding = { query: string; headers: Record<string, string>; key: string };
const HOLDINGS: [string, () => Holding][] = [
  ['the gallery’s link', () => withKey(link)],
  ['a personal key', () => withKey(PERSONAL_KEY)],
  ['a browser’s cookie', () => ({ query: '', headers: { cookie: `visitor=${cookie}` }, key: '' })],
];
function withKey(key: string): Holding {
  return {
    query: `?contributeKey=${key}&collabKey=${key}&orderkey=${key}&own=${key}`,
    headers: { 'x-contribute-key': key, authorization: `Bearer ${key}` },
    key,
  };
}
/** Nothing of the gallery may have changed. */
async function stateOfGallery(): Promise<unknown> {
  const [gallery] = await server.data.ownerQuery(
    'select name, active, is_private, password_version, allow_public_contributions, updated_at from galleries where id = $1',
    [galleryId],
  );
  const photos = await server.data.ownerQuery(
    'select id, name, show_in_gallery, featured, order_key, turns, removed_at, reviewed_at, withdrawn_at from photos where gallery_id = $1 order by id',
    [galleryId],
  );
  const keys = await server.data.ownerQuery(
    'select revoked_at, expires_at, quota from contribute_keys where gallery_id = $1',
    [galleryId],
  );
  const invites = await server.data.ownerQuery('select email, revoked_at from gallery_invites where gallery_id = $1', [
    galleryId,
  ]);
  return { gallery, photos, keys, invites };
}

describe('a contributor has access to nothing but their own photos', () => {
  test.each(HOLDINGS)('with %s on every call', async (_what, hold) => {
    const { query, headers, key } = hold();
    const before = await stateOfGallery();
    const routes = server.built.routes.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
    expect(routes.length).toBeGreaterThan(40);
    const names = new Set(routes.map(({ method, url }) => `${method} ${url}`));
    for (const theirs of THEIRS) expect(names).toContain(theirs);
    const wrong: string[] = [];
    for (const { method, url } of routes) {
      const name = `${method} ${url}`;
      if (THEIRS.has(name)) continue;
      const answer = await server.call({
        method: method as 'GET',
        url: addressOf(url) + query,
        headers: { origin: 'http://localhost', ...headers },
        ...(method === 'GET' || method === 'DELETE' ? {} : { payload: bodyFor(key) }),
      });
      if (answer.statusCode >= 500 && answer.statusCode !== 503) wrong.push(`${name} → ${answer.statusCode}`);
      if (answer.statusCode < 300 && !OPEN_TO_ALL.has(name))
        wrong.push(`${name} → ${answer.statusCode} ${answer.body.slice(0, 80)}`);
      for (const secret of ['goalkeeper', 'secret-guest@families.test', 'ana@families.test'])
        if (answer.body.includes(secret)) wrong.push(`${name} tells ${secret}`);
    }
    expect(wrong).toEqual([]);
    expect(await stateOfGallery()).toEqual(before);
  });

  test('learns from a key which gallery it opens, and no secret', async () => {
    for (const { key } of [withKey(link), withKey(PERSONAL_KEY)]) {
      const own = await server.call({ method: 'GET', url: `/api/v1/check-key?contributeKey=${key}` });
      expect(own.statusCode).toBe(200);
      expect(own.body).not.toContain('goalkeeper');
    }
  });

  test('cannot use the key of another gallery for uploads or photos of this one', async () => {
    const other = await openGallery(server, people.tokens.owner, people.hawks.id);
    const policy = await server.call({
      method: 'POST',
      url: `/api/v1/policy?gallery_id=${other}`,
      payload: { contributeKey: PERSONAL_KEY, filename: 'a.jpg' },
    });
    expect(policy.statusCode).toBe(404);
    const photos = await server.call({
      method: 'GET',
      url: `/api/v1/contributor/photos?gallery_id=${other}`,
      headers: { 'x-contribute-key': PERSONAL_KEY },
    });
    expect(photos.json()).toEqual({ photos: [], next: null });
    const foreign = await server.call({
      method: 'DELETE',
      url: `/api/v1/contributor/photos/${hiddenPhotoId}?gallery_id=${galleryId}`,
      headers: { 'x-contribute-key': PERSONAL_KEY, cookie: `visitor=${cookie}` },
    });
    expect(foreign.statusCode).toBe(404);
  });

  test('gets no more rights for an upload from a member’s session next to the key', async () => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/policy',
      as: people.tokens.owner,
      payload: { contributeKey: PERSONAL_KEY, filename: 'a.jpg' },
    });
    const { key } = answer.json<{ key: string }>();
    await server.platform.storage.put(key, await quartersJpeg(320, 240), { contentType: 'image/jpeg' });
    const claim = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${galleryId}/gallery_photos`,
      as: people.tokens.owner,
      payload: { photo: { key } },
    });
    expect(claim.statusCode).toBe(422);
  });
});
