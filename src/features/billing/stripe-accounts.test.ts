/** Accounts paid through Stripe's adapter, against a stand-in that follows Stripe's rules and can drop responses. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type App } from '#src/app.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { openStripeProvider } from '#src/platform/payments/stripe-provider.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, letTimePass } from '#tests/support/payer.ts';
import { startStripeStandIn, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const BEGIN = new Date('2026-11-21T15:00:00Z');
const NEXT_YEAR = new Date('2027-11-21T15:00:00Z');
let now = BEGIN;
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' }, clock: { now: () => now } });
let people: Neighborhood;
let stripe: StandIn;
let app: App;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  stripe = await startStripeStandIn();
  const log = { warn: () => undefined };
  const payments = openStripeProvider({ secretKey: stripe.secretKey, apiBase: stripe.url, log });
  app = createApp({ ...server.platform, payments });
});
afterAll(() => stripe.close());

beforeEach(async () => {
  now = BEGIN;
  await server.data.ownerQuery("update subscriptions set status = 'ended', ended_at = now() where status <> 'ended'");
  await server.data.ownerQuery('update organizations set free_tier = true where id = $1', [people.tides.id]);
  app.organizations.forget(people.tides.id);
  stripe.books.intents.clear();
});

const upgrade = async (number = '4242424242424242') =>
  app.billing.upgrade(await callerOf(server, people.tokens.neighbor), {
    token: stripe.books.makeToken(number),
    type: 'upgrade',
    affiliate_id: people.tides.id,
  });
const state = async () => app.billing.upgradeState(await callerOf(server, people.tokens.neighbor), people.tides.id);
const paidIntents = () => [...stripe.books.intents.values()].filter(({ status }) => status === 'succeeded');
const violations = () => checkInvariants({ database: server.platform.database, sandboxCards: false });

describe('an account at Stripe', () => {
  test('is upgraded, and a year later renewed with the stored card, without the cardholder', async () => {
    expect(await upgrade()).toMatchObject({ state: 'upgraded', card: { last4: '4242' } });
    now = NEXT_YEAR;
    await app.billing.renewDue();
    expect(paidIntents().map(({ amount }) => amount)).toEqual([8900, 8900]);
    const [first, second] = paidIntents();
    expect(second).toMatchObject({ customer: first?.customer, payment_method: first?.payment_method });
    const [subscription] = await server.data.ownerQuery(
      "select status, period_end from subscriptions where status <> 'ended'",
    );
    expect(subscription).toEqual({ status: 'active', period_end: new Date('2028-11-21T15:00:00Z') });
    expect(await violations()).toEqual([]);
  });

  test('that the bank declines is refused in the bank’s words', async () => {
    await expect(upgrade('4000000000009995')).rejects.toMatchObject({
      code: 'card_refused',
      message: 'Your card has insufficient funds.',
    });
  });

  test('is upgraded once when all replies are dropped after the charge', async () => {
    stripe.failNext(/payment_intents$/, 'drop_reply', 6);
    expect(await upgrade()).toMatchObject({ state: 'pending' });
    stripe.heal();
    await letTimePass(server, 13);
    await Promise.all([app.billing.sweep(), app.billing.sweep()]);
    expect(await state()).toEqual({ status: 'paid', error: null });
    expect(paidIntents()).toHaveLength(1);
    expect(await violations()).toEqual([]);
  });

  test('is not charged when Stripe was never reached, and can be upgraded then', async () => {
    stripe.failNext(/payment_intents$/, 'reset', 6);
    expect(await upgrade()).toMatchObject({ state: 'pending' });
    stripe.heal();
    await letTimePass(server, 13);
    await app.billing.sweep();
    expect(await state()).toMatchObject({ status: 'failed' });
    expect(await upgrade()).toMatchObject({ state: 'upgraded' });
    expect(paidIntents()).toHaveLength(1);
  });

  const ASKING = '4000002500003155';
  const waitingIntent = () => [...stripe.books.intents.values()].find((intent) => intent.status === 'requires_action');

  test.each([
    ['is upgraded when its holder convinces the bank', true, { status: 'paid', error: null }, 1],
    [
      'is not charged when its holder does not',
      false,
      { status: 'failed', error: expect.stringMatching(/authenticat/) },
      0,
    ],
  ])('%s', async (_what, convinces, outcome, times) => {
    expect(await upgrade(ASKING)).toMatchObject({ state: 'pending', clientSecret: expect.any(String) });
    await letTimePass(server, 13);
    await app.billing.sweep();
    expect(await state(), 'the bank still waits').toEqual({ status: 'pending', error: null });
    stripe.books.answerBank(waitingIntent()?.id ?? '', convinces);
    await app.billing.sweep();
    expect(await state()).toEqual(outcome);
    expect(paidIntents()).toHaveLength(times);
    expect(await violations()).toEqual([]);
  });

  test('whose cardholder left is closed after ten minutes, and can be upgraded with another card', async () => {
    await upgrade(ASKING);
    await expect(upgrade()).rejects.toMatchObject({ code: 'conflict' });
    await letTimePass(server, 601);
    await app.billing.sweep();
    expect(await state()).toMatchObject({ status: 'failed' });
    expect(waitingIntent()).toBeUndefined();
    expect(await upgrade()).toMatchObject({ state: 'upgraded' });
    expect(paidIntents()).toHaveLength(1);
  });

  test('is not opened with a card that needs 3-D Secure', async () => {
    const signUp = app.billing.chargeSignUp(await callerOf(server, null), {
      token: stripe.books.makeToken(ASKING),
      email: 'new@people.test',
      name: 'New Person',
      organizationName: 'New Club',
    });
    await expect(signUp).rejects.toMatchObject({ code: 'card_refused' });
  });

  test('that was never created gets its money back', async () => {
    const payment = await app.billing.chargeSignUp(await callerOf(server, null), {
      token: stripe.books.makeToken('4242424242424242'),
      email: 'new@people.test',
      name: 'New Person',
      organizationName: 'New Club',
    });
    stripe.failNext(/refunds$/, 'drop_reply', 1);
    await app.billing.undoSignUpPayment(payment);
    await letTimePass(server, 13);
    await app.billing.sweep();
    const [row] = await server.data.ownerQuery('select state from account_payments where id = $1', [payment.id]);
    expect(row).toEqual({ state: 'refunded' });
    const [intent] = paidIntents();
    const refunds = stripe.books.refunds.filter((refund) => refund.payment_intent === intent?.id);
    expect(refunds.map(({ amount }) => amount)).toEqual([8900]);
    expect(await violations()).toEqual([]);
  });
});
