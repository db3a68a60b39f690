/** The guards of pages, over HTTP: before anything renders, and for the data of a navigation in the browser. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const LAKESIDE = 'lakeside.sideline.localhost:3000';
const OWN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const ROUTER = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

function open(path: string, headers: Record<string, string> = {}, token?: string) {
  const cookie = token === undefined ? {} : { cookie: `token=${token}` };
  return server.call({ method: 'GET', url: path, headers: { host: LAKESIDE, ...OWN, ...headers, ...cookie } });
}
const isSignedIn = async (token: string) =>
  (await server.call({ method: 'GET', url: '/users/current', as: token })).statusCode === 200;

describe('guard 1: the host names the organization', () => {
  test.each(['nobody.sideline.localhost', 'a.b.sideline.localhost', 'evil.example'])(
    '%s belongs to no organization: the 404 page, with status 404',
    async (host) => {
      const answer = await open('/hawks', { host });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.body).toContain('This page cannot be found.');
      expect((await open('/hawks.data', { host, ...ROUTER })).statusCode).toBe(404);
    },
  );

  test.each(['www', 'staging', 'test', 'localhost'])('%s is the root', async (label) => {
    expect((await open('/', { host: `${label}.sideline.localhost:3000` })).statusCode).toBe(200);
  });
});

describe('guard 2: members’ pages need a session', () => {
  test('a visitor is sent to the login and returns here after it', async () => {
    const answer = await open('/hawks/dashboard?search=cup');
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      '/login?redirect=%2Fhawks%2Fdashboard%3Fsearch%3Dcup',
    ]);
  });

  test('and who follows a link at localhost logs in where the session reaches every organization', async () => {
    const main = 'http://www.sideline.localhost:3000';
    for (const path of ['/login?redirect=%2Fhawks%2Fdashboard', '/sign-up?plan=premium']) {
      const typed = { host: 'localhost:3000', 'sec-fetch-site': 'none' };
      expect((await open(path, typed)).statusCode).toBe(200);
      const answer = await open(path, { host: 'localhost:3000' });
      expect([answer.statusCode, answer.headers.location]).toEqual([302, `${main}${path}`]);
      expect((await open(path, { host: 'www.sideline.localhost:3000' })).statusCode).toBe(200);
    }
  });

  test.each([
    '/new-org',
    '/admin-report',
    '/hawks/report',
    '/hawks/statements',
    '/hawks/statements/2026-10',
    '/hawks/activity',
    '/hawks/prices',
    '/hawks/roster',
    '/hawks/roster/import',
    '/hawks/prices/new',
    '/hawks/webhooks',
    '/hawks/webhooks/1',
    '/hawks/api-tokens',
    '/hawks/prices/codes',
    '/hawks/your-data',
    '/admin/audit-log',
    '/hawks/settings',
    '/hawks/takedowns',
    '/hawks/orders',
    '/admin/refunds',
    '/admin/promo-codes',
    '/admin/pay-outs',
    '/admin/erasures',
    '/admin/questions',
    '/admin/reconciliation',
    '/admin/version',
    '/admin/health',
    '/hawks/user/7/hawks/2/edit',
    '/hawks/create-bulk-users',
    '/hawks/create-bulk-gallery',
    '/hawks/bulk-users-csv',
    '/hawks/bulk-gallery-csv',
    '/hawks/create-bulk-gallery/7',
  ])('%s, too', async (path) => {
    expect((await open(path)).headers.location).toBe(`/login?redirect=${encodeURIComponent(path)}`);
  });

  test('the platform’s report is closed to everyone else (rule 36)', async () => {
    for (const path of [
      '/admin-report',
      '/admin/audit-log',
      '/admin/pay-outs',
      '/admin/promo-codes',
      '/admin/questions',
      '/admin/version',
      '/new-org',
    ]) {
      const answer = await open(path, {}, people.tokens.owner);
      expect(answer.statusCode, path).toBe(403);
      expect(answer.body, path).toContain('You don’t have access to this page.');
    }
  });

  test.each(['create-bulk-users', 'create-bulk-gallery', 'bulk-users-csv', 'bulk-gallery-csv'])(
    'bulk pages (%s) are for platform admins only',
    async (page) => {
      const { owner, parentMember, foreigner, admin } = people.tokens;
      for (const token of [owner, parentMember, foreigner])
        expect((await open(`/hawks/${page}`, {}, token)).statusCode).toBe(403);
      for (const place of ['hawks', 'lakeside'])
        expect((await open(`/${place}/${page}`, {}, admin)).statusCode, place).toBe(200);
    },
  );

  test('the page starts with the gallery in the address; a missing one is the 404 page', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Begun before' });
    const found = await open(`/hawks/create-bulk-gallery/${id}`, {}, people.tokens.admin);
    expect([found.statusCode, found.body.includes('Begun before')]).toEqual([200, true]);
    for (const odd of ['7', 'x', '-1', `${id}0`]) {
      const answer = await open(`/hawks/create-bulk-gallery/${odd}`, {}, people.tokens.admin);
      expect([answer.statusCode, answer.headers.location], odd).toEqual([302, '/404']);
    }
  });

  test('the editor of a missing gallery is the 404 page', async () => {
    const answer = await open('/hawks/gallery/4503599627370495/edit', {}, people.tokens.owner);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/404']);
  });

  test('a contributor’s key leads from there to the upload page of its gallery', async () => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id);
    const full = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as: people.tokens.owner });
    const key = full.json<[{ contribute_key: string }]>()[0].contribute_key;
    for (const path of [
      `/hawks/create-bulk-gallery?collabKey=${key}`,
      `/hawks/create-bulk-gallery/${id}?collabKey=${key}`,
    ]) {
      const answer = await open(path);
      expect([answer.statusCode, answer.headers.location]).toEqual([302, `/hawks/gallery/${id}/edit?collabKey=${key}`]);
    }
    const dead = await open(`/hawks/create-bulk-gallery?collabKey=${'A'.repeat(22)}`);
    expect([dead.statusCode, dead.headers.location]).toEqual([302, '/']);
  });

  test('and so are refunds and the orders of other organizations', async () => {
    expect((await open('/admin/refunds', {}, people.tokens.owner)).statusCode).toBe(403);
    expect((await open('/admin/refunds', {}, people.tokens.admin)).statusCode).toBe(200);
    expect((await open('/admin/reconciliation', {}, people.tokens.owner)).statusCode).toBe(403);
    expect((await open('/admin/reconciliation', {}, people.tokens.admin)).statusCode).toBe(200);
    expect((await open('/admin/health', {}, people.tokens.owner)).statusCode).toBe(403);
    expect((await open('/admin/health', {}, people.tokens.admin)).statusCode).toBe(200);
    expect((await open('/hawks/orders', {}, people.tokens.owner)).statusCode).toBe(200);
  });

  test('a navigation in the browser gets the same answer', async () => {
    const answer = await open('/hawks/dashboard.data', ROUTER);
    expect(answer.statusCode).toBe(202);
    expect(answer.body).toMatch(/\/login\?redirect=%2Fhawks%2Fdashboard(?!\.data)/);
  });
});

describe('guard 3: a user of another organization is logged out and sent home', () => {
  const freshSession = () => server.signIn('foreigner@people.test');

  test.each([
    ['directly', '/hawks/dashboard', OWN, 302],
    ['typed by hand', '/hawks/dashboard', { ...OWN, 'sec-fetch-site': 'none' }, 302],
    ['in the browser', '/hawks/dashboard.data', ROUTER, 202],
  ])('%s', async (_how, path, headers, status) => {
    const token = await freshSession();
    const answer = await open(path, headers, token);
    expect(answer.statusCode).toBe(status);
    if (status === 302) expect(answer.headers.location).toBe('/');
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^token=; .*Domain=sideline\.localhost.*Expires=Thu, 01 Jan 1970/,
    );
    expect(await isSignedIn(token)).toBe(false);
  });

  test.each([
    ['a link of another site', { ...OWN, 'sec-fetch-site': 'cross-site' }],
    ['a page of another organization', { ...OWN, 'sec-fetch-site': 'same-site' }],
    ['a page fetched ahead', { ...OWN, 'sec-purpose': 'prefetch' }],
    ['a picture', { ...OWN, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ])('%s logs no one out: the page asks', async (_how, headers) => {
    const token = await freshSession();
    const answer = await open('/hawks/dashboard', headers, token);
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('You are logged in with an account that does not belong to this organization.');
    expect(answer.body).toContain('href="/logout"');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await isSignedIn(token)).toBe(true);
  });

  test('public pages are open to every session', async () => {
    const token = await freshSession();
    expect((await open('/hawks', {}, token)).statusCode).toBe(200);
    expect(await isSignedIn(token)).toBe(true);
  });

  test('members of the affiliate and of its parent, and platform admins have access', async () => {
    const { owner, parentMember, admin } = people.tokens;
    for (const token of [owner, parentMember, admin])
      expect((await open('/hawks/dashboard', {}, token)).statusCode).toBe(200);
  });
});

describe('guard 4: a child lives on its parent’s host', () => {
  test.each(['/lakeside', '/Lakeside/report?range=all'])('and %s of a parent on its own', async (path) => {
    for (const host of ['www.sideline.localhost:3000', 'riverside.sideline.localhost:3000', 'localhost:3000']) {
      const answer = await open(path, { host });
      expect([answer.statusCode, answer.headers.location]).toEqual([302, `http://${LAKESIDE}${path}`]);
    }
    expect((await open('/www', { host: LAKESIDE })).statusCode).toBe(404);
  });

  test.each(['/hawks', '/hawks/gallery/7?photoIndex=2', '/hawks/dashboard?search=cup'])(
    '%s on another host leads to the same path and query there',
    async (path) => {
      for (const host of ['www.sideline.localhost:3000', 'riverside.sideline.localhost:3000', 'localhost:3000']) {
        const answer = await open(path, { host });
        expect([answer.statusCode, answer.headers.location]).toEqual([302, `http://${LAKESIDE}${path}`]);
      }
    },
  );

  test('the host comes from the database, whatever the request says', async () => {
    const answer = await open('/hawks', { host: 'localhost:3000', 'x-forwarded-host': 'evil.example' });
    expect(answer.headers.location).not.toContain('evil');
  });

  test('a path that two parents use belongs to each on its own host, and to no one elsewhere', async () => {
    for (const { id } of [people.parent, people.stranger]) {
      await server.app.organizations.create({
        kind: 'affiliate',
        name: `Owls of ${id}`,
        domainName: 'owls',
        parentOrganizationId: id,
        contactName: null,
        contactEmail: null,
        freeTier: true,
      });
    }
    for (const { id, path } of [people.parent, people.stranger])
      expect((await open('/owls', { host: `${path}.sideline.localhost:3000` })).body).toContain(`Owls of ${id}`);
    expect((await open('/owls', { host: 'localhost:3000' })).statusCode).toBe(404);
  });
});

describe('guard 5: the navigation bar knows the user', () => {
  test('a member’s navigation bar leads to their pages, a visitor’s to the login', async () => {
    const mine = (await open('/', {}, people.tokens.owner)).body;
    expect(mine).toContain('href="/hawks/dashboard"');
    expect(mine).toContain('href="/logout"');
    expect((await open('/')).body).toContain('href="/login"');
  });

  test('visitors see no navigation bar on an affiliate’s pages, and with publicView no one does', async () => {
    const bar = 'aria-label="Main"';
    expect((await open('/hawks')).body).not.toContain(bar);
    expect((await open('/hawks', {}, people.tokens.owner)).body).toContain(bar);
    expect((await open('/hawks?publicView=true', {}, people.tokens.owner)).body).not.toContain(bar);
    expect((await open('/?publicView')).body).not.toContain(bar);
  });

  test('New Gallery disappears when a free affiliate has its one gallery', async () => {
    const link = 'href="/tides/create-gallery"';
    expect((await open('/tides', {}, people.tokens.neighbor)).body).toContain(link);
    await openGallery(server, people.tokens.neighbor, people.tides.id);
    expect((await open('/tides', {}, people.tokens.neighbor)).body).not.toContain(link);
  });
});

describe('an invalid address', () => {
  test.each(['/%zz', '/50%-off/order/1', '/hawks/%ff', '/hawks/order/%E0%A4%A'])(
    '%s is the 404 page for a browser, and JSON for an API client',
    async (path) => {
      const page = await open(path, { accept: 'text/html,application/xhtml+xml' });
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('This page cannot be found.');
      const call = await open(path, { accept: 'application/json' });
      expect([call.statusCode, call.json()]).toEqual([
        400,
        { error: 'This address could not be understood.', errors: {}, request_id: expect.any(String) },
      ]);
    },
  );
});
