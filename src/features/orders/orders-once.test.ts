/**
 * One order and one charge, however often it is sent and whatever response is lost (faults F5 to F9, F12; threats 37, 38, 40).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { CHARGES_AT_ONCE } from '#src/features/billing/decline-limits.service.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import { startJobs } from '#src/jobs.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import type { ChargeOutcome, PaymentProvider } from '#src/platform/payments/payments.ts';
import { cents } from '#src/shared/money.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, openShop, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { listCharges } from '#tests/support/sandbox-books.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(db);
});

let addresses = 0;
/** A visitor from an address of their own. */
const visitor = (): Caller => ({
  actor: { kind: 'visitor' },
  visitorId: null,
  unlocks: new Map(),
  ip: `198.51.100.${++addresses}`,
});
const place = (cart: Cart, orders: OrderService = rig.orders, caller = visitor()) =>
  orders.place(caller, words.placeOrderBody.parse(cart));
/** The code of a refusal, or the status of a response. */
const outcome = (placing: Promise<{ status: string }>) =>
  placing.then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  );
const token = async (number = '4242424242424242') =>
  (await rig.sandbox.createToken({ number, exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' })).id;

async function rowsOf(cart: Cart) {
  const key = cart.order['checkout_key'];
  const [row] = await db.ownerQuery<{
    orders: number;
    status: string;
    attempts: string[];
    sales: number;
    receipts: number;
    vanity_id: string;
  }>(
    `select count(*) over ()::int as orders, o.status, o.vanity_id,
            (select coalesce(array_agg(state order by id), '{}') from payment_attempts where order_id = o.id) as attempts,
            (select count(*) from ledger_txs where source_id = o.id::text)::int as sales,
            (select count(*) from mail_outbox where dedupe_key = 'receipt-' || o.vanity_id)::int as receipts
       from orders o where checkout_key = $1`,
    [key],
  );
  const charged = (await listCharges(db)).filter(
    (charge) => charge.status === 'succeeded' && JSON.stringify(charge.metadata).includes(row?.vanity_id ?? '?'),
  );
  return { ...row, charges: charged.length };
}
const PAID_ONCE = { orders: 1, status: 'paid', sales: 1, receipts: 1, charges: 1 };

/** The sandbox with a wrapper in front of it. */
function provider(changes: Partial<PaymentProvider>): PaymentProvider {
  return { ...rig.sandbox, close: async () => undefined, ...changes };
}
const LOST: ChargeOutcome = { state: 'unknown', cause: new Error('the reply was lost') };
const losesReplies = () =>
  rig.another(provider({ charge: async (request) => (await rig.sandbox.charge(request), LOST) }));
const neverArrives = () => rig.another(provider({ charge: async () => LOST }));
/** A process that dies before or after the charge: no one learns the outcome and nothing is stored. */
async function dieAt(moment: 'before' | 'after', cart: Cart): Promise<void> {
  const died = new Promise<void>((resolve) => {
    const dying = provider({
      charge: async (request) => {
        if (moment === 'after') await rig.sandbox.charge(request);
        resolve();
        return new Promise<ChargeOutcome>(() => undefined);
      },
    });
    place(cart, rig.another(dying)).catch(() => undefined);
  });
  await died;
}
const age = (cart: Cart, seconds: number) =>
  db.ownerQuery(
    `update payment_attempts set created_at = created_at - make_interval(secs => $2), sent_at = sent_at - make_interval(secs => $2)
      where order_id = (select id from orders where checkout_key = $1)`,
    [cart.order['checkout_key'], seconds],
  );

describe('the same checkout key', () => {
  test.each([3, 12])('sent %i times in parallel makes one order and one charge', async (times) => {
    const cart = cartOf(shop, { token: await token() });
    const answers = await Promise.all(Array.from({ length: times }, () => place(cart)));
    expect(new Set(answers.map((answer) => answer.vanity_id)).size).toBe(1);
    expect(answers.map((answer) => answer.status)).toEqual(Array(times).fill('paid'));
    expect(await rowsOf(cart)).toMatchObject({ ...PAID_ONCE, attempts: ['succeeded'] });
  });

  test('sent again later returns the same order, with any card or none, even when the photos are gone', async () => {
    const own = await openShop(db);
    const cart = cartOf(own, { token: await token() });
    const first = await place(cart);
    expect(await place({ ...cart, stripe_token: await token() })).toEqual(first);
    expect(await place({ ...cart, stripe_token: null })).toEqual(first);
    await db.ownerQuery('update photos set removed_at = now() where gallery_id = $1', [own.galleryId]);
    expect(await place(cart)).toEqual(first);
    expect(await rowsOf(cart)).toMatchObject(PAID_ONCE);
  });

  test.each<[string, (cart: Cart) => Cart]>([
    ['other photos', (cart) => ({ ...cart, items: cart.items.slice(1), order: { ...cart.order, subtotal: 8 } })],
    ['another donation', (cart) => ({ ...cart, order: { ...cart.order, donation: '$5' } })],
    [
      'another buyer',
      (cart) => ({ ...cart, order: { ...cart.order, user: { ...(cart.order['user'] as object), first_name: 'Tom' } } }),
    ],
    [
      'other prices',
      (cart) => ({
        ...cart,
        items: cart.items.map((item) => ({ ...item, sales_price: 1 })),
        order: { ...cart.order, subtotal: 3 },
      }),
    ],
  ])('with %s is a conflict that names no order', async (_what, change) => {
    const cart = cartOf(shop, { token: await token() });
    await place(cart);
    const other = { ...change(cart), stripe_token: await token() };
    await expect(place(other)).rejects.toMatchObject({
      code: 'conflict',
      message: words.CHECKOUT_KEY_TAKEN,
      details: {},
    });
    expect(await rowsOf(cart)).toMatchObject(PAID_ONCE);
  });

  test('with the photos in another order is the same content', async () => {
    const cart = cartOf(shop, { token: await token() });
    const first = await place(cart);
    expect(await place({ ...cart, items: cart.items.toReversed() })).toEqual(first);
  });

  test('of a free order sent in parallel is settled once', async () => {
    const free = await openShop(db, { priceCents: 0 });
    const cart = cartOf(free, { price: 0 });
    const answers = await Promise.all([place(cart), place(cart), place(cart)]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await rowsOf(cart)).toMatchObject({ orders: 1, status: 'paid', sales: 0, receipts: 1, attempts: [] });
    expect(await db.ownerQuery('select photos_sold from galleries where id = $1', [free.galleryId])).toEqual([
      { photos_sold: 3 },
    ]);
  });

  test('declined in parallel is declined for all, and charges once when another card is sent twice at the same time', async () => {
    const cart = cartOf(shop, { token: await token('4000000000000002') });
    expect(await Promise.all([1, 2, 3].map(() => outcome(place(cart))))).toEqual([
      'card_refused',
      'card_refused',
      'card_refused',
    ]);
    const again = { ...cart, stripe_token: await token() };
    expect(await Promise.all([outcome(place(again)), outcome(place(again))])).toEqual(['paid', 'paid']);
    expect(await rowsOf(cart)).toMatchObject(PAID_ONCE);
  });
});

describe('a lost response', () => {
  test('after the charge: the buyer sees that the payment is being confirmed, and it is settled once', async () => {
    const cart = cartOf(shop, { token: await token() });
    expect(await place(cart, losesReplies())).toMatchObject({ status: 'pending', total: 12 });
    expect(await rowsOf(cart)).toMatchObject({
      status: 'pending',
      attempts: ['unknown'],
      sales: 0,
      receipts: 0,
      charges: 1,
    });
    const [attempt] = await db.ownerQuery<{ idempotency_key: string }>(
      "select idempotency_key from payment_attempts where state = 'unknown'",
    );
    const jobs = await db.ownerQuery<{ data: unknown }>(
      "select data from pgboss.job where name = 'order.recover' and state = 'created'",
    );
    expect(jobs.map((job) => job.data)).toContainEqual({ idempotencyKey: attempt?.idempotency_key });
    await Promise.all([1, 2, 3, 4].map(() => rig.orders.recover(attempt?.idempotency_key ?? '')));
    expect(await rowsOf(cart)).toMatchObject({ ...PAID_ONCE, attempts: ['succeeded'] });
  });

  test('once is retried with the same key', async () => {
    let times = 0;
    const stumbling = rig.another(
      provider({
        charge: async (request) =>
          ++times === 1 ? (await rig.sandbox.charge(request), LOST) : rig.sandbox.charge(request),
      }),
    );
    const cart = cartOf(shop, { token: await token() });
    expect((await place(cart, stumbling)).status).toBe('paid');
    expect(await rowsOf(cart)).toMatchObject(PAID_ONCE);
  });

  test('before the charge: nothing is charged, the order fails with a clear message, and the buyer may try again', async () => {
    const cart = cartOf(shop, { token: await token() });
    expect((await place(cart, neverArrives())).status).toBe('pending');
    await age(cart, 30);
    await rig.orders.sweep();
    expect(await rowsOf(cart)).toMatchObject({
      status: 'failed',
      attempts: ['failed'],
      charges: 0,
      sales: 0,
      receipts: 0,
    });
    const { vanity_id: vanityId } = await rowsOf(cart);
    expect(await rig.orders.read(visitor(), vanityId ?? '')).toMatchObject({
      status: 'failed',
      error: words.PAYMENT_UNAVAILABLE,
    });
    expect((await place({ ...cart, stripe_token: await token() })).status).toBe('paid');
    expect(await rowsOf(cart)).toMatchObject({ ...PAID_ONCE, attempts: ['failed', 'succeeded'] });
  });

  test('of a charge that the provider declined reports the decline', async () => {
    const cart = cartOf(shop, { token: await token('4000000000000069') });
    expect((await place(cart, losesReplies())).status).toBe('pending');
    await age(cart, 30);
    await rig.orders.sweep();
    expect(await rig.orders.read(visitor(), (await rowsOf(cart)).vanity_id ?? '')).toMatchObject({
      status: 'failed',
      error: 'Your card has expired.',
    });
  });

  test('while the provider does not know either leaves the order open, and does not stop others', async () => {
    const [open, other] = [cartOf(shop, { token: await token() }), cartOf(shop, { token: await token() })];
    await place(open, losesReplies());
    await place(other, losesReplies());
    await age(open, 60);
    await age(other, 30);
    const [stuck] = await db.ownerQuery<{ key: string }>(
      'select idempotency_key as key from payment_attempts a join orders o on o.id = a.order_id where checkout_key = $1',
      [open.order['checkout_key']],
    );
    const forgetful = provider({
      findCharge: async (question) =>
        question.idempotencyKey === stuck?.key
          ? { state: 'unknown', cause: new Error('down') }
          : rig.sandbox.findCharge(question),
    });
    await rig.another(forgetful).sweep();
    expect([(await rowsOf(open)).status, (await rowsOf(other)).status]).toEqual(['pending', 'paid']);
    await rig.orders.sweep();
    expect(await rowsOf(open)).toMatchObject(PAID_ONCE);
  });

  test('of a charge with another amount leaves the order open for a person to decide', async () => {
    const cart = cartOf(shop, { token: await token() });
    await place(cart, losesReplies());
    await age(cart, 30);
    const generous = provider({
      findCharge: async (question) => {
        const found = await rig.sandbox.findCharge(question);
        return found.state === 'succeeded' ? { ...found, amountCents: cents(found.amountCents - 1) } : found;
      },
    });
    await rig.another(generous).sweep();
    expect(await rowsOf(cart)).toMatchObject({ status: 'pending', sales: 0, receipts: 0 });
    await rig.orders.sweep();
    expect(await rowsOf(cart)).toMatchObject(PAID_ONCE);
  });
});

describe('a crash', () => {
  test('after the charge leaves an order that the recovery job settles', async () => {
    const cart = cartOf(shop, { token: await token() });
    await dieAt('after', cart);
    await rig.orders.sweep();
    expect((await rowsOf(cart)).status).toBe('pending');
    await age(cart, 13);
    await Promise.all([rig.orders.sweep(), rig.orders.sweep()]);
    expect(await rowsOf(cart)).toMatchObject({ ...PAID_ONCE, attempts: ['succeeded'] });
  });

  test('before the charge is continued by the buyer who sends the same order again', async () => {
    const cart = cartOf(shop, { token: await token() });
    await dieAt('before', cart);
    await age(cart, 6);
    expect((await place(cart)).status).toBe('paid');
    expect(await rowsOf(cart)).toMatchObject({ ...PAID_ONCE, attempts: ['failed', 'succeeded'] });
  });

  test('after the charge is resolved when the buyer sends the same order again, without a second charge', async () => {
    const cart = cartOf(shop, { token: await token() });
    await dieAt('after', cart);
    await age(cart, 6);
    expect((await place({ ...cart, stripe_token: await token() })).status).toBe('paid');
    expect(await rowsOf(cart)).toMatchObject({ ...PAID_ONCE, attempts: ['succeeded'] });
  });

  test('cannot charge any more after its key was closed', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const cart = cartOf(shop, { token: await token() });
    const slow = rig.another(provider({ charge: async (request) => (await held, rig.sandbox.charge(request)) }));
    const late = outcome(place(cart, slow));
    while ((await rowsOf(cart)).status !== 'pending') await sleep(20);
    await age(cart, 30);
    await rig.orders.sweep();
    release();
    expect(await late).toBe('card_refused');
    expect(await rowsOf(cart)).toMatchObject({ status: 'failed', charges: 0, attempts: ['failed'] });
  });
});

describe('the worker', () => {
  test('settles unfinished orders automatically', async () => {
    const cart = cartOf(shop, { token: await token() });
    await dieAt('after', cart);
    await age(cart, 13);
    await startJobs(rig.jobs, { app: { orders: rig.orders } } as never, 'order.sweep');
    expect(await rig.orders.hasLeftBehind()).toBe(true);
    await rig.orders.planSweep();
    await expect.poll(() => rowsOf(cart)).toMatchObject(PAID_ONCE);
    expect(await rig.orders.hasLeftBehind()).toBe(false);
  });
});

describe('limits', () => {
  const strict = useCheckout(db, { limitFactor: 1 });
  let caller: Caller;
  beforeEach(() => {
    caller = visitor();
  });
  const decline = async (who: Caller, email: string) =>
    outcome(
      place(
        cartOf(shop, { token: await token('4000000000000002'), user: { email, confirm_email: email } }),
        strict.orders,
        who,
      ),
    );

  test.each<[string, (index: number) => [Caller, string], () => [Caller, string]]>([
    ['one address', (index) => [caller, `card${index}@tester.test`], () => [visitor(), 'card1@tester.test']],
    ['one e-mail', () => [visitor(), 'same@tester.test'], () => [visitor(), 'another@tester.test']],
  ])('five declines of %s within ten minutes are enough; others continue', async (_who, of, other) => {
    const pay = async ([who, email]: [Caller, string]) =>
      place(cartOf(shop, { token: await token(), user: { email, confirm_email: email } }), strict.orders, who);
    for (let index = 0; index < 5; index++) expect(await decline(...of(index))).toBe('card_refused');
    await expect(pay(of(5))).rejects.toMatchObject({
      code: 'too_many',
      message: expect.stringMatching(/^Too many attempts\. Try again in \d+ seconds\.$/),
    });
    expect((await pay(other())).status).toBe('paid');
  });

  test('apply to many cards sent at the same time', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => decline(caller, `at-once${index}@tester.test`)),
    );
    const tried = outcomes.filter((each) => each === 'card_refused').length;
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThan(5 + CHARGES_AT_ONCE);
    expect(outcomes.filter((each) => each === 'too_many')).toHaveLength(30 - tried);
    expect(await db.ownerQuery("select from orders where email_address like 'at-once%'")).toHaveLength(tried);
  });

  test('do not count paid orders as declines, and allow 120 orders of one address in ten minutes', async () => {
    const free = await openShop(db, { priceCents: 0, photos: 1 });
    for (let index = 0; index < 6; index++)
      expect((await place(cartOf(shop, { token: await token() }), strict.orders, caller)).status).toBe('paid');
    await db.ownerQuery('update rate_counters set hits = hits + 113 where bucket = $1', [`orders:ip:${caller.ip}`]);
    await place(cartOf(free, { price: 0 }), strict.orders, caller);
    expect(await outcome(place(cartOf(free, { price: 0 }), strict.orders, caller))).toBe('too_many');
  });

  test('allow 60 downloads an hour for each key', async () => {
    const { vanity_id: vanityId } = await place(cartOf(shop, { token: await token() }), strict.orders, caller);
    const [line] = (await strict.orders.read(caller, vanityId)).order_photo;
    for (let index = 0; index < 60; index++) await strict.orders.paidLine(line?.order_key ?? '');
    await expect(strict.orders.paidLine(line?.order_key ?? '')).rejects.toMatchObject({ code: 'too_many' });
    expect(await strict.orders.paidLine(line?.order_key ?? '', 'view')).not.toBeNull();
  });
});

test('the data is consistent afterwards', async () => {
  expect(await checkInvariants({ database: db.database, sandboxCards: true })).toEqual([]);
});
