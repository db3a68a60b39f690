/** People ask that their own account be deleted, and may change their mind until a platform admin erases them. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import { NOT_REQUESTED } from '#src/features/erasures/erasures.contract.ts';
import { CONFIRM_ADDRESS_FIRST, WAIT_DAYS } from '#src/features/sign-in/deletion-requests.contract.ts';
import { callerOf } from '#tests/support/payer.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock, WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
let people: Neighborhood;
/** A member of the club beside its owner. */
let email: string;
let token: string;
/** The first platform admin, and how many emails it got before. */
let admin: string;
let toldBefore: number;
let count = 0;
beforeEach(async () => {
  people = await settleAnother(server);
  email = `leaver-${++count}@people.test`;
  await sql(
    `with u as (insert into users (email, first_name, last_name, password_hash, email_proven_at)
       select $1, 'Lea', 'Leaver', password_hash, now() from users where email = $2 returning id)
     insert into memberships (user_id, organization_id, role) select id, $3, 2 from u`,
    [email, people.emails.owner, people.hawks.id],
  );
  token = await server.signIn(email);
  const [first] = await sql<{ email: string }>(
    'select email from users where role_id = 2 and deleted_at is null order by id limit 1',
  );
  admin = first?.email ?? '';
  toldBefore = 0;
  toldBefore = (await toAdmin()).length;
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => server.data.ownerQuery<Row>(text, values);
const call = (method: 'POST' | 'DELETE', as: string | null) =>
  server.call({ method, url: '/api/v1/deletion-request', as });
const erase = (how: { requested?: boolean; dry_run?: boolean } = {}) =>
  server.call({ method: 'POST', url: '/api/v1/erasures', as: people.tokens.admin, payload: { email, ...how } });
const makeDue = () => sql(`update deletion_requests set asked_at = now() - make_interval(days => $1)`, [WAIT_DAYS]);
const requests = () =>
  sql('select r.asked_at from deletion_requests r join users u on u.id = r.user_id where u.email = $1', [email]);
const subjects = async () => (await server.data.emailsTo(email)).map(({ subject }) => subject);
const listed = async () =>
  (await server.app.deletionRequests.listOpen(await callerOf(server, people.tokens.admin))).filter(
    (request) => request.email === email,
  );
const actions = () =>
  sql(
    `select action from audit_log where object_type = 'user' and object_id = (select id::text from users where email = $1) order by id`,
    [email],
  );
async function says(path: string, as: string, text: string): Promise<boolean> {
  const answer = await server.call({ method: 'GET', url: path, as, headers: { host: 'www.sideline.localhost' } });
  expect(answer.statusCode).toBe(200);
  return answer.body.includes(text);
}
const ASKED = 'You asked us to delete your account';
const WITHDRAWN = 'We will not delete your account';
/** What a platform admin was told since the test began. */
const toAdmin = async () =>
  (await server.data.emailsTo(admin)).filter(({ subject }) => subject.startsWith('Someone asked')).slice(toldBefore);

describe('whoever asks for the deletion of their account', () => {
  test('without a proven address uses up no email to platform admins', async () => {
    await sql('update users set email_proven_at = null where email = $1', [email]);
    expect((await call('POST', token)).statusCode).toBe(403);
    expect(await toAdmin()).toHaveLength(0);
    await sql('update users set email_proven_at = now() where email = $1', [email]);
    expect((await call('POST', token)).statusCode).toBe(202);
    expect(await toAdmin()).toHaveLength(1);
  });

  test('is told by email, once, and nothing is deleted; platform admins see it', async () => {
    expect((await call('POST', token)).statusCode).toBe(202);
    expect((await call('POST', token)).statusCode).toBe(202);
    expect(await subjects()).toEqual([ASKED]);
    const told = await toAdmin();
    expect(told).toHaveLength(1);
    expect(told.map(({ text }) => text).join()).not.toMatch(new RegExp(`${email}|Lea`));
    expect(await actions()).toEqual([{ action: 'account.deletion_requested' }]);
    expect(await says('/users/me', token, 'Keep my account')).toBe(true);
    expect(await listed()).toMatchObject([{ name: 'Lea Leaver', isDue: false, administers: [people.hawks.path] }]);
    const isOffered = () => says('/admin/erasures', people.tokens.admin, `Erase ${email}`);
    expect([await says('/admin/erasures', people.tokens.admin, email), await isOffered()]).toEqual([true, false]);
    await makeDue();
    expect(await listed()).toMatchObject([{ isDue: true }]);
    expect(await isOffered()).toBe(true);
    await server.signIn(email);
  });

  test('may withdraw it, and ask again', async () => {
    await call('POST', token);
    expect([(await call('DELETE', token)).statusCode, await requests()]).toEqual([204, []]);
    expect((await call('DELETE', token)).statusCode).toBe(204);
    expect(await actions()).toEqual([
      { action: 'account.deletion_requested' },
      { action: 'account.deletion_withdrawn' },
    ]);
    expect(await says('/users/me', token, 'Delete account…')).toBe(true);
    expect((await call('POST', token)).statusCode).toBe(202);
    expect(await requests()).toHaveLength(1);
    // Each is confirmed once; platform admins get one email a day about a person.
    expect(await subjects()).toEqual([ASKED, WITHDRAWN, ASKED]);
    expect(await toAdmin()).toHaveLength(1);
  });

  test('is told when it is done, by the last email to this address', async () => {
    await call('POST', token);
    const erased = await erase();
    expect(erased.statusCode, erased.body).toBe(200);
    expect(await sql('select recipient, subject from mail_outbox where recipient = $1', [email])).toEqual([
      { recipient: email, subject: 'Your account was deleted' },
    ]);
    expect((await call('POST', token)).statusCode).toBe(401);
    expect([await requests(), await listed()]).toEqual([[], []]);
    while ((await server.platform.emailSender.sendDue()) > 0);
    expect(await sql('select from mail_outbox m where m::text ilike $1', [`%${email}%`])).toEqual([]);
  });

  test('is not erased from the list before it is due, nor after they have withdrawn it', async () => {
    await call('POST', token);
    const refused = async () => {
      const answers = [await erase({ requested: true, dry_run: true }), await erase({ requested: true })];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409]);
      expect(answers[1]?.json()).toMatchObject({ error: NOT_REQUESTED });
    };
    await refused();
    await makeDue();
    expect((await erase({ requested: true, dry_run: true })).statusCode).toBe(200);
    await call('DELETE', token);
    await refused();
    expect((await call('POST', token)).statusCode).toBe(202);
    await makeDue();
    expect((await erase({ requested: true })).statusCode).toBe(200);
  });

  test('is not erased from the list while they withdraw it', async () => {
    await call('POST', token);
    await makeDue();
    const lock = `select from deletion_requests where user_id = (select id from users where email = '${email}') for update`;
    const [withdrawn, erased] = await meetAtLock(server.data, { lock, sessions: 2 }, async () => {
      const withdrawing = call('DELETE', token);
      await vi.waitFor(async () => expect(await sql(WAITING_SESSIONS)).toHaveLength(1), 15_000);
      return Promise.all([withdrawing, erase({ requested: true })]);
    });
    expect([withdrawn.statusCode, erased.statusCode]).toEqual([204, 409]);
    expect(await sql('select deleted_at from users where email = $1', [email])).toEqual([{ deleted_at: null }]);
  });

  test('is not listed any more if an older release has erased them', async () => {
    await call('POST', token);
    await sql('update users set deleted_at = now() where email = $1', [email]);
    expect(await listed()).toEqual([]);
    await sql('delete from deletion_requests');
  });

  test('leaves no request that is sent while they are erased', async () => {
    const lock = `select from users where email = '${email}' for update`;
    const [erased] = await meetAtLock(server.data, { lock, sessions: 2 }, async () => {
      const erasing = erase();
      await vi.waitFor(async () => expect(await sql(WAITING_SESSIONS)).toHaveLength(1), 15_000);
      return Promise.all([erasing, call('POST', token)]);
    });
    expect(erased.statusCode, erased.body).toBe(200);
    expect(
      await sql('select from deletion_requests r join users u on u.id = r.user_id where u.deleted_at is not null'),
    ).toEqual([]);
  });
});

describe('no one asks for it', () => {
  test('without a session, or without a password typed recently', async () => {
    expect([(await call('POST', null)).statusCode, (await call('DELETE', null)).statusCode]).toEqual([401, 401]);
    await sql(`update sessions set confirmed_at = now() - interval '11 minutes'`);
    const answer = await call('POST', token);
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { error: CONFIRM_PASSWORD_FIRST }]);
    const wrong = {
      method: 'POST',
      url: '/api/v1/confirm-password',
      as: token,
      payload: { password: 'wrong' },
    } as const;
    expect((await server.call(wrong)).statusCode).toBeGreaterThanOrEqual(400);
    expect((await call('POST', token)).statusCode).toBe(401);
    expect([await requests(), await subjects()]).toEqual([[], []]);
    // Whoever withdraws it deletes nothing.
    expect((await call('DELETE', token)).statusCode).toBe(204);
  });

  test('under an address that is not proven: the orders under it may be someone else’s', async () => {
    await sql('update users set email_proven_at = null where email = $1', [email]);
    const answer = await call('POST', token);
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: CONFIRM_ADDRESS_FIRST }]);
    expect(await requests()).toEqual([]);
  });

  test('for another person, and no one but platform admins sees who asked', async () => {
    await call('POST', token);
    for (const other of [people.tokens.owner, people.tokens.neighbor, people.tokens.foreigner]) {
      expect((await call('DELETE', other)).statusCode).toBe(204);
      await expect(server.app.deletionRequests.listOpen(await callerOf(server, other))).rejects.toMatchObject({
        code: 'forbidden',
      });
    }
    expect(await requests()).toHaveLength(1);
    const outside = await server.data.database.read({ kind: 'tenants', organizationIds: [people.hawks.id] }, (db) =>
      db.selectFrom('deletion_requests').selectAll().execute(),
    );
    expect(outside).toEqual([]);
  });

  test('more than five times an hour', async () => {
    for (let time = 0; time < 5; time++) {
      expect((await call('POST', token)).statusCode).toBe(202);
      await call('DELETE', token);
    }
    expect((await call('POST', token)).statusCode).toBe(429);
    expect((await subjects()).filter((subject) => subject === ASKED)).toHaveLength(5);
  });
});
