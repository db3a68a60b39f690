/**
 * Every declared call as another site's page or a curious program would make it. Reading changes nothing (threat 23),
 * and writing needs our own origin, with a body or without (threats 21, 22). A method that no route has is not found
 * (bad input 15), and a body is parsed only once (bad input 7).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import pages from '#src/routes.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let galleryId: number;
let photoId: number;
let vanityId: string;
let contributeKey: string;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
  ({ vanityId } = await sellPhotos(server, people.hawks.id, [{ id: photoId, gallery_id: galleryId }]));
  const full = await server.call({ url: `/api/v1/galleries/${galleryId}/full`, as: people.tokens.owner });
  contributeKey = full.json<[{ contribute_key: string }]>()[0].contribute_key;
});

const addressOf = (pattern: string): string =>
  pattern
    .replace(/:(domainName|affiliate)/, people.hawks.path)
    .replace(/\/order(s?)\/:id/, `/order$1/${vanityId}`)
    .replace(/\/(galleries|gallery)\/:id/, `/$1/${galleryId}`)
    .replace(/\/(affiliates|organizations)\/:id/, `/$1/${people.hawks.id}`)
    .replace(/:(photoId|photo)\b/, String(photoId))
    .replace(':month', '2026-01')
    .replace(':picture', 'logo')
    .replace(/:\w+/g, String(galleryId))
    .replace(/\*/, 'anything');

type Page = { path?: string | undefined; children?: Page[] | undefined };
const patternsOf = (list: readonly Page[], above = ''): string[] =>
  list.flatMap(({ path = '', children = [] }) => {
    const own = path === '' ? above : `${above}/${path}`;
    return [own || '/', ...patternsOf(children, own)];
  });

const routes = () => server.built.routes.filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
/** An event stream is open until its reader disconnects. */
const isEndless = (url: string) => url.endsWith('/events');
const host = () => `${people.parent.path}.sideline.localhost:3000`;
const cookieOf = (who: keyof Neighborhood['tokens']) => ({ cookie: `token=${people.tokens[who]}` });

type Request = Parameters<typeof server.call>[0];

/** Null: the answer has no end, or breaks off because the store does not have the photo. */
const answerTo = ({ headers, ...request }: Request) =>
  server
    .call({
      ...request,
      headers: { host: host(), ...headers },
      ...(isEndless(String(request.url).split('?')[0] ?? '') ? { signal: AbortSignal.timeout(500) } : {}),
    })
    .catch(() => null);

const statusOf = async (request: Request): Promise<number> => (await answerTo(request))?.statusCode ?? 0;

/** What a browser sends for a link on another site. */
const FOREIGN = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** A fingerprint of the content of each table, the job queue included. */
async function contentOf(): Promise<Record<string, string>> {
  const tables = await server.data.ownerQuery<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const each = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as content from ${name} t`,
  );
  const rows = await server.data.ownerQuery<{ name: string; content: string }>(each.join(' union all '));
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}

/** Counters of limits, and sums of days that are computed from orders when a report is first requested. */
const MAY_CHANGE = new Set(['public.rate_counters', 'public.sales_days', 'public.sales_parts', 'public.sales_changes']);

async function changedSince(before: Record<string, string>): Promise<string[]> {
  const after = await contentOf();
  return Object.keys(after).filter((name) => after[name] !== before[name] && !MAY_CHANGE.has(name));
}

describe('reading', () => {
  test.each<[string, () => { cookie?: string; query?: string }]>([
    ['a visitor', () => ({})],
    ['a contributor', () => ({ query: `?contributeKey=${contributeKey}` })],
    ['an owner', () => cookieOf('owner')],
    ['a user of another organization', () => cookieOf('foreigner')],
    ['a platform admin', () => cookieOf('admin')],
  ])('changes nothing in the database, wherever a link of another site leads %s', async (_who, isWho) => {
    const addresses = [
      ...routes().flatMap(({ method, url }) => (method === 'GET' ? [url] : [])),
      ...patternsOf(pages as Page[]),
    ].map(addressOf);
    expect(addresses.length).toBeGreaterThan(120);
    const before = await contentOf();
    expect(Object.keys(before).length).toBeGreaterThan(60);
    const statuses: Record<string, number> = {};
    const { query = '', ...cookie } = isWho();
    for (const address of addresses)
      statuses[address] = await statusOf({ url: address + query, headers: { ...FOREIGN, ...cookie } });
    expect(Object.values(statuses).filter((status) => status === 200).length).toBeGreaterThan(30);
    expect(Object.keys(statuses).filter((url) => (statuses[url] ?? 0) >= 500 && statuses[url] !== 503)).toEqual([]);
    expect(await changedSince(before)).toEqual([]);
  });

  test('HEAD gets the status and the type of GET without a body, or nothing where a file would be made for it', async () => {
    const different: string[] = [];
    const headers = { host: host(), ...FOREIGN, ...cookieOf('owner') };
    const ask = (method: 'GET' | 'HEAD', url: string) => server.call({ method, url: addressOf(url), headers });
    for (const { method, url } of routes()) {
      if (method !== 'GET' || isEndless(url) || url.endsWith('.zip')) continue;
      const [get, head] = await Promise.all([ask('GET', url), ask('HEAD', url)]);
      const isMade = !server.built.server.hasRoute({ method: 'HEAD', url });
      const facts = (answer: typeof get) => `${answer.statusCode} ${answer.headers['content-type']}`;
      const isRight = isMade ? head.statusCode === 404 : facts(get) === facts(head);
      if (head.body !== '' || !isRight) different.push(`${url}: ${facts(get)}, ${facts(head)}`);
    }
    expect(different).toEqual([]);
  });

  test('what a session shows beyond what everyone sees is kept by no cache', async () => {
    const cacheable: string[] = [];
    for (const { method, url } of routes()) {
      if (method !== 'GET' || isEndless(url)) continue;
      const path = addressOf(url);
      const [everyones, admins] = [
        await answerTo({ url: path }),
        await answerTo({ url: path, as: people.tokens.admin }),
      ];
      if (admins?.statusCode !== 200 || admins.body === everyones?.body) continue;
      if (!/private|no-store/.test(String(admins.headers['cache-control']))) cacheable.push(url);
    }
    expect(cacheable).toEqual([]);
  });
});

describe('writing', () => {
  test.each<[string, Record<string, string>, string?]>([
    ['without a body', { origin: 'https://evil.example' }],
    ['as a form', { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
    ['as text', { origin: 'https://evil.example', 'content-type': 'text/plain' }, '{}'],
    ['from a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['by a browser that names no origin', { 'sec-fetch-site': 'cross-site' }],
  ])('from another site is refused by every call, %s, and changes nothing', async (_how, headers, payload) => {
    const before = await contentOf();
    const answered: string[] = [];
    const writing = routes().filter(({ method }) => method !== 'GET');
    expect(writing.length).toBeGreaterThan(80);
    for (const { method, url } of writing) {
      const request = { method: method as 'POST', url: addressOf(url), ...(payload ? { payload } : {}) };
      const answer = await answerTo({ ...request, headers: { ...headers, ...cookieOf('admin') } });
      if (answer?.statusCode !== 403 || !answer.body.includes('came from another site'))
        answered.push(`${method} ${url} → ${answer?.statusCode} ${answer?.body}`);
    }
    expect(answered).toEqual([]);
    expect(await changedSince(before)).toEqual([]);
  });
});

test('a method that no route has is not found', async () => {
  const known = new Set(routes().map(({ method, url }) => `${method} ${url}`));
  const answered: string[] = [];
  for (const url of new Set(routes().map((route) => route.url)))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'] as const) {
      if (known.has(`${method} ${url}`)) continue;
      const headers = { authorization: `Bearer ${people.tokens.admin}` };
      const status = await statusOf({ method: method as 'POST', url: addressOf(url), headers });
      if (status !== 404) answered.push(`${method} ${url} → ${status}`);
    }
  expect(answered).toEqual([]);
});

test('a repeated key in an object has its last value, for the access check and for the work', async () => {
  const { hawks, stranger, tokens } = people;
  const open = (first: number, last: number) =>
    server.call({
      method: 'POST',
      url: '/api/v1/galleries/',
      as: tokens.owner,
      headers: { 'content-type': 'application/json' },
      payload: `{"gallery":{"organization_id":${first},"name":"First","price_per_photo":4,"photos_by":"Rosa","organization_id":${last},"name":"Last"}}`,
    });
  expect((await open(hawks.id, stranger.id)).statusCode).toBe(404);
  const answer = await open(stranger.id, hawks.id);
  expect(answer.statusCode, answer.body).toBe(201);
  const rows = await server.data.ownerQuery<{ organization_id: number; name: string }>(
    `select organization_id::int, name from galleries where name in ('First', 'Last')`,
  );
  expect(rows).toEqual([{ organization_id: hawks.id, name: 'Last' }]);
});
