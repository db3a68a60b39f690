/** Which headers of a trusted proxy are believed, and which headers of a visitor it may pass on. */
import { beforeAll, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
let people: Neighborhood;
let galleryId: number;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

test.each(['evil.example', 'a:b@evil.example', 'localhost, evil.example', '%'])(
  'addresses are built from the host that was called, not from X-Forwarded-Host %s',
  async (forwarded) => {
    const answer = await server.call({
      method: 'POST',
      url: `/api/v1/policy?gallery_id=${galleryId}`,
      as: people.tokens.owner,
      headers: { 'x-forwarded-host': forwarded },
      payload: { filename: 'a.jpg' },
    });
    expect([answer.statusCode, answer.json<{ url: string }>().url]).toEqual([200, 'http://localhost/storage']);
  },
);

test.each([
  ['https', 'https://localhost/storage'],
  ['javascript', 'http://localhost/storage'],
  ['https:evil', 'http://localhost/storage'],
])('the scheme %s of the proxy results in %s', async (scheme, url) => {
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/policy?gallery_id=${galleryId}`,
    as: people.tokens.owner,
    headers: { 'x-forwarded-proto': scheme },
    payload: { filename: 'a.jpg' },
  });
  expect([answer.statusCode, answer.json<{ url: string }>().url]).toEqual([200, url]);
});

test('an answer from the cache asks browsers to stay with https only if it was requested with https', async () => {
  const ask = async (scheme: string) => {
    const answer = await server.call({
      method: 'GET',
      url: `/api/v1/galleries/${galleryId}/gallery_photos`,
      headers: { 'x-forwarded-proto': scheme },
    });
    return [answer.headers.etag !== undefined, answer.headers['strict-transport-security'] !== undefined];
  };
  for (const scheme of ['https', 'http']) for (let times = 0; times < 2; times++) await ask(scheme);
  expect([await ask('https'), await ask('http'), await ask('javascript')]).toEqual([
    [true, true],
    [true, false],
    [true, false],
  ]);
});

test('metrics need the token, whatever address the proxy reports', async () => {
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=203.0.113.7' }])
    expect((await server.call({ method: 'GET', url: '/metrics', headers })).statusCode).toBe(404);
});
