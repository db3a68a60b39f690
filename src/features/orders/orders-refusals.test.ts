import { beforeAll, describe, expect, test } from 'vitest';
import * as words from '#src/features/orders/orders.contract.ts';
import { checkoutClient } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { addPhoto, cartOf, openShop, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';
import { listCharges } from '#tests/support/sandbox-books.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const { post, read, order, card, count } = checkoutClient(rig, db);
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(db);
});

describe('the buyer’s errors', () => {
  test('include all problems of the form', async () => {
    const cart = cartOf(shop, {
      user: { first_name: ' ', last_name: '', email: 'maria', confirm_email: 'other', zip: '' },
      order: { donation: '5.001' },
    });
    const refused = await order({ ...cart, items: [] });
    expect(refused.status).toBe(422);
    expect(Object.values(refused.body.errors).flat().toSorted()).toEqual(
      [
        words.FIRST_NAME_REQUIRED,
        words.LAST_NAME_REQUIRED,
        words.EMAIL_NOT_VALID,
        words.EMAILS_DIFFER,
        words.ZIP_REQUIRED,
        words.DONATION_NOT_VALID,
        words.CART_IS_EMPTY,
      ].toSorted(),
    );
  });

  test('include each of the buyer’s fields when there is no buyer', async () => {
    const refused = await order(cartOf(shop, { order: { user: undefined } }));
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        first_name: [words.FIRST_NAME_REQUIRED],
        last_name: [words.LAST_NAME_REQUIRED],
        email: [words.EMAIL_REQUIRED],
        confirm_email: [words.CONFIRM_EMAIL_REQUIRED],
        zip: [words.ZIP_REQUIRED],
      },
    ]);
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

  test.each([['-5'], ['1e9'], ['NaN'], ['５'], ['10000.01'], [5], [null]])(
    'include a donation of %j',
    async (donation) => {
      const refused = await order(cartOf(shop, { order: { donation } }));
      expect(refused).toMatchObject({ status: 422, body: { error: words.DONATION_NOT_VALID } });
    },
  );

  test('do not include a zip with its extension, capitals or spaces around an email', async () => {
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

  test('include a missing card, and less than 50 cents', async () => {
    expect(await order(cartOf(shop))).toMatchObject({
      status: 422,
      body: { error: words.CARD_REQUIRED, errors: { stripe_token: [words.CARD_REQUIRED] } },
    });
    const cheap = await openShop(db, { priceCents: 16 });
    expect(await order(cartOf(cheap, { price: 0.16, order: { subtotal: 0.48 }, token: await card() }))).toMatchObject({
      status: 422,
      body: { error: 'The minimum card payment is $0.50.' },
    });
    expect(await count('orders', 'organization_id = $1', [cheap.sellerId])).toBe(0);
  });

  test('include more than 200 photos', async () => {
    const cart = cartOf(shop);
    const items = Array.from({ length: 201 }, (_, index) => ({ id: index + 1, gallery_id: 1, sales_price: 4 }));
    expect(await order({ ...cart, items })).toMatchObject({ status: 422, body: { error: words.CART_IS_TOO_LARGE } });
  });
});

describe('tampering', () => {
  const tampered: [string, (cart: Cart) => Cart][] = [
    ['a lower price', (cart) => ({ ...cart, items: cart.items.map((item) => ({ ...item, sales_price: 1 })) })],
    [
      'a price of nothing',
      (cart) => ({
        ...cart,
        items: cart.items.map((item) => ({ ...item, sales_price: 0 })),
        order: { ...cart.order, subtotal: 0 },
      }),
    ],
    ['a lower subtotal', (cart) => ({ ...cart, order: { ...cart.order, subtotal: 3 } })],
    ['taxes that are not due', (cart) => ({ ...cart, order: { ...cart.order, taxes: 0.01 } })],
  ];
  test.each(tampered)('with %s is a changed price: nothing is stored, nothing charged', async (_what, change) => {
    const [orders, charges] = [await count('orders'), (await listCharges(db)).length];
    const refused = await order(change(cartOf(shop, { token: await card() })));
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: words.PRICES_CHANGED,
        totals: { subtotal: 12, tax: 0, donation: 0, total: 12 },
        items: shop.photoIds.map((id) => ({ id, gallery_id: shop.galleryId, sales_price: 4 })),
      },
    });
    expect([await count('orders'), (await listCharges(db)).length]).toEqual([orders, charges]);
  });

  test('with photos that are hidden, deleted, of another seller or of another gallery lists them', async () => {
    const neighbor = await openShop(db);
    const hidden = await addPhoto(db, shop, 'hidden');
    await db.ownerQuery('update photos set show_in_gallery = false where id = $1', [hidden]);
    const good = shop.photoIds[0] ?? 0;
    const foreign = neighbor.photoIds[0] ?? 0;
    const cart = cartOf(shop, { token: await card() });
    const items = [
      { id: good, gallery_id: shop.galleryId, sales_price: 4 },
      { id: hidden, gallery_id: shop.galleryId, sales_price: 4 },
      { id: foreign, gallery_id: neighbor.galleryId, sales_price: 4 },
      { id: 4242, gallery_id: shop.galleryId, sales_price: 4 },
      { id: shop.photoIds[1] ?? 0, gallery_id: neighbor.galleryId, sales_price: 4 },
    ];
    const refused = await order({ ...cart, items });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: words.PHOTO_NOT_AVAILABLE,
        ids: [hidden, foreign, 4242, shop.photoIds[1]],
        unavailable: [hidden, foreign, 4242, shop.photoIds[1]].map((id) => ({ id, reason: 'gone' })),
      },
    });
    expect(await order({ ...cart, order: { ...cart.order, org_id: 999_999 } })).toMatchObject({
      status: 422,
      body: { error: words.PHOTO_NOT_AVAILABLE, ids: shop.photoIds },
    });
  });

  test('with photos of a locked or inactive gallery is refused for everyone who has not unlocked it', async () => {
    for (const [state, reason] of [
      ['password_required = true', 'locked'],
      ['active = false', 'gone'],
    ] as const) {
      const closed = await openShop(db);
      await db.ownerQuery(`update galleries set ${state} where id = $1`, [closed.galleryId]);
      const refused = await order(cartOf(closed, { token: await card() }));
      expect(refused).toMatchObject({ status: 422, body: { error: words.PHOTO_NOT_AVAILABLE, ids: closed.photoIds } });
      const unknown = { id: 4242, gallery_id: closed.galleryId };
      const asked = { order: { org_id: closed.sellerId }, items: [unknown] };
      // For a locked gallery the answer is the same whether the photo is in it or not.
      for (const { body } of [refused, await post('/api/v1/orders/quote', asked)]) {
        const told = body['unavailable'] as { gallery_id: number; reason: string }[];
        expect(told.map((each) => [each.gallery_id, each.reason])).toEqual(told.map(() => [closed.galleryId, reason]));
        expect(told.length).toBeGreaterThan(0);
      }
    }
  });

  test('with invalid items is refused by name, and nothing is stored', async () => {
    const before = await count('orders');
    const good = { id: shop.photoIds[0], gallery_id: shop.galleryId, sales_price: 4 };
    const strange: unknown[] = [
      null,
      'all',
      {},
      [null],
      ['1'],
      [[]],
      [{ ...good, id: '1' }],
      [{ ...good, id: -1 }],
      [{ ...good, id: 1.5 }],
      [{ ...good, id: 2 ** 53 }],
      [{ ...good, sales_price: -4 }],
      [{ ...good, sales_price: '4' }],
      [{ ...good, sales_price: 4.001 }],
      [{ ...good, quantity: 2 }],
      [{ ...good, price_override: 0 }],
      [{ id: good.id }],
      Array.from({ length: 1_000 }, (_, index) => ({ ...good, id: index + 1 })),
    ];
    const cart = cartOf(shop, { token: await card() });
    for (const items of strange) {
      const refused = await order({ ...cart, items } as unknown as Cart);
      expect(refused.status, JSON.stringify(items)?.slice(0, 80)).toBe(422);
      expect(refused.body.error.length).toBeGreaterThan(5);
      const asked = await post('/api/v1/orders/quote', { order: { org_id: shop.sellerId }, items });
      expect([200, 422], JSON.stringify(items)?.slice(0, 80)).toContain(asked.status);
    }
    expect(await count('orders')).toBe(before);
  });

  test('with the same photo twice is one line, and a name that looks like a formula is a name', async () => {
    const cart = cartOf(shop, {
      token: await card(),
      photos: shop.photoIds.slice(0, 1),
      user: { first_name: '=HYPERLINK("http://x")' },
    });
    const placed = await order({ ...cart, items: [...cart.items, ...cart.items] });
    expect(placed.status).toBe(201);
    expect((await read(placed.body.vanity_id)).body).toMatchObject({
      first_name: '=HYPERLINK("http://x")',
      subtotal: 4,
      order_photo: [{ photo: { id: shop.photoIds[0] } }],
    });
  });

  test('with a donation to a gallery of another seller is refused', async () => {
    const neighbor = await openShop(db);
    const cart = cartOf(shop, {
      token: await card(),
      order: { donation: '$5', donation_gallery_id: neighbor.galleryId },
    });
    expect(await order(cart)).toMatchObject({ status: 422, body: { error: words.DONATION_GALLERY_UNKNOWN } });
    const [other] = await db.ownerQuery<{ id: number }>(
      "insert into galleries (organization_id, name, price_cents) values ($1, 'Other', 100) returning id",
      [shop.sellerId],
    );
    const placed = await order({ ...cart, order: { ...cart.order, donation_gallery_id: other?.id } });
    expect(placed.status).toBe(201);
    expect(
      await db.ownerQuery('select donations_cents, photos_sold from galleries where id = $1', [other?.id]),
    ).toEqual([{ donations_cents: 500, photos_sold: 0 }]);
  });
});
