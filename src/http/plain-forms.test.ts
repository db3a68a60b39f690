/** The forms of pages, as a browser without JavaScript sends them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { EXPERT_THANKS } from '#src/features/marketing/talk-to-expert.contract.ts';
import { CHANGE_LINK_INVALID } from '#src/features/sign-in/email-changes.contract.ts';
import { CARD_NEEDS_SCRIPT } from '#src/features/sign-up/sign-up.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const HOST = 'www.sideline.localhost:3000';

/** Responses as the browser sees them; `from` is what it says about the page of the form. */
async function send(
  path: string,
  fields: Record<string, string>,
  { host = HOST, origin = `http://${host}`, as = '' }: { host?: string; origin?: string; as?: string } = {},
) {
  const answer = await server.built.server.inject({
    method: 'POST',
    url: path,
    headers: {
      host,
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': origin === `http://${host}` || origin === 'null' ? 'same-origin' : 'cross-site',
      origin,
      cookie: `token=${as}`,
    },
    payload: String(new URLSearchParams(fields)),
  });
  return {
    status: answer.statusCode,
    to: answer.headers.location,
    type: String(answer.headers['content-type']),
    // The visible text: without the data for the script, which repeats everything.
    page: answer.body.replaceAll(/<script\b[^>]*>.*?<\/script>/gs, '').replaceAll('&#x27;', "'"),
    whole: answer.body,
    cookie: answer.cookies.find(({ name }) => name === 'token'),
  };
}

const emailedLink = async (to: string) => {
  const newest = (await server.data.emailsTo(to)).at(-1);
  return new URL(/https?:\/\/\S*update-password\S*/.exec(newest?.text ?? '')?.[0] ?? 'http://none');
};

describe('/login', () => {
  test('reports missing fields, keeps the address, and never sends a password back', async () => {
    const empty = await send('/login', { email: ' ', password: '' });
    expect([empty.status, empty.type]).toEqual([422, 'text/html; charset=utf-8']);
    for (const message of ['Email is required to log in.', 'Password is required to log in.'])
      expect(empty.page).toContain(message);
    const wrong = await send('/login', { email: 'owner@people.test', password: 'not my password' });
    expect(wrong.status).toBe(401);
    expect(wrong.page).toContain('Invalid email or password.');
    expect(wrong.page).toContain('value="owner@people.test"');
    expect(wrong.whole).not.toContain('not my password');
    expect(wrong.cookie).toBeUndefined();
    const atLocalhost = await send('/login', { email: 'owner@people.test', password: '' }, { host: 'localhost:3000' });
    expect([atLocalhost.status, atLocalhost.page.includes('value="owner@people.test"')]).toEqual([422, true]);
  });

  test('is not found on a host that no organization has', async () => {
    const right = { email: 'owner@people.test', password: TEST_PASSWORD };
    const answer = await send('/login', right, { host: 'nobody.sideline.localhost:3000' });
    expect([answer.status, answer.cookie]).toEqual([404, undefined]);
    expect(answer.page).toContain('This page cannot be found.');
  });

  test('leads to the dashboard on its own host, or to the requested page', async () => {
    const right = { email: 'owner@people.test', password: TEST_PASSWORD };
    const inside = await send('/login', right);
    expect([inside.status, inside.to]).toEqual([303, 'http://lakeside.sideline.localhost:3000/hawks/dashboard']);
    expect(inside.cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect((await send('/login?redirect=%2Fhawks%2Fsettings', right)).to).toBe('/hawks/settings');
    expect((await send('/login?redirect=%2F%2Fevil.test', right)).to).toMatch(/hawks\/dashboard$/);
  });

  test('leads platform admins to their report, and a user without an organization to the home page with a message', async () => {
    expect((await send('/login', { email: 'admin@people.test', password: TEST_PASSWORD })).to).toBe('/admin-report');
    await server.app.accounts.createUser({
      email: 'nobody@people.test',
      firstName: 'No',
      lastName: 'Body',
      password: TEST_PASSWORD,
      roleId: 1,
      administers: [],
    });
    const { to } = await send('/login', { email: 'nobody@people.test', password: TEST_PASSWORD });
    expect(new URL(String(to), 'http://x').searchParams.get('notice')).toBe('Your account has no organization yet.');
  });

  test('still accepts the JSON call at the same address, which is the documented one', async () => {
    expect(await server.signIn('owner@people.test')).toMatch(/^[\w-]{43}$/);
    const { body } = await server.call({ method: 'GET', url: '/api/openapi.json' });
    const { summary, requestBody } = JSON.parse(body).paths['/login'].post;
    expect([typeof summary, Object.keys(requestBody.content)]).toEqual(['string', ['application/json']]);
  });
});

describe('a forgotten password', () => {
  test('is replaced: from the form to the email to the new password', async () => {
    const wrong = await send('/forgot-password', { email: 'nobody' });
    expect([wrong.status, wrong.page.includes('email Invalid email address')]).toEqual([422, true]);
    expect(wrong.page).toContain('value="nobody"');
    const asked = await send('/forgot-password', { email: 'neighbor@people.test' });
    expect([asked.status, asked.to]).toEqual([303, '/forgot-password?sent=yes']);
    const said = await server.call({ method: 'GET', url: '/forgot-password?sent=yes', headers: { host: HOST } });
    expect(said.body).toContain('Please check your email for instructions on resetting your password.');

    await server.app.passwords.sendReset('neighbor@people.test');
    const link = await emailedLink('neighbor@people.test');
    const path = `${link.pathname}${link.search}`;
    // The page sends no referrer, so the browser sends a null origin.
    const pages = { host: link.host, origin: 'null' };
    const missing = await send(path, { password: '', confirm: '' }, pages);
    expect(missing.status).toBe(422);
    expect(missing.page).toContain('Password field is required.');
    expect(missing.page).toContain('Confirm password field is required.');
    expect((await send(path, { password: 'a b c d', confirm: 'other' }, pages)).page).toContain(
      'Passwords do not match.',
    );
    expect((await send(path, { password: '123456', confirm: '123456' }, pages)).page).toContain(
      'Password is too common.',
    );
    const chosen = await send(path, { password: 'ten tame tigers', confirm: 'ten tame tigers' }, pages);
    expect([chosen.status, chosen.to]).toEqual([303, '/login?redirect=%2Ftides%2Fdashboard&updated=yes']);
    const again = await send(path, { password: 'ten tame tigers', confirm: 'ten tame tigers' }, pages);
    expect([again.status, again.page.includes('Reset password token is invalid or has expired.')]).toEqual([422, true]);
  });
});

describe('/sign-up', () => {
  const person = {
    first_name: 'Ada',
    last_name: 'Park',
    email: 'ada@families.test',
    password: 'nine fine pines',
    org_name: 'Café Ådas',
    affiliate_name: '',
    plan: 'free',
  };
  const agreed = { agree_to_terms: 'on', confirm_age_and_place: 'on' };

  test('reports all problems together, with everything typed but the password', async () => {
    const bad = await send('/sign-up', { ...person, email: 'a@b', org_name: '!!!', affiliate_name: 'www x' });
    expect(bad.status).toBe(422);
    for (const message of [
      'Invalid email address',
      'Name required.',
      'Only Numbers and Letters',
      'WWW is not a valid choice',
      'TOS Agreement is Required',
      'Please confirm your age and that you are in the United States.',
      'Please enter your password again.',
    ])
      expect(bad.page).toContain(message);
    for (const typed of ['Ada', 'Park', 'a@b', 'www x']) expect(bad.page).toContain(`value="${typed}"`);
    expect(bad.whole).not.toContain('nine fine pines');
  });

  test('opens a free account and logs in', async () => {
    const { status, to, cookie } = await send('/sign-up', { ...person, ...agreed });
    expect([status, to]).toEqual([303, `http://${HOST}/cafe-adas/dashboard`]);
    expect(cookie?.value).toMatch(/^[\w-]{43}$/);
    const taken = await send('/sign-up', { ...person, ...agreed });
    expect([taken.status, taken.page.includes('This Account information is taken.')]).toEqual([422, true]);
  });

  test('says that paying by card needs JavaScript, and opens no account', async () => {
    const paid = await send('/sign-up', { ...person, email: 'paid@families.test', plan: 'premium', ...agreed });
    expect([paid.status, paid.page.includes(CARD_NEEDS_SCRIPT)]).toEqual([422, true]);
    const host = 'lakeside.sideline.localhost:3000';
    const below = await send('/sign-up', { ...person, email: 'paid@families.test', ...agreed }, { host });
    expect([below.status, below.page.includes('The free plan is not offered here.')]).toEqual([422, true]);
    expect(await server.data.ownerQuery(`select 1 from users where email = 'paid@families.test'`)).toEqual([]);
  });

  test('is complete on one page, and explains how to pay by card', async () => {
    const page = (await server.call({ method: 'GET', url: '/sign-up', headers: { host: HOST } })).body;
    for (const name of ['first_name', 'password', 'plan', 'agree_to_terms', 'confirm_age_and_place'])
      expect(page).toContain(`name="${name}"`);
    expect(page).toContain(CARD_NEEDS_SCRIPT);
  });
});

test('/confirm-email sends the link again, and asks visitors to log in', async () => {
  const signedOut = await send('/confirm-email', { again: 'yes' });
  expect(String(signedOut.to)).toMatch(/^\/login\?redirect=/);
});

test('/change-email leads from an invalid link to the account page', async () => {
  const invalid = await send('/change-email?token=x', { token: 'x' }, { as: people.tokens.owner });
  expect([invalid.status, invalid.page.includes(CHANGE_LINK_INVALID)]).toEqual([422, true]);
  expect(invalid.page).toMatch(/<a [^>]*href="\/users\/me"[^>]*>Your account<\/a>/);
});

test('/talk-to-expert reports all its problems and keeps the text; a valid question is stored', async () => {
  const question = {
    first_name: 'Ada',
    last_name: 'Park',
    email: 'ada@families.test',
    phone_number: '612 555 0100',
    company_name: 'Hawks',
    question: 'How many teams?',
  };
  const bad = await send('/talk-to-expert', { ...question, email: 'ada', phone_number: 'none', first_name: '' });
  expect(bad.status).toBe(422);
  for (const words of ['This field is required', 'Invalid email address', 'Invalid phone number', 'How many teams?'])
    expect(bad.page).toContain(words);
  const sent = await send('/talk-to-expert', question);
  expect([sent.status, sent.to]).toEqual([303, '/talk-to-expert?sent=yes']);
  expect(await server.data.ownerQuery('select question from expert_questions')).toEqual([
    { question: 'How many teams?' },
  ]);
  const page = (await server.call({ method: 'GET', url: '/talk-to-expert?sent=yes', headers: { host: HOST } })).body;
  expect(page).toContain(EXPERT_THANKS);
});

test('/find-my-order responds the same to everyone', async () => {
  const bad = await send('/find-my-order', { email: 'nobody' });
  expect([bad.status, bad.page.includes('value="nobody"')]).toEqual([422, true]);
  const sent = await send('/find-my-order', { email: 'nobody@families.test' });
  expect([sent.status, sent.to]).toEqual([303, '/find-my-order?sent=yes']);
  const page = (await server.call({ method: 'GET', url: '/find-my-order?sent=yes', headers: { host: HOST } })).body;
  expect(page).toContain('If photos were ordered with this address');
});

describe('a form from another site', () => {
  test.each([
    '/login',
    '/sign-up',
    '/forgot-password',
    '/update-password',
    '/talk-to-expert',
    '/find-my-order',
    '/confirm-email',
  ])('is not accepted by %s', async (path) => {
    const { status, cookie, to, type } = await send(
      path,
      { email: 'owner@people.test', password: TEST_PASSWORD },
      { origin: 'https://evil.test' },
    );
    expect([status, cookie, to]).toEqual([403, undefined, undefined]);
    expect(type).toContain('text/html');
  });

  test.each([{ origin: 'null' }, {}])('is not accepted where the browser hides the origin: %o', async (origin) => {
    const answer = await server.built.server.inject({
      method: 'POST',
      url: '/login',
      headers: {
        host: HOST,
        ...origin,
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'email=owner%40people.test&password=x',
    });
    expect(answer.statusCode).toBe(403);
  });
});

test('a form that is too large or contains invalid characters is refused with a page', async () => {
  const big = await send('/talk-to-expert', { question: 'x'.repeat(20_000) });
  expect([big.status, big.type]).toEqual([413, 'text/html; charset=utf-8']);
  expect((await send('/login', { email: 'a\u0000b', password: 'x' })).status).toBe(400);
});

test('a host that is not ours answers a form with its page', async () => {
  const { status, type } = await send(
    '/login',
    { email: 'a', password: 'b' },
    { host: 'nosuch.sideline.localhost:3000' },
  );
  expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
  expect(people.hawks.id).toBeGreaterThan(0);
});
