/** Logging in and out over HTTP (specification P§4, 5, 7; bad inputs 19-29). */
import { beforeAll, describe, expect, test } from 'vitest';
import { VIEWER_HEADER } from '#src/features/tenancy/actor.rules.ts';
import { settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1' } });
let people: Neighborhood;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const logIn = (payload: object, headers: Record<string, string> = {}) =>
  server.call({ method: 'POST', url: '/login', payload, headers });
const currentUser = (headers: Record<string, string>) => server.call({ method: 'GET', url: '/users/current', headers });

describe('logging in', () => {
  test('returns the user with organizations in the order of joining, and the token in header and cookie', async () => {
    const answer = await logIn(
      { user: { email: '  OWNER@people.test ', password: TEST_PASSWORD } },
      { host: 'lakeside.sideline.localhost' },
    );
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject([
      {
        first_name: 'owner',
        role_id: 1,
        organizations: [
          {
            id: people.hawks.id,
            domain_name: 'hawks',
            kind: 'affiliate',
            role: 2,
            parent_organization: { domain_name: 'lakeside' },
          },
        ],
      },
    ]);
    const token = String(answer.headers['authorization']).replace('Bearer ', '');
    expect(token).toMatch(/^[\w-]{43}$/);
    const [session, device] = [answer.headers['set-cookie']].flat();
    expect(device).toMatch(
      /^device=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Domain=sideline\.localhost; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(session).toBe(`token=${token}; Max-Age=2592000; Domain=sideline.localhost; Path=/; HttpOnly; SameSite=Lax`);
    const rows = await server.data.ownerQuery<{ n: number }>(
      'select count(*)::int as n from sessions where token_hash = $1',
      [Buffer.from(token)],
    );
    expect(rows[0]?.n).toBe(0);
  });

  test.each([
    [{ user: { email: '', password: 'x' } }, 422, { email: ['Email is required to log in.'] }],
    [{ user: { email: 'a@b.co', password: '' } }, 422, { password: ['Password is required to log in.'] }],
    [
      { user: { email: ' ', password: '' } },
      422,
      { email: ['Email is required to log in.'], password: ['Password is required to log in.'] },
    ],
    [{ user: { email: { $ne: null }, password: 'x' } }, 422, { email: ['Email is required to log in.'] }],
    [{ user: { email: ['a@b.co'], password: 'x' } }, 422, { email: ['Email is required to log in.'] }],
    [
      { user: { email: 'a@b.co', password: 'x'.repeat(5000) } },
      422,
      { password: ['At most 1024 characters, please.'] },
    ],
    [{ user: 'x' }, 422, { user: ['Email and password are required to log in.'] }],
    [{ user: null }, 422, { user: ['Email and password are required to log in.'] }],
    [{}, 422, { email: ['Email is required to log in.'], password: ['Password is required to log in.'] }],
    [
      { user: { email: 'a@b.co', password: 'x', role_id: 2 } },
      422,
      { role_id: ['role_id is not a field of this call.'] },
    ],
  ])('%j gets %i with every problem', async (payload, status, errors) => {
    const answer = await logIn(payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ errors, request_id: expect.any(String) });
  });

  test('gives the same message for a wrong password and an unknown address', async () => {
    const wrong = await logIn({ user: { email: 'owner@people.test', password: 'not it' } });
    const unknown = await logIn({ user: { email: 'nobody@people.test', password: 'not it' } });
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401]);
    expect(wrong.json().error).toBe('Invalid email or password.');
    expect(unknown.json().error).toBe(wrong.json().error);
  });

  test('blocks a sender after ten failures in a minute, and no one else', async () => {
    const attempt = () => logIn({ user: { email: 'director@people.test', password: 'guess' } });
    for (let count = 0; count < 10; count++) expect((await attempt()).statusCode).toBe(401);
    const refused = await attempt();
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error).toMatch(/^Too many attempts\. Try again in \d+ seconds\.$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn({ user: { email: 'admin@people.test', password: TEST_PASSWORD } })).statusCode).toBe(200);
  });
});

describe('a session', () => {
  test.each([
    {},
    { authorization: 'Bearer garbage' },
    { authorization: `Bearer ${'A'.repeat(43)}` },
    { authorization: `Bearer ${'A'.repeat(10_000)}` },
    { cookie: 'token=made-up' },
    { authorization: 'Basic abc' },
  ])('is not found by %j', async (headers) => {
    const answer = await currentUser(headers as Record<string, string>);
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe('Please log in.');
  });

  test('counts only for pages that were loaded for its user, not after a login as someone else', async () => {
    const { owner, neighbor } = people.tokens;
    const idOf = async (token: string) => {
      const [user] = (await currentUser({ authorization: `Bearer ${token}` })).json();
      return String(user.id);
    };
    const ask = async (viewer: string, how: Record<string, string> = { cookie: `token=${owner}` }) => {
      const answer = await currentUser({ ...how, [VIEWER_HEADER]: viewer });
      return answer.statusCode === 200 ? 200 : answer.json().error;
    };
    const [ownId, otherId] = [await idOf(owner), await idOf(neighbor)];
    expect(await ask(ownId)).toBe(200);
    for (const viewer of [otherId, '', '0', `${ownId}0`, 'x'.repeat(1_000)])
      expect(await ask(viewer), viewer).toBe('Please log in.');
    // A program says with its token who it is.
    expect(await ask(otherId, { authorization: `Bearer ${owner}` })).toBe(200);
  });

  test('that was planted in a browser is not the one that a login starts', async () => {
    const { emails, tokens } = await settleAnother(server);
    for (const planted of ['A'.repeat(43), tokens.foreigner]) {
      const answer = await logIn(
        { user: { email: emails.owner, password: TEST_PASSWORD } },
        { cookie: `token=${planted}`, origin: 'http://localhost' },
      );
      expect(answer.statusCode).toBe(200);
      const token = answer.cookies.find(({ name }) => name === 'token')?.value ?? '';
      expect([token.length, token === planted]).toEqual([43, false]);
      expect((await currentUser({ cookie: `token=${token}` })).body).toContain(emails.owner);
      expect((await currentUser({ cookie: `token=${planted}` })).body).not.toContain(emails.owner);
    }
  });

  test('ends on the server at logout', async () => {
    const token = await server.signIn('neighbor@people.test');
    expect((await currentUser({ authorization: `Bearer ${token}` })).statusCode).toBe(200);
    const out = await server.call({ method: 'POST', url: '/logout', as: token });
    expect(out.statusCode).toBe(204);
    expect(String(out.headers['set-cookie'])).toContain('token=;');
    expect((await currentUser({ authorization: `Bearer ${token}` })).statusCode).toBe(401);
  });

  test('ends after its lifetime, and is deleted', async () => {
    const token = await server.signIn('admin@people.test');
    await server.data.ownerQuery(
      `update sessions set expires_at = now() - interval '1 second' where token_hash = sha256($1::text::bytea)`,
      [token],
    );
    expect((await currentUser({ authorization: `Bearer ${token}` })).statusCode).toBe(401);
    expect(await server.app.accounts.sweepSessions()).toBe(1);
    expect(await server.app.accounts.sweepSessions()).toBe(0);
  });

  test('ends when the password changes', async () => {
    const token = await server.signIn('foreigner@people.test');
    expect(await server.app.accounts.resetPassword('foreigner@people.test', 'another password')).toBe(true);
    expect((await currentUser({ authorization: `Bearer ${token}` })).statusCode).toBe(401);
    expect((await logIn({ user: { email: 'foreigner@people.test', password: 'another password' } })).statusCode).toBe(
      200,
    );
  });

  test('confirms only the right password', async () => {
    const token = await server.signIn('admin@people.test');
    const confirm = (password: string) =>
      server.call({ method: 'POST', url: '/api/v1/confirm-password', as: token, payload: { password } });
    expect((await confirm(TEST_PASSWORD)).statusCode).toBe(204);
    expect((await confirm('not it')).statusCode).toBe(401);
  });
});

describe('writes from another site', () => {
  const host = 'lakeside.sideline.localhost';
  const gallery = () => ({
    gallery: { organization_id: people.hawks.id, name: 'Forged', price_per_photo: 1, photos_by: 'Mallory' },
  });
  test.each([
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 403],
    [{ origin: `http://${host}` }, 201],
    [{ origin: 'http://www.sideline.localhost' }, 201],
    [{ 'sec-fetch-site': 'same-origin' }, 201],
  ])('with the cookie and %j get %i', async (headers, status) => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/galleries/',
      payload: gallery(),
      headers: { host, cookie: `token=${people.tokens.owner}`, ...headers },
    });
    expect(answer.statusCode).toBe(status);
  });

  test('as a form are refused by their content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await server.call({
        method: 'POST',
        url: '/login',
        headers: { 'content-type': type },
        payload: '{"user":{}}',
      });
      expect(answer.statusCode, type).toBe(415);
    }
  });
});

test('an operator’s commands are in the audit log', async () => {
  const email = 'by-hand@people.test';
  const person = { email, firstName: 'By', lastName: 'Hand', password: 'correct horse battery', administers: [] };
  const userId = await server.app.accounts.createUser({ ...person, roleId: 2, byHand: true });
  expect(await server.app.accounts.resetPassword(email, 'another horse battery')).toBe(true);
  expect(await server.app.accounts.resetPassword('nobody@people.test', 'another horse battery')).toBe(false);
  const lines = await server.data.ownerQuery(
    `select action, actor_id from audit_log where object_type = 'user' and object_id = $1 order by id`,
    [String(userId)],
  );
  expect(lines).toEqual([
    { action: 'account.made_platform_admin', actor_id: null },
    { action: 'account.password_set_by_operator', actor_id: null },
  ]);
});
