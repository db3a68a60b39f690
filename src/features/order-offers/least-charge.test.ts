/** Orders where a code, the early bird or credit would leave less than the minimum card charge. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import { openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { balanceOf, haveCredit, orderOf, someBuyer } from '#tests/support/credit-codes.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;
let code = '';
const NOTE = 'A card is charged at least $0.50, so a little less is taken off.';
const NOTHING: SheetContent = { offers: [], ownPricesTakePart: false, earlyBird: null };

beforeAll(async () => {
  people = await settleNeighborhood(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 2, priceDollars: 4, name: 'Final' });
});
beforeEach(async () => {
  code = `C${randomUUID().slice(0, 8)}`.toUpperCase();
  await server.data.ownerQuery('update galleries set price_sheet_id = null where id = $1', [sale.galleryId]);
});

const coupon = (kind: 'percent' | 'amount' | 'photos', value: number) =>
  makeCoupon(server.data, { sellerId: people.hawks.id }, { code, kind, value, maxUses: 9 });
const sheet = (content: SheetContent) =>
  useSheet(server.data, { sellerId: people.hawks.id, galleryId: sale.galleryId }, content);
const items = (photos = 2) =>
  sale.photoIds.slice(0, photos).map((id) => ({ id, gallery_id: sale.galleryId, sales_price: 4 }));

async function quote(codes: string[], { photos = 2, donation = '' } = {}) {
  const payload = {
    order: { org_id: people.hawks.id, donation },
    items: items(photos).map(({ id, gallery_id }) => ({ id, gallery_id })),
    codes,
  };
  return (await server.call({ method: 'POST', url: '/api/v1/orders/quote', payload })).json<{
    subtotal: number;
    total: number;
    charge: number;
    pricing: object[];
    notes: string[];
    refused_codes: { error: string }[];
  }>();
}

/** At the quoted price. */
async function buy(codes: string[], { photos = 2, donation = '', each = 4 } = {}) {
  const { subtotal, charge } = await quote(codes, { photos, donation });
  const order = { user: someBuyer('10001'), org_id: people.hawks.id, donation, taxes: 0, subtotal, charge };
  const payload = {
    order: { ...order, checkout_key: randomUUID() },
    stripe_token: await payWith(server),
    items: items(photos).map((item) => ({ ...item, sales_price: each })),
    codes,
  };
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  return { code: answer.statusCode, ...answer.json<{ vanity_id: string }>() };
}

const chargedFor = (vanityId: string) =>
  server.data.ownerQuery<{ cents: number }>(
    "select a.amount_cents as cents from payment_attempts a join orders o on o.id = a.order_id where o.vanity_id = $1 and a.state = 'succeeded'",
    [vanityId],
  );
const give = async (order: string, body: object) =>
  (
    await server.call({
      method: 'POST',
      url: `/api/v1/orders/${order}/refunds`,
      as: people.tokens.admin,
      payload: { reason: 'Blurred', refund_key: randomUUID(), ...body },
    })
  ).json<Record<string, unknown>>();
/** Photos of these tests have no files. */
const problems = async () => {
  await server.app.keptSales.bringSumsUpToDate();
  const found = await checkInvariants({ database: server.platform.database, sandboxCards: true });
  return found.filter((text) => !text.startsWith('I7'));
};

test('a code that leaves eight cents is charged $0.50, and the page, the order and the receipt say why', async () => {
  await coupon('percent', 9_900);
  const pricing = [
    { text: '2 photos at $4.00', amount: 8 },
    { text: `Code ${code}, 99% off: −$7.92`, amount: -7.92 },
    { text: NOTE, amount: 0.42 },
  ];
  expect(await quote([code])).toMatchObject({ subtotal: 0.5, total: 0.5, charge: 0.5, pricing, hints: [] });
  const { code: status, vanity_id: order } = await buy([code]);
  expect([status, await chargedFor(order)]).toEqual([201, [{ cents: 50 }]]);
  expect(await orderOf(server, order)).toMatchObject({ status: 'paid', total: 0.5, pricing });
  const [mail] = await server.data.ownerQuery<{ body_text: string }>(
    "select body_text from mail_outbox where dedupe_key = 'receipt-' || $1",
    [order],
  );
  expect(mail?.body_text).toContain(NOTE);
  const [use] = await server.data.ownerQuery<{ saved: number }>(
    'select u.saved_cents as saved from coupon_uses u join orders o on o.id = u.order_id where o.vanity_id = $1',
    [order],
  );
  expect(use?.saved).toBe(750);
  // The other photo alone would have been $0.50, too; a refund of both returns everything.
  expect(await give(order, { photos: [sale.photoIds[0]] })).toMatchObject({ error: expect.any(String) });
  expect(await give(order, { photos: sale.photoIds })).toMatchObject({ refunded: 0.5 });
  expect(await problems()).toEqual([]);
});

test.each<[string, () => Promise<unknown>, SheetContent, number]>([
  [
    'an early bird',
    async () => {
      code = '';
    },
    { ...NOTHING, earlyBird: { percent: 99, lastDay: '2099-01-01' } },
    0.46,
  ],
  ['an amount off', () => coupon('amount', 399), NOTHING, 0.49],
  [
    'a bundle and a code',
    () => coupon('amount', 99),
    { ...NOTHING, offers: [{ id: 1, kind: 'bundle', photos: 2, priceCents: 100 }] },
    0.49,
  ],
  [
    'a bundle for less',
    async () => (code = ''),
    { ...NOTHING, offers: [{ id: 1, kind: 'bundle', photos: 2, priceCents: 40 }] },
    0.1,
  ],
])('%s that leaves too little is charged $0.50, and the books agree', async (what, make, content, less) => {
  await make();
  await sheet(content);
  const cart = { photos: what.startsWith('a bundle') ? 2 : 1 };
  const codes = code === '' ? [] : [code];
  expect((await quote(codes, cart)).pricing.at(-1)).toEqual({ text: NOTE, amount: less });
  const { code: status, vanity_id: order } = await buy(codes, cart);
  expect([status, await chargedFor(order)]).toEqual([201, [{ cents: 50 }]]);
  expect(await problems()).toEqual([]);
});

test('a small donation is raised to the minimum by photos that a code makes free', async () => {
  await coupon('photos', 2);
  expect(await quote([code], { donation: '0.20' })).toMatchObject({ subtotal: 0.3, total: 0.5, charge: 0.5 });
  const { vanity_id: order } = await buy([code], { donation: '0.20' });
  expect((await orderOf(server, order)).pricing?.at(-1)).toEqual({ text: NOTE, amount: 0.3 });
  expect(await quote([code])).toMatchObject({ subtotal: 0, total: 0, charge: 0 });
  expect(await problems()).toEqual([]);
});

test('credit that cannot pay a small remainder is kept, and credit that can pays it', async () => {
  await coupon('percent', 9_500);
  const small = await haveCredit(server, people.hawks.id, 500);
  expect(await quote([code, small.code])).toMatchObject({ subtotal: 0.4, charge: 0 });
  const other = `${code}X`;
  await makeCoupon(server.data, { sellerId: people.hawks.id }, { code: other, kind: 'amount', value: 330 });
  expect((await buy([other, small.code])).code).toBe(201);
  const quoted = await quote([code, small.code]);
  expect(quoted).toMatchObject({ subtotal: 0.5, charge: 0.5, credit: [] });
  expect((await buy([code, small.code])).code).toBe(201);
  expect(await balanceOf(server, small.code)).toMatchObject({ balance: 0.3 });
});

test('credit that is held back for the card says so', async () => {
  const { code: credit } = await haveCredit(server, people.hawks.id, 780);
  expect(await quote([credit])).toMatchObject({ charge: 0.5, credit: [{ amount: 7.5, left: 0.3 }], notes: [NOTE] });
});

test('photos that cost too little without any reduction are refused', async () => {
  await server.data.ownerQuery('update galleries set price_cents = 10 where id = $1', [sale.galleryId]);
  const payload = {
    order: {
      user: someBuyer('10001'),
      org_id: people.hawks.id,
      donation: '',
      taxes: 0,
      subtotal: 0.2,
      checkout_key: randomUUID(),
    },
    stripe_token: await payWith(server),
    items: items().map((item) => ({ ...item, sales_price: 0.1 })),
  };
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
    422,
    'The minimum card payment is $0.50.',
  ]);
  await server.data.ownerQuery('update galleries set price_cents = 400 where id = $1', [sale.galleryId]);
});

describe('a code whose saving the minimum charge would take back', () => {
  const KEPT = 'A card is charged at least $0.50, so this code would save you nothing. Keep it for later.';
  const uses = async () => {
    const rows = await server.data.ownerQuery<{ state: string; saved: number }>(
      'select u.state, u.saved_cents as saved from coupon_uses u join coupons c on c.id = u.coupon_id where c.code = $1',
      [code],
    );
    return rows.filter(({ state }) => state !== 'released').map(({ saved }) => saved);
  };
  const priceOf = (priceCents: number) =>
    server.data.ownerQuery('update galleries set price_cents = $2 where id = $1', [sale.galleryId, priceCents]);
  afterEach(() => priceOf(400));

  test.each<[string, number, SheetContent, string, number]>([
    ['one photo of $0.50', 50, NOTHING, '', 0.5],
    ['one photo of $0.40 and a donation', 40, NOTHING, '0.10', 0.4],
    [
      'an early bird that saves the same',
      400,
      { ...NOTHING, earlyBird: { percent: 90, lastDay: '2099-01-01' } },
      '',
      0.5,
    ],
  ])('is kept for later: %s', async (_what, priceCents, content, donation, subtotal) => {
    await priceOf(priceCents);
    if (content !== NOTHING) await sheet(content);
    await coupon('percent', 9_500);
    const cart = { photos: 1, donation };
    const quoted = await quote([code], cart);
    expect(quoted).toMatchObject({ subtotal, charge: 0.5, hints: [], refused_codes: [{ error: KEPT }] });
    expect(JSON.stringify(quoted.pricing)).not.toContain(code);
    const { code: status, vanity_id: order } = await buy([code], { ...cart, each: priceCents / 100 });
    expect([status, await chargedFor(order), await uses()]).toEqual([201, [{ cents: 50 }], []]);
    expect((await orderOf(server, order)).pricing).toEqual(quoted.pricing);
    expect(await problems()).toEqual([]);
  });

  test('is used where it saves a cent, and once by many orders at the same time', async () => {
    await priceOf(51);
    await makeCoupon(server.data, { sellerId: people.hawks.id }, { code, kind: 'percent', value: 5_000, maxUses: 1 });
    const first = await buy([code], { photos: 1, each: 0.51 });
    expect([first.code, await uses()]).toEqual([201, [1]]);
  });

  test('keeps all its uses after many simultaneous orders that it could not help', async () => {
    await priceOf(50);
    await makeCoupon(server.data, { sellerId: people.hawks.id }, { code, kind: 'percent', value: 5_000, maxUses: 1 });
    const atOnce = async (photos: number) => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => buy([code], { photos, each: 0.5 })));
      return answers.map((answer) => answer.code).toSorted();
    };
    expect([await atOnce(1), await uses()]).toEqual([[201, 201, 201, 201], []]);
    // With it two photos come to $0.50, once.
    expect([await atOnce(2), await uses()]).toEqual([[201, 422, 422, 422], [50]]);
    expect(await problems()).toEqual([]);
  });
});
