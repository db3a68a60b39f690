/** People change the email address of their own login by a link to the new one (rule 47). */
import { beforeEach, expect, test } from 'vitest';
import {
  CHANGE_HOURS,
  CONFIRM_OLD_FIRST,
  CHANGE_LINK_INVALID,
  changeLinkUsed,
  EMAIL_TAKEN,
  SAME_EMAIL,
} from '#src/features/sign-in/email-changes.contract.ts';
import type { AuditPage } from '#src/features/audit/audit.contract.ts';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock } from '#tests/support/test-database.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

let now = new Date();
const server = useTestServer({ clock: { now: () => now } });
let people: Neighborhood;
beforeEach(async () => {
  now = new Date();
  people = await settleAnother(server);
});

let count = 0;
const freshAddress = () => `new-${++count}@people.test`;
const ask = (as: string | null, email: string) =>
  server.call({ method: 'POST', url: '/api/v1/change-email', as, payload: { email } });
const confirm = (as: string | null, token: string) =>
  server.call({ method: 'POST', url: '/api/v1/change-email/confirm', as, payload: { token } });
const tokenTo = async (email: string) =>
  /\/change-email\?token=([\w.-]+)/.exec((await server.data.emailsTo(email)).at(-1)?.text ?? '')?.[1] ?? '';
const addressOf = async (as: string) =>
  (await server.call({ method: 'GET', url: '/users/current', as })).json<[{ email: string }]>()[0].email;

test('the link to the new address changes it, once; the old one is told, and other devices are logged out', async () => {
  const { owner: old } = people.emails;
  const [here, elsewhere] = [await server.signIn(old), await server.signIn(old)];
  const email = freshAddress();
  expect((await ask(here, ` ${email.toUpperCase()} `)).statusCode).toBe(202);
  expect(await addressOf(here)).toBe(old);
  const token = await tokenTo(email);
  // In someone else's session it opens nothing.
  for (const other of [people.tokens.neighbor, people.tokens.admin])
    expect((await confirm(other, token)).json()).toMatchObject({ errors: { token: [CHANGE_LINK_INVALID] } });
  expect((await confirm(null, token)).statusCode).toBe(401);
  expect((await confirm(here, token)).statusCode).toBe(204);
  expect(await addressOf(here)).toBe(email);
  expect((await server.call({ method: 'GET', url: '/users/current', as: elsewhere })).statusCode).toBe(401);
  const notice = (await server.data.emailsTo(old)).at(-1);
  expect(notice?.subject).toBe('Your email address was changed');
  expect(notice?.text).not.toContain(email);
  // Only platform admins read both addresses.
  const search = (as: string) =>
    server.call({ method: 'GET', url: '/api/v1/audit_log?action=account.email_changed', as });
  const [newest] = (await search(people.tokens.admin)).json<AuditPage>().entries;
  expect(newest).toMatchObject({
    organization_id: null,
    details: { from: old, to: email },
  });
  expect((await search(here)).statusCode).toBe(403);
  const again = await confirm(here, token);
  expect([again.statusCode, again.json()]).toMatchObject([422, { errors: { token: [changeLinkUsed(email)] } }]);
  // No one else is told that it was used, or by whom.
  expect((await confirm(people.tokens.neighbor, token)).json()).toMatchObject({
    errors: { token: [CHANGE_LINK_INVALID] },
  });
  const logIn = (address: string) =>
    server.call({ method: 'POST', url: '/login', payload: { user: { email: address, password: TEST_PASSWORD } } });
  expect([(await logIn(email)).statusCode, (await logIn(old)).statusCode]).toEqual([200, 401]);
});

test('a link that a browser sends twice at the same time works once, and the second answer says so', async () => {
  const { foreigner: old } = people.emails;
  const mine = await server.signIn(old);
  const email = freshAddress();
  await ask(mine, email);
  const token = await tokenTo(email);
  const lock = `select from users where email = '${old}' for update`;
  const answers = await meetAtLock(server.data, { lock, sessions: 2 }, () =>
    Promise.all([confirm(mine, token), confirm(mine, token)]),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 422]);
  expect(answers.find(({ statusCode }) => statusCode === 422)?.json()).toMatchObject({
    errors: { token: [changeLinkUsed(email)] },
  });
});

test('an address that has an account gets no email, and the answer does not say so', async () => {
  const { neighbor } = people.emails;
  const before = (await server.data.emailsTo(neighbor)).length;
  const mine = await server.signIn(people.emails.parentMember);
  expect((await ask(mine, neighbor)).statusCode).toBe(202);
  expect(await server.data.emailsTo(neighbor)).toHaveLength(before);
  expect((await ask(mine, people.emails.parentMember)).json()).toMatchObject({ errors: { email: [SAME_EMAIL] } });
});

test('of two people who want one address, the first gets it', async () => {
  const email = freshAddress();
  const [one, two] = [await server.signIn(people.emails.parentMember), await server.signIn(people.emails.neighbor)];
  await ask(one, email);
  const first = await tokenTo(email);
  await ask(two, email);
  const second = await tokenTo(email);
  expect((await confirm(one, first)).statusCode).toBe(204);
  expect([(await confirm(two, second)).statusCode, (await confirm(two, second)).json().error]).toEqual([
    409,
    EMAIL_TAKEN,
  ]);
});

test('an address that is not proven yet is not changed: access that waits for its owner would go along', async () => {
  const mine = await server.signIn(people.emails.foreigner);
  const prove = (at: string | null) =>
    server.data.ownerQuery('update users set email_proven_at = $2 where email = $1', [people.emails.foreigner, at]);
  const email = freshAddress();
  await ask(mine, email);
  const token = await tokenTo(email);
  await prove(null);
  expect((await ask(mine, freshAddress())).json()).toMatchObject({ errors: { email: [CONFIRM_OLD_FIRST] } });
  expect((await confirm(mine, token)).json()).toMatchObject({ errors: { token: [CHANGE_LINK_INVALID] } });
  await prove('2026-01-01');
  expect((await confirm(mine, `${token}x`)).statusCode).toBe(422);
});

test('needs the password of the last minutes, and the link ends after a day', async () => {
  const mine = await server.signIn(people.emails.foreigner);
  const email = freshAddress();
  await ask(mine, email);
  const token = await tokenTo(email);
  await server.data.ownerQuery(
    "update sessions set confirmed_at = now() - interval '11 minutes' where user_id = (select id from users where email = $1)",
    [people.emails.foreigner],
  );
  const late = await ask(mine, freshAddress());
  expect([late.statusCode, late.json().error]).toEqual([401, CONFIRM_PASSWORD_FIRST]);
  now = new Date(now.getTime() + CHANGE_HOURS * 3_600_000);
  expect((await confirm(mine, token)).json()).toMatchObject({ errors: { token: [CHANGE_LINK_INVALID] } });
});

test('a link ends when the password changes: an intruder who knew the old one may have requested it', async () => {
  const { owner } = people.tokens;
  const email = freshAddress();
  await ask(owner, email);
  const token = await tokenTo(email);
  await server.data.ownerQuery('update users set password_hash = $2 where email = $1', [
    people.emails.owner,
    'another',
  ]);
  expect((await confirm(owner, token)).json()).toMatchObject({ errors: { token: [CHANGE_LINK_INVALID] } });
});

test('a password link that is made while the address changes is not sent to the old one', async () => {
  const { owner: old } = people.emails;
  const lock = `update users set email = '${freshAddress()}' where email = '${old}'`;
  const before = await server.data.emailsTo(old);
  await meetAtLock(server.data, { lock, sessions: 1 }, () => server.app.passwords.sendReset(old));
  expect(await server.data.emailsTo(old)).toEqual(before);
  expect(await server.data.ownerQuery('select from password_resets')).toEqual([]);
});

test('no more than five emails an hour go to one address, and ten are sent for one person (threat 31)', async () => {
  const { owner, neighbor, parentMember } = people.tokens;
  const email = freshAddress();
  for (const as of [owner, owner, owner, neighbor, neighbor]) expect((await ask(as, email)).statusCode).toBe(202);
  expect((await ask(parentMember, email)).statusCode).toBe(429);
  expect(await server.data.emailsTo(email)).toHaveLength(5);
  for (let count = 3; count < 10; count++) expect((await ask(owner, freshAddress())).statusCode).toBe(202);
  const refused = freshAddress();
  expect((await ask(owner, refused)).statusCode).toBe(429);
  expect(await server.data.emailsTo(refused)).toEqual([]);
});
