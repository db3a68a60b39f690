import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import { receiptEmail } from '#src/features/orders/receipt.mail.tsx';
import { findReceipt } from '#src/features/orders/receipts.sql.ts';
import { PAYMENTS } from '#src/features/orders/settlement.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';
import { checkoutClient, DECLINED } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const { post, get, order, read, card, count, chargesOf } = checkoutClient(rig, db);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(db, { taxId: '84-1182930' });
});

const VISITOR: Caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '198.51.100.77' };
/** Orders from a process whose provider answers charges like this; returns the order's vanity id. */
async function placeWhile(charge: PaymentProvider['charge']) {
  const body = words.placeOrderBody.parse(cartOf(shop, { token: await card() }));
  return (await rig.another({ ...rig.sandbox, charge }).place(VISITOR, body)).vanity_id;
}
const postingsOf = (vanityId: string) =>
  count('ledger_txs', 'source_id = (select id::text from orders where vanity_id = $1)', [vanityId]);
const soldOf = async ({ galleryId }: Shop) => {
  const sold = 'select photos_sold from galleries where id = $1';
  return (await db.ownerQuery<{ photos_sold: number }>(sold, [galleryId]))[0]?.photos_sold ?? 0;
};

describe('an order', () => {
  test('is paid, booked, counted and announced, with a receipt', async () => {
    const own = await openShop(db, { taxId: '84-1182930' });
    const token = await card();
    const placed = await order(cartOf(own, { token, order: { donation: '$5.00' } }));
    expect(placed).toMatchObject({ status: 201, body: { status: 'paid', total: 17 } });
    const vanityId = placed.body.vanity_id;
    expect(vanityId).toMatch(/^[\w-]{22}$/);

    const receipt = await read(vanityId);
    expect(receipt.status).toBe(200);
    expect(receipt.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    expect(receipt.body).toEqual({
      id: expect.any(Number),
      vanity_id: vanityId,
      status: 'paid',
      error: null,
      first_name: 'Maria',
      last_name: 'Jensen',
      email_address: 'maria@families.test',
      subtotal: 12,
      tax: 0,
      additional_donation: '$5.00',
      total: 17,
      refunded: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      organization: {
        id: own.sellerId,
        name: expect.stringContaining('Hawks'),
        tax_id: '84-1182930',
        time_zone: 'America/New_York',
      },
      goals: [],
      order_photo: own.photoIds.map((id, index) => ({
        id: expect.any(Number),
        order_key: expect.stringMatching(/^[\w-]{22}$/),
        refundable: true,
        photo: {
          id,
          gallery_id: own.galleryId,
          name: `Goal ${index + 1}`,
          image_url: expect.stringContaining(`/gallery_photos/${id}?size=640&orderkey=`),
        },
      })),
      stripe_token: null,
      stripe_token_full: '{"card":{"brand":"visa","last4":"4242"}}',
    });
    expect(JSON.stringify(receipt.body)).not.toContain(token.id);

    expect(await chargesOf(vanityId)).toMatchObject([{ amount_cents: 1700, fee_cents: 79 }]);
    expect(
      await db.ownerQuery('select photos_sold, sales_cents, donations_cents from galleries where id = $1', [
        own.galleryId,
      ]),
    ).toEqual([{ photos_sold: 3, sales_cents: 1200, donations_cents: 500 }]);
    expect(
      await db.ownerQuery('select sales_count, sales_cents from photos where gallery_id = $1', [own.galleryId]),
    ).toEqual(Array(3).fill({ sales_count: 1, sales_cents: 400 }));
    const [sentEmail] = await db.ownerQuery<{ recipient: string; subject: string; body_text: string }>(
      "select recipient, subject, body_text from mail_outbox where dedupe_key = 'receipt-' || $1",
      [vanityId],
    );
    expect(sentEmail?.recipient).toBe('maria@families.test');
    expect(sentEmail?.body_text).toContain(`.sideline.localhost:3000/`);
    expect(sentEmail?.body_text).toContain(`/order/${vanityId}`);
    expect(sentEmail?.body_text).toContain('84-1182930');
    expect(rig.notices).toContainEqual({ galleryIds: [own.galleryId], vanityId });
    const entries = await db.ownerQuery<{ kind: string; amount_cents: number }>(
      'select a.kind, e.amount_cents from ledger_entries e join ledger_accounts a on a.id = e.account_id join orders o on o.id = e.order_id where o.vanity_id = $1 order by a.kind',
      [vanityId],
    );
    expect(entries).toEqual([
      { kind: 'org_payable', amount_cents: -1281 },
      { kind: 'platform_fee', amount_cents: -340 },
      { kind: 'provider_clearing', amount_cents: 1621 },
    ]);
  });

  test('sends the receipt that would be read from the stored order', async () => {
    const own = await openShop(db, { taxId: '84-1182930' });
    await db.ownerQuery("update organizations set primary_color = '#AA3311' where id = $1", [own.sellerId]);
    await db.ownerQuery("update photos set name = '' where id = $1", [own.photoIds[0]]);
    const { body } = await order(cartOf(own, { token: await card(), order: { donation: '$5.00' } }));
    const stored = await db.database.read(PAYMENTS, (tx) => findReceipt(tx, { vanityId: body.vanity_id }));
    if (!stored) throw new Error('the order is not stored');
    const { html, text, subject } = receiptEmail(stored, siteOrigin('sideline.localhost', 3000));
    const sent = 'select html, body_text as text, subject from mail_outbox where dedupe_key = $1';
    expect(await db.ownerQuery(sent, [`receipt-${body.vanity_id}`])).toEqual([{ html, text, subject }]);
  });

  test('whose charge another process has settled meanwhile is settled once', async () => {
    const before = await soldOf(shop);
    const vanityId = await placeWhile(async (request) => {
      const outcome = await rig.sandbox.charge(request);
      await rig.orders.recover(request.idempotencyKey);
      return outcome;
    });
    expect(await count('mail_outbox', "dedupe_key = 'receipt-' || $1", [vanityId])).toBe(1);
    expect(await postingsOf(vanityId)).toBe(1);
    expect(await soldOf(shop)).toBe(before + 3);
  });

  test('whose charge another process has given up meanwhile stays failed, and nothing is booked, counted or sent', async () => {
    const before = await soldOf(shop);
    const vanityId = await placeWhile(async ({ idempotencyKey }) => {
      // The provider does not know the charge yet.
      await rig.orders.recover(idempotencyKey);
      const card = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 };
      return { state: 'succeeded', chargeId: 'ch_late', feeCents: cents(65), card, savedCard: null };
    });
    expect((await read(vanityId)).body['status']).toBe('failed');
    expect(await count('mail_outbox', "dedupe_key = 'receipt-' || $1", [vanityId])).toBe(0);
    expect(await postingsOf(vanityId)).toBe(0);
    expect(await soldOf(shop)).toBe(before);
  });

  test('of free photos is paid immediately, without a card, and ignores one that is sent', async () => {
    const free = await openShop(db, { priceCents: 0 });
    const token = await card();
    for (const stripeToken of [null, token]) {
      const placed = await order(cartOf(free, { price: 0, token: stripeToken, user: { zip: null } }));
      expect(placed).toMatchObject({ status: 201, body: { status: 'paid', total: 0 } });
      expect((await read(placed.body.vanity_id)).body).toMatchObject({
        status: 'paid',
        stripe_token_full: null,
        additional_donation: '$0.00',
      });
      expect(await count('mail_outbox', "dedupe_key = 'receipt-' || $1", [placed.body.vanity_id])).toBe(1);
    }
    expect(await count('payment_attempts', 'organization_id = $1', [free.sellerId])).toBe(0);
    expect(await rig.sandbox.cardOf(token.id)).not.toBeNull();
  });

  test('of free photos with a donation charges the donation', async () => {
    const free = await openShop(db, { priceCents: 0 });
    const placed = await order(cartOf(free, { price: 0, token: await card(), order: { donation: '10' } }));
    expect(placed).toMatchObject({ status: 201, body: { total: 10 } });
  });

  test('counts the same photo once', async () => {
    const cart = cartOf(shop, { photos: [shop.photoIds[0] ?? 0], token: await card() });
    const placed = await order({ ...cart, items: [...cart.items, ...cart.items] });
    expect(placed).toMatchObject({ status: 201, body: { total: 4 } });
    expect((await read(placed.body.vanity_id)).body['order_photo']).toHaveLength(1);
  });

  test('accepts the card in every format of the page', async () => {
    for (const shape of [
      (id: string) => id,
      (id: string) => ({ id }),
      (id: string) => ({ token: { id, type: 'card' } }),
    ]) {
      expect((await order(cartOf(shop, { token: shape((await card()).id) }))).status).toBe(201);
    }
  });
});

describe('a quote', () => {
  const quote = (body: object) => post('/api/v1/orders/quote', body);

  test('returns the price of the cart, with the tax of the zip, and writes nothing', async () => {
    const taxed = await openShop(db);
    await db.ownerQuery(
      "insert into tax_rates (organization_id, state, rate_ppm, jurisdiction) values ($1, 'MN', 68750, 'Minnesota')",
      [taxed.parentId],
    );
    const orders = await count('orders');
    const items = taxed.photoIds.map((id) => ({ id, gallery_id: taxed.galleryId }));
    const asked = { order: { org_id: taxed.sellerId, donation: '$5', user: { zip: '55401' } }, items };
    expect(await quote(asked)).toMatchObject({
      status: 200,
      body: {
        subtotal: 12,
        tax: 0.83,
        tax_text: 'Minnesota, 6.875%',
        donation: 5,
        total: 17.83,
        charge_needed: true,
        items: items.map((item) => ({ ...item, sales_price: 4 })),
      },
    });
    const untaxed = await quote({ ...asked, order: { ...asked.order, user: null } });
    expect(untaxed.body).toMatchObject({ tax: 0 });
    expect(untaxed.body).not.toHaveProperty('tax_text');
    expect(await count('orders')).toBe(orders);

    const placed = await order(cartOf(taxed, { token: await card(), order: { taxes: 0.83, donation: '$5' } }));
    expect(placed).toMatchObject({ status: 201, body: { total: 17.83 } });
    expect(
      await db.ownerQuery('select tax_cents, tax_rate_ppm, tax_reason from orders where vanity_id = $1', [
        placed.body.vanity_id,
      ]),
    ).toEqual([{ tax_cents: 83, tax_rate_ppm: 68_750, tax_reason: 'Minnesota' }]);
    expect(await order(cartOf(taxed, { token: await card() }))).toMatchObject({
      status: 409,
      body: { totals: { tax: 0.83, total: 12.83 } },
    });
    // In the words of that time.
    await db.ownerQuery(
      "update tax_rates set rate_ppm = 70000, jurisdiction = 'Everywhere' where organization_id = $1",
      [taxed.parentId],
    );
    expect(await read(placed.body.vanity_id)).toMatchObject({
      body: { tax: 0.83, tax_text: 'Minnesota, 6.875%' },
    });
  });

  test('takes the body of the order without user and token, and reports errors', async () => {
    const { order: whole, items } = cartOf(shop);
    const { user: _user, ...asked } = whole;
    expect((await quote({ order: asked, items })).status).toBe(200);
    expect(await quote({ order: asked, items: [] })).toMatchObject({
      status: 422,
      body: { error: words.CART_IS_EMPTY },
    });
    expect(await quote({ order: asked, items: [{ id: 7, gallery_id: 7 }] })).toMatchObject({
      status: 422,
      body: { ids: [7] },
    });
  });
});

describe('reading back', () => {
  test('needs the vanity id; a number works only for the seller’s members', async () => {
    const own = await openShop(db);
    const neighbor = await openShop(db);
    const { body } = await order(cartOf(own, { token: await card() }));
    const [row] = await db.ownerQuery<{ id: number }>('select id from orders where vanity_id = $1', [body.vanity_id]);
    const person = async (email: string, administers: number[], roleId: 1 | 2 = 1) => {
      await rig.accounts.createUser({
        email,
        firstName: 'A',
        lastName: 'B',
        password: 'sideline-demo',
        roleId,
        administers,
      });
      const { token } = await rig.accounts.logIn(
        { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '10.0.0.1' },
        { email, password: 'sideline-demo' },
      );
      return (await get(`/api/v1/orders/${row?.id}`, `Bearer ${token}`)).status;
    };
    expect(await person('owner@hawks.test', [own.sellerId])).toBe(200);
    expect(await person('director@lakeside.test', [own.parentId])).toBe(200);
    expect(await person('admin@sideline.test', [], 2)).toBe(200);
    expect(await person('other@neighbor.test', [neighbor.sellerId])).toBe(404);
    for (const id of [row?.id, 0, 1, '%27', 'x'.repeat(22), 'a'.repeat(150), '-1', '1e3']) {
      const answer = await read(String(id));
      expect(answer).toMatchObject({ status: 404, body: { error: words.ORDER_NOT_FOUND } });
    }
  });

  test('a paid line’s key opens its photo until it is revoked or the order is refunded', async () => {
    const { body } = await order(cartOf(shop, { token: await card() }));
    const lines = (await read(body.vanity_id)).body['order_photo'] as { order_key: string; photo: { id: number } }[];
    const [first, second] = lines;
    expect(await rig.orders.paidLine(first?.order_key ?? '')).toMatchObject({
      photoId: first?.photo.id,
      galleryId: shop.galleryId,
      organizationId: shop.sellerId,
    });
    await db.ownerQuery('update order_photos set revoked_at = now() where order_key = $1', [first?.order_key]);
    expect(await rig.orders.paidLine(first?.order_key ?? '')).toBeNull();
    const statusBecomes = (status: string) =>
      db.ownerQuery('update orders set status = $1 where vanity_id = $2', [status, body.vanity_id]);
    for (const [status, opens] of [
      ['partially_refunded', true],
      ['refunded', false],
      ['disputed', false],
      ['paid', true],
    ] as const) {
      await statusBecomes(status);
      expect((await rig.orders.paidLine(second?.order_key ?? '', 'view')) !== null, status).toBe(opens);
    }
    expect(await rig.orders.paidLine("' or true --")).toBeNull();
  });
});

describe('declined cards', () => {
  test('show the provider’s words, and the same checkout may be paid with another card', async () => {
    const cart = cartOf(shop, { token: await card(DECLINED) });
    const refused = await order(cart);
    expect(refused).toMatchObject({ status: 402, body: { error: 'Your card was declined.' } });
    expect(
      await db.ownerQuery('select status from orders where checkout_key = $1', [cart.order['checkout_key']]),
    ).toEqual([{ status: 'failed' }]);
    expect(await order({ ...cart, stripe_token: null })).toMatchObject({
      status: 422,
      body: { error: words.CARD_REQUIRED },
    });
    const paid = await order({ ...cart, stripe_token: await card() });
    expect(paid).toMatchObject({ status: 201, body: { status: 'paid', total: 12 } });
    expect(await count('orders', 'checkout_key = $1', [cart.order['checkout_key']])).toBe(1);
    expect(await chargesOf(paid.body.vanity_id)).toHaveLength(1);
  });

  test('appear on the order, whose downloads are not available', async () => {
    const cart = cartOf(shop, { token: await card('4000000000009995') });
    await order(cart);
    const [row] = await db.ownerQuery<{ vanity_id: string }>('select vanity_id from orders where checkout_key = $1', [
      cart.order['checkout_key'],
    ]);
    const receipt = await read(row?.vanity_id ?? '');
    expect(receipt.body).toMatchObject({ status: 'failed', error: 'Your card has insufficient funds.' });
    expect(JSON.stringify(receipt.body)).not.toContain('orderkey=');
    const [line] = await db.ownerQuery<{ order_key: string }>(
      'select l.order_key from order_photos l join orders o on o.id = l.order_id where o.vanity_id = $1',
      [row?.vanity_id],
    );
    expect(await rig.orders.paidLine(line?.order_key ?? '')).toBeNull();
  });

  test('return an error for changed prices before the next card is charged', async () => {
    const own = await openShop(db);
    const cart = cartOf(own, { token: await card(DECLINED) });
    await order(cart);
    await db.ownerQuery('update galleries set price_cents = 500 where id = $1', [own.galleryId]);
    expect((await order({ ...cart, stripe_token: await card() })).status).toBe(409);
  });
});

test('the data is consistent afterwards', async () => {
  // The order whose status was changed by hand is paid again; a revoked line is the owner's decision.
  expect(await checkInvariants({ database: db.database, sandboxCards: true })).toEqual([]);
});
