/** Opening an account, over HTTP (P§5, 7, 8; rules 14, 22, 43, 50, 51). */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT_TAKEN,
  AGE_AND_PLACE_REQUIRED,
  AGREE_TO_TERMS,
  FORM_HAS_CHANGED,
  FORM_OPENED_ANOTHER,
  FREE_ONLY_AT_THE_ROOT,
  NAME_REQUIRED,
  PARENT_UNKNOWN,
  TERMS_REQUIRED,
} from '#src/features/sign-up/sign-up.contract.ts';
import { PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import { ADDRESS_NOT_AVAILABLE, NOT_WWW, ONLY_NUMBERS_AND_LETTERS } from '#src/shared/domain-name.ts';
import { REQUIRED } from '#src/shared/validators.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  await server.data.ownerQuery('update organizations set takes_promo_codes = true where id = $1', [people.parent.id]);
  await server.data.ownerQuery(
    `insert into promo_codes (organization_id, code, max_uses, expires_at) values ($1, 'KICKOFF1', 2, null), ($1, 'OLDOLDOL', 5, now() - interval '1 day')`,
    [people.parent.id],
  );
});

type Payload = {
  user: Record<string, unknown>;
  affiliateInfo: Record<string, unknown>;
  [field: string]: unknown;
};

let count = 0;
/** A valid sign-up for a free account below `www`, with optional changes. */
function signUpOf(changes: Record<string, unknown> = {}, user: Record<string, unknown> = {}): Payload {
  const path = `club-${++count}`;
  return {
    user: {
      first_name: 'Ada',
      last_name: 'Park',
      email: `${path}@families.test`,
      password: 'nine fine pines',
      ...user,
    },
    affiliateInfo: { affiliateName: path, affiliateOrg: `Club ${count}`, domain_name: path },
    promoCode: '',
    org: { id: 1 },
    freeTier: true,
    agreeToTerms: true,
    confirmAgeAndPlace: true,
    ...changes,
  };
}

const post = (payload: object, options: { url?: string; as?: string; host?: string } = {}) =>
  server.call({
    method: 'POST',
    url: options.url ?? '/signup/',
    payload,
    as: options.as ?? null,
    headers: { host: options.host ?? 'www.sideline.localhost' },
  });

async function cardToken(number = '4242424242424242'): Promise<unknown> {
  const card = { number, exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  return (await server.call({ method: 'POST', url: '/sandbox/tokens', payload: card })).json();
}

const paid = async (number?: string, changes: Record<string, unknown> = {}) =>
  signUpOf({ freeTier: false, org: { id: people.parent.id }, stripe_token: await cardToken(number), ...changes });

async function traces(payload: Payload): Promise<{ users: number; organizations: number }> {
  const [row] = await server.data.ownerQuery<{ users: number; organizations: number }>(
    `select (select count(*)::int from users where email = $1) as users,
            (select count(*)::int from organizations where domain_name = $2) as organizations`,
    [payload.user['email'], payload.affiliateInfo['domain_name']],
  );
  return row ?? { users: -1, organizations: -1 };
}

describe('a free account below www', () => {
  test('is created with its owner, who is logged in', async () => {
    const payload = signUpOf({}, { email: ' Ada@Families.TEST ' });
    const answer = await post(payload);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject([
      {
        first_name: 'Ada',
        email: 'ada@families.test',
        role_id: 1,
        organizations: [
          {
            domain_name: payload.affiliateInfo['domain_name'],
            kind: 'affiliate',
            parent_organization_id: 1,
            free_tier: true,
            role: 2,
          },
        ],
      },
    ]);
    const bearer = String(answer.headers['authorization']);
    expect(bearer).toMatch(/^Bearer [\w-]{43}$/);
    expect(String(answer.headers['set-cookie'])).toMatch(/token=[\w-]{43}.*Domain=sideline\.localhost.*HttpOnly/);
    const me = await server.call({ method: 'GET', url: '/users/current', as: bearer.slice(7) });
    expect(me.json()).toEqual(answer.json());
    expect((await server.signIn('ada@families.test', 'nine fine pines')).length).toBe(43);
  });

  test('accepts one name of the path as well as two, and uses the host where no parent is named', async () => {
    const { org: _, ...payload } = signUpOf();
    const answer = await post({ ...payload, affiliateInfo: { affiliateOrg: 'One Name', affiliateName: 'One-Name' } });
    expect(answer.json()).toMatchObject([{ organizations: [{ domain_name: 'one-name', parent_organization_id: 1 }] }]);
  });

  test('is not available below a parent, except to a platform admin', async () => {
    const payload = signUpOf({ org: { id: people.parent.id, name: 'Lakeside', domain_name: 'lakeside' } });
    const refused = await post(payload);
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual({ freeTier: [FREE_ONLY_AT_THE_ROOT] });
    expect(await traces(payload)).toEqual({ users: 0, organizations: 0 });
    expect((await post(payload, { as: people.tokens.admin })).statusCode).toBe(200);
  });
});

describe('all errors are reported together', () => {
  test('for an empty form', async () => {
    const answer = await post({});
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({
      first_name: [REQUIRED],
      last_name: [REQUIRED],
      email: [REQUIRED],
      password: [REQUIRED],
      affiliateOrg: [REQUIRED],
      affiliateName: [REQUIRED],
      agreeToTerms: [AGREE_TO_TERMS, TERMS_REQUIRED],
      confirmAgeAndPlace: [AGE_AND_PLACE_REQUIRED],
    });
  });

  test('for blank fields, with the boxes unchecked', async () => {
    const blank = { first_name: ' ', last_name: '', email: '', password: '' };
    const answer = await post({ user: blank, affiliateInfo: { affiliateOrg: ' ', affiliateName: '' }, freeTier: true });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({
      first_name: [REQUIRED],
      last_name: [REQUIRED],
      email: [REQUIRED],
      password: [REQUIRED],
      affiliateOrg: [REQUIRED],
      affiliateName: [REQUIRED],
      agreeToTerms: [AGREE_TO_TERMS, TERMS_REQUIRED],
      confirmAgeAndPlace: [AGE_AND_PLACE_REQUIRED],
    });
  });

  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    ['a blank name', { first_name: '  ' }, { first_name: [REQUIRED] }],
    ['no address', { email: 'a@b' }, { email: ['Invalid email address'] }],
    ['an address with a blank', { email: 'a b@c.de' }, { email: ['Invalid email address'] }],
    ['a short password', { password: '12345' }, { password: ['Minimum 6 chars'] }],
    ['a common password', { password: 'P@ssw0rd1' }, { password: ['Password is too common.'] }],
    ['a role', { role_id: 2 }, { role_id: ['role_id is not a field of this call.'] }],
  ])('%s', async (_what, user, errors) => {
    const payload = signUpOf({}, user);
    const answer = await post(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual(errors);
  });

  test('but not for addresses with a long top-level domain', async () => {
    expect((await post(signUpOf({}, { email: 'ada@studio.photography' }))).statusCode).toBe(200);
  });

  test.each([
    ['a_b', ONLY_NUMBERS_AND_LETTERS],
    ['mywwwsite', NOT_WWW],
    ['admin-report', ADDRESS_NOT_AVAILABLE],
    ['xn--x', ADDRESS_NOT_AVAILABLE],
    ['www', NOT_WWW],
  ])('for the path %s', async (path, message) => {
    const answer = await post(
      signUpOf({ affiliateInfo: { affiliateOrg: 'A', affiliateName: path, domain_name: path } }),
    );
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ affiliateName: [message], domain_name: [message] });
  });

  test.each(['!!!', '🎉'])('for the organization name %s', async (name) => {
    const answer = await post(signUpOf({ affiliateInfo: { affiliateOrg: name, domain_name: 'fine' } }));
    expect(answer.json().errors).toEqual({ affiliateOrg: [NAME_REQUIRED] });
  });

  test.each([[{ agreeToTerms: 'false' }], [{ agreeToTerms: false }]])('for terms %j', async (change) => {
    const answer = await post(signUpOf(change));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      error: AGREE_TO_TERMS,
      errors: { agreeToTerms: [AGREE_TO_TERMS, TERMS_REQUIRED] },
    });
  });

  test('for freeTier as text', async () => {
    expect((await post(signUpOf({ freeTier: 'false' }))).json().errors).toHaveProperty('freeTier');
  });

  test('for the parent’s own path', async () => {
    const info = { affiliateOrg: 'Lakeside', domain_name: 'lakeside' };
    const answer = await post(await paid(undefined, { affiliateInfo: info }));
    expect(answer.json().errors).toEqual({ domain_name: [ADDRESS_NOT_AVAILABLE] });
  });

  test('for an unknown parent', async () => {
    for (const id of [people.hawks.id, 987_654]) {
      const answer = await post(signUpOf({ org: { id } }));
      expect(answer.statusCode).toBe(422);
      expect(answer.json().errors).toEqual({ org: [PARENT_UNKNOWN] });
    }
  });
});

describe('taken values', () => {
  test('include an address or a path in any spelling', async () => {
    const first = signUpOf();
    expect((await post(first)).statusCode).toBe(200);
    const sameEmail = signUpOf({}, { email: String(first.user['email']).toUpperCase() });
    const samePath = signUpOf({
      affiliateInfo: { affiliateOrg: 'Other', domain_name: String(first.affiliateInfo['domain_name']).toUpperCase() },
    });
    for (const again of [sameEmail, samePath]) {
      const answer = await post(again);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: ACCOUNT_TAKEN, errors: {} });
    }
    expect(await traces(sameEmail)).toMatchObject({ organizations: 0 });
  });

  test('allow one account for two simultaneous sign-ups', async () => {
    const payload = signUpOf();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(payload)));
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await traces(payload)).toEqual({ users: 1, organizations: 1 });
  });

  test('do not include the same path below another parent', async () => {
    const payload = signUpOf({ affiliateInfo: { affiliateOrg: 'Hawks', domain_name: people.hawks.path } });
    expect((await post(payload)).statusCode).toBe(200);
  });
});

describe('a paid account', () => {
  const charges = () =>
    server.data.ownerQuery<{ status: string; refunded: number }>(
      `select c.status, coalesce((select sum(amount_cents)::int from sandbox_provider.refunds r where r.charge_id = c.id), 0) as refunded
         from sandbox_provider.charges c order by created_at, id`,
    );
  const chargedSince = async (before: number) => (await charges()).slice(before);

  test('is charged once and not on the free tier', async () => {
    const before = (await charges()).length;
    const payload = await paid();
    const answer = await post(payload, { host: 'lakeside.sideline.localhost' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()[0].organizations).toMatchObject([
      { free_tier: false, parent_organization: { domain_name: 'lakeside' } },
    ]);
    expect(await chargedSince(before)).toMatchObject([{ status: 'succeeded', refunded: 0 }]);
  });

  test('needs a card', async () => {
    const answer = await post(signUpOf({ freeTier: false }));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ stripe_token: [CARD_REQUIRED] });
  });

  test('is not created with a card that is declined, and then is with one that pays', async () => {
    const payload = await paid('4000000000000002');
    const refused = await post(payload);
    expect(refused.statusCode).toBe(402);
    expect(refused.json().error).toBe('Your card was declined.');
    expect(await traces(payload)).toEqual({ users: 0, organizations: 0 });
    expect((await post({ ...payload, stripe_token: await cardToken() })).statusCode).toBe(200);
  });

  test('is created once for two simultaneous requests, and every other charge is refunded', async () => {
    const before = (await charges()).length;
    const payload = await paid();
    const tokens = await Promise.all([1, 2, 3].map(() => cardToken()));
    const answers = await Promise.all(tokens.map((stripe_token) => post({ ...payload, stripe_token })));
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 422, 422]);
    const made = await chargedSince(before);
    expect(made.filter((charge) => charge.status === 'succeeded' && charge.refunded === 0)).toHaveLength(1);
    expect(await traces(payload)).toEqual({ users: 1, organizations: 1 });
  });

  test('is required by organizations/sign_up', async () => {
    const url = '/api/v1/organizations/sign_up';
    expect((await post(signUpOf(), { url })).json().errors).toEqual({ freeTier: [FREE_ONLY_AT_THE_ROOT] });
    const byCode = signUpOf({ freeTier: false, org: { id: people.parent.id }, promoCode: 'KICKOFF1' });
    expect((await post(byCode, { url })).json().errors).toEqual({ promoCode: [PROMO_CODE_NOT_VALID] });
    const answer = await post(await paid(), { url });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject([{ role_id: 1 }]);
  });
});

describe('a promo code', () => {
  const byCode = (promoCode: string, changes: Record<string, unknown> = {}) =>
    signUpOf({ freeTier: false, org: { id: people.parent.id }, promoCode, ...changes });

  test.each(['nonsense', 'OLDOLDOL', 'KICKOFF12', '１２３'])('%s pays for nothing', async (code) => {
    const answer = await post(byCode(code));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({ promoCode: [PROMO_CODE_NOT_VALID] });
  });

  test('is ignored where codes are not accepted', async () => {
    const answer = await post(byCode('KICKOFF1', { org: { id: 1 } }));
    expect(answer.json().errors).toEqual({ promoCode: [PROMO_CODE_NOT_VALID] });
  });

  test('pays as often as allowed, to those who come first', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(byCode('kickoff1'))));
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 200, 422, 422, 422]);
    const made = answers.find((answer) => answer.statusCode === 200);
    expect(made?.json()[0].organizations).toMatchObject([{ free_tier: false }]);
  });
});

describe('an account for someone else (bulk_upload)', () => {
  test('is opened by platform admins only, free, without a session', async () => {
    const { agreeToTerms: _terms, confirmAgeAndPlace: _age, freeTier: _free, ...payload } = signUpOf();
    const forOthers = { ...payload, org: { id: people.parent.id }, bulk_upload: true };
    expect((await post(forOthers)).statusCode).toBe(401);
    expect((await post(forOthers, { as: people.tokens.owner })).statusCode).toBe(403);
    const answer = await post(forOthers, { as: people.tokens.admin });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers['authorization']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json()).toMatchObject([{ organizations: [{ free_tier: true }] }]);
  });

  test('is opened once when a form is sent again, however fast (fault F24)', async () => {
    const key = randomUUID();
    const form = signUpOf({ org: { id: people.parent.id }, bulk_upload: true, client_key: key });
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(form, { as: people.tokens.admin })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.json<{ id: number }[]>()[0]?.id)).size).toBe(1);
    expect(answers.map(({ headers }) => headers['authorization'])).toEqual(Array(5).fill(undefined));
    const [user] = answers[0]?.json<{ id: number }[]>() ?? [];
    const actions = await server.data.ownerQuery('select action, ip from audit_log where object_id = $1', [
      String(user?.id),
    ]);
    expect(actions).toEqual([{ action: 'account.opened', ip: expect.any(String) }]);
    const other = await post(
      { ...form, user: { ...form.user, email: 'else@families.test' } },
      { as: people.tokens.admin },
    );
    expect([other.statusCode, other.json<{ error: string }>().error]).toEqual([409, FORM_OPENED_ANOTHER]);
    const changed = await post({ ...form, user: { ...form.user, last_name: 'Else' } }, { as: people.tokens.admin });
    expect([changed.statusCode, changed.json<{ error: string }>().error]).toEqual([409, FORM_HAS_CHANGED]);
  });

  test('has a key for admins only: it reveals no account to others', async () => {
    const key = randomUUID();
    await post(signUpOf({ bulk_upload: true, client_key: key }), { as: people.tokens.admin });
    const own = await post(signUpOf({ client_key: key }));
    expect(own.statusCode).toBe(200);
    expect(own.headers['authorization']).toMatch(/^Bearer /);
    expect((await post(signUpOf({ bulk_upload: true, client_key: key }))).statusCode).toBe(401);
    expect((await post(signUpOf({ bulk_upload: true, client_key: key }), { as: people.tokens.owner })).statusCode).toBe(
      403,
    );
  });
});
