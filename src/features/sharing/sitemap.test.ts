/** What search engines see: each host separately, and only public pages (rule 51, threat 20). */
import { beforeAll, describe, expect, test } from 'vitest';
import { createSitemap } from '#src/features/sharing/sitemap.service.ts';
import { sitemapOf } from '#src/features/sharing/sitemap.rules.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
const galleries = { open: 0, second: 0, private: 0, locked: 0, empty: 0, inactive: 0, other: 0 };

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { owner, foreigner } = people.tokens;
  const { hawks, stranger } = people;
  const open = async (fields: Record<string, unknown> = {}) => {
    const id = await openGallery(server, owner, hawks.id, fields);
    await addReadyPhoto(server, { id, organizationId: hawks.id });
    return id;
  };
  galleries.open = await open();
  galleries.second = await open();
  galleries.private = await open({ is_private: true });
  galleries.locked = await open({ password_required: true, password: 'goalkeeper' });
  galleries.inactive = await open();
  await server.call({ method: 'POST', url: `/api/v1/galleries/${galleries.inactive}/inactive`, as: owner });
  galleries.empty = await openGallery(server, owner, hawks.id);
  galleries.other = await openGallery(server, foreigner, stranger.id);
  await addReadyPhoto(server, { id: galleries.other, organizationId: stranger.id });
});

const get = (url: string, label = 'lakeside') =>
  server.call({ method: 'GET', url, headers: { host: `${label}.sideline.localhost:3000` } });
const addressesOf = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address ?? '');
const LAKESIDE = 'http://lakeside.sideline.localhost:3000';

describe('a host’s sitemap', () => {
  test('lists its home page, the affiliates with public galleries and those galleries, and nothing else', async () => {
    const answer = await get('/sitemap.xml');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(addressesOf(answer.body).toSorted()).toEqual(
      [
        `${LAKESIDE}/`,
        `${LAKESIDE}/hawks`,
        `${LAKESIDE}/hawks/gallery/${galleries.open}`,
        `${LAKESIDE}/hawks/gallery/${galleries.second}`,
      ].toSorted(),
    );
    expect(answer.body).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
  });

  test('of a parent with galleries of its own lists them under its own name', async () => {
    const address = `http://riverside.sideline.localhost:3000/riverside/gallery/${galleries.other}`;
    expect(addressesOf((await get('/sitemap.xml', 'riverside')).body)).toContain(address);
  });

  test('of the root has the site’s own pages', async () => {
    const addresses = addressesOf((await get('/sitemap.xml', 'www')).body);
    expect(addresses).toContain('http://www.sideline.localhost:3000/pricing');
    expect(addresses.some((address) => address.includes('/gallery/'))).toBe(false);
  });

  test('is not found on an unknown host', async () => {
    for (const url of ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-galleries.xml', '/robots.txt'])
      expect((await get(url, 'nobody')).statusCode).toBe(404);
  });

  test('of many galleries is an index of files, which together list each once', async () => {
    const host = await server.app.organizations.byId(people.parent.id);
    if (!host) throw new Error('the host is gone');
    const small = createSitemap({ ...server.platform, perFile: 1 });
    const files = addressesOf(await small.whole(host)).map((address) => new URL(address));
    expect(files.map(({ pathname }) => pathname)).toEqual([
      '/sitemap-pages.xml',
      ...Array.from({ length: 3 }, () => '/sitemap-galleries.xml'),
    ]);
    const named: string[] = [];
    for (const { searchParams } of files.slice(1))
      named.push(...addressesOf(await small.galleries(host, Number(searchParams.get('after')))));
    expect(named.map((address) => Number(address.split('/').at(-1))).toSorted()).toEqual(
      [galleries.open, galleries.second].toSorted(),
    );
    expect(addressesOf(await small.pages(host))).toEqual([`${LAKESIDE}/`, `${LAKESIDE}/hawks`]);
  });

  test.each(['abc', '-1', '0', '9'.repeat(30)])(
    'with an invalid position (%s) starts at the beginning',
    async (after) => {
      const answer = await get(`/sitemap-galleries.xml?after=${after}`);
      expect([answer.statusCode, addressesOf(answer.body).length]).toEqual([200, 2]);
    },
  );
});

test('robots.txt leads to the host’s own sitemap and lets share cards be fetched', async () => {
  const { body } = await get('/robots.txt');
  expect(body).toContain(`Sitemap: ${LAKESIDE}/sitemap.xml`);
  expect(body).toContain('Allow: /api/v1/share_cards/');
  expect(body).not.toContain('riverside');
});

test('addresses are written as XML', () => {
  expect(sitemapOf([{ address: 'http://x/?a=1&b="<\'>', changedAt: null }])).toContain(
    '<loc>http://x/?a=1&amp;b=&quot;&lt;&apos;&gt;</loc>',
  );
});
