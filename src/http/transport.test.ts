/** Which requests are accepted, and the format of every response (bad inputs 1-18, threats 21-23). */
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
type Described = {
  paths: Record<string, { post?: { requestBody?: { content: object }; responses: Record<string, object> } }>;
};
const post = (payload: string, headers: Record<string, string> = {}) =>
  server.call({ method: 'POST', url: '/login', payload, headers: { 'content-type': 'application/json', ...headers } });

describe('a body', () => {
  test.each([
    ['{"name":', 400, 'Request body is not valid JSON.'],
    ['', 400, 'Request body is missing.'],
    ['{"user":{"__proto__":{"role_id":2}}}', 400, 'Request body is not valid JSON.'],
    ['{"constructor":{"prototype":{"x":1}}}', 400, 'Request body is not valid JSON.'],
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400, 'Request body is not valid JSON.'],
    ['{"user":{"email":"a\\u0000@b.co","password":"x"}}', 422, 'email contains characters that are not allowed.'],
    ['{"user":{"email":"a\\ud800@b.co","password":"x"}}', 422, 'email contains characters that are not allowed.'],
    ['[]', 422, undefined],
    ['"text"', 422, undefined],
    ['null', 422, undefined],
  ])('%.40s answers %i', async (payload, status, error) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({
      error: error ?? expect.any(String),
      errors: expect.any(Object),
      request_id: expect.any(String),
    });
  });

  test('of 2 MB is too large', async () => {
    const answer = await post(JSON.stringify({ user: { email: 'x'.repeat(2_000_000), password: 'x' } }));
    expect(answer.statusCode).toBe(413);
    expect(answer.json().error).toBe('Request is too large.');
  });

  test.each([
    ['/login', 16_384],
    ['/signup/', 16_384],
    ['/api/v1/orders/quote', 131_072],
  ])('for %s has at most %i bytes', async (url, most) => {
    const ofBytes = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`;
    const send = (payload: string) =>
      server.call({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } });
    expect((await send(ofBytes(most))).statusCode).toBe(422);
    expect((await send(ofBytes(most + 1))).statusCode).toBe(413);
  });

  test('of unknown fields gets a short answer, with the first twenty of them', async () => {
    const fields = Array.from({ length: 9_000 }, (_, index) => `"k${index}":1`);
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/orders/quote',
      payload: `{${fields.join(',')}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(422);
    const unknown = Object.keys(answer.json<{ errors: object }>().errors).filter((field) => /^k\d+$/.test(field));
    expect(unknown).toHaveLength(20);
    expect(answer.body.length).toBeLessThan(5_000);
  });

  test.each([
    ['one endless name', `{"${'n'.repeat(100_000)}":1}`],
    ['thousands of empty items', `{"items":[${'{},'.repeat(40_000)}{}]}`],
    ['thousands of unreadable texts', `{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":"\\u0000"`).join(',')}}`],
  ])('of %s gets a short answer', async (_what, payload) => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/orders/quote',
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.body.length).toBeLessThan(100_000);
  });

  test.each([
    'text/plain',
    'application/json\ta',
    'application/jsonp',
    'application/json garbage',
    'text/html; x=application/json',
  ])('as %j is not read unchecked', async (type) => {
    const answer = await post('{"user":{"email":1,"password":2}}', { 'content-type': type });
    expect([415, 422]).toContain(answer.statusCode);
  });
});

describe('an address', () => {
  test.each([
    ['/api/v1/organizations?for_search=true&for_search=false', 400],
    ['/api/v1/organizations/%zz', 400],
    ['/api/v1/nothing', 404],
    ['/api/v1/galleries/1/full/more', 404],
  ])('%s answers %i in the common format of refusals', async (url, status) => {
    const answer = await server.call({ method: 'GET', url });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: expect.any(String), errors: {}, request_id: expect.any(String) });
  });

  test.each(['a.b.c.evil', 'nobody.sideline.localhost.evil.example', 'x'.repeat(300)])(
    'of the foreign host %.40s is not found, and the host is not repeated',
    async (host) => {
      const answer = await server.call({ method: 'GET', url: '/api/v1/organizations', headers: { host } });
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('evil');
    },
  );

  test('of a label that no organization has is not found, like its pages; of the root’s labels it is answered', async () => {
    const at = async (host: string, url = '/api/v1/organizations') =>
      (await server.call({ method: 'GET', url, headers: { host } })).statusCode;
    for (const url of ['/api/v1/organizations', '/%61pi/v1/organizations'])
      expect(await at('nobody.sideline.localhost', url)).toBe(404);
    for (const label of ['www', 'staging', 'test']) expect(await at(`${label}.sideline.localhost`)).toBe(200);
    // Also calls that are not below /api.
    expect(await at('nobody.sideline.localhost', '/users/current')).toBe(404);
    const login = await post('{"user":{"email":"a@b.test","password":"x"}}', { host: 'nobody.sideline.localhost' });
    expect(login.statusCode).toBe(404);
    const upload = await server.call({
      method: 'POST',
      url: '/storage',
      headers: { host: 'nobody.sideline.localhost', 'content-type': 'multipart/form-data; boundary=x' },
      payload: '',
    });
    expect([upload.statusCode, upload.body]).toEqual([404, expect.stringContaining('<Code>NoSuchBucket</Code>')]);
    // A balancer asks by any name.
    expect(await at('nobody.sideline.localhost', '/healthz')).toBe(200);
  });

  test('is answered to HEAD as to GET, without a body', async () => {
    const [get, head] = [
      await server.call({ method: 'GET', url: '/api/v1/organizations' }),
      await server.call({ method: 'HEAD', url: '/api/v1/organizations' }),
    ];
    expect(head.statusCode).toBe(get.statusCode);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.body).toBe('');
  });
});

describe('every response', () => {
  test('forbids browsers to guess types and to frame pages', async () => {
    for (const url of ['/healthz', '/api/v1/organizations', '/api/v1/nothing']) {
      const { headers } = await server.call({ method: 'GET', url });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });

  test('has metrics for this machine, or with the token', async () => {
    expect((await server.call({ method: 'GET', url: '/metrics' })).statusCode).toBe(200);
    const answer = await server.built.server.inject({
      method: 'GET',
      url: '/metrics',
      remoteAddress: '203.0.113.7',
      headers: { host: 'localhost' },
    });
    expect(answer.statusCode).toBe(404);
    for (const headers of [{ host: 'www.sideline.example' }, { forwarded: 'for=x' }, { 'x-real-ip': '1.2.3.4' }])
      expect((await server.call({ method: 'GET', url: '/metrics', headers })).statusCode).toBe(404);
  });

  test.each(['/api/openapi.json', '/api/docs'])('writes %s once, however often a visitor asks for it', async (url) => {
    const ask = (headers: Record<string, string> = {}) => server.call({ method: 'GET', url, headers });
    const first = await ask({ 'accept-encoding': 'br' });
    const plain = await ask();
    expect(brotliDecompressSync(first.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(first.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    const known = await ask({ 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const { stringify } = JSON;
    let characters = 0;
    JSON.stringify = ((...args: Parameters<typeof stringify>) => {
      const text = stringify(...args);
      characters += text.length;
      return text;
    }) as typeof stringify;
    try {
      expect((await ask()).rawPayload.equals(plain.rawPayload)).toBe(true);
    } finally {
      JSON.stringify = stringify;
    }
    expect(characters).toBeLessThan(1_000);
  });

  test('describes the calls, each with its access', async () => {
    const document = (await server.call({ method: 'GET', url: '/api/openapi.json' })).json() as {
      paths: Record<string, Record<string, { description?: string }>>;
    };
    const declared = server.built.routes.filter(({ url }) => url.startsWith('/api/v1/'));
    expect(declared.length).toBeGreaterThan(20);
    for (const { method, url } of declared) {
      const call =
        document.paths[url.replace(/:(\w+)/g, '{$1}').replace(/\{domainName\}$/, '{id}')]?.[method.toLowerCase()];
      expect(call?.description, `${method} ${url}`).toMatch(/^Who may call: /);
    }
  });

  test.each(['/api/v1/galleries/{id}/unlock_form', '/api/v1/galleries/{id}/gallery_photos/{photoId}/takedown_form'])(
    'describes that %s accepts a form and redirects',
    async (path) => {
      const document = (await server.call({ method: 'GET', url: '/api/openapi.json' })).json() as Described;
      const call = document.paths[path]?.post;
      expect(Object.keys(call?.requestBody?.content ?? {})).toEqual(['application/x-www-form-urlencoded']);
      const { '303': leadsOn, ...refused } = call?.responses ?? {};
      expect(leadsOn).toEqual({ description: '`Location` has the address of the page.' });
      expect(Object.keys(refused)).toEqual(['404', '422', '429', '503']);
    },
  );
});

test('a refused like creates no visitor', async () => {
  const answer = await server.call({ method: 'POST', url: '/api/v1/galleries/1/gallery_photos/1/add_like' });
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test('text with U+0000 is refused in an address, even behind another parameter of the same name', async () => {
  for (const query of ['search=%00', 'search=%00&search=x', 'search=x&search=%00']) {
    const answer = await server.call({ method: 'GET', url: `/some-page?${query}` });
    expect([query, answer.statusCode, answer.json().error]).toEqual([
      query,
      400,
      'This address could not be understood.',
    ]);
  }
});
