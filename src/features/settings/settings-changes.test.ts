/** Every change of an organization's settings adds an entry to its activity, with the values before and after (threat 70). */
import { beforeEach, expect, test } from 'vitest';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import { sellDue } from '#tests/support/due-orders.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeEach(async () => {
  people = await settleAnother(server);
});

const put = (as: string, id: number, affiliate: Record<string, unknown>) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${id}`, as, payload: { affiliate } });
type Entry = { actor: { name: string }; details: unknown; ip: string | null };
const entries = async (as: string) => {
  const url = `/api/v1/affiliates/${people.hawks.id}/audit_log`;
  const answer = await server.call({ method: 'GET', url, as });
  return answer.json<{ entries: (Entry & { action: string })[] }>().entries;
};

test('an owner’s change is logged with the values before, and only what changed', async () => {
  const all = {
    name: 'Hawks FC',
    contact_email: 'cora@hawks.test',
    billing_city: 'Duluth',
    tax_id: '12-3456789',
    default_photo_price: 3.5,
    primary_color: '#0A141E',
    watermark_placement: 'centred',
    time_zone: 'America/Chicago',
    contact_name: 'Contact',
  };
  expect((await put(people.tokens.owner, people.hawks.id, all)).statusCode).toBe(200);
  const [line, ...others] = await entries(people.tokens.owner);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ action: 'organization.settings_changed', actor: { name: 'owner Person' }, ip: null });
  expect(line?.details).toEqual({
    before: {
      name: people.hawks.path,
      contact_email: `${people.hawks.path}@clubs.test`,
      billing_city: null,
      tax_id: null,
      default_photo_price: '$2.00',
      primary_color: '#0099CC',
      watermark_placement: 'tiled',
      time_zone: 'America/New_York',
    },
    after: {
      name: 'Hawks FC',
      contact_email: 'cora@hawks.test',
      billing_city: 'Duluth',
      tax_id: '12-3456789',
      default_photo_price: '$3.50',
      primary_color: '#0A141E',
      watermark_placement: 'centred',
      time_zone: 'America/Chicago',
    },
  });
  expect((await put(people.tokens.owner, people.hawks.id, all)).statusCode).toBe(200);
  expect(await entries(people.tokens.owner)).toHaveLength(1);
});

test('changes by a parent’s member and a platform admin are logged; path and password have entries of their own', async () => {
  await put(people.tokens.owner, people.hawks.id, { billing_city: 'Duluth' });
  await put(people.tokens.parentMember, people.hawks.id, { billing_city: '' });
  const path = `${people.hawks.path}-fc`;
  await put(people.tokens.admin, people.hawks.id, { domain_name: path, billing_zip: '55802' });
  const word = 'four green herons';
  await put(people.tokens.owner, people.hawks.id, { password: word, confirm_password: word });
  const lines = await entries(people.tokens.admin);
  expect(lines.map(({ action, actor, details }) => [action, actor.name, details])).toMatchObject([
    ['organization.password_changed', 'owner Person', {}],
    [
      'organization.settings_changed',
      'admin Person',
      { before: { billing_zip: null }, after: { billing_zip: '55802' } },
    ],
    ['organization.path_changed', 'admin Person', { from: people.hawks.path, to: path }],
    [
      'organization.settings_changed',
      'director Person',
      { before: { billing_city: 'Duluth' }, after: { billing_city: null } },
    ],
    ['organization.settings_changed', 'owner Person', {}],
  ]);
  expect(JSON.stringify(lines)).not.toContain(word);
  expect(JSON.stringify(lines)).not.toContain(TEST_PASSWORD);
});

test('a refused change is not logged, and no one else can read the log', async () => {
  const before = await entries(people.tokens.admin);
  expect((await put(people.tokens.owner, people.hawks.id, { name: '', billing_city: 'Ely' })).statusCode).toBe(422);
  expect((await put(people.tokens.neighbor, people.hawks.id, { name: 'Stolen' })).statusCode).toBe(404);
  expect(await entries(people.tokens.admin)).toEqual(before);
  const url = `/api/v1/affiliates/${people.hawks.id}/audit_log`;
  expect((await server.call({ method: 'GET', url, as: people.tokens.neighbor })).statusCode).toBe(404);
});

test('a change of sales tax is logged with the rate before and after', async () => {
  const call = (method: 'PUT' | 'DELETE', rest: { url?: string; payload?: object }) =>
    server.call({
      method,
      url: `/api/v1/organizations/${people.parent.id}/tax_rates${rest.url ?? ''}`,
      as: people.tokens.parentMember,
      ...(rest.payload ? { payload: rest.payload } : {}),
    });
  const place = { state: 'MN', zip_prefix: '558', jurisdiction: 'Duluth' };
  for (const rate of [7, 7.25]) expect((await call('PUT', { payload: { ...place, rate } })).statusCode).toBe(200);
  expect((await call('DELETE', { url: '?state=MN&zip_prefix=558' })).statusCode).toBe(204);
  const lines = await server.data.ownerQuery<{ details: object }>(
    "select details from audit_log where action like 'tax_rate.%' order by id",
  );
  expect(lines.map(({ details }) => details)).toMatchObject([
    { rate_ppm_before: null, rate_ppm: 70_000 },
    { rate_ppm_before: 70_000, rate_ppm: 72_500, jurisdiction_before: 'Duluth' },
    { rate_ppm_before: 72_500, rate_ppm: null },
  ]);
});

test('members get an email when payouts go to another name or address, and of nothing else', async () => {
  const notified = async () =>
    (
      await server.data.ownerQuery<{ recipient: string }>(
        "select recipient from mail_outbox where subject like 'The payee of%' and recipient = any ($1)",
        [Object.values(people.emails)],
      )
    ).map(({ recipient }) => recipient);
  await put(people.tokens.owner, people.hawks.id, { billing_email: 'books@hawks.test', tax_id: '12-3456789' });
  expect(await notified()).toEqual([]);
  const payee = { billing_name: 'Hawks Boosters', billing_address: '1 Lake Ave' };
  await put(people.tokens.parentMember, people.hawks.id, payee);
  expect(await notified()).toEqual([people.emails.owner]);
  await put(people.tokens.owner, people.hawks.id, payee);
  expect(await notified()).toHaveLength(1);
});

test('another payee or address requires the current password after an old login, beside no other problem', async () => {
  const token = people.tokens.owner;
  const payee = { billing_name: 'Hawks Boosters', billing_address: '1 Lake Ave', billing_zip: '55802' };
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  // The first payee replaces none, and nothing was earned yet.
  expect((await put(token, people.hawks.id, payee)).statusCode).toBe(200);
  for (const change of [
    { billing_name: 'Someone Else' },
    { billing_address: '' },
    { billing_city: 'Ely' },
    { billing_state: 'MN' },
    { billing_zip: '55803' },
  ]) {
    const refused = await put(token, people.hawks.id, { ...change, contact_name: 'Not stored' });
    expect([refused.statusCode, refused.json()]).toMatchObject([401, { error: CONFIRM_PASSWORD_FIRST }]);
  }
  const both = await put(token, people.hawks.id, { billing_name: 'Someone Else', domain_name: 'login' });
  expect([both.statusCode, Object.keys(both.json<{ errors: object }>().errors)]).toEqual([422, ['domain_name']]);
  // The same payee, sent back with everything else, is no change.
  const rest = { ...payee, billing_city: null, billing_email: 'books@hawks.test', contact_name: 'Cora' };
  const kept = await put(token, people.hawks.id, rest);
  expect([kept.statusCode, kept.json()]).toMatchObject([200, [{ ...payee, contact_name: 'Cora' }]]);
  const confirmed = { url: '/api/v1/confirm-password', as: token, payload: { password: TEST_PASSWORD } };
  await server.call({ method: 'POST', ...confirmed });
  expect((await put(token, people.hawks.id, { billing_name: 'Someone Else' })).statusCode).toBe(200);
});

test('the first payee requires the current password if money was ever earned, also when none is due', async () => {
  const token = people.tokens.owner;
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  await sellDue(server, people.tides.id, { amounts: [900] });
  const first = { billing_name: 'A Thief', billing_address: '1 Dark Alley' };
  // What the neighbor earned does not matter here.
  expect((await put(token, people.hawks.id, { ...first, contact_name: 'Cora' })).statusCode).toBe(200);

  const neighbor = people.tokens.neighbor;
  const refused = await put(neighbor, people.tides.id, { ...first, contact_name: 'Not stored' });
  expect([refused.statusCode, refused.json()]).toMatchObject([401, { error: CONFIRM_PASSWORD_FIRST }]);
  // The bank's file has also a part of an address alone.
  for (const part of [{ billing_city: 'Ely' }, { billing_state: 'MN' }, { billing_zip: '55802' }])
    expect((await put(neighbor, people.tides.id, part)).statusCode).toBe(401);
  expect((await put(neighbor, people.tides.id, { contact_name: 'Tess' })).statusCode).toBe(200);
  await server.call({
    method: 'POST',
    url: '/api/v1/confirm-password',
    as: neighbor,
    payload: { password: TEST_PASSWORD },
  });
  expect((await put(neighbor, people.tides.id, first)).statusCode).toBe(200);
});

test('a new name requires the current password once money was earned, because payouts name it without a payee', async () => {
  const { neighbor, owner } = people.tokens;
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  await sellDue(server, people.tides.id, { amounts: [900] });
  const rename = async (name: string) => (await put(neighbor, people.tides.id, { name })).statusCode;
  const emails = async () =>
    (
      await server.data.ownerQuery("select from mail_outbox where subject like 'The payee of%' and recipient = $1", [
        people.emails.neighbor,
      ])
    ).length;
  expect(await rename('A Thief LLC')).toBe(401);
  expect((await put(owner, people.hawks.id, { name: 'Hawks FC' })).statusCode).toBe(200);
  const same = { name: people.tides.path.replaceAll('-', ' '), contact_name: 'Tess' };
  expect((await put(neighbor, people.tides.id, same)).statusCode).toBe(200);
  expect(await emails()).toBe(0);
  const payload = { password: TEST_PASSWORD };
  await server.call({ method: 'POST', url: '/api/v1/confirm-password', as: neighbor, payload });
  expect(await rename('Tides Swimmers')).toBe(200);
  expect(await emails()).toBe(1);
});

test('a new name of the organization is another payee if payouts name it, and none otherwise', async () => {
  const token = people.tokens.owner;
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  const rename = async (name: string) => (await put(token, people.hawks.id, { name })).statusCode;
  // The zip of a card that paid for the sign-up is no payee.
  await server.data.ownerQuery('update organization_private set billing_zip = $2 where organization_id = $1', [
    people.hawks.id,
    '55802',
  ]);
  expect(await rename('Hawks FC')).toBe(200);
  expect((await put(token, people.hawks.id, { billing_address: '1 Lake Ave' })).statusCode).toBe(200);
  expect(await rename('Someone Else')).toBe(401);
  await server.call({
    method: 'POST',
    url: '/api/v1/confirm-password',
    as: token,
    payload: { password: TEST_PASSWORD },
  });
  const emails = async () =>
    (
      await server.data.ownerQuery("select from mail_outbox where subject like 'The payee of%' and recipient = $1", [
        people.emails.owner,
      ])
    ).length;
  expect(await emails()).toBe(1);
  expect(await rename('Hawks United')).toBe(200);
  expect(await emails()).toBe(2);
  await put(token, people.hawks.id, { billing_name: 'Hawks Boosters' });
  await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
  expect(await rename('Hawks FC')).toBe(200);
  expect(await emails()).toBe(3);
});
