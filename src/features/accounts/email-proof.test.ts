/** A sign-up with someone else's address gives the attacker nothing of theirs (rule 53). */
import { beforeAll, describe, expect, test } from 'vitest';
import { PROOF_DAYS, PROOF_LINK_INVALID } from '#src/features/accounts/email-proof.contract.ts';
import { NEW_PERSON_FIRST_NAME, NEW_PERSON_LAST_NAME } from '#src/features/members/members.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

let now = new Date();
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1' }, clock: { now: () => now } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const ATTACKER_NAME = 'Visit http://evil.example';
const PASSWORD = 'nine fine pines';
let count = 0;

async function signUp(email: string, from = `198.51.100.${++count}`): Promise<string> {
  const path = `squat-${++count}`;
  const answer = await server.call({
    method: 'POST',
    url: '/signup/',
    remoteAddress: from,
    payload: {
      user: { first_name: ATTACKER_NAME, last_name: 'Now', email, password: PASSWORD },
      affiliateInfo: { affiliateOrg: ATTACKER_NAME, affiliateName: path, domain_name: path },
      org: { id: 1 },
      freeTier: true,
      agreeToTerms: true,
      confirmAgeAndPlace: true,
    },
  });
  expect(answer.statusCode).toBe(200);
  return /^Bearer (.+)$/.exec(String(answer.headers['authorization']))?.[1] ?? '';
}

const linkIn = (email: { text: string } | undefined, page: string) =>
  new URL(new RegExp(`https?://\\S*/${page}\\S*`).exec(email?.text ?? '')?.[0] ?? 'http://none');
const proofToken = async (address: string) =>
  linkIn(
    (await server.data.emailsTo(address)).find(({ subject }) => subject.startsWith('Confirm')),
    'confirm-email',
  ).searchParams.get('token');
const isProven = async (as: string) =>
  (await server.call({ method: 'GET', url: '/users/current', as })).json<[{ email_proven: boolean }]>()[0].email_proven;
const confirm = (as: string | null, token: unknown) =>
  server.call({ method: 'POST', url: '/api/v1/confirm-email', as, payload: { token } });
const addMember = (payload: object, id = people.hawks.id) =>
  server.call({ method: 'POST', url: `/api/v1/organizations/${id}/members`, as: people.tokens.admin, payload });
const choose = (link: URL, password: string) =>
  server.call({
    method: 'PUT',
    url: '/password',
    payload: { user: { password, reset_password_token: link.searchParams.get('reset_password_token') } },
  });
const reads = async (as: string) =>
  (await server.call({ method: 'GET', url: `/api/v1/affiliates/${people.hawks.id}/galleries`, as })).statusCode;

describe('a stranger signs up with someone else’s address, which is then given access', () => {
  test('and gets nothing: no access, no influence on the invitation, and its name is not shown to the admin', async () => {
    const email = 'principal@school.test';
    const attacker = await signUp(email);
    expect(await reads(attacker)).toBe(404);

    // Names are required as for an unknown person: those of the account may be anyone's.
    const nameless = await addMember({ email });
    expect([nameless.statusCode, nameless.json()]).toMatchObject([
      422,
      { errors: { first_name: [NEW_PERSON_FIRST_NAME], last_name: [NEW_PERSON_LAST_NAME] } },
    ]);
    const added = await addMember({ email, first_name: 'Petra', last_name: 'Principal' });
    expect([added.statusCode, added.json()]).toMatchObject([
      201,
      { first_name: 'Petra', last_name: 'Principal', last_sign_in: null, is_new: true, is_invited: true },
    ]);
    const list = await server.call({
      method: 'GET',
      url: `/api/v1/organizations/${people.hawks.id}/members`,
      as: people.tokens.admin,
    });
    for (const body of [nameless.body, added.body, list.body]) expect(body).not.toContain('evil');
    expect(list.json()).toContainEqual(expect.objectContaining({ email, is_invited: true }));

    expect(await reads(attacker)).toBe(404);
    expect(await reads(await server.signIn(email, PASSWORD))).toBe(404);
    const me = await server.call({ method: 'GET', url: '/users/current', as: attacker });
    expect(me.json<[{ organizations: unknown[] }]>()[0].organizations).toHaveLength(1);
    for (const { html, text } of await server.data.emailsTo(email)) expect(html + text).not.toContain('evil');
  });

  test('the emailed link gives access to the owner of the address only', async () => {
    const email = 'dean@school.test';
    const attacker = await signUp(email);
    expect((await addMember({ email, first_name: 'Petra', last_name: 'Principal' })).statusCode).toBe(201);
    const invitation = (await server.data.emailsTo(email)).findLast(
      ({ subject }) => subject === 'Your Sideline account is ready',
    );
    const link = linkIn(invitation, 'update-password');
    expect(link.searchParams.get('redirect')).toBe('/hawks/dashboard');
    expect((await choose(link, 'ten tame tigers')).statusCode).toBe(204);
    expect((await server.call({ method: 'GET', url: '/users/current', as: attacker })).statusCode).toBe(401);
    await expect(server.signIn(email, PASSWORD)).rejects.toThrow('Invalid email or password.');
    const owner = await server.signIn(email, 'ten tame tigers');
    expect(await reads(owner)).toBe(200);
    const [{ organizations }] = (await server.call({ method: 'GET', url: '/users/current', as: owner })).json<
      [{ organizations: { id: number; name: string }[] }]
    >();
    // A login lands on the first, and the attacker may still know the other one's links.
    expect(organizations).toMatchObject([{ id: people.hawks.id }, { name: ATTACKER_NAME }]);
    const me = await server.call({ method: 'GET', url: '/users/current', as: owner });
    expect(me.json()).toMatchObject([{ first_name: 'Petra', last_name: 'Principal', email_proven: true }]);
    expect((await addMember({ email })).statusCode).toBe(422);
  });

  test('access that is removed before the link was followed never starts', async () => {
    const other = 'caretaker@school.test';
    await signUp(other);
    const added = await addMember({ email: other, first_name: 'Carl', last_name: 'Taker' });
    const { id } = added.json<{ id: number }>();
    const url = `/api/v1/organizations/${people.hawks.id}/members/${id}`;
    expect((await server.call({ method: 'DELETE', url, as: people.tokens.admin })).statusCode).toBe(204);
    expect((await server.call({ method: 'DELETE', url, as: people.tokens.admin })).statusCode).toBe(404);
    const invitation = (await server.data.emailsTo(other)).findLast(({ subject }) =>
      subject.startsWith('Your Sideline account'),
    );
    expect((await choose(linkIn(invitation, 'update-password'), 'ten tame tigers')).statusCode).toBe(204);
    expect(await reads(await server.signIn(other, 'ten tame tigers'))).toBe(404);
  });

  test('the owner gets a squatted address back by the password link', async () => {
    const squatted = 'squatted@families.test';
    const attacker = await signUp(squatted);
    await server.app.passwords.sendReset(squatted);
    const reset = (await server.data.emailsTo(squatted)).at(-1);
    expect(reset?.html).not.toContain('evil');
    expect((await choose(linkIn(reset, 'update-password'), 'ten tame tigers')).statusCode).toBe(204);
    expect((await server.call({ method: 'GET', url: '/users/current', as: attacker })).statusCode).toBe(401);
    expect(await isProven(await server.signIn(squatted, 'ten tame tigers'))).toBe(true);
  });
});

describe('the welcome email', () => {
  test('proves the address in the session of its account only, until it expires', async () => {
    const email = 'kim@families.test';
    const kim = await signUp(email);
    const stranger = await signUp('stranger@families.test');
    const token = await proofToken(email);
    expect(token).toMatch(/^\d+\.[\w-]{43}$/);
    expect((await confirm(null, token)).statusCode).toBe(401);
    for (const [as, shown] of [
      [stranger, token],
      [kim, await proofToken('stranger@families.test')],
      [kim, `9${token}`],
      [kim, '1.x'],
      [kim, 'x'.repeat(300)],
      [kim, 7],
    ] as const) {
      const refused = await confirm(as, shown);
      expect([refused.statusCode, refused.json()]).toMatchObject([422, { error: PROOF_LINK_INVALID }]);
    }
    now = new Date(Date.now() + (PROOF_DAYS + 1) * 86_400_000);
    expect((await confirm(kim, token)).statusCode).toBe(422);
    now = new Date();
    expect(await isProven(kim)).toBe(false);
    expect((await confirm(kim, token)).statusCode).toBe(204);
    expect((await confirm(kim, token)).statusCode).toBe(204);
    expect(await isProven(kim)).toBe(true);
  });

  test('can be sent again, a few times an hour, and not to a proven address', async () => {
    const email = 'again@families.test';
    const session = await signUp(email);
    const again = () => server.call({ method: 'POST', url: '/api/v1/confirm-email/link', as: session });
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push((await again()).statusCode);
    expect(answers).toEqual([202, 202, 202, 202, 429, 429]);
    expect(await server.data.emailsTo(email)).toHaveLength(5);
    expect((await confirm(session, await proofToken(email))).statusCode).toBe(204);
    expect((await again()).statusCode).toBe(202);
    expect(await server.data.emailsTo(email)).toHaveLength(5);
  });

  test('of one sender goes to 60 addresses an hour; the account is opened regardless', async () => {
    const from = '203.0.113.7';
    await Promise.all(
      Array.from({ length: 60 }, () =>
        server.platform.limits.take({ bucket: `proof:ip:${from}`, limit: 60, windowSeconds: 3_600 }),
      ),
    );
    await signUp('sixtyfirst@families.test', from);
    expect(await server.data.emailsTo('sixtyfirst@families.test')).toEqual([]);
  });
});

test('emails that a stranger caused are not sent when the address’s owner takes over the account', async () => {
  const email = 'written-for@families.test';
  const stranger = await signUp(email);
  const me = await server.call({ method: 'GET', url: '/users/current', as: stranger });
  const clubId = me.json<[{ organizations: [{ id: number }] }]>()[0].organizations[0].id;
  const galleryId = await openGallery(server, stranger, clubId);
  const payload = { email: 'victim@families.test', gallery_id: galleryId };
  const url = `/api/v1/affiliates/${clubId}/collaborator`;
  expect((await server.call({ method: 'POST', url, as: stranger, payload })).statusCode).toBeLessThan(300);
  expect((await server.data.emailsTo('victim@families.test')).map(({ held }) => held)).toEqual([true]);
  await server.app.passwords.sendReset(email);
  const link = linkIn((await server.data.emailsTo(email)).at(-1), 'update-password');
  expect((await choose(link, 'ten tame tigers')).statusCode).toBe(204);
  expect(await server.data.emailsTo('victim@families.test')).toEqual([]);
});

test('emails to others wait for the confirmation, and are then sent', async () => {
  const email = 'host@families.test';
  const session = await signUp(email);
  const me = await server.call({ method: 'GET', url: '/users/current', as: session });
  const clubId = me.json<[{ organizations: [{ id: number }] }]>()[0].organizations[0].id;
  const galleryId = await openGallery(server, session, clubId);
  const invite = (to: string) =>
    server.call({
      method: 'POST',
      url: `/api/v1/affiliates/${clubId}/collaborator`,
      as: session,
      payload: { email: to, gallery_id: galleryId },
    });
  const invited = await invite('helper@families.test');
  expect([200, 201, 204]).toContain(invited.statusCode);
  expect((await server.data.emailsTo('helper@families.test')).map(({ held }) => held)).toEqual([true]);
  // Sent emails keep no text.
  const proof = await proofToken(email);
  await server.platform.emailSender.sendDue();
  const sentTo = (to: string) =>
    server.data.ownerQuery('select 1 from mail_outbox where recipient = $1 and sent_at is not null', [to]);
  expect(await sentTo('helper@families.test')).toEqual([]);
  expect((await confirm(session, proof)).statusCode).toBe(204);
  expect((await server.data.emailsTo('helper@families.test')).map(({ held }) => held)).toEqual([false]);
  await server.platform.emailSender.sendDue();
  expect(await sentTo('helper@families.test')).toHaveLength(1);
  await invite('other@families.test');
  expect((await server.data.emailsTo('other@families.test')).map(({ held }) => held)).toEqual([false]);
});
