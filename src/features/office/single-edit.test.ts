/** Single User Update over HTTP: who can open it, what its address must contain, what is shown and what is written. */
import { beforeAll, describe, expect, test } from 'vitest';
import { KEYS_REQUIRED } from '#src/features/tenancy/processor-keys.contract.ts';
import * as settingsWords from '#src/features/tenancy/settings-words.contract.ts';
import * as words from '#src/features/settings/settings.contract.ts';
import { openGallery, settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, works: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const HOST = 'lakeside.sideline.localhost:3000';
const OWN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
type Ids = { id?: unknown; path?: string; parentId?: unknown; label?: string };

/** The page of the Hawks, with parts of its address replaced. */
function open(as: string | null, ids: Ids = {}, host = HOST) {
  const { id = people.hawks.id, path = 'hawks', parentId = people.parent.id, label = 'hawks' } = ids;
  const cookie = as === null ? {} : { cookie: `token=${as}` };
  const url = `/${label}/user/${String(id)}/${path}/${String(parentId)}/edit`;
  return server.call({ method: 'GET', url, headers: { host, ...OWN, ...cookie } });
}
const put = (as: string | null, id: number | string, affiliate: unknown, userId: number | null = null) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${id}`, as, payload: { affiliate, user_id: userId } });
const userId = async (email: string) =>
  (await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [email]))[0]?.id ?? 0;

describe('the page', () => {
  test('shows all data of an affiliate and of a parent, on any host', async () => {
    const answer = await open(people.tokens.admin);
    expect(answer.statusCode).toBe(200);
    for (const text of [
      words.SINGLE_EDIT_TITLE,
      'Other contact info',
      'Theme details',
      'Sponsor ads',
      'Colors',
      words.RESET,
    ])
      expect(answer.body).toContain(text);
    const parent = await open(people.tokens.admin, { id: people.parent.id, path: 'lakeside', label: 'lakeside' });
    expect([parent.statusCode, parent.body.includes(words.SINGLE_EDIT_TITLE)]).toEqual([200, true]);
    const ids = { id: people.stranger.id, path: 'riverside', parentId: people.stranger.id, label: 'www' };
    expect((await open(people.tokens.admin, ids, 'www.sideline.localhost:3000')).statusCode).toBe(200);
  });

  test.each([
    ['a visitor', () => null, 302],
    ['the owner', () => people.tokens.owner, 403],
    ['the parent’s member', () => people.tokens.parentMember, 403],
    ['a neighbor', () => people.tokens.neighbor, 403],
    ['a foreigner', () => people.tokens.foreigner, 403],
  ])('is closed to %s', async (_who, token, status) => {
    const answer = await open(token());
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toContain('hawks@clubs.test');
    if (status === 302) expect(answer.headers.location).toMatch(/^\/login\?redirect=%2Fhawks%2Fuser%2F/);
  });

  test.each<[string, (n: Neighborhood) => Ids, string]>([
    ['an unused number', () => ({ id: 999_999 }), words.ORGANIZATION_FETCH_FAILED],
    ['no number', () => ({ id: 'abc' }), words.ORGANIZATION_FETCH_FAILED],
    ['a negative number', () => ({ id: '-3' }), words.ORGANIZATION_FETCH_FAILED],
    ['the number of a neighbor', (n) => ({ id: n.tides.id }), words.AFFILIATE_FETCH_FAILED],
    ['the path of a neighbor', () => ({ path: 'tides' }), words.AFFILIATE_FETCH_FAILED],
    ['an unused path', () => ({ path: 'eagles' }), words.AFFILIATE_FETCH_FAILED],
    ['another parent', (n) => ({ parentId: n.stranger.id }), words.AFFILIATE_FETCH_FAILED],
    ['a parent that is none', () => ({ parentId: 'x' }), words.AFFILIATE_FETCH_FAILED],
    ['the parent’s number and the child’s path', (n) => ({ id: n.parent.id }), words.AFFILIATE_FETCH_FAILED],
  ])('says so for %s, and shows nothing', async (_what, ids, sentence) => {
    const answer = await open(people.tokens.admin, ids(people));
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain(sentence);
    expect(answer.body).not.toMatch(/(hawks|tides)@clubs\.test/);
  });

  test('redirects from a former path to the current one', async () => {
    await put(people.tokens.admin, people.hawks.id, { domain_name: 'hawks-fc' });
    const answer = await open(people.tokens.admin, { label: 'tides' });
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      `/tides/user/${people.hawks.id}/hawks-fc/${people.parent.id}/edit`,
    ]);
    await put(people.tokens.admin, people.hawks.id, { domain_name: 'hawks' });
  });

  test('says that an organization has no members', async () => {
    const id = await server.app.organizations.create({
      kind: 'affiliate',
      name: 'Nobody yet',
      domainName: 'nobody-yet',
      parentOrganizationId: people.parent.id,
      contactName: null,
      contactEmail: null,
      freeTier: true,
    });
    const answer = await open(people.tokens.admin, { id, path: 'nobody-yet' });
    expect(answer.body).toContain(words.NO_USER);
    expect(answer.body).toContain(settingsWords.NO_USER_FOR_PASSWORD);
    const refused = await put(people.tokens.admin, id, {
      password: 'seven red kites',
      confirm_password: 'seven red kites',
    });
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { error: settingsWords.NO_USER_FOR_PASSWORD }]);
  });
});

describe('the update', () => {
  test('reports all problems at once', async () => {
    const answer = await put(people.tokens.admin, people.hawks.id, {
      name: '',
      contact_name: ' ',
      domain_name: '',
      password: 'seven red kites',
      confirm_password: 'other',
      default_photo_price: 101,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: {
        name: [settingsWords.ORGANIZATION_NAME_REQUIRED],
        contact_name: [settingsWords.CONTACT_NAME_REQUIRED],
        domain_name: [settingsWords.DOMAIN_NAME_REQUIRED],
        confirm_password: [settingsWords.PASSWORDS_DO_NOT_MATCH],
      },
    });
  });

  test('requires both keys, and a number', async () => {
    const keys = await put(people.tokens.admin, people.hawks.id, {
      can_add_custom_payment: true,
      processor_info: { stripe_pk: '', stripe_sk: '' },
    });
    expect(keys.json()).toMatchObject({ errors: { stripe_pk: [KEYS_REQUIRED], stripe_sk: [KEYS_REQUIRED] } });
    const nowhere = await put(people.tokens.admin, '', { name: 'Nowhere' });
    expect([nowhere.statusCode, nowhere.json()]).toMatchObject([422, { error: settingsWords.AFFILIATE_ID_MISSING }]);
  });

  test('of one organization with the body of another writes neither', async () => {
    const before = await server.data.ownerQuery('select id, name from organizations order by id');
    const answer = await put(people.tokens.admin, people.tides.id, { id: people.hawks.id, name: 'Stolen' });
    expect(answer.statusCode).toBe(404);
    expect(await server.data.ownerQuery('select id, name from organizations order by id')).toEqual(before);
  });

  test('of a member’s password ends their sessions, emails them, adds an entry to the log, and never logs the password', async () => {
    const own = await settleAnother(server);
    const email = own.emails.owner;
    const word = 'four green herons';
    const coach = await server.signIn(email);
    const whole = { password: word, confirm_password: word };
    const answer = await put(own.tokens.admin, own.hawks.id, whole, await userId(own.emails.owner));
    expect(answer.statusCode).toBe(200);
    expect((await server.call({ method: 'GET', url: '/users/current', as: coach })).statusCode).toBe(401);
    await server.signIn(email, word);
    const [owner] = await server.data.ownerQuery('select must_change_password as must from users where email = $1', [
      email,
    ]);
    expect(owner).toEqual({ must: true });
    const sentEmails = await server.data.ownerQuery(
      'select subject, html from mail_outbox where recipient = $1 order by id desc limit 1',
      [email],
    );
    expect(sentEmails).toMatchObject([{ subject: 'Your password was changed' }]);
    const [line] = await server.data.ownerQuery(
      "select actor_id, details from audit_log where action = 'organization.password_changed' and organization_id = $1",
      [own.hawks.id],
    );
    expect(line).toEqual({
      actor_id: await userId(own.emails.admin),
      details: { user_id: await userId(own.emails.owner) },
    });
    expect(JSON.stringify([sentEmails, line, answer.json()])).not.toContain(word);
  });

  test('of another organization’s user under this one is refused', async () => {
    const word = { password: 'four green herons', confirm_password: 'four green herons' };
    const answer = await put(people.tokens.admin, people.hawks.id, word, await userId(people.emails.neighbor));
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { error: settingsWords.NO_USER_FOR_PASSWORD }]);
    await server.signIn('neighbor@people.test', TEST_PASSWORD);
  });
});

describe('members', () => {
  const list = (as: string | null, id = people.hawks.id) =>
    server.call({ method: 'GET', url: `/api/v1/organizations/${id}/members`, as });
  const send = (as: string | null, member: number, id = people.hawks.id) =>
    server.call({ method: 'POST', url: `/api/v1/organizations/${id}/members/${member}/password_letter`, as });

  test('are listed with their last login', async () => {
    const answer = await list(people.tokens.admin);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([
      expect.objectContaining({ email: 'owner@people.test', role: 2, role_id: 1, last_sign_in: expect.any(String) }),
    ]);
    expect((await list(people.tokens.admin, 999_999)).statusCode).toBe(404);
  });

  test('get an email with a link to choose a password, and the log an entry', async () => {
    const owner = await userId(people.emails.owner);
    expect((await send(people.tokens.admin, owner)).statusCode).toBe(202);
    const subjects = () =>
      server.data.ownerQuery(
        "select subject from mail_outbox where recipient = 'owner@people.test' and subject = 'Choose a new password'",
      );
    await expect.poll(subjects).toHaveLength(1);
    expect(
      await server.data.ownerQuery("select details from audit_log where action = 'organization.password_letter_sent'"),
    ).toEqual([{ details: { user_id: owner } }]);
  });

  test('are hidden from others, who cannot email them either', async () => {
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.foreigner]) {
      expect((await list(token)).statusCode).toBe(403);
      expect((await send(token, await userId(people.emails.owner))).statusCode).toBe(403);
    }
    expect((await list(null)).statusCode).toBe(401);
    expect((await send(people.tokens.admin, await userId(people.emails.neighbor))).statusCode).toBe(404);
  });
});

describe('deleted galleries', () => {
  const list = (as: string | null, after = '') =>
    server.call({ method: 'GET', url: `/api/v1/affiliates/${people.tides.id}/deleted_galleries${after}`, as });
  const names = (answer: Awaited<ReturnType<typeof list>>) =>
    answer.json<{ galleries: { name: string }[] }>().galleries.map(({ name }) => name);

  test('are listed page by page, can be restored within the plan, and add an entry to the log', async () => {
    const ids: number[] = [];
    for (let number = 1; number <= 12; number++) {
      const id = await openGallery(server, people.tokens.neighbor, people.tides.id, { name: `Meet ${number}` });
      ids.push(id);
      await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: people.tokens.neighbor });
    }
    const first = await list(people.tokens.admin);
    expect(names(first)).toEqual(Array.from({ length: 10 }, (_, index) => `Meet ${12 - index}`));
    const next = first.json<{ next: string }>().next;
    const second = await list(people.tokens.admin, `?after=${encodeURIComponent(next)}`);
    expect([names(second), second.json<{ next: null }>().next]).toEqual([['Meet 2', 'Meet 1'], null]);
    const bringBack = (id: number | undefined, as = people.tokens.admin) =>
      server.call({ method: 'PUT', url: `/api/v1/galleries/${id}`, as, payload: { gallery: { active: true } } });
    expect((await bringBack(ids[0], people.tokens.neighbor)).statusCode).toBe(403);
    // Both at once: a free account has one active gallery.
    const both = await Promise.all([bringBack(ids[0]), bringBack(ids[1])]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403]);
    expect(
      await server.data.ownerQuery("select organization_id from audit_log where action = 'gallery.brought_back'"),
    ).toEqual([{ organization_id: people.tides.id }]);
    expect((await list(people.tokens.admin, '?after=bogus')).statusCode).toBe(422);
  });

  test('are shown to platform admins only', async () => {
    expect((await list(null)).statusCode).toBe(401);
    expect((await list(people.tokens.neighbor)).statusCode).toBe(403);
  });
});
