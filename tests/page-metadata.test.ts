/**
 * What search engines and networks read from pages (titles, canonical addresses, robots, cards, structured data), as a
 * crawler does.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
const ORIGIN = 'http://lakeside.sideline.localhost:3000';
const HOSTILE = '</script><img src=x onerror=alert(1)> "Cup" & \'co\'';
let people: Neighborhood;
let gallery: { open: number; private: number; locked: number; hostile: number };
let photoId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const open = async (fields: Record<string, unknown> = {}) => {
    const id = await openGallery(server, people.tokens.owner, people.hawks.id, fields);
    const photo = await addReadyPhoto(server, { id, organizationId: people.hawks.id });
    return { id, photo };
  };
  const cup = await open();
  photoId = cup.photo;
  gallery = {
    open: cup.id,
    private: (await open({ is_private: true })).id,
    locked: (await open({ password_required: true, password: 'goalkeeper' })).id,
    hostile: (await open({ name: HOSTILE })).id,
  };
});

async function read(path: string, { host = 'lakeside.sideline.localhost:3000', token = '' } = {}) {
  const answer = await server.call({ method: 'GET', url: path, headers: { host, cookie: `token=${token}` } });
  const html = answer.body;
  const meta = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null;
  return {
    answer,
    html,
    meta,
    title: /<title>([^<]*)<\/title>/.exec(html)?.[1],
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? null,
    facts: /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? null,
  };
}

describe('a public gallery', () => {
  test('has one address on its own host, a card and structured data', async () => {
    const page = await read(`/hawks/gallery/${gallery.open}?photoIndex=0`);
    expect(page.title).toBe('Cup Final · hawks');
    expect(page.canonical).toBe(`${ORIGIN}/hawks/gallery/${gallery.open}`);
    expect([page.meta('robots'), page.answer.headers['x-robots-tag']]).toEqual([null, undefined]);
    expect(page.meta('description')).toContain('Cup Final by hawks');
    expect(page.meta('og:image')).toMatch(
      new RegExp(`^${ORIGIN}/api/v1/share_cards/galleries/${gallery.open}\\?v=[a-z0-9]+$`),
    );
    expect([page.meta('og:image:width'), page.meta('og:image:height')]).toEqual(['1200', '630']);
    expect(page.meta('twitter:card')).toBe('summary_large_image');
    const { '@graph': graph } = JSON.parse(page.facts ?? '{}') as { '@graph': Record<string, unknown>[] };
    expect(graph.map((fact) => fact['@type'])).toEqual(['ImageGallery', 'BreadcrumbList']);
  });

  test('has photos with addresses of their own', async () => {
    const page = await read(`/hawks/gallery/${gallery.open}/photo/${photoId}`);
    expect(page.canonical).toBe(`${ORIGIN}/hawks/gallery/${gallery.open}/photo/${photoId}`);
    expect(page.meta('og:image')).toContain(`/share_cards/galleries/${gallery.open}?photo=${photoId}&v=`);
  });

  test('is the same for the logged-in owner', async () => {
    const path = `/hawks/gallery/${gallery.open}`;
    const mine = await read(path, { token: people.tokens.owner });
    expect(mine.meta('og:image')).toBe((await read(path)).meta('og:image'));
  });
});

describe('pages that search engines must not show', () => {
  test.each(['private', 'locked'] as const)(
    'a %s gallery says noindex and has a card with the name of its club',
    async (kind) => {
      const page = await read(`/hawks/gallery/${gallery[kind]}`);
      expect(page.answer.statusCode).toBe(200);
      expect([page.meta('robots'), page.canonical, page.facts]).toEqual(['noindex', null, null]);
      expect(page.meta('og:image')).toMatch(
        new RegExp(`^${ORIGIN}/api/v1/share_cards/organizations/${people.hawks.id}\\?only=name&v=[a-z0-9]+$`),
      );
      expect(page.meta('og:image:alt')).toBe('hawks');
      expect(page.html).not.toContain(`share_cards/galleries/${gallery[kind]}`);
    },
  );

  test.each(['/login', '/logout', '/hawks/checkout', '/hawks/dashboard'])('%s says noindex', async (path) => {
    const page = await read(path, path.endsWith('dashboard') ? { token: people.tokens.owner } : {});
    expect(page.answer.statusCode).toBe(200);
    expect(page.html).toMatch(/<meta name="robots" content="noindex/);
    expect(page.answer.headers['x-robots-tag']).toBe('noindex, nofollow');
  });

  test('a missing page', async () => {
    const page = await read('/hawks/order/12345');
    expect([page.answer.statusCode, page.answer.headers['x-robots-tag']]).toEqual([404, 'noindex, nofollow']);
  });
});

describe('home pages', () => {
  test.each([
    ['/', 'www.sideline.localhost:3000', 'http://www.sideline.localhost:3000/', '/share_cards/organizations/1?v='],
    ['/', 'localhost:3000', 'http://www.sideline.localhost:3000/', '/share_cards/organizations/1?v='],
    ['/', 'lakeside.sideline.localhost:3000', `${ORIGIN}/`, '/share_cards/organizations/'],
    ['/hawks', 'lakeside.sideline.localhost:3000', `${ORIGIN}/hawks`, '/share_cards/organizations/'],
  ])('%s on %s has its address and its card', async (path, host, canonical, card) => {
    const page = await read(path, { host });
    expect(page.canonical).toBe(canonical);
    expect(page.meta('og:image')).toContain(card);
    expect(page.facts).toContain('"@type":"Organization"');
  });

  test('the site’s own pages have one address on every host', async () => {
    for (const host of ['localhost:3000', 'lakeside.sideline.localhost:3000']) {
      const page = await read('/pricing', { host });
      expect(page.html.match(/rel="canonical"/g)).toHaveLength(1);
      expect(page.canonical).toBe('http://www.sideline.localhost:3000/pricing');
      expect(page.meta('og:image')).toBe('http://www.sideline.localhost:3000/api/v1/share_cards/organizations/1');
    }
  });

  test('a search has no address of its own', async () => {
    const page = await read('/hawks?search=cup');
    expect([page.meta('robots'), page.canonical]).toEqual(['noindex', null]);
  });
});

test('a hostile name cannot inject markup', async () => {
  const page = await read(`/hawks/gallery/${gallery.hostile}`);
  expect(page.html).not.toContain('<img src=x');
  const { '@graph': graph } = JSON.parse(page.facts ?? '{}') as { '@graph': { name?: string }[] };
  expect(graph[0]?.name).toBe(HOSTILE);
});
