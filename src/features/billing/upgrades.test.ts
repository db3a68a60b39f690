/** An upgrade over HTTP: who may, what it costs, what it leaves behind, and that it happens once. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, chargesOf, DECLINED_CARD, appWith, letTimePass, payWith, POOR_CARD } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let swimmers: string;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  // `neighbor` administers the club on the free tier.
  swimmers = people.tokens.neighbor;
});

const upgrade = (token: unknown, as: string | null = swimmers, affiliateId: unknown = people.tides.id) =>
  server.call({
    method: 'POST',
    url: '/api/v1/charges/',
    as,
    payload: { token, type: 'upgrade', affiliate_id: affiliateId },
  });
const stateOf = async (as: string | null = swimmers) =>
  (await server.call({ method: 'GET', url: `/api/v1/charges/${people.tides.id}`, as })).json();
const rows = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  server.data.ownerQuery<Row>(text, values);
const isFree = async () =>
  (await rows<{ free_tier: boolean }>('select free_tier from organizations where id = $1', [people.tides.id]))[0]
    ?.free_tier;
const violations = () => checkInvariants({ database: server.platform.database, sandboxCards: true });

let chargedBefore = 0;
const charged = async () => (await chargesOf(server)).slice(chargedBefore);

beforeEach(async () => {
  // Every test starts with a club on the free tier without a payment.
  await rows("update subscriptions set status = 'ended', ended_at = now() where status <> 'ended'");
  await rows('update organizations set free_tier = true where id = $1', [people.tides.id]);
  server.app.organizations.forget(people.tides.id);
  chargedBefore = (await chargesOf(server)).length;
});

describe('an upgrade', () => {
  test('costs 89 dollars and is recorded everywhere', async () => {
    const answer = await upgrade(await payWith(server));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      affiliate: expect.objectContaining({ id: people.tides.id, domain_name: 'tides', free_tier: false }),
      card: { last4: '4242', exp_month: 12, exp_year: 2040 },
    });
    expect(await charged()).toEqual([{ amount: 8900, refunded: 0 }]);
    expect(await isFree()).toBe(false);
    const [subscription] = await rows<{ id: number; days: number }>(
      "select id, status, plan, price_cents, card_last4, payer_email, saved_card is not null as keeps, extract(day from period_end - period_start)::int as days from subscriptions where organization_id = $1 and status <> 'ended'",
      [people.tides.id],
    );
    expect(subscription).toMatchObject({
      status: 'active',
      plan: 'premium',
      price_cents: 8900,
      card_last4: '4242',
      payer_email: 'neighbor@people.test',
      keeps: true,
    });
    expect([365, 366]).toContain(subscription?.days);
    const entries = await rows(
      `select a.kind, e.amount_cents from account_payments p
         join ledger_txs t on t.kind = 'account_payment' and t.source_id = p.id::text
         join ledger_entries e on e.tx_id = t.id join ledger_accounts a on a.id = e.account_id
        where p.subscription_id = $1 order by e.id`,
      [subscription?.id],
    );
    expect(entries).toEqual([
      { kind: 'provider_clearing', amount_cents: 8612 },
      { kind: 'provider_fee', amount_cents: 288 },
      { kind: 'platform_revenue', amount_cents: -8900 },
    ]);
    const [sentEmail] = await rows(
      "select recipient, subject, body_text from mail_outbox where dedupe_key like 'account-receipt-%' order by id desc limit 1",
    );
    expect(sentEmail).toMatchObject({
      recipient: 'neighbor@people.test',
      subject: 'Your receipt: Sideline Premium for tides',
      body_text: expect.stringContaining('$89.00'),
    });
    expect(await stateOf()).toEqual({ status: 'paid', error: null });
    expect(await violations()).toEqual([]);
  });

  test('is known to all processes immediately, although they cache organizations', async () => {
    const another = appWith(server, {});
    const freeTierThere = async () => (await another.organizations.byId(people.tides.id))?.freeTier;
    expect(await freeTierThere()).toBe(true);
    await upgrade(await payWith(server));
    await expect.poll(freeTierThere).toBe(false);
  });

  test.each([
    ['the parent’s director', () => people.tokens.parentMember],
    ['a platform admin', () => people.tokens.admin],
  ])('may be paid by %s', async (_who, token) => {
    expect((await upgrade(await payWith(server), token())).statusCode).toBe(200);
    expect(await isFree()).toBe(false);
  });

  test.each([
    ['a visitor', () => null, 401],
    ['a foreigner', () => people.tokens.foreigner, 404],
    ['a neighbor’s owner', () => people.tokens.owner, 404],
  ])('is refused to %s, who is charged nothing', async (_who, token, status) => {
    expect((await upgrade(await payWith(server), token())).statusCode).toBe(status);
    expect(
      (await server.call({ method: 'GET', url: `/api/v1/charges/${people.tides.id}`, as: token() })).statusCode,
    ).toBe(status);
    expect(await charged()).toEqual([]);
  });

  test('reports all problems of its body', async () => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/charges/',
      as: swimmers,
      payload: { token: null, type: 'gift', affiliate_id: 'tides' },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: {
        token: ['Please enter a card.'],
        type: ["type must be 'upgrade'."],
        affiliate_id: [expect.any(String)],
      },
    });
    expect((await upgrade(undefined)).json()).toMatchObject({ errors: { token: ['Please enter a card.'] } });
    expect((await upgrade(await payWith(server), swimmers, 999_999)).statusCode).toBe(404);
  });

  test.each([
    ['the bare id', (token: { id: string }) => token.id],
    ['Stripe’s shape', (token: { id: string }) => ({ token: { id: token.id, object: 'token' } })],
  ])('accepts %s as its token', async (_what, shaped) => {
    expect((await upgrade(shaped(await payWith(server)))).statusCode).toBe(200);
  });

  test('of a premium account is a conflict', async () => {
    await upgrade(await payWith(server));
    const again = await upgrade(await payWith(server));
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ error: 'This account is already upgraded.' });
    expect(await charged()).toHaveLength(1);
  });

  test.each([
    [DECLINED_CARD, 'Your card was declined.'],
    [POOR_CARD, 'Your card has insufficient funds.'],
  ])('with %s is refused in the provider’s words, and another card helps', async (number, words) => {
    const refused = await upgrade(await payWith(server, number));
    expect(refused.statusCode).toBe(402);
    expect(refused.json()).toMatchObject({ error: words });
    expect(await isFree()).toBe(true);
    expect(await stateOf()).toEqual({ status: 'failed', error: words });
    expect((await upgrade(await payWith(server))).statusCode).toBe(200);
    expect(await charged()).toHaveLength(1);
    expect(await violations()).toEqual([]);
  });

  test('requested six times at the same time charges once; the others are conflicts', async () => {
    const tokens = await Promise.all(Array.from({ length: 6 }, () => payWith(server)));
    const answers = await Promise.all(tokens.map((token) => upgrade(token)));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await charged()).toEqual([{ amount: 8900, refunded: 0 }]);
    expect(await violations()).toEqual([]);
  });

  test('is settled later when the response is lost after the charge', async () => {
    const app = appWith(server, {
      charge: async (request) => {
        await server.platform.payments.charge(request);
        return { state: 'unknown', cause: new Error('the line went dead') };
      },
    });
    const { id } = await payWith(server);
    const pending = await app.billing.upgrade(await callerOf(server, swimmers), {
      token: id,
      type: 'upgrade',
      affiliate_id: people.tides.id,
    });
    expect(pending).toMatchObject({ state: 'pending' });
    expect(await isFree()).toBe(true);
    expect(await stateOf()).toEqual({ status: 'pending', error: null });
    const impatient = await upgrade(await payWith(server));
    expect(impatient.statusCode).toBe(409);
    expect(impatient.json()).toMatchObject({ error: 'A payment for this upgrade is already in progress.' });
    await server.app.billing.sweep();
    expect(await stateOf(), 'too soon to ask').toEqual({ status: 'pending', error: null });
    await letTimePass(server, 13);
    await Promise.all([server.app.billing.sweep(), server.app.billing.sweep()]);
    expect(await stateOf()).toEqual({ status: 'paid', error: null });
    expect(await isFree()).toBe(false);
    expect(await charged()).toEqual([{ amount: 8900, refunded: 0 }]);
    expect(await violations()).toEqual([]);
  });

  test('that never reached the provider fails, and nothing is charged', async () => {
    const app = appWith(server, { charge: async () => ({ state: 'unknown', cause: new Error('no route') }) });
    const { id } = await payWith(server);
    await app.billing.upgrade(await callerOf(server, swimmers), {
      token: id,
      type: 'upgrade',
      affiliate_id: people.tides.id,
    });
    await letTimePass(server, 13);
    await server.app.billing.sweep();
    expect(await stateOf()).toEqual({
      status: 'failed',
      error: 'Payment service unavailable, you were not charged.',
    });
    expect(await charged()).toEqual([]);
    expect((await upgrade(id)).statusCode).toBe(200);
  });

  test('that no longer buys anything is refunded', async () => {
    const app = appWith(server, {
      charge: async (request) => {
        const outcome = await server.platform.payments.charge(request);
        // Someone made the account premium by other means meanwhile.
        await rows('update organizations set free_tier = false where id = $1', [people.tides.id]);
        return outcome;
      },
    });
    const { id } = await payWith(server);
    const late = app.billing.upgrade(await callerOf(server, swimmers), {
      token: id,
      type: 'upgrade',
      affiliate_id: people.tides.id,
    });
    await expect(late).rejects.toMatchObject({ code: 'conflict', message: 'This account is already upgraded.' });
    expect(await charged()).toEqual([{ amount: 8900, refunded: 8900 }]);
    expect(await stateOf()).toEqual({ status: 'failed', error: 'This account is already upgraded.' });
    expect(await violations()).toEqual([]);
  });

  test('whose bank asks the cardholder is pending with the secret for the browser, and fails when no answer comes', async () => {
    const app = appWith(server, {
      charge: async () => ({ state: 'requires_action', chargeId: 'pi_waits', clientSecret: 'secret' }),
    });
    const waiting = await app.billing.upgrade(await callerOf(server, swimmers), {
      token: 'tok_waits',
      type: 'upgrade',
      affiliate_id: people.tides.id,
    });
    expect(waiting).toMatchObject({ state: 'pending', clientSecret: 'secret' });
    expect(await stateOf()).toEqual({ status: 'pending', error: null });
    await letTimePass(server, 601);
    await server.app.billing.sweep();
    expect(await stateOf()).toMatchObject({ status: 'failed' });
    expect((await upgrade(await payWith(server))).statusCode).toBe(200);
  });
});

describe('cards that keep being declined', () => {
  const strict = useTestServer();
  test('are refused after five within ten minutes', async () => {
    const others = await settleNeighborhood(strict);
    const send = async (number?: string) =>
      strict.call({
        method: 'POST',
        url: '/api/v1/charges/',
        as: others.tokens.neighbor,
        payload: { token: await payWith(strict, number), type: 'upgrade', affiliate_id: others.tides.id },
      });
    for (let attempt = 1; attempt <= 5; attempt++) expect((await send(DECLINED_CARD)).statusCode).toBe(402);
    expect((await send()).statusCode).toBe(429);
  });
});
