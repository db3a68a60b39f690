/**
 * When a session ends on the server, nothing that it opened continues, and no login with the old password survives the change.
 */
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const OWNER = 'owner@people.test';
let people: Neighborhood;
let galleryId: number;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

async function openPage(token: string) {
  const url = `/api/v1/galleries/${galleryId}/events`;
  const answer = await server.call({ method: 'GET', url, as: token, payloadAsStream: true });
  expect(answer.statusCode).toBe(200);
  return { ended: text(answer.stream()) };
}

test('a login in progress while the password was changed gets no session', async () => {
  let login = Promise.resolve(0);
  await server.platform.database.write({ kind: 'system', why: 'test' }, async (tx) => {
    await tx
      .updateTable('users')
      .set({ password_hash: 'another' })
      .where('email', '=', 'foreigner@people.test')
      .execute();
    login = server
      .call({
        method: 'POST',
        url: '/login',
        payload: { user: { email: 'foreigner@people.test', password: TEST_PASSWORD } },
      })
      .then(({ statusCode }) => statusCode);
    // It has compared the old password, and waits for the result.
    await expect.poll(() => server.data.ownerQuery('select 1 from pg_locks where not granted')).toHaveLength(1);
  });
  expect(await login).toBe(401);
});

test('event streams end with the session: at logout, by the user’s own change of the password, and by an admin’s', async () => {
  const left = await server.signIn(OWNER, TEST_PASSWORD);
  const afterLogout = await openPage(left);
  expect((await server.call({ method: 'POST', url: '/logout', as: left })).statusCode).toBe(204);
  expect(await afterLogout.ended).not.toContain('event:');

  const kept = await server.signIn(OWNER, TEST_PASSWORD);
  const afterOwn = await openPage(await server.signIn(OWNER, TEST_PASSWORD));
  const payload = { password: 'green-river-77' };
  const own = await server.call({ method: 'PUT', url: '/users/current/password', as: kept, payload });
  expect(own.statusCode).toBe(204);
  expect(await afterOwn.ended).not.toContain('event:');

  const afterAdmins = await openPage(kept);
  const given = { affiliate: { password: 'blue-river-78', confirm_password: 'blue-river-78' } };
  const url = `/api/v1/affiliates/${people.hawks.id}`;
  const admins = await server.call({ method: 'PUT', url, as: people.tokens.admin, payload: given });
  expect(admins.statusCode).toBe(200);
  expect(await afterAdmins.ended).not.toContain('event:');
  expect((await server.call({ method: 'GET', url: '/users/current', as: kept })).statusCode).toBe(401);
});
