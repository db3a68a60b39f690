import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '#src/platform/telemetry/work.ts';
import { cents } from '#src/shared/money.ts';
import { startStripeStandIn, type Fault, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { CARD_ENTRY_SPENT, isCardDecline, PAYMENT_UNAVAILABLE, type ChargeRequest } from './payments.ts';
import { intentOf } from './stripe-charges.ts';
import { openStripeProvider, type StripeProvider } from './stripe-provider.ts';

let stripe: StandIn;
let provider: StripeProvider;
const logged: unknown[] = [];
beforeAll(async () => {
  stripe = await startStripeStandIn();
  provider = open(stripe);
});
afterAll(() => stripe.close());

function open(
  standIn: StandIn,
  { secretKey = standIn.secretKey, ...limit }: { secretKey?: string; timeoutMs?: number } = {},
): StripeProvider {
  const log = { warn: (...said: unknown[]) => void logged.push(said) };
  return openStripeProvider({ secretKey, apiBase: standIn.url, ...limit, log });
}

let keys = 0;
function request(number = '4242424242424242', changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    idempotencyKey: `key-${++keys}`,
    source: { token: stripe.books.makeToken(number) },
    amountCents: cents(1583),
    description: 'Photos, order v1',
    metadata: { order: 'v1' },
    ...changes,
  };
}
const chargesOf = ({ idempotencyKey }: ChargeRequest) =>
  [...stripe.books.intents.values()].filter(
    (intent) => intent.metadata['idempotency_key'] === idempotencyKey && intent.status === 'succeeded',
  );
const question = (asked: ChargeRequest) => ({ idempotencyKey: asked.idempotencyKey, sentAt: new Date() });

describe('a charge', () => {
  test('that succeeds has its card and its real fee, and can be found by its key or its id', async () => {
    const asked = request();
    const outcome = await provider.charge(asked);
    expect(outcome).toEqual({
      state: 'succeeded',
      chargeId: expect.stringMatching(/^pi_/),
      feeCents: 76,
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
      savedCard: null,
    });
    expect(await provider.findCharge(question(asked))).toEqual({ ...outcome, amountCents: 1583 });
    const [intent] = chargesOf(asked);
    expect(intent?.metadata).toMatchObject({ order: 'v1' });
    expect(await provider.findCharge({ ...question(asked), chargeId: intent?.id ?? null })).toEqual({
      ...outcome,
      amountCents: 1583,
    });
  });

  test.each([
    ['4000000000000002', 'Your card was declined.', 'card_declined'],
    ['4000000000009995', 'Your card has insufficient funds.', 'card_declined'],
    ['4000000000000069', 'Your card has expired.', 'expired_card'],
    ['4000000000000127', "Your card's security code is incorrect.", 'incorrect_cvc'],
    [
      '4000000000000119',
      'An error occurred while processing your card. Try again in a little bit.',
      'processing_error',
    ],
  ])('of %s is declined in the bank’s words: %s', async (number, message, code) => {
    const asked = request(number);
    const declined = { state: 'declined', message, code } as const;
    expect(await provider.charge(asked)).toEqual(declined);
    expect(await provider.charge(asked)).toEqual(declined);
    expect(await provider.findCharge(question(asked))).toEqual(declined);
    expect(isCardDecline(declined)).toBe(true);
  });

  test('names our request in a header, so that a retry of another request has the same content', async () => {
    const asked = request();
    const of = (requestId: string) => within({ requestId, name: 'test', span: null }, () => provider.charge(asked));
    expect(await of('request-one')).toEqual(await of('request-two'));
    const heard = stripe.requests.filter(({ key }) => key === asked.idempotencyKey).map(({ from }) => from);
    expect(heard).toEqual(['request-one', 'request-two']);
  });

  test('with the same key returns the same charge, also after many concurrent requests', async () => {
    const asked = request();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => provider.charge(asked)));
    const settled = await provider.charge(asked);
    expect(settled.state).toBe('succeeded');
    for (const outcome of outcomes) expect(['succeeded', 'unknown']).toContain(outcome.state);
    expect(chargesOf(asked)).toHaveLength(1);
  });

  test('with the same key and other content is refused, and says nothing about the card', async () => {
    const asked = request();
    await provider.charge(asked);
    const other = await provider.charge({ ...asked, amountCents: cents(99) });
    expect(other).toMatchObject({ state: 'declined', code: 'idempotency_error' });
    expect(other.state === 'declined' && isCardDecline(other)).toBe(false);
    expect(chargesOf(asked)).toHaveLength(1);
  });

  test.each<[string, (asked: ChargeRequest) => Promise<ChargeRequest>]>([
    ['a token that no one made', async (asked) => ({ ...asked, source: { token: 'tok_nobody' } })],
    ['a token that was used', async (asked) => (await provider.charge(asked), { ...request(), source: asked.source })],
    ['a payment method that no one made', async (asked) => ({ ...asked, source: { token: 'pm_nobody' } })],
    ['a kept card that is gone', async (asked) => ({ ...asked, source: { savedCard: 'cus_gone/pm_gone' } })],
  ])('with %s is told in our words, and Stripe’s are logged', async (_what, change) => {
    logged.length = 0;
    const outcome = await provider.charge(await change(request()));
    expect(outcome).toEqual({ state: 'declined', message: CARD_ENTRY_SPENT, code: 'card_entry_spent' });
    expect(outcome.state === 'declined' && isCardDecline(outcome)).toBe(false);
    expect(JSON.stringify(logged)).toMatch(/No such|more than once/);
    expect(JSON.stringify(logged)).not.toMatch(/(tok|pm)_\w/);
  });

  test('that Stripe cannot accept, or with a wrong key, is our error and not the card’s', async () => {
    for (const refused of [
      await provider.charge(request(undefined, { amountCents: cents(10) })),
      await open(stripe, { secretKey: 'sk_test_wrong' }).charge(request()),
    ]) {
      expect(refused).toEqual({ state: 'declined', message: PAYMENT_UNAVAILABLE, code: 'request_refused' });
    }
  });

  test.each<[Fault, number]>([
    ['drop_reply', 1],
    ['hang', 1],
    ['reset', 0],
    ['error_429', 0],
    ['error_500', 0],
    [{ slowMs: 3_000 }, 1],
  ])('that meets %j is unknown, and found out', async (fault, charged) => {
    const asked = request();
    // The library itself retries after a closed connection, with the same key.
    stripe.failNext(/payment_intents$/, fault, fault === 'drop_reply' || fault === 'reset' ? 2 : 1);
    expect(await open(stripe, { timeoutMs: 500 }).charge(asked)).toMatchObject({ state: 'unknown' });
    // A request still in progress is reported.
    if (typeof fault === 'object')
      expect(await provider.findCharge(question(asked))).toMatchObject({ state: 'unknown' });
    await expect
      .poll(async () => (await provider.findCharge(question(asked))).state)
      .toBe(charged === 1 ? 'succeeded' : fault === 'error_500' ? 'unknown' : 'absent');
    expect(chargesOf(asked)).toHaveLength(charged);
  });

  test('whose response was lost is resolved by retrying with the same key', async () => {
    const asked = request();
    stripe.failNext(/payment_intents$/, 'drop_reply', 2);
    expect(await provider.charge(asked)).toMatchObject({ state: 'unknown' });
    expect(await provider.charge(asked)).toMatchObject({ state: 'succeeded' });
    expect(chargesOf(asked)).toHaveLength(1);
  });

  test('that was closed before it was sent can never happen', async () => {
    const asked = request();
    expect(await provider.findCharge(question(asked))).toEqual({ state: 'absent' });
    expect(await provider.findCharge(question(asked))).toEqual({ state: 'absent' });
    expect(await provider.charge(asked)).toMatchObject({ state: 'declined', code: 'idempotency_error' });
    expect(chargesOf(asked)).toEqual([]);
  });

  test('and a search for it agree, whichever comes first', async () => {
    for (let round = 0; round < 8; round++) {
      const asked = request();
      const [outcome, first] = await Promise.all([provider.charge(asked), provider.findCharge(question(asked))]);
      const found = first.state === 'unknown' ? await provider.findCharge(question(asked)) : first;
      expect(found.state === 'succeeded').toBe(chargesOf(asked).length === 1);
      if (outcome.state === 'declined') expect(found.state).toBe('absent');
    }
  });

  test('that neither list nor search shows yet is unknown, never absent', async () => {
    const shy = await startStripeStandIn({ hidesFromLists: true });
    const asked = { ...request(), source: { token: shy.books.makeToken('4242424242424242') } };
    expect(await open(shy).charge(asked)).toMatchObject({ state: 'succeeded' });
    expect(await open(shy).findCharge(question(asked))).toMatchObject({ state: 'unknown' });
    await shy.close();
  });

  test('has no fee yet while Stripe has not booked it', async () => {
    const slow = await startStripeStandIn({ feesLater: true });
    const asked = { ...request(), source: { token: slow.books.makeToken('4242424242424242') } };
    const outcome = await open(slow).charge(asked);
    expect(outcome).toMatchObject({ state: 'succeeded', feeCents: null });
    if (outcome.state === 'succeeded') slow.books.bookFee(outcome.chargeId, 91);
    expect(await open(slow).findCharge(question(asked))).toMatchObject({ feeCents: 91 });
    await slow.close();
  });

  test('is unknown while Stripe is unreachable', async () => {
    const away = openStripeProvider({
      secretKey: 'sk_test_x',
      apiBase: 'http://127.0.0.1:1',
      log: { warn: () => undefined },
    });
    expect(await away.charge(request())).toMatchObject({ state: 'unknown' });
    expect(await away.findCharge({ idempotencyKey: 'any' })).toMatchObject({ state: 'unknown' });
    expect(await away.cardOf('tok_x')).toBeNull();
  });
});

describe('a wallet', () => {
  test('pays with its confirmation token, and may be Link, which is not a card', () => {
    const typesOf = (token: string) => intentOf(request(undefined, { source: { token } }), null);
    expect(typesOf('ctoken_1')).toMatchObject({
      confirmation_token: 'ctoken_1',
      allowed_payment_method_types: ['card', 'link'],
    });
    expect(typesOf('tok_1')).toMatchObject({ allowed_payment_method_types: ['card'] });
    expect(typesOf('tok_1')).not.toHaveProperty('confirmation_token');
  });
});

describe('a card that asks its bank (3-D Secure)', () => {
  const asking = '4000002500003155';
  async function waiting() {
    const asked = request(asking);
    const outcome = await provider.charge(asked);
    if (outcome.state !== 'requires_action') throw new Error(outcome.state);
    return { asked, ...outcome };
  }

  test('gives the browser a secret, and is paid when the buyer confirms', async () => {
    const { asked, chargeId, clientSecret } = await waiting();
    expect(clientSecret).toMatch(new RegExp(`^${chargeId}_secret_`));
    expect(await provider.findCharge(question(asked))).toMatchObject({ state: 'requires_action', clientSecret });
    stripe.books.answerBank(chargeId, true);
    expect(await provider.findCharge(question(asked))).toMatchObject({ state: 'succeeded', amountCents: 1583 });
  });

  test('is declined when the buyer does not confirm, and cannot be paid later with the same secret', async () => {
    const { asked, chargeId } = await waiting();
    stripe.books.answerBank(chargeId, false);
    expect(await provider.findCharge(question(asked))).toMatchObject({
      state: 'declined',
      code: 'payment_intent_authentication_failure',
    });
    expect(stripe.books.intent(chargeId).status).toBe('canceled');
  });

  test('waits until it is canceled', async () => {
    const { asked, chargeId } = await waiting();
    expect(await provider.findCharge({ ...question(asked), giveUp: true })).toMatchObject({ state: 'declined' });
    expect(stripe.books.intent(chargeId).status).toBe('canceled');
    const late = await waiting();
    stripe.books.answerBank(late.chargeId, true);
    expect(await provider.findCharge({ ...question(late.asked), giveUp: true })).toMatchObject({ state: 'succeeded' });
  });
});

describe('a stored card', () => {
  test('can be charged again without the cardholder', async () => {
    const first = await provider.charge(request(undefined, { keepCard: { email: 'pat@example.test', name: 'Pat' } }));
    if (first.state !== 'succeeded' || !first.savedCard) throw new Error('not kept');
    expect(first.savedCard).toMatch(/^cus_\w+\/pm_\w+$/);
    const again = request(undefined, { source: { savedCard: first.savedCard }, amountCents: cents(8900) });
    expect(await provider.charge(again)).toMatchObject({
      state: 'succeeded',
      feeCents: 288,
      card: first.card,
      savedCard: first.savedCard,
    });
    expect(await provider.charge(again)).toMatchObject({ state: 'succeeded' });
    expect(chargesOf(again)).toHaveLength(1);
  });

  test('creates one customer however often the first charge is sent', async () => {
    const asked = request(undefined, { keepCard: { email: 'once@example.test', name: 'Once' } });
    stripe.failNext(/payment_intents$/, 'drop_reply', 2);
    await provider.charge(asked);
    await provider.charge(asked);
    expect([...stripe.books.customers.values()].filter((each) => each.email === 'once@example.test')).toHaveLength(1);
    expect(chargesOf(asked)).toHaveLength(1);
  });
});

describe('a refund', () => {
  test('returns parts up to the whole, once per key', async () => {
    const outcome = await provider.charge(request());
    if (outcome.state !== 'succeeded') throw new Error('not paid');
    const { chargeId } = outcome;
    const part = { idempotencyKey: `r-${++keys}`, chargeId, amountCents: cents(1000) };
    stripe.failNext(/refunds$/, 'drop_reply', 2);
    expect(await provider.refund(part)).toMatchObject({ state: 'unknown' });
    expect(await provider.refund(part)).toMatchObject({ state: 'succeeded' });
    expect(await provider.chargeStatus?.(chargeId)).toMatchObject({
      refundedCents: 1000,
      amountCents: 1583,
      disputes: [],
    });
    expect(await provider.refund({ idempotencyKey: `r-${++keys}`, chargeId, amountCents: cents(584) })).toMatchObject({
      state: 'declined',
    });
  });
});

test('the seller’s own keys charge the seller’s own account', async () => {
  const account = { organizationId: 7, secretKey: 'sk_test_seller' };
  const books = stripe.accountOf(account.secretKey);
  const asked = request(undefined, { account, source: { token: books.makeToken('4242424242424242') } });
  expect(await provider.charge(asked)).toMatchObject({ state: 'succeeded' });
  expect(books.charges.size).toBe(1);
  expect(chargesOf(asked)).toEqual([]);
  expect(await provider.findCharge({ ...question(asked), account })).toMatchObject({ state: 'succeeded' });
  expect(await provider.charge(request(undefined, { account }))).toMatchObject({ code: 'card_entry_spent' });
});

test('the status of a charge includes its disputes', async () => {
  const outcome = await provider.charge(request());
  if (outcome.state !== 'succeeded') throw new Error('not paid');
  const { id } = stripe.books.openDispute(outcome.chargeId);
  expect(await provider.chargeStatus?.(outcome.chargeId)).toMatchObject({
    disputes: [{ id, status: 'open', amountCents: 1583, reason: 'fraudulent' }],
  });
  stripe.books.closeDispute(id, 'won');
  expect(await provider.chargeStatus?.(outcome.chargeId)).toMatchObject({ disputes: [{ id, status: 'won' }] });
});

test('the card behind a token is shown until it is used', async () => {
  const asked = request('5555555555554444');
  const token = 'token' in asked.source ? asked.source.token : '';
  expect(await provider.cardOf(token)).toMatchObject({ brand: 'mastercard', last4: '4444' });
  await provider.charge(asked);
  expect(await provider.cardOf(token)).toBeNull();
  expect(await provider.cardOf('tok_unknown')).toBeNull();
});
