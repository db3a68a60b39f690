/** An organization's settings over HTTP: who, what, and every message (specification A§2, 5; bad inputs 120-128; threats 14, 17). */
import { beforeEach, describe, expect, test } from 'vitest';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import * as words from '#src/features/tenancy/settings-words.contract.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

type Body = Record<string, unknown>;
const put = (as: string | null, id: number, affiliate: unknown, more: Body = {}) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${id}`, as, payload: { affiliate, ...more } as Body });
const rowOf = async (id: number) =>
  (
    await server.data.ownerQuery(
      'select o.*, p.* from organizations o left join organization_private p on p.organization_id = o.id where o.id = $1',
      [id],
    )
  )[0] as Body;
const get = async (as: string | null, path: string, orgId: number) =>
  (await server.call({ method: 'GET', url: `/api/v1/affiliates/${path}?org_id=${orgId}`, as })).json<Body[]>()[0] ?? {};

const EVERYTHING = {
  name: 'Hawks Soccer',
  contact_name: 'Cora Coach',
  contact_email: 'Cora@hawks.test',
  contact_phone_number: '(612) 555-0101',
  billing_name: 'Hawks Boosters',
  billing_address: '1 Field Road',
  billing_email: 'bills@hawks.test',
  billing_city: 'Duluth',
  billing_state: 'MN',
  billing_zip: '55802',
  billing_phone_number: '612 555 0102',
  tax_id: '12-3456789',
  default_photo_price: 3.5,
  primary_color: 'rgb(10, 20, 30)',
  tablet_display_url: 'https://sponsor.test/a?b=c',
  mobile_display_url: 'https://sponsor.test/',
  watermark_text: 'Hawks 2026',
  watermark_placement: 'centred',
  time_zone: 'America/Chicago',
};

describe('who may change settings', () => {
  test('members, those of the parent, and platform admins', async () => {
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
      const answer = await put(token, people.hawks.id, { contact_name: 'Somebody' });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject([{ id: people.hawks.id, contact_name: 'Somebody' }]);
    }
    expect((await put(people.tokens.parentMember, people.parent.id, { name: 'Lakeside Sports' })).json()).toMatchObject(
      [{ kind: 'organization', name: 'Lakeside Sports' }],
    );
  });

  test('no one else: visitors get 401, other organizations 404, and nothing changes', async () => {
    const before = await rowOf(people.hawks.id);
    expect((await put(null, people.hawks.id, { name: 'Stolen' })).statusCode).toBe(401);
    for (const token of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await put(token, people.hawks.id, { name: 'Stolen' })).statusCode).toBe(404);
    // Members of a child are not members of its parent.
    expect((await put(people.tokens.owner, people.parent.id, { name: 'Stolen' })).statusCode).toBe(404);
    expect(await rowOf(people.hawks.id)).toEqual(before);
  });

  test('not another organization through the body', async () => {
    const both = async () => [await rowOf(people.hawks.id), await rowOf(people.tides.id)];
    const before = await both();
    const answer = await put(people.tokens.owner, people.hawks.id, { id: people.tides.id, name: 'Stolen' });
    expect(answer.statusCode).toBe(404);
    expect(await both()).toEqual(before);
  });

  test('not without an id, which is reported', async () => {
    const answer = await server.call({
      method: 'PUT',
      url: '/api/v1/affiliates/',
      as: people.tokens.owner,
      payload: { affiliate: {} },
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { error: words.AFFILIATE_ID_MISSING }]);
  });
});

/** The owner has filled in the whole form. */
const fillIn = async () => expect((await put(people.tokens.owner, people.hawks.id, EVERYTHING)).statusCode).toBe(200);

describe('sent settings', () => {
  test('are all stored, and read by members only', async () => {
    const answer = await put(people.tokens.owner, people.hawks.id, EVERYTHING);
    expect(answer.statusCode).toBe(200);
    const kept = {
      ...EVERYTHING,
      contact_email: 'cora@hawks.test',
      primary_color: '#0A141E',
      secondary_color: '#FFFFFF',
    };
    expect(answer.json()).toMatchObject([kept]);
    const mine = await get(people.tokens.owner, people.hawks.path, people.parent.id);
    expect(mine).toMatchObject({ ...kept, user_details: [{ email: people.emails.owner, first_name: 'owner' }] });
    expect(mine['processor_info']).toEqual({
      stripe_pk: null,
      stripe_sk: null,
      stripe_sk_set: false,
      stripe_sk_last4: null,
    });
    for (const token of [null, people.tokens.neighbor, people.tokens.foreigner]) {
      const theirs = await get(token, people.hawks.path, people.parent.id);
      for (const secret of ['tax_id', 'billing_name', 'contact_name', 'user_details', 'watermark_text', 'time_zone'])
        expect(Object.keys(theirs)).not.toContain(secret);
      expect(theirs['contact_email']).toBeNull();
    }
  });

  test('of a parent are read by its own name and id', async () => {
    expect(await get(people.tokens.parentMember, people.parent.path, people.parent.id)).toMatchObject({
      id: people.parent.id,
      user_details: [{ email: people.emails.parentMember }],
    });
  });

  test('leave other fields unchanged: two windows do not overwrite each other', async () => {
    await fillIn();
    const [one, other] = await Promise.all([
      put(people.tokens.owner, people.hawks.id, { billing_city: 'Ely' }),
      put(people.tokens.parentMember, people.hawks.id, { contact_phone_number: '1' }),
    ]);
    expect([one.statusCode, other.statusCode]).toEqual([200, 200]);
    expect(await rowOf(people.hawks.id)).toMatchObject({
      billing_city: 'Ely',
      contact_phone_number: '1',
      name: 'Hawks Soccer',
      tax_id: '12-3456789',
    });
  });

  test('that are blank clear the value', async () => {
    await fillIn();
    const blank = { tax_id: '', contact_email: null, tablet_display_url: '', watermark_text: ' ', billing_zip: '' };
    expect((await put(people.tokens.owner, people.hawks.id, blank)).statusCode).toBe(200);
    expect(await rowOf(people.hawks.id)).toMatchObject({
      tax_id: null,
      contact_email: null,
      tablet_ad_url: null,
      watermark_text: null,
      billing_zip: null,
    });
  });

  test('may be the whole object as it was read', async () => {
    await fillIn();
    const mine = await get(people.tokens.owner, people.hawks.path, people.parent.id);
    const before = await rowOf(people.hawks.id);
    const answer = await put(people.tokens.owner, people.hawks.id, mine, { user_id: null });
    expect(answer.statusCode).toBe(200);
    expect(await rowOf(people.hawks.id)).toEqual(before);
  });

  test.each<[string, unknown]>([
    ['role_id', 2],
    ['kind', 'root'],
    ['parent_organization_id', 1],
    ['free_tier', true],
    ['share_bps', 0],
    ['can_add_custom_payment', true],
    ['takes_promo_codes', true],
    ['reports_buyer_columns', true],
    ['organizations', [{ role: 2 }]],
    ['secondary_color', '#000000'],
    ['logo_key', 'originals/aa/x.jpg'],
    ['stripe_sk_last4', '0000'],
    ['deleted_at', '2020-01-01'],
    ['created_at', '2020-01-01'],
  ])('never writes %s for an owner (threat 17)', async (field, value) => {
    const before = await rowOf(people.hawks.id);
    await put(people.tokens.owner, people.hawks.id, { [field]: value });
    expect(await rowOf(people.hawks.id)).toEqual(before);
    const users = await server.data.ownerQuery('select role_id from users where email = $1', [people.emails.owner]);
    expect(users).toEqual([{ role_id: 1 }]);
  });
});

describe('invalid settings', () => {
  test('are reported together, each under its field', async () => {
    const answer = await put(people.tokens.owner, people.hawks.id, {
      name: ' ',
      contact_name: '',
      domain_name: '',
      contact_email: 'nobody',
      billing_zip: 'zip',
      default_photo_price: 101,
      primary_color: 'red',
      tablet_display_url: 'javascript:alert(1)',
      mobile_display_url: '//sponsor.test',
      time_zone: 'Mars/Olympus',
      tax_id: 'x'.repeat(21),
      password: 'seven red kites',
      confirm_password: 'other',
      watermark_placement: 'everywhere',
      watermark_strength: 'invisible',
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ errors: Body }>().errors).toEqual({
      name: [words.ORGANIZATION_NAME_REQUIRED],
      contact_name: [words.CONTACT_NAME_REQUIRED],
      domain_name: [words.DOMAIN_NAME_REQUIRED],
      contact_email: ['Invalid email address'],
      billing_zip: [words.ZIP_NOT_VALID],
      default_photo_price: [words.DEFAULT_PRICE_NOT_VALID],
      primary_color: ['Please enter a color like #0099CC or rgb(0, 153, 204).'],
      tablet_display_url: [words.LINK_NOT_VALID],
      mobile_display_url: [words.LINK_NOT_VALID],
      time_zone: [words.TIME_ZONE_NOT_VALID],
      tax_id: ['At most 20 characters, please.'],
      confirm_password: [words.PASSWORDS_DO_NOT_MATCH],
      watermark_placement: [words.PLACEMENT_NOT_VALID],
      watermark_strength: [words.STRENGTH_NOT_VALID],
    });
  });

  test.each<[string, unknown]>([
    ['default_photo_price', 100.5],
    ['default_photo_price', -1],
    ['default_photo_price', ''],
    ['default_photo_price', null],
    ['default_photo_price', 2.755],
    ['primary_color', 'rgb(300,0,0)'],
    ['primary_color', '#12'],
    ['primary_color', 'url(javascript:alert(1))'],
    ['primary_color', '#0099CC;background:url(x)'],
    ['tablet_display_url', 'data:text/html,x'],
    ['tablet_display_url', `https://x.test/${'x'.repeat(3_000)}`],
    ['tablet_display_url', 'https://user:secret@x.test/'],
    ['password', 12],
    ['password', { $ne: null }],
    ['logo_url', 'https://evil.test/logo.png'],
    ['logo_url', 'originals/ab/abc.jpg'],
  ])('%s = %j is refused', async (field, value) => {
    const before = await rowOf(people.hawks.id);
    const answer = await put(people.tokens.owner, people.hawks.id, { [field]: value });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: Body }>().errors)).toEqual([field]);
    expect(await rowOf(people.hawks.id)).toEqual(before);
  });

  test.each([
    [2, 200],
    [2.75, 275],
    [0, 0],
    [100, 10_000],
  ])('include rounding: a default price of $%d is stored as %d cents', async (price, kept) => {
    expect((await put(people.tokens.owner, people.hawks.id, { default_photo_price: price })).statusCode).toBe(200);
    expect(await rowOf(people.hawks.id)).toMatchObject({ default_photo_price_cents: kept });
  });

  test('never include markup, which is text', async () => {
    expect((await put(people.tokens.owner, people.hawks.id, { tax_id: '<b>' })).json()).toMatchObject([
      { tax_id: '<b>' },
    ]);
  });
});

describe('the path', () => {
  test('of a parent is fixed', async () => {
    const answer = await put(people.tokens.parentMember, people.parent.id, { domain_name: 'lakes' });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { errors: { domain_name: [words.DOMAIN_IS_FIXED] } },
    ]);
    expect(
      (await put(people.tokens.parentMember, people.parent.id, { domain_name: people.parent.path.toUpperCase() }))
        .statusCode,
    ).toBe(200);
  });

  test.each<[string, () => string, string]>([
    ['of another affiliate', () => people.tides.path, 'This address is not available.'],
    // Its reports and settings live there.
    ['of the parent', () => people.parent.path.replace('lake', 'Lake'), 'This address is not available.'],
    ['of the login page', () => 'login', 'This address is not available.'],
    ['with a space', () => 'ha wks', 'Only Numbers and Letters'],
    ['that begins with www', () => 'wwwhawks', 'WWW is not a valid choice'],
  ])('%s is refused', async (_which, path, message) => {
    const answer = await put(people.tokens.owner, people.hawks.id, { domain_name: path() });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { domain_name: [message] } }]);
  });

  test('of an affiliate changes, and the old one redirects until someone else takes it', async () => {
    expect((await put(people.tokens.owner, people.hawks.id, { domain_name: 'Hawks-FC' })).json()).toMatchObject([
      { domain_name: 'hawks-fc' },
    ]);
    const at = (path: string) => get(null, path, people.parent.id);
    expect(await at(people.hawks.path)).toMatchObject({ id: people.hawks.id, domain_name: 'hawks-fc' });
    const taken = await put(people.tokens.neighbor, people.tides.id, { domain_name: people.hawks.path });
    expect(taken.statusCode).toBe(200);
    expect(await at(people.hawks.path)).toMatchObject({ id: people.tides.id });
    expect(await at(people.tides.path)).toMatchObject({ id: people.tides.id });
  });

  test('chosen by two at the same time goes to one', async () => {
    const answers = await Promise.all([
      put(people.tokens.owner, people.hawks.id, { domain_name: 'champions' }),
      put(people.tokens.neighbor, people.tides.id, { domain_name: 'champions' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 422]);
  });
});

describe('the password', () => {
  const change = (as: string, password: string, more: Body = {}) =>
    put(as, people.hawks.id, { password, confirm_password: password }, more);
  const logsIn = async (email: string, password: string) =>
    (await server.call({ method: 'POST', url: '/login', payload: { user: { email, password } } })).statusCode === 200;

  test('is unchanged when blank', async () => {
    expect((await change(people.tokens.owner, '')).statusCode).toBe(200);
    expect((await change(people.tokens.owner, '   ')).statusCode).toBe(200);
    expect(await logsIn(people.emails.owner, TEST_PASSWORD)).toBe(true);
  });

  test('is refused when it is not confirmed, short or common', async () => {
    const answer = await put(people.tokens.owner, people.hawks.id, { password: 'abc', confirm_password: 'abd' });
    expect(answer.json()).toMatchObject({
      errors: { password: ['Minimum 6 chars'], confirm_password: [words.PASSWORDS_DO_NOT_MATCH] },
    });
    expect((await change(people.tokens.owner, 'password')).json()).toMatchObject({
      errors: { password: ['Password is too common.'] },
    });
  });

  test('requires the current one after an old login', async () => {
    const token = people.tokens.owner;
    await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
    const refused = await change(token, 'seven red kites');
    expect([refused.statusCode, refused.json()]).toMatchObject([401, { error: CONFIRM_PASSWORD_FIRST }]);
    expect(await logsIn(people.emails.owner, TEST_PASSWORD)).toBe(true);
    await server.call({
      method: 'POST',
      url: '/api/v1/confirm-password',
      as: token,
      payload: { password: TEST_PASSWORD },
    });
    expect((await change(token, 'seven red kites')).statusCode).toBe(200);
    expect(await logsIn(people.emails.owner, 'seven red kites')).toBe(true);
  });

  test('ends every other session, and this one continues', async () => {
    const [mine, other] = [people.tokens.owner, await server.signIn(people.emails.owner)];
    expect((await change(mine, 'seven red kites')).statusCode).toBe(200);
    const isIn = async (as: string) => (await server.call({ method: 'GET', url: '/users/current', as })).statusCode;
    expect([await isIn(mine), await isIn(other)]).toEqual([200, 401]);
    const [action] = await server.data.ownerQuery<{ action: string; details: unknown }>(
      'select action, details from audit_log order by id desc limit 1',
    );
    expect(action).toMatchObject({ action: 'organization.password_changed' });
    expect(JSON.stringify(action)).not.toContain('seven red kites');
  });

  test('of another user can be set by a platform admin only, and only for a member', async () => {
    const [owner] = await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [
      people.emails.owner,
    ]);
    const { parentMember, admin } = people.tokens;
    const theirs = await change(parentMember, 'a stolen account', { user_id: owner?.id });
    expect([theirs.statusCode, theirs.json()]).toMatchObject([403, { error: words.NOT_OWN_PASSWORD }]);
    expect((await change(admin, 'four green herons', { user_id: owner?.id })).statusCode).toBe(200);
    expect(await logsIn(people.emails.owner, 'four green herons')).toBe(true);
    const [neighbor] = await server.data.ownerQuery<{ id: number }>('select id from users where email = $1', [
      people.emails.neighbor,
    ]);
    const nobody = await change(admin, 'four green herons', { user_id: neighbor?.id });
    expect([nobody.statusCode, nobody.json()]).toMatchObject([422, { error: words.NO_USER_FOR_PASSWORD }]);
    const empty = await server.app.organizations.create({
      kind: 'affiliate',
      name: 'Nobody yet',
      domainName: 'nobody-yet',
      parentOrganizationId: people.parent.id,
      contactName: null,
      contactEmail: null,
      freeTier: true,
    });
    const unknown = await put(admin, empty, { password: 'four green herons', confirm_password: 'four green herons' });
    expect([unknown.statusCode, unknown.json()]).toMatchObject([
      422,
      { error: words.NO_USER_FOR_PASSWORD, errors: { password: [words.NO_USER_FOR_PASSWORD] } },
    ]);
  });
});
