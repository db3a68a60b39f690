import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '#src/app.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { createResponseCache } from '#src/http/response-cache.ts';
import { pageRoutes } from '#src/http/pages.ts';
import { followRequests } from '#src/http/request-work.ts';
import { sendSecurityHeaders } from '#src/http/security-headers.ts';
import { readSite } from '#src/http/site.ts';
import { problem } from '#src/shared/problem.ts';
import { requireBuild, ROOT } from '#tests/support/require-build.ts';

const NOT_FOUND = 'This page cannot be found.';

function organization(id: number, domainName: string, parentOrganizationId: number | null): Organization {
  return {
    id,
    kind: id === 1 ? 'root' : parentOrganizationId === 1 ? 'organization' : 'affiliate',
    name: domainName,
    domainName,
    parentOrganizationId,
    freeTier: false,
    shareBps: 8000,
    primaryColor: '#7a1f3d',
    defaultPhotoPriceCents: 400,
    pictureKeys: { logo: null, home_image: null, tablet_ad: null, mobile_ad: null },
    tabletAdUrl: null,
    mobileAdUrl: null,
    canAddCustomPayment: false,
    stripePk: null,
    contactEmail: null,
    takesPromoCodes: false,
    takesCodes: false,
    timeZone: 'America/New_York',
  };
}
const www = organization(1, 'www', null);
const lakeside = organization(2, 'lakeside', 1);
const hawks = organization(3, 'hawks-soccer', 2);

let isAway = false;
/** Organizations only: no other service is called for a visitor. */
const app = {
  organizations: {
    async byHostLabel(label: string) {
      if (label === 'away' || isAway) throw problem('unavailable', 'The database is away.');
      return [www, lakeside].find(({ domainName }) => domainName === label) ?? null;
    },
    async byPath(_host: Organization, path: string) {
      if (path === 'broken') throw new Error('SELECT secret FROM somewhere');
      return path === 'hawks-soccer' ? hawks : null;
    },
    byId: async (id: number) => (id === 2 ? lakeside : null),
  },
  site: {
    baseDomain: 'sideline.localhost',
    port: 3000,
    cards: 'sandbox',
    contactEmail: 'hello@sideline.test',
    socialLinks: [],
    printPartners: [],
    cardSetup: { provider: 'sandbox', publishableKey: null },
  },
} as unknown as App;

let server: FastifyInstance;
const logged: string[] = [];
beforeAll(async () => {
  requireBuild();
  server = fastify({ logger: { level: 'error', stream: { write: (line: string) => void logged.push(line) } } });
  followRequests(server, { begin: null, isTrusted: () => false });
  sendSecurityHeaders(server);
  server.addHook('onRequest', async (request) => {
    request.site = readSite(request.headers.host, 'sideline.localhost');
    request.caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: request.ip };
    if (request.headers['x-test'] === 'session store away') throw problem('unavailable', 'The database is away.');
  });
  await server.register(pageRoutes({ app, mode: 'built', sendCached: createResponseCache(app, 0), root: ROOT }));
});
afterAll(() => server.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { host: 'localhost:3000', ...headers } });

describe('every address that no other route answers is a page', () => {
  test.each([
    ['/404', 'localhost:3000'],
    ['/nobody-has-this-name', 'localhost:3000'],
    ['/a/b/c/d', 'localhost:3000'],
    ['//evil.example/x', 'localhost:3000'],
    ['/404', 'nobody.sideline.localhost'],
    ['/', 'evil.example'],
    ['/login', '<script>'],
    ['/', 'localhost:3000@evil.example'],
    ['/login', 'a:b@localhost'],
    ['/', 'localhost:3000/x?y#z'],
    ['/\\\\a:b@evil.example/x', 'localhost:3000'],
    ['/login', 'localhost:99999'],
  ])('%s on %s is the 404 page with status 404', async (url, host) => {
    const answer = await get(url, { host });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain(`<h1 class="text-xl sm:text-2xl">${NOT_FOUND}</h1>`);
    expect(answer.body).not.toContain('<script>"');
  });

  test.each([
    ['', {}],
    [', also for a caller who is refused', { 'x-test': 'session store away' }],
  ])('an unknown call is not a page%s', async (_when, headers) => {
    const answer = await get('/api/v1/nothing', headers);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });

  test('HEAD gets the same without a body', async () => {
    const answer = await server.inject({ method: 'HEAD', url: '/404', headers: { host: 'localhost' } });
    expect([answer.statusCode, answer.body]).toEqual([404, '']);
    expect(answer.headers['content-security-policy']).toContain("script-src 'self' 'nonce-");
  });
});

describe('failures are shown as pages, too', () => {
  test.each([
    ['when the organization cannot be read', { host: 'away.sideline.localhost' }],
    ['when the session cannot be read', { 'x-test': 'session store away' }],
  ])('%s the page reloads every second', async (_when, headers) => {
    const answer = await get('/hawks-soccer', headers as Record<string, string>);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '1', refresh: '1', 'cache-control': 'no-store' });
    expect(answer.body).toContain('We’ll be right back.');
  });

  test('an unexpected error is logged in full and not shown', async () => {
    logged.length = 0;
    const answer = await get('/broken');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).toContain('Something went wrong on our side.');
    expect(answer.body).not.toContain('SELECT');
    expect(logged.join('')).toContain('SELECT secret FROM somewhere');
  });

  test('a navigation in the browser gets the same status', async () => {
    expect((await get('/404.data')).statusCode).toBe(404);
    expect((await get('/hawks-soccer.data', { host: 'away.sideline.localhost' })).statusCode).toBe(503);
  });
});

describe('an error page has the navigation bar, the footer and the brand of its host', () => {
  const host = 'lakeside.sideline.localhost:3000';
  const brandOf = (body: string) => /<header.*?<span class="line-clamp-2[^>]*>([^<]+)</s.exec(body)?.[1];
  const expectFramed = (body: string, brand: string) => {
    expect(brandOf(body)).toBe(brand);
    expect(body).toContain('aria-label="Main"');
    expect(body).toMatch(/<a [^>]*href="\/login"/);
    expect(body).toContain('<footer');
  };

  test.each([
    ['/nobody-has-this-name', 404],
    ['/nobody-has-this-name/gallery/7', 404],
    ['/hawks-soccer/nothing/here', 404],
    ['/a/b/c/d', 404],
    ['/404', 404],
    ['/broken', 500],
  ])('%s: %i', async (url, status) => {
    const answer = await get(url, { host });
    expect(answer.statusCode).toBe(status);
    expectFramed(answer.body, 'lakeside');
  });

  test('even while the database is down, for a host that was seen before', async () => {
    await get('/404', { host });
    isAway = true;
    try {
      const answer = await get('/hawks-soccer', { host });
      expect(answer.statusCode).toBe(503);
      expectFramed(answer.body, 'lakeside');
      expect(answer.body).toContain('--accent-light:#7a1f3d');
    } finally {
      isAway = false;
    }
    expectFramed((await get('/x', { host: 'away.sideline.localhost' })).body, 'Sideline');
  });

  test('a host without an organization has no navigation bar with dead links', async () => {
    expect((await get('/', { host: 'nobody.sideline.localhost' })).body).not.toContain('href="/login"');
  });
});

describe('guard 4: a child lives on its parent’s host', () => {
  test.each([
    [
      'http://localhost:3000/hawks-soccer?photoIndex=2',
      'http://lakeside.sideline.localhost:3000/hawks-soccer?photoIndex=2',
    ],
    ['http://www.sideline.localhost/hawks-soccer', 'http://lakeside.sideline.localhost/hawks-soccer'],
  ])('%s → %s', async (from, to) => {
    const { host, pathname, search } = new URL(from);
    const answer = await get(pathname + search, { host });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, to]);
  });
});

describe('the content of a page', () => {
  test('runs only its own scripts: each has the nonce of this response', async () => {
    const [one, other] = [await get('/404'), await get('/404')];
    const nonce = /'nonce-([^']+)'/.exec(String(one.headers['content-security-policy']))?.[1];
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(other.body).not.toContain(nonce);
    const scripts = one.body.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(one.body).not.toMatch(/<[^>]+\son[a-z]+=/i);
  });

  test.each([
    ['/404', "frame-ancestors 'none'"],
    ['/hawks-soccer/gallery/7', "frame-ancestors 'none'"],
    ['/hawks-soccer/gallery/7?publicView=true', 'frame-ancestors *'],
    ['/hawks-soccer/gallery/7/edit?publicView=true', "frame-ancestors 'none'"],
    ['/hawks-soccer/checkout?publicView=true', "frame-ancestors 'none'"],
    ['/hawks-soccer/settings?publicView=true', "frame-ancestors 'none'"],
    ['/hawks-soccer/dashboard?publicView=true', "frame-ancestors 'none'"],
    ['/hawks-soccer/create-gallery?publicView=true', "frame-ancestors 'none'"],
    ['/hawks-soccer/report?publicView=true', "frame-ancestors 'none'"],
  ])('%s has %s', async (url, policy) => {
    expect(String((await get(url)).headers['content-security-policy'])).toContain(policy);
  });

  test('contains the style sheet for visitors, whatever other sheets there are', async () => {
    const { headers, body } = await get('/pricing');
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
    const style = new RegExp(`<style nonce="${nonce?.replaceAll('+', '\\+')}" data-sheet="">([^]+?)</style>`).exec(
      body,
    );
    expect(style?.[1]).toContain('.photo-grid');
    expect(body).not.toContain('rel="stylesheet"');
  });

  test('keeps browsers from painting before its words have come', async () => {
    const { body } = await get('/pricing');
    expect(body.includes('<link rel="expect" href="#main" blocking="render"/>')).toBe(true);
    expect(body.includes('<main id="main"')).toBe(true);
  });

  test('has the club’s colors in the first HTML', async () => {
    expect((await get('/404', { host: 'lakeside.sideline.localhost' })).body).toContain('--accent-light:#7a1f3d');
  });

  test.each([
    ['br', (body: Buffer) => brotliDecompressSync(body)],
    ['gzip', (body: Buffer) => gunzipSync(body)],
  ])('compresses %s where the browser accepts it', async (encoding, unpack) => {
    const answer = await get('/404', { 'accept-encoding': encoding });
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(unpack(answer.rawPayload).toString()).toContain(NOT_FOUND);
  });
});

describe('built files', () => {
  test('are cached for a year and compressed', async () => {
    const script = /\/assets\/framework-[\w-]+\.js/.exec((await get('/404')).body)?.[0] ?? '';
    const answer = await get(script, { 'accept-encoding': 'gzip, br' });
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(brotliDecompressSync(answer.rawPayload).length).toBeGreaterThan(100_000);
  });

  test.each(['/assets/nothing.js', '/assets/..%2f..%2fserver%2findex.js', '/assets/.vite'])(
    '%s is not there',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );
});
