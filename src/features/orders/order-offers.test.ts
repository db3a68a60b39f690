import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { bestPrice, type PriceQuestion, type SheetContent } from '#src/features/offers/best-price.rules.ts';
import { checkoutClient, DECLINED } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { addPhoto, cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { changeSheet, makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const { post, order, read, card, count, chargesOf } = checkoutClient(rig, db);

const HAWKS: SheetContent = {
  offers: [
    { id: 1, kind: 'bundle', photos: 3, priceCents: 1000 },
    { id: 2, kind: 'bundle', photos: 5, priceCents: 1500 },
    { id: 3, kind: 'gallery_pass', priceCents: 4000 },
  ],
  ownPricesTakePart: false,
  earlyBird: null,
};
let buyers = 0;
/** A new buyer. */
const someone = () => {
  const email = `family${++buyers}@families.test`;
  return { email, confirm_email: email };
};

async function openSheetShop(photos: number, content = HAWKS): Promise<Shop & { sheetId: number }> {
  const shop = await openShop(db, { photos });
  return { ...shop, sheetId: await useSheet(db, shop, content) };
}

const quoteOf = (shop: Shop, photos: number[], more: object = {}) =>
  post('/api/v1/orders/quote', {
    order: { org_id: shop.sellerId },
    items: photos.map((id) => ({ id, gallery_id: shop.galleryId })),
    ...more,
  });

/** Orders photos at the quoted subtotal. */
async function buy(
  shop: Shop,
  {
    photos,
    subtotal,
    user,
    ...more
  }: { photos: number[]; subtotal: number; user?: object; codes?: string[]; passes?: object[] },
) {
  const cart = cartOf(shop, { photos, token: await card(), order: { subtotal }, user: { ...someone(), ...user } });
  return order({ ...cart, ...more } as typeof cart);
}

const problems = () => checkInvariants({ database: db.database, sandboxCards: true });

describe('a quote with a price sheet', () => {
  let shop: Awaited<ReturnType<typeof openSheetShop>>;
  beforeAll(async () => {
    shop = await openSheetShop(13);
  });

  test.each([
    [1, 4, ['1 photo at $4.00']],
    [3, 10, ['3 for $10.00, 3 photos']],
    [4, 14, ['3 for $10.00, 3 photos', '1 photo at $4.00']],
    [6, 19, ['Any 5 for $15.00, 5 photos', '1 photo at $4.00']],
    [13, 40, ['The whole gallery “Final”']],
  ])('of %i photos is $%d, and says how', async (many, subtotal, lines) => {
    const { status, body } = await quoteOf(shop, shop.photoIds.slice(0, many));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      subtotal,
      singles: many * 4,
      charge: subtotal,
      credit: [],
      refused_codes: [],
      reduction: null,
    });
    expect((body['pricing'] as { text: string }[]).map(({ text }) => text)).toEqual(lines);
    expect((body['items'] as { sales_price: number }[]).every((item) => item.sales_price === 4)).toBe(true);
  });

  test('lists what costs little more, and why a pass was added', async () => {
    expect((await quoteOf(shop, shop.photoIds.slice(0, 4))).body['hints']).toEqual([
      { text: 'Add one more photo for $1.00 and get any 5 for $15.00.', photos: 1, costs: 1 },
    ]);
    expect((await quoteOf(shop, shop.photoIds)).body['notes']).toEqual([
      'The whole gallery costs the same as the 13 in your cart, so you get all 13.',
    ]);
  });

  test('without any price sheet has no new fields', async () => {
    const plain = await openShop(db);
    const { body } = await quoteOf(plain, plain.photoIds);
    expect(Object.keys(body)).toEqual(['subtotal', 'tax', 'donation', 'total', 'charge_needed', 'items', 'galleries']);
  });
});

describe('an order with offers', () => {
  test('stores how it was priced, and its receipt says the same', async () => {
    const shop = await openSheetShop(6);
    await makeCoupon(db, shop, { code: 'HAWKS20', kind: 'percent', value: 2000 });
    const quoted = (await quoteOf(shop, shop.photoIds, { codes: ['hawks-20'] })).body;
    expect(quoted).toMatchObject({
      subtotal: 15.2,
      reduction: { kind: 'coupon', name: 'Code HAWKS20, 20% off', amount: 3.8, text: 'Code HAWKS20, 20% off: −$3.80' },
    });
    const placed = await buy(shop, { photos: shop.photoIds, subtotal: 15.2, codes: ['HAWKS20'] });
    expect(placed, JSON.stringify(placed.body)).toMatchObject({ status: 201, body: { status: 'paid', total: 15.2 } });
    expect(await chargesOf(placed.body.vanity_id)).toMatchObject([{ amount_cents: 1520 }]);
    const receipt = (await read(placed.body.vanity_id)).body;
    expect(receipt).toMatchObject({ subtotal: 15.2, pricing: quoted['pricing'], passes: [] });
    const lines = await db.ownerQuery<{ price: number; single: number; name: string | null }>(
      `select l.price_cents as price, l.single_cents as single, f.name from orders o join order_photos l on l.order_id = o.id
         left join order_offers f on f.id = l.order_offer_id where o.vanity_id = $1 order by f.name nulls last, l.id`,
      [placed.body.vanity_id],
    );
    expect(lines.map(({ price }) => price)).toEqual([240, 240, 240, 240, 240, 320]);
    expect(lines.map(({ name }) => name)).toEqual([...Array(5).fill('Any 5 for $15.00'), null]);
    expect(lines.every(({ single }) => single === 400)).toBe(true);
    const [asked] = await db.ownerQuery<{ asked: PriceQuestion }>(
      'select p.asked from order_prices p join orders o on o.id = p.order_id where o.vanity_id = $1',
      [placed.body.vanity_id],
    );
    // Priced again years later, with the sheet in that version, it is the same price.
    const sheets = [{ id: shop.sheetId, version: 1, content: HAWKS }];
    expect(asked && bestPrice({ ...asked.asked, sheets }).subtotalCents).toBe(1520);
    const [mail] = await db.ownerQuery<{ body_text: string }>(
      "select body_text from mail_outbox where dedupe_key = 'receipt-' || $1",
      [placed.body.vanity_id],
    );
    for (const sentence of ['Any 5 for $15.00, 5 photos', '1 photo at $4.00', 'Code HAWKS20, 20% off', '−$3.80'])
      expect(mail?.body_text).toContain(sentence);
    expect(
      await db.ownerQuery('select photos_sold, sales_cents from galleries where id = $1', [shop.galleryId]),
    ).toEqual([{ photos_sold: 6, sales_cents: 1520 }]);
    expect(await problems()).toEqual([]);
  });

  test('uses a sheet that the seller’s parent shares, and counts photos of all its galleries together', async () => {
    const shop = await openShop(db, { photos: 2 });
    const sheetId = await useSheet(db, { sellerId: shop.parentId, galleryId: 0 }, HAWKS);
    await db.ownerQuery('update price_sheets set shared_with_children = true where id = $1', [sheetId]);
    const [other] = await db.ownerQuery<{ id: number }>(
      "insert into galleries (organization_id, name, price_cents) values ($1, 'Training', 400) returning id",
      [shop.sellerId],
    );
    const second = { ...shop, galleryId: other?.id ?? 0 };
    second.photoIds = [
      await addPhoto(db, second, 'One'),
      await addPhoto(db, second, 'Two'),
      await addPhoto(db, second, 'Three'),
    ];
    await db.ownerQuery('update galleries set price_sheet_id = $1 where organization_id = $2', [
      sheetId,
      shop.sellerId,
    ]);
    const cart = cartOf(shop, { token: await card(), order: { subtotal: 15 }, user: someone() });
    const placed = await order({ ...cart, items: [...cart.items, ...cartOf(second).items] });
    expect(placed, JSON.stringify(placed.body)).toMatchObject({ status: 201, body: { total: 15 } });
    const sums = 'select sales_cents as cents from galleries where organization_id = $1 order by cents';
    expect(await db.ownerQuery(sums, [shop.sellerId])).toEqual([{ cents: 600 }, { cents: 900 }]);
    expect(await problems()).toEqual([]);
  });

  test('is refused and not charged when the sheet changed since the quote', async () => {
    const shop = await openSheetShop(3);
    await changeSheet(db, shop.sheetId, { ...HAWKS, offers: [{ id: 1, kind: 'bundle', photos: 3, priceCents: 1100 }] });
    const charges = await count('payment_attempts');
    const placed = await buy(shop, { photos: shop.photoIds, subtotal: 10 });
    expect(placed).toMatchObject({
      status: 409,
      body: { error: 'Prices have changed. Please review your cart.', totals: { subtotal: 11, total: 11 } },
    });
    expect(await count('payment_attempts')).toBe(charges);
    expect((await buy(shop, { photos: shop.photoIds, subtotal: 11 })).status).toBe(201);
  });

  test('whose code cannot be used is refused under codes', async () => {
    const shop = await openSheetShop(2);
    const placed = await buy(shop, { photos: shop.photoIds, subtotal: 8, codes: ['NOSUCHCODE'] });
    expect(placed).toMatchObject({ status: 422, body: { errors: { codes: ['We do not recognize this code.'] } } });
    const quoted = await quoteOf(shop, shop.photoIds, { codes: ['NOSUCHCODE'] });
    expect(quoted.body).toMatchObject({
      subtotal: 8,
      refused_codes: [{ code: 'NOSUCHCODE', error: 'We do not recognize this code.' }],
    });
  });

  test('that replays its key with another code is a conflict', async () => {
    const shop = await openSheetShop(3);
    await makeCoupon(db, shop, { code: 'TENOFF', kind: 'percent', value: 1000 });
    const cart = cartOf(shop, { token: await card(), order: { subtotal: 10 }, user: someone() });
    expect((await order(cart)).status).toBe(201);
    const again = { ...cart, codes: ['TENOFF'], order: { ...cart.order, subtotal: 9 } };
    expect(await order(again)).toMatchObject({ status: 409, body: { error: expect.stringContaining('already used') } });
    expect(await count('orders', 'organization_id = $1', [shop.sellerId])).toBe(1);
  });

  test('that was declined releases its code, and reserves it again with the next card', async () => {
    const shop = await openSheetShop(3);
    await makeCoupon(db, shop, { code: 'ONCE', kind: 'amount', value: 100, maxUses: 1 });
    const cart = {
      ...cartOf(shop, { token: await card(DECLINED), order: { subtotal: 9 }, user: someone() }),
      codes: ['ONCE'],
    };
    expect((await order(cart)).status).toBe(402);
    const states = () =>
      db.ownerQuery<{ state: string }>('select u.state from coupon_uses u where organization_id = $1 order by at', [
        shop.sellerId,
      ]);
    expect(await states()).toEqual([{ state: 'released' }]);
    expect((await order({ ...cart, stripe_token: await card() })).status).toBe(201);
    expect(await states()).toEqual([{ state: 'used' }]);
    const late = await buy(shop, { photos: shop.photoIds, subtotal: 9, codes: ['ONCE'] });
    expect(late).toMatchObject({ status: 422, body: { errors: { codes: ['This code has been used up.'] } } });
  });

  test('sent many times at the same time is one order, with one code', async () => {
    const shop = await openSheetShop(5);
    await makeCoupon(db, shop, { code: 'MANY', kind: 'percent', value: 1000, maxUses: 5 });
    const cart = {
      ...cartOf(shop, { token: await card(), order: { subtotal: 13.5 }, user: someone() }),
      codes: ['MANY'],
    };
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(cart)));
    expect(new Set(answers.map(({ body }) => body.vanity_id)).size).toBe(1);
    expect(await count('order_offers', 'organization_id = $1', [shop.sellerId])).toBe(1);
    expect(await count('coupon_uses', 'organization_id = $1', [shop.sellerId])).toBe(1);
    expect(await problems()).toEqual([]);
  });

  test('of photos that a code makes free needs no card', async () => {
    const shop = await openSheetShop(2);
    await makeCoupon(db, shop, { code: 'TEAM2', kind: 'photos', value: 2, maxUses: 9 });
    const cart = { ...cartOf(shop, { order: { subtotal: 0 }, user: someone() }), codes: ['TEAM2'] };
    const placed = await order(cart);
    expect(placed, JSON.stringify(placed.body)).toMatchObject({ status: 201, body: { status: 'paid', total: 0 } });
    expect((await read(placed.body.vanity_id)).body['pricing']).toEqual([
      { text: 'Code TEAM2, 2 photos free', amount: 0 },
    ]);
    expect(await problems()).toEqual([]);
  });
});

describe('invalid requests of a buyer’s program', () => {
  test.each<[string, object, number, Record<string, unknown>]>([
    ['six codes', { codes: Array(6).fill('HAWKS20') }, 422, { codes: ['At most 5 codes, please.'] }],
    [
      'a code of 5,000 characters',
      { codes: ['A'.repeat(5_000)] },
      422,
      { 'codes.0': ['We do not recognize this code.'] },
    ],
    [
      'a code that reads backwards',
      { codes: ['\u202eHAWKS20'] },
      422,
      { 'codes.0': ['We do not recognize this code.'] },
    ],
    [
      '21 passes',
      { passes: Array(21).fill({ kind: 'gallery_pass', gallery_id: 1 }) },
      422,
      { passes: ['At most 20 passes, please.'] },
    ],
    ['a field of its own', { offers: [] }, 422, expect.anything() as never],
  ])('%s', async (_what, more, status, errors) => {
    const shop = await openShop(db);
    const { body, status: answered } = await order({ ...cartOf(shop, { token: await card() }), ...more } as never);
    expect({ status: answered, errors: body.errors }, JSON.stringify(body)).toEqual({ status, errors });
    expect(await count('orders', 'organization_id = $1', [shop.sellerId])).toBe(0);
  });

  test('a lower single price is a conflict, even if the offer’s price is right', async () => {
    const shop = await openSheetShop(3);
    const cart = cartOf(shop, { token: await card(), price: 1, order: { subtotal: 10 }, user: someone() });
    expect(await order(cart)).toMatchObject({
      status: 409,
      body: { items: shop.photoIds.map((id) => ({ id, sales_price: 4 })) },
    });
  });

  test('a photo that was hidden since the quote is refused, and the rest is priced again without it', async () => {
    const shop = await openSheetShop(3);
    const [hidden = 0, ...rest] = shop.photoIds;
    await db.ownerQuery('update photos set show_in_gallery = false where id = $1', [hidden]);
    const placed = await buy(shop, { photos: shop.photoIds, subtotal: 10 });
    expect(placed).toMatchObject({ status: 422, body: { ids: [hidden] } });
    expect((await quoteOf(shop, rest)).body).toMatchObject({ subtotal: 8, offers: [] });
  });
});
