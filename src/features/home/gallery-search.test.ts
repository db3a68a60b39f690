/** A search by name among many galleries: what it finds, and that it does not read them all. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeGalleries } from '#tests/load/made-galleries.ts';
import { useTestServer } from '#tests/support/test-server.ts';

let now = new Date();
const server = useTestServer({ clock: { now: () => now } });
const MANY = 4_000;
const numbersWith = (digits: string) =>
  Array.from({ length: MANY }, (_, at) => String(at + 1)).filter((number) => number.includes(digits)).length;
let client: pg.Client;
let organizationId: number;

beforeAll(async () => {
  organizationId = (await makeGalleries(server.data.ownerUrl, MANY)).organizationId;
  // As after autovacuum: recent rows are in the index.
  await server.data.ownerQuery('vacuum galleries');
  client = new pg.Client({ connectionString: server.data.appUrl });
  await client.connect();
});
afterAll(() => client.end());

const VISITOR = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.1' } as const;
const list = (search: string, sellerId = organizationId) =>
  server.app.galleryLists.listForOrganization(
    VISITOR,
    { organizationId: sellerId, parentOrganizationId: 1 },
    { search },
  );

describe('a search among many galleries', () => {
  test.each([
    ['the one of that name', 'Match 3999', 1],
    ['none of an unused name', 'Regatta', 0],
    ['a handful', 'match 399', 11],
    ['more than a handful, counted as far as lists count', 'match', 1_000],
    ['by less than three letters', '77', numbersWith('77')],
  ])('finds %s', async (_, search, total) => {
    expect((await list(search)).total).toBe(total);
  });

  test('shows the newest first, however many there are', async () => {
    expect((await list('match')).galleries.map(({ name }) => name).slice(0, 2)).toEqual(['Match 1', 'Match 2']);
  });

  test('counts a long list again within a minute', async () => {
    const { organizationId: sellerId } = await makeGalleries(server.data.ownerUrl, 1_001);
    expect((await list('', sellerId)).total).toBe(1_000);
    const hide = "update galleries set active = false where organization_id = $1 and name in ('Match 1', 'Match 2')";
    await server.data.ownerQuery(hide, [sellerId]);
    now = new Date(now.getTime() + 60_000);
    expect((await list('', sellerId)).total).toBe(999);
    await server.data.ownerQuery('vacuum galleries');
  });

  test('does not read them all to find nothing, even on the sixth run', async () => {
    const explain = `explain (analyze, buffers, format json) select * from galleries_named(${organizationId}, '%regatta%', 501)`;
    for (let time = 0; time < 8; time++) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(explain);
      // The first run also reads the catalog. All galleries fill 73 blocks.
      if (time > 0) expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(30);
    }
  });
});

test('visitors read all galleries by the API, a hundred at a time and the newest first', async () => {
  const { domainName } = await makeGalleries(server.data.ownerUrl, 205);
  type Page = { galleries: { name: string }[]; galleries_next: string | null };
  const read = (after: string) =>
    server.call({ method: 'GET', url: `/api/v1/affiliates/${domainName}?org_id=1&after=${after}` });
  const pages: string[][] = [];
  for (let after: string | null = ''; after !== null;) {
    const [found]: Page[] = (await read(after)).json<Page[]>();
    pages.push(found?.galleries.map(({ name }) => name) ?? []);
    after = found?.galleries_next ?? null;
  }
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 5]);
  expect(pages.flat()).toEqual(Array.from({ length: 205 }, (_, at) => `Match ${at + 1}`));
  expect((await read('x')).statusCode).toBe(422);
});
