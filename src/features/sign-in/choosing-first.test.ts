/**
 * Until users have chosen their own password, one chosen by someone else gives no rights (threat D17): tried with every
 * declared call.
 */
import { beforeEach, expect, test } from 'vitest';
import { CHOOSE_OWN_FIRST } from '#src/features/tenancy/actor.rules.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let galleryId: number;
beforeEach(async () => {
  people = await settleAnother(server);
  const locked = { password_required: true, password: 'goalkeeper', is_private: true };
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, locked);
  await server.data.ownerQuery('update users set must_change_password = true where email in ($1, $2)', [
    people.emails.owner,
    people.emails.admin,
  ]);
});

/** The calls that choosing a password needs. */
const NEEDED = new Set(['GET /users/current', 'PUT /users/current/password', 'POST /api/v1/confirm-password']);

const addressOf = (pattern: string) =>
  pattern
    .replace(':domainName', people.hawks.path)
    .replace(/\/galleries\/:(id|galleryId|gallery_id)/, `/galleries/${galleryId}`)
    .replace(/\/(affiliates|organizations)\/:id/, `/$1/${people.hawks.id}`)
    .replace(':picture', 'logo')
    .replace(/:\w+/g, '1')
    .replace('*', 'anything');

test.each(['owner', 'admin'] as const)('%s may make only the calls that choosing a password needs', async (who) => {
  const routes = server.built.routes.filter(({ method }) => method !== 'OPTIONS');
  expect(routes.length).toBeGreaterThan(100);
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const { method, url, access } of routes) {
    const name = `${method} ${url}`;
    if (name === 'POST /logout' || access.who === 'operator') continue;
    const call = (as: string | null) =>
      server.call({
        method: method as 'GET',
        url: addressOf(url),
        as,
        ...(method === 'GET' || method === 'DELETE' ? {} : { payload: {} }),
      });
    const answer = await call(people.tokens[who]);
    seen.add(name);
    if (NEEDED.has(name)) {
      if (answer.statusCode === 403) wrong.push(`${name} is closed`);
    } else if (access.who !== 'anyone') {
      const { error } = answer.json<{ error?: string }>();
      if (answer.statusCode !== 403 || error !== CHOOSE_OWN_FIRST)
        wrong.push(`${name} → ${answer.statusCode} ${error}`);
    } else {
      // Open to everyone: the session adds nothing to what a visitor gets.
      const stranger = await call(null);
      if (answer.statusCode !== stranger.statusCode)
        wrong.push(`${name} → ${answer.statusCode}, a stranger ${stranger.statusCode}`);
      if (answer.body.includes('goalkeeper')) wrong.push(`${name} tells the password`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...NEEDED].filter((name) => !seen.has(name))).toEqual([]);
});

test('users with their own password have all rights again, in the same session', async () => {
  const gallery = () =>
    server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: people.tokens.owner });
  expect((await gallery()).body).not.toContain('goalkeeper');
  const me = await server.call({ method: 'GET', url: '/users/current', as: people.tokens.owner });
  expect([me.statusCode, me.json()]).toMatchObject([200, [{ organizations: [{ id: people.hawks.id }] }]]);
  const call = (method: 'POST' | 'PUT', url: string, password: string) =>
    server.call({ method, url, as: people.tokens.owner, payload: { password } });
  expect((await call('POST', '/api/v1/confirm-password', TEST_PASSWORD)).statusCode).toBe(204);
  expect((await call('PUT', '/users/current/password', 'green-river-77')).statusCode).toBe(204);
  expect((await gallery()).body).toContain('goalkeeper');
});

test('logging out ends such a session, too', async () => {
  const { tokens } = people;
  expect((await server.call({ method: 'POST', url: '/logout', as: tokens.admin })).statusCode).toBe(204);
  expect((await server.call({ method: 'GET', url: '/users/current', as: tokens.admin })).statusCode).toBe(401);
});
