/**
 * API tokens on every declared call. A call accepts a token only if it names a scope that the token has, and then only
 * for objects of the token's own organization; every other call refuses it, also those that anyone may make.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_SCOPES, type TokenScope } from '#src/features/tenancy/token-scopes.contract.ts';
import type { RouteAccess } from '#src/http/access.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let galleryId: number;
/** Hidden: only those who may edit the gallery see it. */
let photoId: number;
let orderId: number;
let vanityId: string;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
    is_private: true,
    password_required: true,
    password: 'goalkeeper',
  });
  const gallery = { id: galleryId, organizationId: people.hawks.id };
  photoId = await addReadyPhoto(server, gallery, { shown: false });
  const sold = await sellPhotos(server, people.hawks.id, [
    { id: await addReadyPhoto(server, gallery), gallery_id: galleryId },
  ]);
  vanityId = sold.vanityId;
  const [order] = await server.data.ownerQuery<{ id: number }>('select id from orders where vanity_id = $1', [
    vanityId,
  ]);
  orderId = Number(order?.id);
});

async function tokenFor(
  organizationId: number,
  as: string,
  scopes: readonly TokenScope[] = TOKEN_SCOPES,
): Promise<string> {
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${organizationId}/api_tokens`,
    as,
    payload: { name: 'Program', scopes, expires_in_days: null },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ token: string }>().token;
}

const routes = () => server.built.routes.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
const scopeOf = (access: RouteAccess): TokenScope | null => ('scope' in access ? (access.scope ?? null) : null);

const addressOf = (pattern: string): string =>
  pattern
    .replace(':domainName', people.hawks.path)
    .replace('/orders/:id', `/orders/${orderId}`)
    .replace(/\/galleries\/:id/, `/galleries/${galleryId}`)
    .replace(/\/(affiliates|organizations)\/:id/, `/$1/${people.hawks.id}`)
    .replace(/:photoId/, String(photoId))
    .replace(':month', '2026-01')
    .replace(':picture', 'logo')
    .replace(/:\w+/g, String(galleryId))
    .replace(/\*/, 'hawks/dashboard');

function tryCall(as: string, { method, url }: { method: string; url: string }) {
  const payload = {
    gallery: { name: 'Stolen', price_per_photo: 1, organization_id: people.hawks.id },
    photo: { id: photoId, name: 'Stolen', keywords: ['stolen'] },
    ids: [photoId],
    email: 'stolen@families.test',
    filename: 'a.jpg',
    sha256: [],
    responseType: 'json',
    turns: 1,
  };
  return server.call({
    method: method as 'GET',
    url: addressOf(url) + (url.endsWith('/policy') ? `?gallery_id=${galleryId}` : ''),
    as,
    ...(method === 'GET' || method === 'DELETE' ? {} : { payload }),
  });
}

/** Forms of pages are recognized by the type of their body. */
const isPageForm = ({ method, url }: { method: string; url: string }) =>
  method === 'POST' && !url.startsWith('/api/') && !['/login', '/logout', '/password', '/signup/'].includes(url);

const tryForm = (as: string, { url }: { url: string }) =>
  server.call({
    method: 'POST',
    url,
    as,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=stolen%40families.test',
  });

describe('an API token', () => {
  test('is refused by every call that names no scope', async () => {
    const token = await tokenFor(people.hawks.id, people.tokens.owner);
    const wrong: string[] = [];
    let refused = 0;
    for (const route of routes()) {
      if (scopeOf(route.access) !== null || route.access.who === 'token') continue;
      const answer = isPageForm(route) ? await tryForm(token, route) : await tryCall(token, route);
      refused += 1;
      if (answer.statusCode !== 403) wrong.push(`${route.method} ${route.url} → ${answer.statusCode}`);
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(80);
  });

  test('never reaches people, cards, payouts, tokens, settings or what only platform admins may do', () => {
    const open = routes().filter(({ access }) => scopeOf(access) !== null);
    expect(open.length).toBeGreaterThan(20);
    expect(
      open
        .map(({ url }) => url)
        .filter((url) =>
          /member|collaborator|contribut|token|payout|charge|\/card|webhook|settings|terms|promo|takedown|refund|audit|bulk|password|affiliates\/:(id|domainName)$/.test(
            url,
          ),
        ),
    ).toEqual([]);
  });

  test.each(TOKEN_SCOPES)(
    'that has only %s is refused by the calls of other scopes, and accepted by its own',
    async (scope) => {
      const token = await tokenFor(people.hawks.id, people.tokens.owner, [scope]);
      const wrong: string[] = [];
      let taken = 0;
      for (const route of routes()) {
        const wanted = scopeOf(route.access);
        if (wanted === null) continue;
        // Writing calls have a test of their own; here they would change what later calls find.
        if (wanted === scope && route.method !== 'GET') continue;
        const answer = await tryCall(token, route);
        if (wanted === scope) taken += 1;
        const isRefused = answer.statusCode === 403;
        // 503: the photo of this test has a row and no file.
        if (isRefused !== (wanted !== scope) || answer.statusCode === 500 || answer.statusCode === 401)
          wrong.push(`${route.method} ${route.url} → ${answer.statusCode} ${answer.body.slice(0, 90)}`);
      }
      expect(wrong).toEqual([]);
      if (scope.endsWith(':read')) expect(taken).toBeGreaterThan(1);
    },
  );

  test.each([
    ['a neighbor’s organization', () => tokenFor(people.tides.id, people.tokens.neighbor)],
    ['an organization elsewhere', () => tokenFor(people.stranger.id, people.tokens.foreigner)],
    ['the parent organization', () => tokenFor(people.parent.id, people.tokens.parentMember)],
  ])('of %s reaches nothing here, not even what everyone sees', async (_whose, make) => {
    const token = await make();
    const open = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Open to all' });
    const wrong: string[] = [];
    for (const route of routes()) {
      if (scopeOf(route.access) === null) continue;
      const answer = await tryCall(token, route);
      if (![404, 422].includes(answer.statusCode))
        wrong.push(`${route.method} ${route.url} → ${answer.statusCode} ${answer.body.slice(0, 90)}`);
      for (const secret of ['goalkeeper', 'Cup Final'])
        if (answer.body.includes(secret)) wrong.push(`${route.url} tells`);
    }
    for (const url of [
      `/api/v1/galleries/${open}/full`,
      `/api/v1/galleries/${open}/gallery_photos`,
      `/api/v1/orders/${vanityId}`,
    ])
      expect((await server.call({ method: 'GET', url, as: token })).statusCode, url).toBe(404);
    expect(wrong).toEqual([]);
    const [gallery] = await server.data.ownerQuery('select name, active from galleries where id = $1', [galleryId]);
    expect(gallery).toEqual({ name: 'Cup Final', active: true });
  });

  test('of every scope gets no key that would open bought photos to anyone permanently', async () => {
    const token = await tokenFor(people.hawks.id, people.tokens.owner);
    const keys = await server.data.ownerQuery<{ key: string }>(
      `select vanity_id as key from orders union all select order_key from order_photos where order_key is not null`,
    );
    expect(keys.length).toBeGreaterThan(1);
    const told: string[] = [];
    for (const route of routes()) {
      if (scopeOf(route.access) === null || route.method !== 'GET') continue;
      const { body } = await tryCall(token, route);
      if (keys.some(({ key }) => body.includes(key))) told.push(route.url);
    }
    expect(told).toEqual([]);
    const call = (url: string, as: string) => server.call({ method: 'GET', url, as });
    const [url, list] = [`/api/v1/orders/${orderId}`, `/api/v1/affiliates/${people.hawks.id}/orders`];
    expect((await call(url, token)).json()).toMatchObject({
      id: orderId,
      vanity_id: null,
      order_photo: [{ order_key: null }],
    });
    expect((await call(list, token)).json()).toMatchObject({ orders: [{ id: orderId, vanity_id: null }] });
    for (const place of [url, list]) expect((await call(place, people.tokens.owner)).body).toContain(vanityId);
  });

  test('that is invalid is 401 everywhere, and never counts as a visitor’s', async () => {
    for (const route of routes()) {
      const answer = await tryCall(`sideline_${'A'.repeat(43)}`, route);
      expect([route.url, answer.statusCode]).toEqual([route.url, 401]);
    }
  });
});
