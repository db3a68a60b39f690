/** Events of the provider: forged, late, twice, in any order, and while the database is down (threats 39, 40; faults F9-F11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import type { StripeEvent } from '#tests/support/stripe-stand-in/books.ts';
import { startStripeStandIn, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { openStripeShop, startStripeShop, type StripeShop } from '#tests/support/stripe-shop.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { startJobs } from '#src/jobs.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
let stripe: StandIn;
let shop: StripeShop;
let goods: Shop;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ stripe, shop, goods, stop } = await startStripeShop(rig, db));
});
afterAll(() => stop());

const token = (number = '4242424242424242') => ({ id: stripe.books.makeToken(number) });
async function rowOf(cart: Cart) {
  const [row] = await db.ownerQuery<{ id: number; vanity_id: string; status: string; refunded_cents: number }>(
    'select id, vanity_id, status, refunded_cents from orders where checkout_key = $1',
    [cart.order['checkout_key']],
  );
  if (!row) throw new Error('no order');
  return row;
}
async function intentOf(cart: Cart): Promise<string> {
  const { vanity_id: vanityId } = await rowOf(cart);
  const found = [...stripe.books.intents.values()].find((intent) => intent.metadata['order'] === vanityId);
  if (!found) throw new Error('no intent');
  return found.id;
}
const postingsOf = async (cart: Cart) =>
  db.ownerQuery<{ kind: string; account: string; cents: number }>(
    `select t.kind, a.kind as account, e.amount_cents::int as cents
       from ledger_entries e join ledger_txs t on t.id = e.tx_id join ledger_accounts a on a.id = e.account_id
      where e.order_id = $1 order by t.id, e.id`,
    [(await rowOf(cart)).id],
  );
/** Balances of an order's entries, which do not depend on the order of events. */
async function balances(cart: Cart): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { account, cents } of await postingsOf(cart)) sums[account] = (sums[account] ?? 0) + cents;
  return sums;
}
async function buy(changes: Parameters<typeof cartOf>[1] = {}, from?: string): Promise<Cart> {
  const cart = cartOf(goods, { token: token(), ...changes });
  expect((await shop.order(cart, from)).status).toBeLessThan(203);
  return cart;
}
/** Delivers an event, and runs its job. */
async function hear(event: StripeEvent): Promise<void> {
  expect(await shop.deliver(event)).toBe(200);
  await shop.providerEvents.read(event.id);
}
const eventsOf = (intentId: string) =>
  stripe.books.events.filter((event) => {
    const { id, payment_intent: of } = event.data.object;
    return id === intentId || of === intentId;
  });
const eventOf = (intentId: string, type: string) => {
  const found = eventsOf(intentId).findLast((event) => event.type === type);
  if (!found) throw new Error(`no ${type}`);
  return found;
};
const inbox = () => db.ownerQuery<{ n: number }>('select count(*)::int as n from webhook_inbox');
function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, place) => permutations(items.toSpliced(place, 1)).map((rest) => [item, ...rest]));
}

describe('an event is accepted', () => {
  const made: StripeEvent = {
    id: 'evt_forged',
    object: 'event',
    type: 'payment_intent.succeeded',
    created: 1,
    data: { object: { id: 'pi_x', object: 'payment_intent' } },
  };
  const now = () => Math.floor(Date.now() / 1000);

  test.each<[string, () => Promise<number>]>([
    ['is signed with another secret', () => shop.deliver(made, { secret: 'whsec_else' })],
    ['is older than five minutes', () => shop.deliver(made, { at: now() - 301 })],
    ['has no signature', async () => (await shop.post(JSON.stringify(made), {})).status],
    [
      'has an odd signature',
      async () => (await shop.post(JSON.stringify(made), { 'stripe-signature': 't=1,v1=' })).status,
    ],
    [
      'was changed on its way',
      async () => {
        const { body, signature } = stripe.signed(made);
        return (await shop.post(body.replace('pi_x', 'pi_y'), { 'stripe-signature': signature })).status;
      },
    ],
    ['is empty', async () => (await shop.post('', { 'stripe-signature': stripe.signed(made).signature })).status],
    ['is no JSON', async () => (await shop.post('{', { 'stripe-signature': stripe.signed(made).signature })).status],
  ])('unless it %s: 400, and nothing is written', async (_what, deliver) => {
    const before = await inbox();
    expect(await deliver()).toBe(400);
    expect(await inbox()).toEqual(before);
  });

  test('even four minutes late, of unknown kinds and unknown charges, and once', async () => {
    expect(await shop.deliver({ ...made, id: 'evt_late' }, { at: now() - 240 })).toBe(200);
    expect(
      await shop.deliver({ ...made, id: 'evt_kind', type: 'customer.created', data: { object: { id: 'cus_1' } } }),
    ).toBe(200);
    const answers = await Promise.all([1, 2, 3, 4].map(() => shop.deliver({ ...made, id: 'evt_four' })));
    expect(answers).toEqual([200, 200, 200, 200]);
    const rows = await db.ownerQuery(
      "select event_id from webhook_inbox where event_id in ('evt_late', 'evt_kind', 'evt_four')",
    );
    expect(rows).toHaveLength(3);
    await db.ownerQuery("delete from webhook_inbox where event_id like 'evt%'");
  });

  test('that cannot be parsed stays, with its error and the number of attempts (fault F11)', async () => {
    expect(await shop.deliver({ ...made, id: 'evt_odd' })).toBe(200);
    let tried = 0;
    for (const _attempt of [1, 2]) {
      await expect(shop.providerEvents.read('evt_odd')).rejects.toThrow('No such payment_intent');
      const [row] = await db.ownerQuery<{ processed_at: null; attempts: number; last_error: string }>(
        "select processed_at, attempts, last_error from webhook_inbox where event_id = 'evt_odd'",
      );
      expect(row?.processed_at).toBeNull();
      expect(row?.last_error).toContain('No such payment_intent');
      // The worker may have tried meanwhile, too.
      expect(row?.attempts).toBeGreaterThan(tried);
      tried = row?.attempts ?? 0;
    }
    await db.ownerQuery("delete from webhook_inbox where event_id = 'evt_odd'");
  });

  test('only if it can be stored: otherwise the provider is asked to send it again', async () => {
    await db.ownerQuery('alter table webhook_inbox rename to inbox_away');
    expect(await shop.deliver({ ...made, id: 'evt_again' })).toBe(503);
    await db.ownerQuery('alter table inbox_away rename to webhook_inbox');
    expect(await shop.deliver({ ...made, id: 'evt_again' })).toBe(200);
    await db.ownerQuery("delete from webhook_inbox where event_id = 'evt_again'");
  });
});

describe('a payment', () => {
  test('whose response was lost is settled by its event', async () => {
    stripe.failNext(/payment_intents$/, 'drop_reply', 6);
    const cart = await buy();
    expect((await rowOf(cart)).status).toBe('pending');
    await hear(eventOf(await intentOf(cart), 'payment_intent.succeeded'));
    expect((await rowOf(cart)).status).toBe('paid');
  });

  test('that the bank refused after 3-D Secure fails by its event', async () => {
    const cart = await buy({ token: token('4000002500003155') });
    const intentId = await intentOf(cart);
    stripe.books.answerBank(intentId, false);
    await hear(eventOf(intentId, 'payment_intent.payment_failed'));
    expect((await rowOf(cart)).status).toBe('failed');
  });

  test('of an order that already failed is refunded, once', async () => {
    const cart = await buy();
    const intentId = await intentOf(cart);
    await db.ownerQuery("update payment_attempts set state = 'failed' where provider_ref = $1", [intentId]);
    await Promise.all([1, 2].map(() => hear(eventOf(intentId, 'payment_intent.succeeded'))));
    const given = stripe.books.refunds.filter((refund) => refund.payment_intent === intentId);
    expect(given.map((refund) => refund.amount)).toEqual([1200]);
    await db.ownerQuery("update payment_attempts set state = 'succeeded' where provider_ref = $1", [intentId]);
  });

  test('gets its fee corrected when Stripe reports the real one', async () => {
    const slow = await startStripeStandIn({ feesLater: true });
    const late = await openStripeShop(rig, db.database, slow);
    const cart = cartOf(goods, { token: { id: slow.books.makeToken('4242424242424242') } });
    await late.order(cart);
    expect(await balances(cart)).toEqual({ provider_clearing: 1135, platform_fee: -240, org_payable: -895 });
    const [intent] = [...slow.books.intents.values()];
    slow.books.bookFee(intent?.id ?? '', 95);
    await Promise.all([late.providerEvents.sweep(), late.providerEvents.sweep()]);
    expect(await balances(cart)).toEqual({ provider_clearing: 1105, platform_fee: -240, org_payable: -865 });
    await late.close();
    await slow.close();
  });
});

test('missed events are fetched from the provider', async () => {
  const other = await startStripeStandIn();
  const deaf = await openStripeShop(rig, db.database, other);
  const cart = cartOf(goods, { token: { id: other.books.makeToken('4242424242424242') } });
  await deaf.order(cart);
  const [intent] = [...other.books.intents.values()];
  other.books.refund(intent?.id ?? '', 100);
  await deaf.providerEvents.catchUp();
  await deaf.providerEvents.catchUp();
  for (const { id } of other.books.events) await deaf.providerEvents.read(id);
  expect(await rowOf(cart)).toMatchObject({ status: 'partially_refunded', refunded_cents: 100 });
  await deaf.close();
  await other.close();
});

describe('a refund', () => {
  test('made in Stripe’s dashboard is booked in proportion, and a full one ends the downloads', async () => {
    const cart = await buy({ order: { donation: '$5' } });
    const intentId = await intentOf(cart);
    stripe.books.refund(intentId, 500);
    await hear(eventOf(intentId, 'charge.refunded'));
    expect(await rowOf(cart)).toMatchObject({ status: 'partially_refunded', refunded_cents: 500 });
    expect((await postingsOf(cart)).filter(({ kind }) => kind === 'refund')).toEqual([
      { kind: 'refund', account: 'provider_clearing', cents: -500 },
      { kind: 'refund', account: 'platform_fee', cents: 100 },
      { kind: 'refund', account: 'org_payable', cents: 400 },
    ]);
    stripe.books.refund(intentId, null);
    await hear(eventOf(intentId, 'charge.refunded'));
    expect(await rowOf(cart)).toMatchObject({ status: 'refunded', refunded_cents: 1700 });
    // The provider keeps its fee, and the organization bears it.
    expect(await balances(cart)).toEqual({ provider_clearing: -79, platform_fee: 0, org_payable: 79 });
    const open = await db.ownerQuery('select 1 from order_photos where order_id = $1 and revoked_at is null', [
      (await rowOf(cart)).id,
    ]);
    expect(open).toHaveLength(0);
  });

  test('reduces the sales of photos and galleries: the money with each part, the sale with the last, each once', async () => {
    const counted = async () => {
      const [row] = await db.ownerQuery<{ sold: number; sales: number; donations: number }>(
        'select photos_sold as sold, sales_cents::int as sales, donations_cents::int as donations from galleries where id = $1',
        [goods.galleryId],
      );
      return row ?? { sold: 0, sales: 0, donations: 0 };
    };
    const before = await counted();
    const cart = await buy({ order: { donation: '$5' } });
    const intentId = await intentOf(cart);
    expect(await counted()).toEqual({
      sold: before.sold + 3,
      sales: before.sales + 1200,
      donations: before.donations + 500,
    });
    stripe.books.refund(intentId, 850);
    const event = eventOf(intentId, 'charge.refunded');
    await Promise.all([hear(event), hear(event)]);
    expect(await counted()).toEqual({
      sold: before.sold + 3,
      sales: before.sales + 600,
      donations: before.donations + 250,
    });
    stripe.books.refund(intentId, null);
    await hear(eventOf(intentId, 'charge.refunded'));
    await hear(event);
    expect(await counted()).toEqual(before);
  });
});

describe('a dispute', () => {
  test('holds the money until it is won', async () => {
    const cart = await buy();
    const intentId = await intentOf(cart);
    const before = await balances(cart);
    const { id } = stripe.books.openDispute(intentId);
    await hear(eventOf(intentId, 'charge.dispute.created'));
    expect((await rowOf(cart)).status).toBe('disputed');
    expect(await balances(cart)).toEqual({
      ...before,
      org_payable: (before['org_payable'] ?? 0) + 1200,
      dispute_hold: -1200,
    });
    stripe.books.closeDispute(id, 'won');
    await hear(eventOf(intentId, 'charge.dispute.closed'));
    expect((await rowOf(cart)).status).toBe('paid');
    expect(await balances(cart)).toEqual({ ...before, dispute_hold: 0 });
  });

  test('that is lost keeps the money, even if only its end is reported', async () => {
    const cart = await buy();
    const intentId = await intentOf(cart);
    const before = await balances(cart);
    stripe.books.closeDispute(stripe.books.openDispute(intentId, 700).id, 'lost');
    await hear(eventOf(intentId, 'charge.dispute.closed'));
    await hear(eventOf(intentId, 'charge.dispute.created'));
    expect((await rowOf(cart)).status).toBe('disputed');
    expect(await balances(cart)).toEqual({
      ...before,
      org_payable: (before['org_payable'] ?? 0) + 700,
      dispute_hold: 0,
      provider_clearing: (before['provider_clearing'] ?? 0) - 700,
    });
  });

  test('does not hide a refund that the provider gives meanwhile', async () => {
    const cart = await buy();
    const intentId = await intentOf(cart);
    const { id } = stripe.books.openDispute(intentId, 300);
    await hear(eventOf(intentId, 'charge.dispute.created'));
    stripe.books.refund(intentId, 400);
    await hear(eventOf(intentId, 'charge.refunded'));
    expect(await rowOf(cart)).toMatchObject({ status: 'disputed', refunded_cents: 400 });
    expect((await postingsOf(cart)).filter(({ kind }) => kind === 'refund')).not.toEqual([]);
    stripe.books.closeDispute(id, 'won');
    await hear(eventOf(intentId, 'charge.dispute.closed'));
    expect(await rowOf(cart)).toMatchObject({ status: 'partially_refunded', refunded_cents: 400 });
  });
});

describe('the order of events', () => {
  const steps = ['reply', 'succeeded', 'refunded', 'disputed'] as const;
  const orders = permutations(steps);
  const carts: Cart[] = [];
  // Every response is lost, so that events come first. Some share a wait, each from its own address: all at once keep a
  // busy machine's database from answering in time.
  beforeAll(async () => {
    stripe.failNext(/payment_intents$/, 'drop_reply', Infinity);
    const buyFirst = (_: unknown, index: number) =>
      buy({ photos: goods.photoIds.slice(0, 1), token: token() }, `10.0.0.${carts.length + index + 1}`);
    try {
      while (carts.length < orders.length)
        carts.push(...(await Promise.all(orders.slice(carts.length, carts.length + 15).map(buyFirst))));
    } finally {
      stripe.heal();
    }
  });

  test.each(orders.map((order, index) => [order.join(', '), order, index] as const))(
    '%s has the same result',
    async (_name, order, index) => {
      const cart = carts[index];
      if (!cart) throw new Error('no cart');
      const intentId = await intentOf(cart);
      const key = stripe.books.intent(intentId).metadata['idempotency_key'] ?? '';
      stripe.books.refund(intentId, 100);
      stripe.books.openDispute(intentId, 300);
      const happens: Record<(typeof steps)[number], () => Promise<unknown>> = {
        reply: () => shop.orders.recover(key),
        succeeded: () => hear(eventOf(intentId, 'payment_intent.succeeded')),
        refunded: () => hear(eventOf(intentId, 'charge.refunded')),
        disputed: () => hear(eventOf(intentId, 'charge.dispute.created')),
      };
      for (const [at, step] of order.entries()) {
        await happens[step]();
        // The success is delivered again after each step.
        if (order.indexOf('succeeded') <= at) await happens.succeeded();
      }
      expect(await rowOf(cart)).toMatchObject({ status: 'disputed', refunded_cents: 100 });
      const sums = { provider_clearing: 258, platform_fee: -60, org_payable: 102, dispute_hold: -300 };
      expect(await balances(cart)).toEqual(sums);
    },
  );

  test('all at the same time has the same result', async () => {
    const cart = await buy();
    const intentId = await intentOf(cart);
    stripe.books.refund(intentId, 600);
    stripe.books.openDispute(intentId, 300);
    const events = eventsOf(intentId);
    await Promise.all([...events, ...events].map((event) => shop.deliver(event)));
    await Promise.all(events.map((event) => shop.providerEvents.read(event.id)));
    expect(await rowOf(cart)).toMatchObject({ status: 'disputed', refunded_cents: 600 });
    expect((await postingsOf(cart)).filter(({ kind }) => kind !== 'sale')).toHaveLength(5);
  });
});

test('the worker processes stored events', async () => {
  await startJobs(rig.jobs, { app: { providerEvents: shop.providerEvents } } as never, 'webhook.');
  const cart = await buy();
  const intentId = await intentOf(cart);
  stripe.books.refund(intentId, null);
  expect(await shop.deliver(eventOf(intentId, 'charge.refunded'))).toBe(200);
  await expect.poll(async () => (await rowOf(cart)).status, { timeout: 15_000 }).toBe('refunded');
});

test('the books agree afterwards', async () => {
  expect(await checkInvariants({ database: db.database, sandboxCards: false })).toEqual([]);
});
