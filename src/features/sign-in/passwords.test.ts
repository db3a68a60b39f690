/** A forgotten password, from the request to the new one (P§7, 8; rule 12; threats 28-31). */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { RESET_TOKEN_INVALID } from '#src/features/sign-in/passwords.contract.ts';
import { createRateLimits } from '#src/platform/limits/rate-limits.ts';
import { settleNeighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock, WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
beforeAll(async () => {
  await settleNeighborhood(server);
});

const ask = (email: unknown, headers: Record<string, string> = {}, from = '127.0.0.1') =>
  server.call({ method: 'POST', url: '/password', payload: { user: { email } }, headers, remoteAddress: from });
const choose = (user: Record<string, unknown>) => server.call({ method: 'PUT', url: '/password', payload: { user } });

const queued = async (email: string) =>
  (
    await server.data.ownerQuery<{ count: number }>(
      `select count(*)::int as count from pgboss.job where name = 'password.reset' and data->>'email' = $1 and data->>'sends' = 'true'`,
      [email],
    )
  )[0]?.count;

/** Does the worker's part and returns the link's token. */
async function newToken(email: string): Promise<string> {
  await server.app.passwords.sendReset(email);
  const sentEmail = (await server.data.emailsTo(email)).findLast((each) => each.subject === 'Choose a new password');
  const token = /reset_password_token=([\w-]+)/.exec(sentEmail?.text ?? '')?.[1];
  if (token === undefined) throw new Error('no email with a token came');
  return token;
}

describe('asking for a new password', () => {
  test.each(['owner@people.test', 'nobody@people.test', ' OWNER@People.test '])('%j gets 201', async (email) => {
    const answer = await ask(email);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({});
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  test.each(['', 'a@b', 'nobody', 7, null, { $ne: null }, ['a@b.co'], 'a@b.co\r\nBcc: x@y.co'])(
    '%j is not an address',
    async (email) => {
      const answer = await ask(email);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ errors: { email: ['Invalid email address'] } });
    },
  );

  test('a body without a user is not an address either', async () => {
    const answer = await server.call({ method: 'POST', url: '/password', payload: {} });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ email: ['Invalid email address'] });
  });

  test('the email’s link leads to the configured host, whatever the request contained', async () => {
    await ask('director@people.test', { host: 'localhost', 'x-forwarded-host': 'evil.example' });
    await server.app.passwords.sendReset('director@people.test');
    const [sentEmail] = await server.data.emailsTo('director@people.test');
    expect(sentEmail?.subject).toBe('Choose a new password');
    expect(sentEmail?.text).toMatch(
      /http:\/\/lakeside\.sideline\.localhost:\d+\/update-password\?reset_password_token=[\w-]{43}&redirect=%2Flakeside%2Freport/,
    );
    expect(sentEmail?.html).not.toContain('evil');
    expect((await ask('a@b.co', { host: 'evil.example' })).statusCode).toBe(404);
  });

  test('an address without an account gets no email', async () => {
    await server.app.passwords.sendReset('nobody@people.test');
    expect(await server.data.emailsTo('nobody@people.test')).toEqual([]);
  });

  test('after ten emails an hour no more are sent, and the response is the same', async () => {
    for (let count = 0; count < 12; count++)
      expect((await ask('much@people.test', {}, '198.51.100.1')).statusCode).toBe(201);
    expect(await queued('much@people.test')).toBe(10);
  });
});

describe('the daily limit of emails', () => {
  const all = { bucket: 'reset:all', limit: 5_000, windowSeconds: 86_400 };
  const taken = () =>
    server.data.ownerQuery<{ hits: number }>(
      `select coalesce(sum(hits), 0)::int as hits from rate_counters where bucket = 'reset:all'`,
    );

  test('is not used up by requests for unknown addresses', async () => {
    const [before] = await taken();
    for (let count = 0; count < 70; count++) {
      expect((await ask(`nobody-${count}@people.test`, {}, '198.51.100.2')).statusCode).toBe(201);
      await server.app.passwords.sendReset(`nobody-${count}@people.test`);
    }
    expect(await taken()).toEqual([before]);
  });

  test('counts emails when they are sent, and stops sending beyond it', async () => {
    const email = 'director@people.test';
    const limits = createRateLimits({ database: server.data.database, factor: 1 });
    const [before] = await taken();
    await server.app.passwords.sendReset(email);
    expect((await taken())[0]?.hits).toBe((before?.hits ?? 0) + 1);
    const sentEmails = await server.data.emailsTo(email);
    const rest = { ...all, cost: 5_000 - (before?.hits ?? 0) - 1 };
    await limits.take(rest);
    await server.app.passwords.sendReset(email);
    expect(await server.data.emailsTo(email)).toHaveLength(sentEmails.length);
    await limits.clear(all.bucket);
  });
});

describe('choosing a new password', () => {
  test('ends every session, tells the owner, and works once', async () => {
    const email = 'neighbor@people.test';
    const session = await server.signIn(email);
    const token = await newToken(email);
    const answer = await choose({ password: 'another fine word', reset_password_token: token });
    expect(answer.statusCode, answer.body).toBe(204);
    const me = await server.call({ method: 'GET', url: '/users/current', as: session });
    expect(me.statusCode).toBe(401);
    expect((await server.signIn(email, 'another fine word')).length).toBe(43);
    await expect(server.signIn(email, TEST_PASSWORD)).rejects.toThrow('could not sign in');
    expect((await server.data.emailsTo(email)).at(-1)?.subject).toBe('Your password was changed');
    const again = await choose({ password: 'yet another word', reset_password_token: token });
    expect(again.json()).toMatchObject({ error: RESET_TOKEN_INVALID });
  });

  test('works only with the newest link, and until a password is set by other means', async () => {
    const email = 'foreigner@people.test';
    const first = await newToken(email);
    const second = await newToken(email);
    const refusal = { errors: { reset_password_token: [RESET_TOKEN_INVALID] } };
    expect((await choose({ password: 'fine fine word', reset_password_token: first })).json()).toMatchObject(refusal);
    await server.app.accounts.resetPassword(email, 'by the operator');
    const late = await choose({ password: 'fine fine word', reset_password_token: second });
    expect([late.statusCode, late.json().errors]).toEqual([422, refusal.errors]);
  });

  test('fails with an old or invented link', async () => {
    const token = await newToken('admin@people.test');
    await server.data.ownerQuery(`update password_resets set expires_at = now() - interval '1 second'`);
    for (const wrong of [token, 'A'.repeat(43), 'x', '', 'x'.repeat(5_000), 7, null]) {
      const answer = await choose({ password: 'fine fine word', reset_password_token: wrong });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().errors).toEqual({ reset_password_token: [RESET_TOKEN_INVALID] });
    }
  });

  test.each([
    ['a blank one', '', 'Password field is required.'],
    ['a missing one', undefined, 'Password field is required.'],
    ['a short one', '12345', 'Minimum 6 chars'],
    ['digits in a row', '123456', 'Password is too common.'],
    ['the commonest word', 'password', 'Password is too common.'],
    ['a very long one', 'x'.repeat(5_000), 'At most 1024 characters, please.'],
  ])('fails for %s', async (_what, password, message) => {
    const token = await newToken('owner@people.test');
    const answer = await choose({ password, reset_password_token: token });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ password: [message] });
    expect((await choose({ password: 'a right one', reset_password_token: token })).statusCode).toBe(204);
  });

  test('reports both problems', async () => {
    const answer = await server.call({ method: 'PUT', url: '/password', payload: {} });
    expect(answer.json().errors).toEqual({
      password: ['Password field is required.'],
      reset_password_token: [RESET_TOKEN_INVALID],
    });
  });

  test('twice at the same time succeeds once', async () => {
    const token = await newToken('owner@people.test');
    const answers = await Promise.all(
      ['first choice', 'second choice'].map((password) => choose({ password, reset_password_token: token })),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([204, 422]);
  });
});

test('a link that is used while another is requested sets the password', async () => {
  const email = 'director@people.test';
  const token = await newToken(email);
  const lock = `select from password_resets where user_id = (select id from users where email = '${email}') for update`;
  const [chosen] = await meetAtLock(server.data, { lock, sessions: 2 }, async () => {
    const choosing = choose({ password: 'green-river-77', reset_password_token: token });
    await vi.waitFor(async () => expect(await server.data.ownerQuery(WAITING_SESSIONS)).toHaveLength(1), 15_000);
    return Promise.all([choosing, server.app.passwords.sendReset(email)]);
  });
  expect(chosen.statusCode).toBe(204);
});
