/** Plan, share and flags over HTTP, with subscriptions that are paid for. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  PLAN_NOT_VALID,
  PAYMENT_UNDER_WAY,
  KEEPS_NOT_VALID,
  stillPaidFor,
  YES_OR_NO,
} from '#src/features/codes/terms.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { chargesOf, payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});
beforeEach(async () => {
  await server.data.ownerQuery("update subscriptions set status = 'ended', ended_at = now() where status <> 'ended'");
  await server.data.ownerQuery('update organizations set free_tier = true, share_bps = 2000 where id = $1', [
    people.tides.id,
  ]);
  server.app.organizations.forget(people.tides.id);
});

const address = (id: number) => `/api/v1/organizations/${id}/terms`;
const read = (as: string | null, id = people.tides.id) => server.call({ method: 'GET', url: address(id), as });
const change = (terms: unknown, as: string | null = people.tokens.admin, id = people.tides.id) =>
  server.call({ method: 'PUT', url: address(id), as, payload: { terms } as Record<string, unknown> });
const upgrade = async () =>
  server.call({
    method: 'POST',
    url: '/api/v1/charges/',
    as: people.tokens.neighbor,
    payload: { token: await payWith(server), type: 'upgrade', affiliate_id: people.tides.id },
  });
const live = () =>
  server.data.ownerQuery("select id from subscriptions where organization_id = $1 and status <> 'ended'", [
    people.tides.id,
  ]);
const newest = async (action: string) =>
  (
    await server.data.ownerQuery<{ details: unknown }>(
      'select details from audit_log where action = $1 and organization_id = $2 order by id desc limit 1',
      [`organization.${action}`, people.tides.id],
    )
  )[0]?.details;

describe('who may', () => {
  test.each([
    ['a visitor', () => null, 401],
    ['the owner', () => people.tokens.neighbor, 403],
    ['the parent’s member', () => people.tokens.parentMember, 403],
    ['a foreigner', () => people.tokens.foreigner, 403],
  ])('not %s', async (_who, token, status) => {
    expect((await read(token())).statusCode).toBe(status);
    expect((await change({ plan: 'enterprise', keeps_percent: 100 }, token())).statusCode).toBe(status);
    expect((await read(people.tokens.admin)).json()).toMatchObject({ plan: 'free', keeps_percent: 80 });
  });

  test('change terms only of an organization that exists', async () => {
    expect((await read(people.tokens.admin, 999_999)).statusCode).toBe(404);
    expect((await change({ plan: 'free' }, people.tokens.admin, 999_999)).statusCode).toBe(404);
  });
});

describe('a change of terms', () => {
  test('applies immediately and logs the values before and after', async () => {
    const answer = await change({ plan: 'enterprise', keeps_percent: 92.5, takes_promo_codes: true });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        id: people.tides.id,
        plan: 'enterprise',
        keeps_percent: 92.5,
        takes_promo_codes: true,
        reports_buyer_columns: false,
        shown_on_home_page: false,
        subscription: null,
      },
    ]);
    expect(await server.app.organizations.byId(people.tides.id)).toMatchObject({ freeTier: false, shareBps: 750 });
    expect(await newest('plan_changed')).toEqual({
      plan_before: 'free',
      plan: 'enterprise',
      share_bps_before: 2_000,
      share_bps: 750,
    });
    expect(await newest('flags_changed')).toMatchObject({ takes_promo_codes_before: false, takes_promo_codes: true });
    expect((await change({ takes_promo_codes: false })).json()).toMatchObject({
      plan: 'enterprise',
      keeps_percent: 92.5,
    });
  });

  test('that changes nothing adds no line', async () => {
    const count = () => server.data.ownerQuery('select count(*)::int as lines from audit_log');
    const before = await count();
    expect((await change({ plan: 'free', takes_promo_codes: false })).statusCode).toBe(200);
    expect(await count()).toEqual(before);
  });

  test('reports all problems', async () => {
    const answer = await change({ plan: 'gold', keeps_percent: 100.001, takes_promo_codes: 'yes' });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      {
        errors: {
          'terms.plan': [PLAN_NOT_VALID],
          'terms.keeps_percent': [KEEPS_NOT_VALID],
          'terms.takes_promo_codes': [YES_OR_NO],
        },
      },
    ]);
  });

  test.each([[null], [-1], [101], ['90'], [80.123], [1e21]])('a share of %j is refused', async (keeps_percent) => {
    expect((await change({ plan: 'enterprise', keeps_percent })).statusCode).toBe(422);
  });
});

describe('terms during a subscription', () => {
  test('do not allow the free tier until it ends', async () => {
    expect((await upgrade()).statusCode).toBe(200);
    const [row] = await server.data.ownerQuery<{ day: string }>(
      "select to_char(period_end at time zone 'America/New_York', 'MM.DD.YYYY') as day from subscriptions where organization_id = $1 and status <> 'ended'",
      [people.tides.id],
    );
    const answer = await change({ plan: 'free' });
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: stillPaidFor(row?.day ?? '') }]);
    expect(await live()).toHaveLength(1);
  });

  test('end it by a contract, and nothing more is charged', async () => {
    expect((await upgrade()).statusCode).toBe(200);
    const charged = (await chargesOf(server)).length;
    const answer = await change({ plan: 'enterprise', keeps_percent: 100 });
    expect(answer.json()).toMatchObject({ plan: 'enterprise', keeps_percent: 100, subscription: null });
    expect(await live()).toEqual([]);
    expect(await newest('plan_changed')).toMatchObject({ plan_before: 'premium', subscription_ended: true });
    await server.app.billing.renewDue();
    expect(await chargesOf(server)).toHaveLength(charged);
  });

  test('can change flags', async () => {
    expect((await upgrade()).statusCode).toBe(200);
    expect((await change({ reports_buyer_columns: true })).json()).toMatchObject({
      plan: 'premium',
      subscription: { plan: 'premium', status: 'active', price: 89 },
    });
    await change({ reports_buyer_columns: false });
  });

  test('do not change the plan while a payment’s outcome is unknown', async () => {
    await server.data.ownerQuery(
      `insert into account_payments (kind, organization_id, plan, amount_cents, idempotency_key, payer_name, payer_email, state, sent_at)
       values ('upgrade', $1, 'premium', 8900, gen_random_uuid(), 'P', 'p@people.test', 'unknown', now())`,
      [people.tides.id],
    );
    const answer = await change({ plan: 'premium' });
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: PAYMENT_UNDER_WAY }]);
    expect((await change({ takes_promo_codes: false })).statusCode).toBe(200);
    // A payment of one organization does not hold up another.
    const { hawks, tokens } = people;
    expect((await change({ plan: 'enterprise', keeps_percent: 90 }, tokens.admin, hawks.id)).statusCode).toBe(200);
    await server.data.ownerQuery("delete from account_payments where state = 'unknown'");
  });

  test('and an upgrade at the same time never both apply', async () => {
    const [paid, agreed] = await Promise.all([upgrade(), change({ plan: 'enterprise', keeps_percent: 95 })]);
    const terms = (await read(people.tokens.admin)).json<{ plan: string; subscription: unknown }>();
    if (agreed.statusCode === 200) expect(terms).toMatchObject({ plan: 'enterprise', subscription: null });
    else
      expect([agreed.statusCode, terms]).toMatchObject([409, { plan: 'premium', subscription: { plan: 'premium' } }]);
    if (paid.statusCode !== 200) expect(paid.statusCode).toBe(409);
    const [open] = await server.data.ownerQuery(
      "select count(*)::int as count from account_payments where organization_id = $1 and state in ('created', 'sent', 'unknown')",
      [people.tides.id],
    );
    expect(open).toEqual({ count: 0 });
  });
});

test('the invariants allow what a plan given by an admin left behind', async () => {
  await change({ plan: 'premium' });
  for (const name of ['One', 'Two']) await openGallery(server, people.tokens.neighbor, people.tides.id, { name });
  expect((await change({ plan: 'free' })).statusCode).toBe(200);
  const found = await checkInvariants({ database: server.platform.database, sandboxCards: true });
  expect(found).toEqual([]);
});
