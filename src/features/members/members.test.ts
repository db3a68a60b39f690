/** Who has access to an organization: given and removed by platform admins, over HTTP. */
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import * as words from '#src/features/members/members.contract.ts';
import { openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

type Body = { email?: unknown; first_name?: unknown; last_name?: unknown };
const at = (id: number | string, rest = '') => `/api/v1/organizations/${id}/members${rest}`;
const add = (as: string | null, payload: Body, id: number = people.hawks.id) =>
  server.call({ method: 'POST', url: at(id), as, payload });
const remove = (as: string | null, member: number, id: number = people.hawks.id) =>
  server.call({ method: 'DELETE', url: at(id, `/${member}`), as });
const userId = async (email: string) =>
  (await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [email]))[0]?.id ?? 0;
const actions = async () =>
  (
    await server.data.ownerQuery<{ line: string }>(
      "select action || ' ' || actor_id || ' ' || organization_id || ' ' || details::text as line from audit_log where action like 'organization.member%' and organization_id = $1 order by id",
      [people.hawks.id],
    )
  ).map(({ line }) => line);
/** Whether the user sees the galleries of the Hawks, including the password of a locked one. */
const reaches = async (token: string, galleryId: number) =>
  (await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as: token })).body.includes(
    'goalkeeper',
  );

describe('a new member', () => {
  test('gets an account, access, and an email with a link to choose a password; the log gets a line', async () => {
    const answer = await add(people.tokens.admin, {
      email: ' Nora@New.test ',
      first_name: 'Nora',
      last_name: 'Lind',
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      { email: 'nora@new.test', first_name: 'Nora', role: 2, role_id: 1, last_sign_in: null, is_new: true },
    ]);
    const [sentEmail, ...others] = await server.data.emailsTo('nora@new.test');
    expect([sentEmail?.subject, others]).toEqual(['Your Sideline account is ready', []]);
    const link = new URL(/https?:\/\/\S*update-password\S*/.exec(sentEmail?.text ?? '')?.[0] ?? 'http://none');
    expect([link.hostname, link.searchParams.get('redirect')]).toEqual([
      `${people.parent.path}.sideline.localhost`,
      `/${people.hawks.path}/dashboard`,
    ]);
    const user = {
      password: 'nine fine pines',
      reset_password_token: link.searchParams.get('reset_password_token'),
    };
    expect((await server.call({ method: 'PUT', url: '/password', payload: { user } })).statusCode).toBe(204);
    const token = await server.signIn('nora@new.test', 'nine fine pines');
    const me = await server.call({ method: 'GET', url: '/users/current', as: token });
    expect(me.json()).toMatchObject([{ organizations: [{ id: people.hawks.id, role: 2 }] }]);
    const [admin, nora] = [await userId(people.emails.admin), await userId('nora@new.test')];
    expect(await actions()).toEqual([
      `organization.member_added ${admin} ${people.hawks.id} {"is_new": true, "user_id": ${nora}}`,
    ]);
  });

  test('needs names; an invalid address is reported', async () => {
    expect((await add(people.tokens.admin, { email: 'who@new.test', first_name: ' ' })).json()).toMatchObject({
      errors: { first_name: [words.NEW_PERSON_FIRST_NAME], last_name: [words.NEW_PERSON_LAST_NAME] },
    });
    for (const email of ['', 'nobody', null, undefined, 7]) {
      const answer = await add(people.tokens.admin, { email, first_name: 'A', last_name: 'B' });
      expect([answer.statusCode, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, ['email']]);
    }
    expect(await userId('who@new.test')).toBe(0);
  });

  test('added twice at the same time gets one account and one email', async () => {
    const twice = { email: 'twin@new.test', first_name: 'Tess', last_name: 'Win' };
    const answers = await Promise.all([add(people.tokens.admin, twice), add(people.tokens.admin, twice)]);
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 201)).toHaveLength(1);
    expect(answers.every(({ statusCode }) => [201, 409, 422].includes(statusCode))).toBe(true);
    expect(await server.data.emailsTo('twin@new.test')).toHaveLength(1);
  });

  test('of a parent lands on its report', async () => {
    const body = { email: 'para@new.test', first_name: 'Para', last_name: 'Lind' };
    expect((await add(people.tokens.admin, body, people.parent.id)).statusCode).toBe(201);
    expect((await server.data.emailsTo('para@new.test'))[0]?.text).toContain(
      `redirect=%2F${people.parent.path}%2Freport`,
    );
  });
});

describe('a member with an account', () => {
  test('keeps it, gets access immediately, and an email without a password link', async () => {
    const token = people.tokens.foreigner;
    const email = people.emails.foreigner;
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
      password_required: true,
      password: 'goalkeeper',
    });
    expect(await reaches(token, galleryId)).toBe(false);
    const answer = await add(people.tokens.admin, { email, first_name: 'Other' });
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { first_name: 'foreigner', is_new: false }]);
    expect(await reaches(token, galleryId)).toBe(true);
    const [sentEmail, ...others] = await server.data.emailsTo(email);
    expect([sentEmail?.subject, others]).toEqual([`You now manage ${people.hawks.path} on Sideline`, []]);
    expect(sentEmail?.text).toContain(
      `http://${people.parent.path}.sideline.localhost:3000/${people.hawks.path}/dashboard`,
    );
    expect(sentEmail?.text).not.toContain('reset_password_token');

    const again = await add(people.tokens.admin, { email: email.toUpperCase() });
    expect([again.statusCode, again.json()]).toMatchObject([422, { errors: { email: [words.HAS_ACCESS_ALREADY] } }]);

    // And it ends in the same open session; the user's other organizations stay.
    const [admin, foreigner] = [await userId(people.emails.admin), await userId(email)];
    expect((await remove(people.tokens.admin, foreigner)).statusCode).toBe(204);
    expect(await reaches(token, galleryId)).toBe(false);
    const me = await server.call({ method: 'GET', url: '/users/current', as: token });
    expect(me.json()).toMatchObject([{ organizations: [{ id: people.stranger.id }] }]);
    expect((await server.data.emailsTo(email)).at(-1)?.subject).toBe(`Your access to ${people.hawks.path} has ended`);
    expect((await actions()).at(-1)).toBe(
      `organization.member_removed ${admin} ${people.hawks.id} {"user_id": ${foreigner}}`,
    );
    expect((await remove(people.tokens.admin, foreigner)).statusCode).toBe(404);
  });

  test('whose address no one has confirmed gets access only with the emailed link', async () => {
    const [token, email] = [people.tokens.foreigner, people.emails.foreigner];
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, {
      password_required: true,
      password: 'goalkeeper',
    });
    await server.data.ownerQuery('update users set email_proven_at = null where email = $1', [email]);
    const answer = await add(people.tokens.admin, { email, first_name: 'Nora', last_name: 'Lind' });
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { first_name: 'Nora', is_new: true }]);
    expect(await reaches(token, galleryId)).toBe(false);
    expect((await server.data.emailsTo(email)).at(-1)?.text).toContain('reset_password_token');
    expect((await actions()).at(-1)).toContain('organization.member_invited');
  });
});

describe('removing a member', () => {
  test('closes the user’s open event streams of a gallery, in every process', async () => {
    const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
    const events = (as: string) =>
      server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/events`, as, payloadAsStream: true });
    const email = people.emails.foreigner;
    await add(people.tokens.admin, { email });
    const [theirs, kept] = [
      (await events(people.tokens.foreigner)).stream(),
      (await events(people.tokens.owner)).stream(),
    ];
    const ended = text(theirs);
    expect((await remove(people.tokens.admin, await userId(email))).statusCode).toBe(204);
    expect(await ended).not.toContain('event:');
    expect(kept.readableEnded).toBe(false);
    kept.destroy();
    expect((await events(people.tokens.foreigner)).statusCode).toBe(404);
  });

  test('logs out a user without another organization', async () => {
    const { stranger, tokens, emails } = people;
    const me = () => server.call({ method: 'GET', url: '/users/current', as: tokens.foreigner });
    // Another administrator stays.
    await add(tokens.admin, { email: emails.neighbor }, stranger.id);
    expect((await me()).statusCode).toBe(200);
    expect((await remove(tokens.admin, await userId(emails.foreigner), stranger.id)).statusCode).toBe(204);
    expect((await me()).statusCode).toBe(401);
  });

  test('ends a waiting invitation', async () => {
    await add(people.tokens.admin, { email: 'waits@new.test', first_name: 'Willa', last_name: 'Waits' });
    const invited = await userId('waits@new.test');
    const links = () => server.data.ownerQuery('select 1 from password_resets where user_id = $1', [invited]);
    expect(await links()).toHaveLength(1);
    expect((await remove(people.tokens.admin, invited)).statusCode).toBe(204);
    expect(await links()).toEqual([]);
  });

  test('always leaves an administrator, also when two are removed at the same time', async () => {
    const owner = await userId(people.emails.owner);
    const alone = await remove(people.tokens.admin, owner);
    expect([alone.statusCode, alone.json()]).toMatchObject([409, { error: words.LAST_ADMINISTRATOR }]);
    // An invited person who never chose a password cannot sign in either.
    await add(people.tokens.admin, { email: 'invited@new.test', first_name: 'Ines', last_name: 'Invited' });
    expect((await remove(people.tokens.admin, owner)).statusCode).toBe(409);
    expect((await remove(people.tokens.admin, await userId('invited@new.test'))).statusCode).toBe(204);
    await add(people.tokens.admin, { email: people.emails.neighbor });
    const neighbor = await userId(people.emails.neighbor);
    const both = await Promise.all([remove(people.tokens.admin, owner), remove(people.tokens.admin, neighbor)]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 409]);
    expect(
      await server.data.ownerQuery('select 1 from memberships where organization_id = $1', [people.hawks.id]),
    ).toHaveLength(1);
  });
});

test('only platform admins give and remove access, and only for members of that organization', async () => {
  const { tokens, emails } = people;
  const owner = await userId(emails.owner);
  for (const token of [tokens.neighbor, tokens.parentMember, tokens.foreigner, tokens.owner]) {
    expect((await add(token, { email: 'spy@new.test', first_name: 'S', last_name: 'P' })).statusCode).toBe(403);
    expect((await remove(token, owner, people.tides.id)).statusCode).toBe(403);
  }
  expect((await add(null, { email: 'spy@new.test' })).statusCode).toBe(401);
  expect((await remove(null, owner)).statusCode).toBe(401);
  expect((await remove(tokens.admin, await userId(emails.foreigner), people.tides.id)).statusCode).toBe(404);
  expect((await add(tokens.admin, { email: 'spy@new.test' }, 999_999)).statusCode).toBe(404);
  expect(await userId('spy@new.test')).toBe(0);
});
