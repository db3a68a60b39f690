import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import { HOST, useCheckout } from '#tests/support/checkout-rig.ts';
import { addPhoto, cartOf, openShop, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(db, { taxId: '84-1182930' });
});

const VISA = '4242424242424242';
const DECLINED = '4000000000000002';

async function post(url: string, payload: unknown) {
  const answer = await rig.house.server.inject({ method: 'POST', url, headers: { host: HOST }, payload: payload as object });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown> & { error: string; errors: Record<string, string[]>; vanity_id: string }>() };
}
const order = (cart: Cart) => post('/api/v1/orders', cart);
async function get(url: string, authorization?: string) {
  const answer = await rig.house.server.inject({ method: 'GET', url, headers: { host: HOST, ...(authorization ? { authorization } : {}) } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}
const read = (vanityId: string) => get(`/api/v1/orders/${vanityId}`);
async function card(number = VISA): Promise<{ id: string }> {
  const { status, body } = await post('/sandbox/tokens', { number, exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' });
  if (status !== 200) throw new Error(body.error);
  return body as unknown as { id: string };
}
const count = async (table: string, where = 'true', values: unknown[] = []) => (await db.ownerQuery<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`, values))[0]?.n;
const chargesOf = async (vanityId: string) => (await rig.sandbox.listCharges()).filter((charge) => JSON.stringify(charge.metadata).includes(vanityId) && charge.status === 'succeeded');

describe('an order', () => {
  test('is paid, receipted, booked, counted and told of', async () => {
    const own = await openShop(db, { taxId: '84-1182930' });
    const token = await card();
    const placed = await order(cartOf(own, { token, order: { donation: '$5.00' } }));
    expect(placed).toMatchObject({ status: 201, body: { status: 'paid', total: 17 } });
    const vanityId = placed.body.vanity_id;
    expect(vanityId).toMatch(/^[\w-]{22}$/);

    const receipt = await read(vanityId);
    expect(receipt.status).toBe(200);
    expect(receipt.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });
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
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      organization: { id: own.sellerId, name: expect.stringContaining('Hawks'), tax_id: '84-1182930' },
      order_photo: own.photoIds.map((id, index) => ({
        id: expect.any(Number),
        order_key: expect.stringMatching(/^[\w-]{22}$/),
        photo: { id, gallery_id: own.galleryId, name: `Goal ${index + 1}`, image_url: expect.stringContaining(`/gallery_photos/${id}?size=640&orderkey=`) },
      })),
      stripe_token: null,
      stripe_token_full: '{"card":{"brand":"visa","last4":"4242"}}',
    });
    expect(JSON.stringify(receipt.body)).not.toContain(token.id);

    expect(await chargesOf(vanityId)).toMatchObject([{ amount_cents: 1700, fee_cents: 79 }]);
    expect(await db.ownerQuery('select photos_sold, sales_cents, donations_cents from galleries where id = $1', [own.galleryId])).toEqual([{ photos_sold: 3, sales_cents: 1200, donations_cents: 500 }]);
    expect(await db.ownerQuery('select sales_count, sales_cents from photos where gallery_id = $1', [own.galleryId])).toEqual(Array(3).fill({ sales_count: 1, sales_cents: 400 }));
    const [letter] = await db.ownerQuery<{ recipient: string; subject: string; body_text: string }>("select recipient, subject, body_text from mail_outbox where dedupe_key = 'receipt-' || $1", [vanityId]);
    expect(letter?.recipient).toBe('maria@families.test');
    expect(letter?.body_text).toContain(`.sideline.localhost:3000/`);
    expect(letter?.body_text).toContain(`/order/${vanityId}`);
    expect(letter?.body_text).toContain('84-1182930');
    expect(rig.notices).toContainEqual({ galleryIds: [own.galleryId], vanityId });
    const entries = await db.ownerQuery<{ kind: string; amount_cents: number }>(
      'select a.kind, e.amount_cents from ledger_entries e join ledger_accounts a on a.id = e.account_id join orders o on o.id = e.order_id where o.vanity_id = $1 order by a.kind', [vanityId],
    );
    expect(entries).toEqual([
      { kind: 'org_payable', amount_cents: -1281 },
      { kind: 'platform_fee', amount_cents: -340 },
      { kind: 'provider_clearing', amount_cents: 1621 },
    ]);
  });

  test('of free photos is paid at once, without a card, and ignores one that comes', async () => {
    const free = await openShop(db, { priceCents: 0 });
    const token = await card();
    for (const stripeToken of [null, token]) {
      const placed = await order(cartOf(free, { price: 0, token: stripeToken, user: { zip: null } }));
      expect(placed).toMatchObject({ status: 201, body: { status: 'paid', total: 0 } });
      expect((await read(placed.body.vanity_id)).body).toMatchObject({ status: 'paid', stripe_token_full: null, additional_donation: '$0.00' });
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

  test('takes the card in every shape of the page', async () => {
    for (const shape of [(id: string) => id, (id: string) => ({ id }), (id: string) => ({ token: { id, type: 'card' } })]) {
      expect((await order(cartOf(shop, { token: shape((await card()).id) }))).status).toBe(201);
    }
  });
});

describe('what the buyer is told', () => {
  test('all problems of the form at once', async () => {
    const cart = cartOf(shop, { user: { first_name: ' ', last_name: '', email: 'maria', confirm_email: 'other', zip: '' }, order: { donation: '5.001' } });
    const refused = await order({ ...cart, items: [] });
    expect(refused.status).toBe(422);
    expect(Object.values(refused.body.errors).flat().toSorted()).toEqual(
      [words.FIRST_NAME_REQUIRED, words.LAST_NAME_REQUIRED, words.EMAIL_NOT_VALID, words.EMAILS_DIFFER, words.ZIP_REQUIRED, words.DONATION_NOT_VALID, words.CART_IS_EMPTY].toSorted(),
    );
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no e-mail', { email: '' }, words.EMAIL_REQUIRED],
    ['no second e-mail', { confirm_email: '' }, words.CONFIRM_EMAIL_REQUIRED],
    ['a number for a name', { first_name: 7 }, words.FIRST_NAME_REQUIRED],
    ['a list for an e-mail', { email: ['a@b.co'] }, words.EMAIL_REQUIRED],
    ['a short zip', { zip: '0212' }, words.ZIP_NOT_VALID],
    ['letters for a zip', { zip: 'ABCDE' }, words.ZIP_NOT_VALID],
    ['a Canadian zip', { zip: 'H0H 0H0' }, words.ZIP_NOT_VALID],
    ['no zip', { zip: undefined }, words.ZIP_REQUIRED],
    ['a name of 101 letters', { last_name: 'x'.repeat(101) }, 'At most 100 characters, please.'],
  ])('%s → %s', async (_what, user, message) => {
    const refused = await order(cartOf(shop, { user }));
    expect(refused.status).toBe(422);
    expect(Object.values(refused.body.errors).flat()).toContain(message);
  });

  test.each([['-5'], ['1e9'], ['NaN'], ['５'], ['10000.01'], [5], [null]])('a donation of %j is none', async (donation) => {
    const refused = await order(cartOf(shop, { order: { donation } }));
    expect(refused).toMatchObject({ status: 422, body: { error: words.DONATION_NOT_VALID } });
  });

  test('a zip with its extension is fine, and so are capitals and spaces around an e-mail', async () => {
    const user = { zip: '02139-4307', email: ' Maria@Families.test', confirm_email: 'maria@families.test ' };
    expect((await order(cartOf(shop, { token: await card(), user }))).status).toBe(201);
  });

  test.each<[string, Record<string, unknown>]>([
    ['an unknown field', { price: 1 }],
    ['a total of their own', { total: 0 }],
  ])('%s is refused by name', async (_what, more) => {
    const refused = await order(cartOf(shop, { order: more }));
    expect(refused.status).toBe(422);
    expect(refused.body.error).toContain(Object.keys(more)[0]);
  });

  test('a card is needed, and at least 50 cents', async () => {
    expect(await order(cartOf(shop))).toMatchObject({ status: 422, body: { error: words.CARD_REQUIRED, errors: { stripe_token: [words.CARD_REQUIRED] } } });
    const cheap = await openShop(db, { priceCents: 16 });
    expect(await order(cartOf(cheap, { price: 0.16, order: { subtotal: 0.48 }, token: await card() }))).toMatchObject({ status: 422, body: { error: 'The minimum card payment is $0.50.' } });
    expect(await count('orders', 'organization_id = $1', [cheap.sellerId])).toBe(0);
  });

  test('at most 200 photos', async () => {
    const cart = cartOf(shop);
    const items = Array.from({ length: 201 }, (_, index) => ({ id: index + 1, gallery_id: 1, sales_price: 4 }));
    expect(await order({ ...cart, items })).toMatchObject({ status: 422, body: { error: words.CART_IS_TOO_LARGE } });
  });
});

describe('tampering', () => {
  const tampered: [string, (cart: Cart) => Cart][] = [
    ['a lower price', (cart) => ({ ...cart, items: cart.items.map((item) => ({ ...item, sales_price: 1 })) })],
    ['a price of nothing', (cart) => ({ ...cart, items: cart.items.map((item) => ({ ...item, sales_price: 0 })), order: { ...cart.order, subtotal: 0 } })],
    ['a lower subtotal', (cart) => ({ ...cart, order: { ...cart.order, subtotal: 3 } })],
    ['taxes that nobody asks', (cart) => ({ ...cart, order: { ...cart.order, taxes: 0.01 } })],
  ];
  test.each(tampered)('%s is a changed price: nothing is kept, nothing charged', async (_what, change) => {
    const [orders, charges] = [await count('orders'), (await rig.sandbox.listCharges()).length];
    const refused = await order(change(cartOf(shop, { token: await card() })));
    expect(refused).toMatchObject({
      status: 409,
      body: { error: words.PRICES_CHANGED, totals: { subtotal: 12, tax: 0, donation: 0, total: 12 }, items: shop.photoIds.map((id) => ({ id, gallery_id: shop.galleryId, sales_price: 4 })) },
    });
    expect([await count('orders'), (await rig.sandbox.listCharges()).length]).toEqual([orders, charges]);
  });

  test('photos that are hidden, gone, foreign or of another gallery are named', async () => {
    const neighbour = await openShop(db);
    const hidden = await addPhoto(db, shop, 'hidden');
    await db.ownerQuery('update photos set show_in_gallery = false where id = $1', [hidden]);
    const good = shop.photoIds[0] ?? 0;
    const foreign = neighbour.photoIds[0] ?? 0;
    const cart = cartOf(shop, { token: await card() });
    const items = [
      { id: good, gallery_id: shop.galleryId, sales_price: 4 },
      { id: hidden, gallery_id: shop.galleryId, sales_price: 4 },
      { id: foreign, gallery_id: neighbour.galleryId, sales_price: 4 },
      { id: 4242, gallery_id: shop.galleryId, sales_price: 4 },
      { id: shop.photoIds[1] ?? 0, gallery_id: neighbour.galleryId, sales_price: 4 },
    ];
    const refused = await order({ ...cart, items });
    expect(refused).toMatchObject({ status: 422, body: { error: words.PHOTO_NOT_AVAILABLE, ids: [hidden, foreign, 4242, shop.photoIds[1]] } });
    expect(await order({ ...cart, order: { ...cart.order, org_id: 999_999 } })).toMatchObject({ status: 422, body: { error: words.PHOTO_NOT_AVAILABLE, ids: shop.photoIds } });
  });

  test('a donation goes to a gallery of the seller only', async () => {
    const neighbour = await openShop(db);
    const cart = cartOf(shop, { token: await card(), order: { donation: '$5', donation_gallery_id: neighbour.galleryId } });
    expect(await order(cart)).toMatchObject({ status: 422, body: { error: words.DONATION_GALLERY_UNKNOWN } });
    const [other] = await db.ownerQuery<{ id: number }>("insert into galleries (organization_id, name, price_cents) values ($1, 'Other', 100) returning id", [shop.sellerId]);
    const placed = await order({ ...cart, order: { ...cart.order, donation_gallery_id: other?.id } });
    expect(placed.status).toBe(201);
    expect(await db.ownerQuery('select donations_cents, photos_sold from galleries where id = $1', [other?.id])).toEqual([{ donations_cents: 500, photos_sold: 0 }]);
  });
});

describe('a quote', () => {
  const quote = (body: object) => post('/api/v1/orders/quote', body);

  test('tells what the cart costs, with the tax of the zip, and writes nothing', async () => {
    const taxed = await openShop(db);
    await db.ownerQuery("insert into tax_rates (organization_id, state, rate_ppm, jurisdiction) values ($1, 'MN', 68750, 'Minnesota')", [taxed.parentId]);
    const orders = await count('orders');
    const items = taxed.photoIds.map((id) => ({ id, gallery_id: taxed.galleryId }));
    const asked = { order: { org_id: taxed.sellerId, donation: '$5', user: { zip: '55401' } }, items };
    expect(await quote(asked)).toMatchObject({
      status: 200,
      body: { subtotal: 12, tax: 0.83, donation: 5, total: 17.83, charge_needed: true, items: items.map((item) => ({ ...item, sales_price: 4 })) },
    });
    expect((await quote({ ...asked, order: { ...asked.order, user: null } })).body['tax']).toBe(0);
    expect(await count('orders')).toBe(orders);

    const placed = await order(cartOf(taxed, { token: await card(), order: { taxes: 0.83, donation: '$5' } }));
    expect(placed).toMatchObject({ status: 201, body: { total: 17.83 } });
    expect(await db.ownerQuery('select tax_cents, tax_rate_ppm, tax_reason from orders where vanity_id = $1', [placed.body.vanity_id])).toEqual([
      { tax_cents: 83, tax_rate_ppm: 68_750, tax_reason: 'Minnesota' },
    ]);
    expect(await order(cartOf(taxed, { token: await card() }))).toMatchObject({ status: 409, body: { totals: { tax: 0.83, total: 12.83 } } });
  });

  test('takes the body of the order less user and token, and says what is wrong', async () => {
    const { order: whole, items } = cartOf(shop);
    const { user: _user, ...asked } = whole;
    expect((await quote({ order: asked, items })).status).toBe(200);
    expect(await quote({ order: asked, items: [] })).toMatchObject({ status: 422, body: { error: words.CART_IS_EMPTY } });
    expect(await quote({ order: asked, items: [{ id: 7, gallery_id: 7 }] })).toMatchObject({ status: 422, body: { ids: [7] } });
  });
});

describe('reading back', () => {
  test('needs the vanity id; a number only works for who runs the seller', async () => {
    const own = await openShop(db);
    const neighbour = await openShop(db);
    const { body } = await order(cartOf(own, { token: await card() }));
    const [row] = await db.ownerQuery<{ id: number }>('select id from orders where vanity_id = $1', [body.vanity_id]);
    const person = async (email: string, administers: number[], roleId: 1 | 2 = 1) => {
      await rig.accounts.createUser({ email, firstName: 'A', lastName: 'B', password: 'sideline-demo', roleId, administers });
      const { token } = await rig.accounts.logIn({ actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '10.0.0.1' }, { email, password: 'sideline-demo' });
      return (await get(`/api/v1/orders/${row?.id}`, `Bearer ${token}`)).status;
    };
    expect(await person('owner@hawks.test', [own.sellerId])).toBe(200);
    expect(await person('director@lakeside.test', [own.parentId])).toBe(200);
    expect(await person('admin@sideline.test', [], 2)).toBe(200);
    expect(await person('other@neighbour.test', [neighbour.sellerId])).toBe(404);
    for (const id of [row?.id, 0, 1, '%27', 'x'.repeat(22), 'a'.repeat(150), '-1', '1e3']) {
      const answer = await read(String(id));
      expect(answer).toMatchObject({ status: 404, body: { error: words.ORDER_NOT_FOUND } });
    }
  });

  test('a paid line’s key opens its photo until it is revoked or the order is refunded', async () => {
    const { body } = await order(cartOf(shop, { token: await card() }));
    const lines = (await read(body.vanity_id)).body['order_photo'] as { order_key: string; photo: { id: number } }[];
    const [first, second] = lines;
    expect(await rig.orders.paidLine(first?.order_key ?? '')).toMatchObject({ photoId: first?.photo.id, galleryId: shop.galleryId, organizationId: shop.sellerId });
    await db.ownerQuery('update order_photos set revoked_at = now() where order_key = $1', [first?.order_key]);
    expect(await rig.orders.paidLine(first?.order_key ?? '')).toBeNull();
    const statusBecomes = (status: string) => db.ownerQuery('update orders set status = $1 where vanity_id = $2', [status, body.vanity_id]);
    for (const [status, opens] of [['partially_refunded', true], ['refunded', false], ['disputed', false], ['paid', true]] as const) {
      await statusBecomes(status);
      expect((await rig.orders.paidLine(second?.order_key ?? '', 'view')) !== null, status).toBe(opens);
    }
    expect(await rig.orders.paidLine("' or true --")).toBeNull();
  });
});

describe('cards that are declined', () => {
  test('tell the provider’s words, and the same checkout may be paid with another card', async () => {
    const cart = cartOf(shop, { token: await card(DECLINED) });
    const refused = await order(cart);
    expect(refused).toMatchObject({ status: 402, body: { error: 'Your card was declined.' } });
    expect(await db.ownerQuery('select status from orders where checkout_key = $1', [cart.order['checkout_key']])).toEqual([{ status: 'failed' }]);
    expect(await order({ ...cart, stripe_token: null })).toMatchObject({ status: 422, body: { error: words.CARD_REQUIRED } });
    const paid = await order({ ...cart, stripe_token: await card() });
    expect(paid).toMatchObject({ status: 201, body: { status: 'paid', total: 12 } });
    expect(await count('orders', 'checkout_key = $1', [cart.order['checkout_key']])).toBe(1);
    expect(await chargesOf(paid.body.vanity_id)).toHaveLength(1);
  });

  test('show on the order that is read back, which opens nothing', async () => {
    const cart = cartOf(shop, { token: await card('4000000000009995') });
    await order(cart);
    const [row] = await db.ownerQuery<{ vanity_id: string }>('select vanity_id from orders where checkout_key = $1', [cart.order['checkout_key']]);
    const receipt = await read(row?.vanity_id ?? '');
    expect(receipt.body).toMatchObject({ status: 'failed', error: 'Your card has insufficient funds.' });
    expect(JSON.stringify(receipt.body)).not.toContain('orderkey=');
    const [line] = await db.ownerQuery<{ order_key: string }>('select l.order_key from order_photos l join orders o on o.id = l.order_id where o.vanity_id = $1', [row?.vanity_id]);
    expect(await rig.orders.paidLine(line?.order_key ?? '')).toBeNull();
  });

  test('prices that changed since are told before the next card is tried', async () => {
    const own = await openShop(db);
    const cart = cartOf(own, { token: await card(DECLINED) });
    await order(cart);
    await db.ownerQuery('update galleries set price_cents = 500 where id = $1', [own.galleryId]);
    expect((await order({ ...cart, stripe_token: await card() })).status).toBe(409);
  });
});

test('after all of this the auditor has nothing to say', async () => {
  // The order whose status was turned by hand is paid again; a revoked line is the owner's right.
  expect(await checkInvariants({ database: db.database, sandboxCards: true })).toEqual([]);
});
