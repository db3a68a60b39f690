/** Guessing one account's password from many addresses (threat 27): slowed down, reported to its owner, and never locking the owner out. */
import { beforeEach, expect, test } from 'vitest';
import { LOGIN_PAUSED, WRONG_EMAIL_OR_PASSWORD, WRONG_PASSWORD } from '#src/features/accounts/accounts.contract.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

let sender = 0;
/** A new IPv4 address or IPv6 network each time. */
const nextSender = () =>
  ++sender % 2 === 0 ? `203.0.${sender % 200}.${sender >> 8}` : `2001:db8:${sender.toString(16)}::1`;

async function logIn(email: string, password: string, cookie?: string) {
  const answer = await server.call({
    method: 'POST',
    url: '/login',
    remoteAddress: nextSender(),
    headers: cookie ? { cookie, origin: 'http://localhost' } : {},
    payload: { user: { email, password } },
  });
  const device = answer.cookies.find(({ name }) => name === 'device')?.value;
  return {
    status: answer.statusCode,
    error: answer.json<{ error?: string }>().error,
    device: device && `device=${device}`,
  };
}

/** 100 failures, ten at a time, then one too many. */
async function guess(email: string) {
  const seen = new Set<number>();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(email, 'guess')));
    for (const { status } of answers) seen.add(status);
  }
  expect([...seen]).toEqual([401]);
  return logIn(email, 'guess');
}

const warningsTo = (email: string) =>
  server.data.ownerQuery(`select 1 from pgboss.job where name = 'password.guesses' and data->>'email' = $1`, [email]);

test('after a hundred wrong passwords a day from a hundred addresses, only known browsers log in', async () => {
  const email = people.emails.owner;
  const known = (await logIn(email, TEST_PASSWORD)).device ?? '';
  const foreign = (await logIn(people.emails.neighbor, TEST_PASSWORD)).device ?? '';
  expect(await guess(email)).toMatchObject({ status: 429, error: LOGIN_PAUSED });
  // An attacker cannot verify the right password either.
  expect(await logIn(email, TEST_PASSWORD)).toMatchObject({ status: 429, error: LOGIN_PAUSED });
  for (const cookie of [foreign, 'device=x', `${known}x`, known.replace('device=', 'device=A')])
    expect((await logIn(email, TEST_PASSWORD, cookie)).status).toBe(429);
  expect((await logIn(email, TEST_PASSWORD, known)).status).toBe(200);
  expect(await logIn(email, 'mistyped', known)).toMatchObject({ status: 401, error: WRONG_EMAIL_OR_PASSWORD });
  expect((await logIn(people.emails.neighbor, TEST_PASSWORD)).status).toBe(200);

  // One email, however long it continues.
  expect(await warningsTo(email)).toHaveLength(1);
  await server.app.logins.notifyOfGuesses(email);
  const [sentEmail] = await server.data.emailsTo(email);
  expect(sentEmail?.subject).toBe('Someone is trying to log in to your account');
  expect(sentEmail?.text).toContain('/forgot-password');

  // On a new device the emailed link lets the owner in.
  await server.app.passwords.sendReset(email);
  const link = new URL(
    /https?:\/\/\S*update-password\S*/.exec((await server.data.emailsTo(email)).at(-1)?.text ?? '')?.[0] ?? '',
  );
  const chosen = await server.call({
    method: 'PUT',
    url: '/password',
    payload: {
      user: { password: 'ten tame tigers', reset_password_token: link.searchParams.get('reset_password_token') },
    },
  });
  const device = chosen.cookies.find(({ name }) => name === 'device');
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect((await logIn(email, 'ten tame tigers')).status).toBe(429);
  expect((await logIn(email, 'ten tame tigers', `device=${device?.value}`)).status).toBe(200);
});

test('an unknown address gets the same response, and no email is sent', async () => {
  const email = 'nobody@people.test';
  expect(await guess(email)).toMatchObject({ status: 429, error: LOGIN_PAUSED });
  await server.app.logins.notifyOfGuesses(email);
  expect(await server.data.emailsTo(email)).toEqual([]);
});

test('a right password does not count', async () => {
  const email = people.emails.parentMember;
  for (let time = 0; time < 12; time++) await logIn(email, TEST_PASSWORD);
  const [counted] = await server.data.ownerQuery<{ hits: number }>(
    `select coalesce(sum(hits), 0)::integer as hits from rate_counters where bucket = $1`,
    [`login:account:${email}`],
  );
  expect(counted?.hits).toBe(0);
});

test('confirming a password mentions only the password', async () => {
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/confirm-password',
    as: people.tokens.foreigner,
    payload: { password: 'not it' },
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([401, { error: WRONG_PASSWORD }]);
});
