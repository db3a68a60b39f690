/** A user who was given a password chooses another one at the first login (threat D17). */
import { beforeAll, expect, test } from 'vitest';
import { csvOf, sendCsv, USER_HEAD, userRow } from '#tests/support/csv-files.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, works: true });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const open = (path: string, token: string) =>
  server.call({
    method: 'GET',
    url: path,
    headers: {
      host: 'lakeside.sideline.localhost:3000',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      cookie: `token=${token}`,
    },
  });
const choose = (password: unknown, as: string | null) =>
  server.call({ method: 'PUT', url: '/users/current/password', as, payload: { password } });

test('every page for members redirects to the choice; afterwards the session continues, and the given password is invalid', async () => {
  const given = 'orange-river-9';
  const file = csvOf(USER_HEAD, userRow('given', { password: given }));
  expect((await sendCsv(server, 'users', { content: file }, { as: people.tokens.admin })).json()).toMatchObject({
    created: 1,
  });
  const token = await server.signIn('given@new.test', given);
  const other = await server.signIn('given@new.test', given);

  const dashboard = await open('/given/dashboard', token);
  expect([dashboard.statusCode, dashboard.headers.location]).toEqual([
    302,
    '/choose-password?redirect=%2Fgiven%2Fdashboard',
  ]);
  const page = await open('/choose-password?redirect=%2Fgiven%2Fdashboard', token);
  expect([page.statusCode, page.body.includes('Choose your password')]).toEqual([200, true]);

  expect((await choose('', token)).json()).toMatchObject({ errors: { password: ['Password field is required.'] } });
  expect((await choose(given, token)).json()).toMatchObject({
    error: 'Please choose a password that differs from your current one.',
  });
  expect((await choose('green-river-77', token)).statusCode).toBe(204);
  expect((await open('/given/dashboard', token)).statusCode).toBe(200);
  expect((await open('/choose-password?redirect=%2Fgiven%2Fdashboard', token)).headers.location).toBe(
    '/given/dashboard',
  );
  expect((await server.call({ method: 'GET', url: '/users/current', as: other })).statusCode).toBe(401);
  await expect(server.signIn('given@new.test', given)).rejects.toThrow();
  await server.signIn('given@new.test', 'green-river-77');
});

test('visitors get 401, and after an old login the password is required first', async () => {
  expect((await choose('green-river-77', null)).statusCode).toBe(401);
  const token = await server.signIn('owner@people.test', TEST_PASSWORD);
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  const answer = await choose('green-river-77', token);
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([401, 'Please confirm your password.']);
});

test('nobody else has to choose', async () => {
  expect((await open('/hawks/dashboard', people.tokens.owner)).statusCode).toBe(200);
  expect((await open('/choose-password', people.tokens.owner)).headers.location).toBe('/');
  expect((await server.call({ method: 'GET', url: '/choose-password' })).headers.location).toMatch(/^\/login/);
});

test('everyone who is signed in has a page with the own email address and password', async () => {
  const { admin, owner } = people.tokens;
  const [adminsPage, ownersPage] = [await open('/users/me', admin), await open('/users/me', owner)];
  expect([adminsPage.statusCode, ownersPage.statusCode]).toEqual([200, 200]);
  expect(adminsPage.body).toContain(people.emails.admin);
  expect(ownersPage.body).toContain(people.emails.owner);
  expect(ownersPage.body).not.toContain(people.emails.admin);
  for (const page of [adminsPage, ownersPage]) expect(page.body).toContain('href="/users/me"');
  // Before its script runs, the form sends nothing.
  expect(ownersPage.body.match(/<form[^>]*>/g)).toEqual([expect.stringContaining('method="dialog"')]);
  expect((await open('/users/me', 'nobody')).headers.location).toBe('/login?redirect=%2Fusers%2Fme');
});
