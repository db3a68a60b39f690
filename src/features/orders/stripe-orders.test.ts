/** Whole orders through Stripe's adapter, against a stand-in that follows Stripe's rules and loses responses on request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { CARD_ENTRY_SPENT } from '#src/platform/payments/payments.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, openShop, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import type { StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { openStripeShop, startStripeShop, type StripeShop } from '#tests/support/stripe-shop.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { BANK_DID_NOT_CONFIRM } from '#src/features/billing/billing.contract.ts';
import * as words from './orders.contract.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const ASKING = '4000002500003155';
let stripe: StandIn;
let shop: StripeShop;
let goods: Shop;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ stripe, shop, goods, stop } = await startStripeShop(rig, db));
});
afterAll(() => stop());

/** As Stripe.js gives it to the page. */
const token = (number = '4242424242424242') => {
  const id = stripe.books.makeToken(number);
  return { token: { id, object: 'token', type: 'card', card: { last4: number.slice(-4) } } };
};
async function rowOf(cart: Cart) {
  const [row] = await db.ownerQuery<Record<string, unknown>>(
    `select o.id, o.vanity_id, o.status, o.processor, o.refunded_cents, a.fee_cents, a.state, a.provider_ref, a.account_secret,
            (select count(*) from ledger_txs where source_id = o.id::text and kind = 'sale')::int as sales,
            (select count(*) from mail_outbox where dedupe_key = 'receipt-' || o.vanity_id)::int as receipts
       from orders o left join payment_attempts a on a.order_id = o.id and a.state <> 'failed'
      where checkout_key = $1`,
    [cart.order['checkout_key']],
  );
  return row ?? {};
}
const intentsOf = async (cart: Cart) => {
  const { vanity_id: vanityId } = await rowOf(cart);
  return [...stripe.books.intents.values()].filter((intent) => intent.metadata['order'] === vanityId);
};
const paidTimes = async (cart: Cart) =>
  (await intentsOf(cart)).filter((intent) => intent.status === 'succeeded').length;
const PAID_ONCE = { status: 'paid', sales: 1, receipts: 1, state: 'succeeded' };

describe('an order', () => {
  test('is paid, booked with the real fee, and shows brand and last four digits', async () => {
    const cart = cartOf(goods, { token: token() });
    expect(await shop.order(cart)).toMatchObject({ status: 201, body: { status: 'paid', total: 12 } });
    expect(await rowOf(cart)).toMatchObject({ ...PAID_ONCE, fee_cents: 65, processor: 'platform' });
    const [intent] = await intentsOf(cart);
    expect(intent).toMatchObject({ amount: 1200, description: expect.stringMatching(/^Photos, order /) });
  });

  test('with a declined card gets the bank’s words, and is paid with another', async () => {
    const cart = cartOf(goods, { token: token('4000000000009995') });
    expect(await shop.order(cart)).toMatchObject({ status: 402, body: { error: 'Your card has insufficient funds.' } });
    expect(await shop.order({ ...cart, stripe_token: token() })).toMatchObject({ status: 201 });
    expect(await rowOf(cart)).toMatchObject(PAID_ONCE);
    expect(await paidTimes(cart)).toBe(1);
  });

  test('with a used token gets our message, however often, and no decline is counted', async () => {
    const strict = await openStripeShop(strictRig, db.database, stripe);
    const spent = token();
    await shop.order(cartOf(goods, { token: spent }));
    const user = { email: 'spent@families.test', confirm_email: 'spent@families.test' };
    for (let attempt = 0; attempt < 7; attempt++)
      expect(await strict.order(cartOf(goods, { token: spent, user }))).toMatchObject({
        status: 402,
        body: { error: CARD_ENTRY_SPENT },
      });
    expect(await strict.order(cartOf(goods, { token: token(), user }))).toMatchObject({ status: 201 });
    await strict.close();
  });

  test('sent three times at once is charged once', async () => {
    const cart = cartOf(goods, { token: token() });
    const answers = await Promise.all([1, 2, 3].map(() => shop.order(cart)));
    expect(new Set(answers.map(({ body }) => body['vanity_id'])).size).toBe(1);
    expect(await rowOf(cart)).toMatchObject(PAID_ONCE);
    expect(await paidTimes(cart)).toBe(1);
  });

  test('whose responses are all lost after the charge is being confirmed, and settled once', async () => {
    const cart = cartOf(goods, { token: token() });
    stripe.failNext(/payment_intents$/, 'drop_reply', 6);
    expect(await shop.order(cart)).toMatchObject({ status: 202, body: { status: 'pending' } });
    const { vanity_id: vanityId } = await rowOf(cart);
    const [attempt] = await db.ownerQuery<{ key: string }>(
      'select idempotency_key as key from payment_attempts a join orders o on o.id = a.order_id where vanity_id = $1',
      [vanityId],
    );
    await Promise.all([1, 2, 3].map(() => shop.orders.recover(attempt?.key ?? '')));
    expect(await rowOf(cart)).toMatchObject(PAID_ONCE);
    expect(await paidTimes(cart)).toBe(1);
  });

  test('that never reached Stripe is not charged, and may be tried again under the same key', async () => {
    const cart = cartOf(goods, { token: token() });
    stripe.failNext(/payment_intents$/, 'reset', 6);
    expect(await shop.order(cart)).toMatchObject({ status: 202 });
    await db.ownerQuery(
      "update payment_attempts set created_at = now() - interval '30 seconds', sent_at = now() - interval '30 seconds' where state in ('sent', 'unknown')",
    );
    await shop.orders.sweep();
    expect(await rowOf(cart)).toMatchObject({ status: 'failed' });
    expect(await shop.order({ ...cart, stripe_token: token() })).toMatchObject({ status: 201 });
    expect(await paidTimes(cart)).toBe(1);
  });

  test('while our key is wrong reports that nothing was charged', async () => {
    const broken = await openStripeShop(rig, db.database, { ...stripe, secretKey: 'sk_test_wrong' });
    const cart = cartOf(goods, { token: token() });
    expect(await broken.order(cart)).toMatchObject({ status: 503, body: { error: words.PAYMENT_UNAVAILABLE } });
    expect(await shop.order(cart)).toMatchObject({ status: 201 });
    await broken.close();
  });
});

const strictRig = useCheckout(db, { limitFactor: 1 });

describe('a card with 3-D Secure', () => {
  async function asking() {
    const cart = cartOf(goods, { token: token(ASKING) });
    const placed = await shop.order(cart);
    expect(placed).toMatchObject({
      status: 202,
      body: { status: 'pending', requires_action: { client_secret: expect.stringMatching(/^pi_\w+_secret_/) } },
    });
    const [intent] = await intentsOf(cart);
    return { cart, placed: placed.body, intentId: intent?.id ?? '' };
  }

  test('leaves the order pending, returns the same secret again, and pays when the buyer returns', async () => {
    const { cart, placed, intentId } = await asking();
    expect((await shop.order(cart)).body).toEqual(placed);
    stripe.books.answerBank(intentId, true);
    expect(await shop.order({ ...cart, stripe_token: null })).toMatchObject({ status: 201, body: { status: 'paid' } });
    expect(await rowOf(cart)).toMatchObject(PAID_ONCE);
  });

  test('pays even when the buyer does not return', async () => {
    const { cart, intentId } = await asking();
    stripe.books.answerBank(intentId, true);
    await db.ownerQuery("update payment_attempts set created_at = now() - interval '30 seconds' where state = 'sent'");
    await shop.orders.sweep();
    expect(await rowOf(cart)).toMatchObject(PAID_ONCE);
  });

  test('that fails is reported, and the same order is paid with another card', async () => {
    const { cart, intentId } = await asking();
    stripe.books.answerBank(intentId, false);
    expect(await shop.order(cart)).toMatchObject({
      status: 402,
      body: { error: expect.stringContaining('unable to authenticate') },
    });
    expect(await shop.order({ ...cart, stripe_token: token() })).toMatchObject({ status: 201 });
    expect(stripe.books.intent(intentId).status).toBe('canceled');
    expect(await paidTimes(cart)).toBe(1);
  });

  test('without an answer is given up within a quarter of an hour, so that codes are free again', async () => {
    const { cart, intentId } = await asking();
    const waitFor = async (minutes: number) => {
      await db.ownerQuery(
        'update payment_attempts set action_since = now() - make_interval(mins => $2), created_at = now() - make_interval(mins => $2) where provider_ref = $1',
        [intentId, minutes],
      );
      await shop.orders.recover(stripe.books.intent(intentId).metadata['idempotency_key'] ?? '');
    };
    await waitFor(13);
    expect(await rowOf(cart)).toMatchObject({ status: 'pending' });
    await waitFor(15);
    expect(await rowOf(cart)).toMatchObject({ status: 'failed' });
    const [row] = await db.ownerQuery<{ decline_message: string }>(
      'select decline_message from orders where checkout_key = $1',
      [cart.order['checkout_key']],
    );
    expect(row?.decline_message).toBe(BANK_DID_NOT_CONFIRM);
    expect(stripe.books.intent(intentId).status).toBe('canceled');
  });
});

describe('an organization with its own card keys', () => {
  async function openOwn(secretKey: string) {
    const own = await openShop(db, { shareBps: 2000 });
    await db.ownerQuery('update organizations set can_add_custom_payment = true where id = $1', [own.sellerId]);
    const prepared = await rig.processorKeys.prepare(own.sellerId, {
      publishableKey: 'pk_test_organization',
      secretKey,
    });
    if (!prepared) throw new Error('the keys are new');
    await db.database.write({ kind: 'tenants', organizationIds: [own.sellerId] }, (tx) =>
      rig.processorKeys.store(tx, own.sellerId, prepared),
    );
    return { own, books: stripe.accountOf(secretKey) };
  }

  test('is paid on its own account; the ledger has only the platform’s share', async () => {
    const { own, books } = await openOwn('sk_test_organization');
    const cart = cartOf(own, { token: { id: books.makeToken('4242424242424242') } });
    stripe.failNext(/payment_intents$/, 'drop_reply', 6);
    expect(await shop.order(cart)).toMatchObject({ status: 202 });
    expect((await rowOf(cart))['account_secret']).toBeInstanceOf(Buffer);
    const [intent] = [...books.intents.values()];
    await shop.orders.recover(intent?.metadata['idempotency_key'] ?? '');
    expect(await rowOf(cart)).toMatchObject({
      status: 'paid',
      processor: 'custom',
      sales: 0,
      receipts: 1,
      account_secret: null,
    });
    expect(books.charges.size).toBe(1);
    expect(await intentsOf(cart)).toEqual([]);
    const entries = await db.ownerQuery(
      'select a.kind, a.organization_id, e.amount_cents::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.order_id = $1 order by 3 desc',
      [(await rowOf(cart))['id']],
    );
    expect(entries).toEqual([
      { kind: 'provider_clearing', organization_id: own.sellerId, cents: 240 },
      { kind: 'platform_fee', organization_id: null, cents: -240 },
    ]);
  });

  test('is paid there after a declined card, too, and nothing is charged anywhere without its keys', async () => {
    const { own, books } = await openOwn('sk_test_declining');
    const cart = cartOf(own, { token: { id: books.makeToken('4000000000009995') } });
    const again = () => shop.order({ ...cart, stripe_token: { id: books.makeToken('4242424242424242') } });
    expect(await shop.order(cart)).toMatchObject({ status: 402, body: { error: 'Your card has insufficient funds.' } });
    const allow = (may: boolean) =>
      db.ownerQuery('update organizations set can_add_custom_payment = $2 where id = $1', [own.sellerId, may]);
    await allow(false);
    expect(await again()).toMatchObject({ status: 503, body: { error: words.PAYMENT_UNAVAILABLE } });
    expect(await rowOf(cart)).toMatchObject({ status: 'failed', sales: 0 });
    await allow(true);
    expect(await again()).toMatchObject({ status: 201, body: { status: 'paid' } });
    expect(await rowOf(cart)).toMatchObject({ status: 'paid', processor: 'custom', sales: 0, receipts: 1 });
    expect([books.charges.size, await intentsOf(cart)]).toEqual([1, []]);
  });
});

test('ledger and orders agree afterwards', async () => {
  expect(await checkInvariants({ database: db.database, sandboxCards: false })).toEqual([]);
});
