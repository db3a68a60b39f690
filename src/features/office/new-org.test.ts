/** `POST /api/v1/organizations`, over HTTP. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BLANK_ORG,
  suggestedHostLabel,
  newOrgPayload,
  personOf,
  problemsOfNewOrg,
} from '#src/features/office/new-org.rules.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let orgs = 0;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const fields = (change: Record<string, unknown> = {}) => {
  const number = ++orgs;
  return {
    name: `Northside League ${number}`,
    contact_email: `contact${number}@northside.test`,
    contact_name: 'Nora Maria North',
    ...change,
  };
};
async function create(
  organization: Record<string, unknown>,
  { password = TEST_PASSWORD as unknown, as = people.tokens.admin as string | null } = {},
) {
  const payload = { organization, password };
  const answer = await server.call({ method: 'POST', url: '/api/v1/organizations', as, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}
const count = async () => (await server.data.ownerQuery('select from organizations')).length;

describe('a new organization', () => {
  test('is complete: its address, a contact who can log in, an email without a password, an entry in the log', async () => {
    const organization = fields({ name: 'Äpple Valley St. Mary’s' });
    const { status, body } = await create(organization);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Äpple Valley St. Mary’s',
      kind: 'organization',
      domain_name: 'apple-valley-st-marys',
      parent_organization_id: null,
      contact_email: organization.contact_email,
    });
    const login = await server.call({
      method: 'POST',
      url: '/login',
      payload: { user: { email: organization.contact_email, password: TEST_PASSWORD } },
    });
    expect(login.json()).toMatchObject([
      { first_name: 'Nora Maria', last_name: 'North', role_id: 1, organizations: [{ id: body['id'], role: 2 }] },
    ]);
    const sentEmails = await server.data.ownerQuery<Record<string, unknown>>(
      'select * from mail_outbox where recipient = $1',
      [organization.contact_email],
    );
    expect(sentEmails).toHaveLength(1);
    expect(JSON.stringify(sentEmails)).toContain('apple-valley-st-marys.sideline.localhost');
    expect(JSON.stringify(sentEmails)).not.toContain(TEST_PASSWORD);
    const lines = await server.data.ownerQuery(
      "select a.action, u.email from audit_log a join users u on u.id = a.actor_id where a.object_id = $1 and a.object_type = 'organization'",
      [String(body['id'])],
    );
    expect(lines).toEqual([{ action: 'organization.created', email: 'admin@people.test' }]);
  });

  test('may have an address of its choice', async () => {
    expect((await create(fields({ domain_name: ' North-Side ' }))).body).toMatchObject({ domain_name: 'north-side' });
  });

  test('may have no contact name', async () => {
    const { status, body } = await create(fields({ contact_name: '' }));
    expect([status, body['kind']]).toEqual([201, 'organization']);
  });
});

describe('is refused', () => {
  test('with every problem at once, in the specification’s words', async () => {
    const before = await count();
    const { status, body } = await create({}, { password: '' });
    expect([status, body['errors']]).toEqual([
      422,
      { name: ['Name required.'], contact_email: ['Email required.'], password: ['Password required.'] },
    ]);
    expect(await count()).toBe(before);
  });

  test.each([
    [{ name: '!!!' }, 'name', 'Name required.'],
    [{ contact_email: 'nobody' }, 'contact_email', 'Invalid email address'],
    [{ contact_email: 'OWNER@people.test' }, 'contact_email', 'This email already belongs to an account.'],
    [{ domain_name: 'lakeside' }, 'domain_name', 'This address is not available.'],
    [{ domain_name: 'admin' }, 'domain_name', 'This address is not available.'],
    [{ domain_name: '1627' }, 'domain_name', 'This address is not available.'],
    [{ domain_name: 'xn--80ak' }, 'domain_name', 'This address is not available.'],
    [{ domain_name: 'www' }, 'domain_name', 'WWW is not a valid choice'],
    [{ domain_name: 'a_b' }, 'domain_name', 'Only Numbers and Letters'],
    [{ domain_name: 'a.b' }, 'domain_name', 'Use letters, digits and hyphens only.'],
    [{ name: 'Lakeside' }, 'domain_name', 'This address is not available.'],
    [{ logo_url: 'https://evil.example/logo.png' }, 'logo_url', /can’t be found/],
    [{ logo_url: 'uploads/1/settings/x.png' }, 'logo_url', /can’t be found/],
    [{ role_id: 2 }, 'role_id', /not a field/],
    [{ kind: 'root' }, 'kind', /not a field/],
  ])('%j', async (change, field, message) => {
    const before = await count();
    const { status, body } = await create(fields(change));
    expect(status).toBe(422);
    const errors = body['errors'] as Record<string, string[]>;
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]?.[0]).toMatch(message);
    expect(await count()).toBe(before);
  });

  test.each([
    ['a visitor', null, 401],
    ['an owner', 'owner', 403],
    ['a director', 'parentMember', 403],
  ] as const)('for %s', async (_who, who, status) => {
    const before = await count();
    const as = who === null ? null : people.tokens[who];
    expect((await create(fields(), { as })).status).toBe(status);
    expect(await count()).toBe(before);
  });

  test('if the same form is sent twice at once: one organization, one account', async () => {
    const organization = fields();
    const answers = await Promise.all([create(organization), create(organization), create(organization)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const made = await server.data.ownerQuery('select from users where email = $1', [organization.contact_email]);
    expect(made).toHaveLength(1);
  });
});

describe('the logo of a new organization', () => {
  async function upload(as: string): Promise<string> {
    const signed = await server.call({
      method: 'POST',
      url: '/api/v1/policy?timestamp=1&settings_page=true',
      as,
      payload: { affiliate_id: 1, filename: 'logo.png', kind: 'logo' },
    });
    if (signed.statusCode !== 200) return String(signed.statusCode);
    const { key } = signed.json<{ key: string }>();
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0a5' } })
      .png()
      .toBuffer();
    await server.platform.storage.put(key, png, { contentType: 'image/png', bytes: png.length });
    return key;
  }

  test('is uploaded before it exists, by the same user, and shown from the first day', async () => {
    const { status, body } = await create(fields({ logo_url: await upload(people.tokens.admin) }));
    expect(status).toBe(201);
    const picture = await server.call({ method: 'GET', url: String(body['logo_url']) });
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
  });

  test('cannot be uploaded by others', async () => {
    expect(await upload(people.tokens.owner)).toBe('404');
  });
});

describe('rules', () => {
  test.each([
    ['Lakeside Youth Sports', 'lakeside-youth-sports'],
    ['St. Mary’s P.T.O.', 'st-marys-p-t-o'],
    ['Đại Việt', 'dai-viet'],
    ['!!!', ''],
  ])('%s has the address %s', (name, label) => {
    expect(suggestedHostLabel(name)).toBe(label);
  });

  test.each([
    ['Nora', 'North', { firstName: 'Nora', lastName: '' }],
    [' Nora Maria North ', 'x', { firstName: 'Nora Maria', lastName: 'North' }],
    ['', 'North League', { firstName: 'North', lastName: 'League' }],
  ])('%j of %j is a valid contact', (contact, organization, person) => {
    expect(personOf(contact, organization)).toEqual(person);
  });

  test('missing fields are reported before the form is sent', () => {
    expect(problemsOfNewOrg(BLANK_ORG, 6)).toEqual({
      name: ['Name required.'],
      contact_email: ['Email required.'],
      password: ['Password required.'],
    });
    const filled = { ...BLANK_ORG, name: 'North', contact_email: 'a@b.co', password: 'long enough' };
    expect(problemsOfNewOrg(filled, 6)).toEqual({});
    expect(problemsOfNewOrg({ ...filled, domain_name: 'a.b', password: 'short' }, 6)).toEqual({
      domain_name: ['Use letters, digits and hyphens only.'],
      password: ['Minimum 6 chars'],
    });
    expect(newOrgPayload(filled)).toEqual({
      organization: { name: 'North', contact_email: 'a@b.co' },
      password: 'long enough',
    });
  });
});
