import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { api, callApi, messagesOf, NO_CONNECTION, UNREADABLE_ANSWER, type Refused } from '#src/web/api-client.ts';

type Heard = { method: string | undefined; type: string | undefined; text: string };
type Canned = { status: number; headers?: Record<string, string>; body: string };

let server: Server;
let url: string;
let heard: Heard;
let canned: Canned;
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      heard = { method: request.method, type: request.headers['content-type'], text };
      if (canned.status === 0) return;
      response.writeHead(canned.status, canned.headers).end(canned.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function call(answer: Canned, body?: unknown) {
  canned = answer;
  return callApi<{ id: number }>('POST', `${url}/api/v1/orders`, body === undefined ? {} : { body });
}

describe('a call from the browser', () => {
  test('sends and returns JSON', async () => {
    expect(await call({ status: 201, body: '{"id":7}' }, { order: 1 })).toEqual({
      ok: true,
      status: 201,
      data: { id: 7 },
    });
    expect(heard).toEqual({ method: 'POST', type: 'application/json', text: '{"order":1}' });
  });

  test('sends no body when there is none, and returns nothing for 204', async () => {
    expect(await call({ status: 204, body: '' })).toEqual({ ok: true, status: 204, data: null });
    expect(heard).toEqual({ method: 'POST', type: undefined, text: '' });
  });

  test('keeps an error’s message, its fields and its details', async () => {
    const refused = (await call({
      status: 409,
      body: '{"error":"Prices have changed.","errors":{"price":["Too low."]},"totals":{"total":4}}',
    })) as Refused;
    expect(refused).toMatchObject({
      ok: false,
      status: 409,
      error: 'Prices have changed.',
      errors: { price: ['Too low.'] },
      retryAfterSeconds: null,
    });
    expect(refused.body['totals']).toEqual({ total: 4 });
    expect(messagesOf(refused)).toEqual(['Too low.']);
  });

  test('uses the error’s message when there are no fields', async () => {
    expect(
      messagesOf((await call({ status: 402, body: '{"error":"Your card was declined.","errors":{}}' })) as Refused),
    ).toEqual(['Your card was declined.']);
  });

  test('says whether a retry makes sense', async () => {
    expect(
      await call({ status: 429, headers: { 'retry-after': '30' }, body: '{"error":"Slow down.","errors":{}}' }),
    ).toMatchObject({ retryAfterSeconds: 30 });
    expect(
      await call({ status: 503, headers: { 'retry-after': '0' }, body: '{"error":"Away.","errors":{}}' }),
    ).toMatchObject({ retryAfterSeconds: 1 });
  });

  test.each([
    [502, '<html>bad gateway</html>'],
    [200, '<html>a captive portal</html>'],
    [500, ''],
    [500, '"text"'],
  ])('turns a foreign response %d (%s) into a message', async (status, body) => {
    expect(await call({ status, body })).toMatchObject({ ok: false, status, error: UNREADABLE_ANSWER, errors: {} });
  });

  test('turns an unreachable server into a message', async () => {
    expect(await callApi('POST', 'http://127.0.0.1:1/api')).toMatchObject({
      ok: false,
      status: 0,
      error: NO_CONNECTION,
      retryAfterSeconds: 2,
    });
  });

  test('throws when aborted, and shows nothing', async () => {
    canned = { status: 0, body: '' };
    const aborted = new AbortController();
    const answer = callApi('POST', url, { signal: aborted.signal });
    aborted.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('a call of the API is built from its name and its parameters', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('[]', { status: 200 }));
  const input = { params: { id: 'a/b?c' }, query: { org_id: 7 } };
  expect(await api('GET /api/v1/affiliates/{id}', input)).toMatchObject({ ok: true, data: [] });
  expect(asked.mock.calls[0]?.[0]).toBe('/api/v1/affiliates/a%2Fb%3Fc?org_id=7');
  await api('POST /password', { body: { user: { email: 'maria@families.test' } } });
  expect(asked.mock.calls[1]).toMatchObject([
    '/password',
    { method: 'POST', body: '{"user":{"email":"maria@families.test"}}' },
  ]);
  asked.mockRestore();
});
