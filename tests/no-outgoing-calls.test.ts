/** No address that someone sends is ever called: each text of each call is one, and a machine listens there. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true, pages: true, env: { RATE_LIMIT_FACTOR: '1000000' } });
let people: Neighborhood;
let galleryId: number;
let photoId: number;
let machine: Server;
let address: string;
/** First lines of the requests that it got. */
const called: string[] = [];

beforeAll(async () => {
  machine = createServer((socket) => {
    socket.once('data', (bytes) => called.push(bytes.toString('latin1').slice(0, 80)));
    socket.on('error', () => undefined).end('HTTP/1.1 204 No Content\r\n\r\n');
    called.push('a connection');
  });
  await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(machine.address() as AddressInfo).port}/logo.png`;
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
});
afterAll(() => new Promise((resolve) => machine.close(resolve)));

type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example?: unknown } | undefined> };
};
type Call = { method: 'GET' | 'POST' | 'PUT'; url: string; body: object | null };

/** Each text of a body replaced, one at a time, and all of them together. */
function withAddress(body: object | null): object[] {
  if (body === null) return [];
  const places: string[][] = [];
  const look = (value: unknown, at: string[]): void => {
    if (typeof value === 'string' || value === null) places.push(at);
    else if (typeof value === 'object') for (const [key, part] of Object.entries(value)) look(part, [...at, key]);
  };
  look(body, []);
  const put = (chosen: readonly string[][]) => {
    const changed = structuredClone(body) as Record<string, unknown>;
    for (const at of chosen) {
      const parent = at.slice(0, -1).reduce((value, key) => value[key] as Record<string, unknown>, changed);
      parent[at.at(-1) ?? ''] = address;
    }
    return changed;
  };
  return places.length === 0 ? [] : [...places.map((at) => put([at])), put(places)];
}

const addressOf = (pattern: string): string =>
  pattern
    .replace(/galleries\/\{id\}/, `galleries/${galleryId}`)
    .replace('{domainName}', people.hawks.path)
    .replace(/(affiliates|organizations)\/\{id\}/, `$1/${people.hawks.id}`)
    .replace('{photoId}', String(photoId))
    .replaceAll(/\{\w+\}/g, String(galleryId));

/** A body like its example, with existing ids. */
const aboutOurs = (body: unknown) =>
  JSON.parse(
    JSON.stringify(body ?? null)
      .replaceAll(/"(organization_id|affiliate_id|org_id)":\d+/g, `"$1":${people.hawks.id}`)
      .replaceAll(/"gallery_id":\d+/g, `"gallery_id":${galleryId}`),
  ) as object | null;

/** They end sessions, or delete what the other calls need. */
const ENDING = new Set(['/logout', '/users/current/password', '/password', '/api/v1/galleries/{id}/inactive']);

async function calls(): Promise<Call[]> {
  const document = (await server.call({ method: 'GET', url: '/api/openapi.json' })).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { parameters = [], requestBody }]): Call[] => {
      const method = name.toUpperCase() as Call['method'];
      if (!['GET', 'POST', 'PUT'].includes(method) || ENDING.has(path) || path.endsWith('/events')) return [];
      const queries = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
      const url = addressOf(path);
      const asked = queries.map((query) => ({
        method,
        url: `${url}?${query}=${encodeURIComponent(address)}`,
        body: null,
      }));
      const example = aboutOurs(requestBody?.content['application/json']?.example);
      return [...asked, ...withAddress(example).map((body) => ({ method, url, body }))];
    }),
  );
}

const PAGES = ['/login?redirect=', '/logout?redirect=', '/hawks?url=', '/hawks/checkout?return=', '/sign-up?next='];

test('nothing that an owner or a platform admin sends makes the server call the machine it names', async () => {
  const all = [
    ...(await calls()),
    ...PAGES.map((page): Call => ({ method: 'GET', url: page + encodeURIComponent(address), body: null })),
  ];
  expect(all.length).toBeGreaterThan(200);
  const host = `${people.parent.path}.sideline.localhost:3000`;
  let taken = 0;
  for (const { method, url, body } of all) {
    const request = { method, url, headers: { host, referer: address }, ...(body === null ? {} : { payload: body }) };
    const owners = await server.call({ ...request, as: people.tokens.owner });
    const answer = owners.statusCode === 403 ? await server.call({ ...request, as: people.tokens.admin }) : owners;
    if (answer.statusCode < 300 && body !== null) taken += 1;
  }
  expect(taken).toBeGreaterThan(10);
  for (const as of [people.tokens.owner, people.tokens.admin])
    expect((await server.call({ method: 'GET', url: '/users/current', as })).statusCode).toBe(200);
  // The worker's part of it.
  await expect
    .poll(
      () =>
        server.data.ownerQuery(
          `select name from pgboss.job where state in ('created', 'active') and start_after <= now()`,
        ),
      {
        timeout: 15_000,
      },
    )
    .toEqual([]);
  expect(called).toEqual([]);
}, 120_000);
