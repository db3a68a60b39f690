/**
 * Every declared call, tried by everyone with the ids of someone else's objects. No one may get a 2xx for an object
 * that is not theirs, and no one may get a 5xx at all.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { RouteAccess } from '#src/http/access.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let galleryId: number;
let hiddenPhotoId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
    password_required: true,
    password: 'goalkeeper',
    is_private: true,
  });
  hiddenPhotoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }, { shown: false });
});

/** Calls that answer everyone by design: their answer is public, or something else in the request grants access. */
const OPEN_TO_ALL = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/v1/organizations',
  'GET /api/v1/organizations/:id',
  'GET /api/v1/organizations/by_id/:id',
  'GET /api/v1/affiliates/:domainName',
  'POST /api/v1/organizations/:id/sponsor_views',
  'POST /api/v1/galleries/:id/visits',
  'GET /api/v1/galleries/:id/full',
  'GET /api/v1/galleries/:id/gallery_photos',
  'GET /api/v1/galleries/:id/numbers',
  'GET /sitemap.xml',
  'GET /sitemap-pages.xml',
  'GET /sitemap-galleries.xml',
  'GET /robots.txt',
  'GET /.well-known/security.txt',
  'GET /api/v1/share_cards/galleries/:id',
  'GET /api/v1/share_cards/organizations/:id',
  // Makes the caller's own browser forget.
  'DELETE /api/v1/family',
]);

/** Calls of a signed-in user about themselves. */
const ABOUT_ONESELF = new Set([
  'GET /users/current',
  'POST /api/v1/confirm-password',
  'POST /api/v1/confirm-email/link',
  'POST /api/v1/deletion-request',
  'DELETE /api/v1/deletion-request',
]);

/** The response of the access check, before the service is called; null if the service decides. */
function refusalOfGate(access: RouteAccess, isSignedIn: boolean): number | null {
  if (access.who === 'operator') return 404;
  if (access.who === 'session') return isSignedIn ? null : 401;
  if (access.who !== 'platform-admin') return null;
  if (!isSignedIn) return 401;
  return access.hides ? 404 : 403;
}

type Who = 'visitor' | 'contributor' | 'neighbor' | 'foreigner';

function addressOf(pattern: string): string {
  return pattern
    .replace(':domainName', people.hawks.path)
    .replace(/:(galleryId|gallery_id)/, String(galleryId))
    .replace(/:(photoId|photo_id)/, String(hiddenPhotoId))
    .replace(/\/galleries\/:id/, `/galleries/${galleryId}`)
    .replace(/\/gallery_photos\/:id/, `/gallery_photos/${hiddenPhotoId}`)
    .replace(/\/affiliates\/:id/, `/affiliates/${people.hawks.id}`)
    .replace(/\/organizations\/:id/, `/organizations/${people.hawks.id}`)
    .replace(/:picture/, 'logo')
    .replace(/:id/, String(galleryId))
    .replace(/\*/, 'anything');
}

const BODY = {
  gallery: { name: 'Stolen', price_per_photo: 1, organization_id: 0 },
  photo: { name: 'Stolen' },
  password: 'guess',
};

describe('no one has access to another tenant’s data', () => {
  test.each<Who>(['visitor', 'contributor', 'neighbor', 'foreigner'])(
    '%s tries every call with foreign ids',
    async (who) => {
      const tokens: Record<Who, string | null> = {
        visitor: null,
        contributor: null,
        neighbor: people.tokens.neighbor,
        foreigner: people.tokens.foreigner,
      };
      // Logging out would turn all later calls into a visitor's.
      const routes = server.built.routes.filter(
        ({ method, url }) => method !== 'HEAD' && method !== 'OPTIONS' && url !== '/logout',
      );
      expect(routes.length).toBeGreaterThan(25);
      const wrong: string[] = [];
      for (const { method, url, access } of routes) {
        const name = `${method} ${url}`;
        const payload =
          method === 'GET' || method === 'DELETE'
            ? {}
            : { payload: { ...BODY, gallery: { ...BODY.gallery, organization_id: people.hawks.id } } };
        const key = who === 'contributor' ? '?contributeKey=AAAAAAAAAAAAAAAAAAAAAA' : '';
        const answer = await server.call({
          method: method as 'GET',
          url: addressOf(url) + key,
          as: tokens[who],
          ...payload,
        });
        const isFine = OPEN_TO_ALL.has(name) || (ABOUT_ONESELF.has(name) && tokens[who] !== null);
        if (answer.statusCode >= 500 && answer.statusCode !== 503) wrong.push(`${name} → ${answer.statusCode}`);
        const refusal = refusalOfGate(access, tokens[who] !== null);
        if (refusal !== null && !OPEN_TO_ALL.has(name) && answer.statusCode !== refusal)
          wrong.push(`${name} → ${answer.statusCode} instead of ${refusal}`);
        if (answer.statusCode < 300 && !isFine)
          wrong.push(`${name} → ${answer.statusCode} ${answer.body.slice(0, 80)}`);
        if (answer.body.includes('goalkeeper')) wrong.push(`${name} tells the password`);
        if (who !== 'contributor' && answer.body.includes(String(hiddenPhotoId)) && !answer.body.includes('"error"'))
          wrong.push(`${name} tells a hidden photo`);
      }
      expect(wrong).toEqual([]);
      const rows = await server.data.ownerQuery<{ name: string; active: boolean }>(
        'select name, active from galleries where id = $1',
        [galleryId],
      );
      expect(rows).toEqual([{ name: 'Cup Final', active: true }]);
    },
  );

  test('the owner, the parent’s director and a platform admin have access', async () => {
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
      const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: token });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject([
        { password: 'goalkeeper', gallery_photo: [{ id: hiddenPhotoId, show_in_gallery: false }] },
      ]);
    }
  });

  test('an invalid id is not found, and never an internal error', async () => {
    for (const id of ['abc', '-1', '0', '1.5', '1e3', '01', '9'.repeat(19), '9'.repeat(150), '%00', '..%2f..']) {
      const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full` });
      expect([400, 404], id).toContain(answer.statusCode);
      expect(answer.json()).toMatchObject({ error: expect.any(String), errors: {}, request_id: expect.any(String) });
    }
  });
});
