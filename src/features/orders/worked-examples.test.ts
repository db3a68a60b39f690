/** The worked examples of the offers specification (A.6) over HTTP, each with a new seller, to the cent and to the word. */
import { describe, expect, test } from 'vitest';
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import { checkoutClient } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { openShop, type Shop } from '#tests/support/shop-goods.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const { post } = checkoutClient(rig, db);

const SHEET: SheetContent = {
  offers: [
    { id: 1, kind: 'bundle', photos: 3, priceCents: 1000 },
    { id: 2, kind: 'bundle', photos: 5, priceCents: 1500 },
    { id: 3, kind: 'gallery_pass', priceCents: 4000 },
  ],
  ownPricesTakePart: false,
  earlyBird: null,
};
const FALLING: SheetContent = {
  ...SHEET,
  offers: [
    {
      id: 1,
      kind: 'steps',
      steps: [
        { from: 1, priceCents: 500 },
        { from: 3, priceCents: 400 },
        { from: 10, priceCents: 300 },
      ],
    },
  ],
};
const OWN: SheetContent = { ...SHEET, ownPricesTakePart: true };
const EARLY: SheetContent = { ...SHEET, earlyBird: { percent: 15, lastDay: '2099-10-12' } };

type Price = {
  subtotal: number;
  tax: number;
  total: number;
  singles: number;
  pricing: { text: string; amount: number }[];
  hints: { text: string }[];
  notes: string[];
};

/** A new seller whose gallery has photos with these single prices; `usual` is the gallery's price. */
async function shopOf(dollars: readonly number[], sheet: SheetContent, usual = 4): Promise<Shop & { sheetId: number }> {
  const shop = await openShop(db, { photos: dollars.length, priceCents: usual * 100 });
  for (const [at, price] of dollars.entries())
    if (price !== usual)
      await db.ownerQuery('update photos set price_override_cents = $2 where id = $1', [
        shop.photoIds[at],
        price * 100,
      ]);
  return { ...shop, sheetId: await useSheet(db, shop, sheet) };
}

async function quote(shop: Shop, { codes = [], zip = '10001' }: { codes?: string[]; zip?: string } = {}) {
  const items = shop.photoIds.map((id) => ({ id, gallery_id: shop.galleryId }));
  const order = { org_id: shop.sellerId, user: { zip } };
  const { status, body } = await post('/api/v1/orders/quote', { order, items, codes });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Price;
}

const said = ({ pricing }: Price) => pricing.map(({ text }) => text);
const many = (count: number, price = 4) => Array.from({ length: count }, () => price);
const bundle3 = '3 for $10.00, 3 photos';
const any5 = 'Any 5 for $15.00, 5 photos';
const twice5 = 'Any 5 for $15.00, 10 photos';
const at4 = (count: number) => `${count === 1 ? '1 photo' : `${count} photos`} at $4.00`;

describe('photos at $4.00', () => {
  test.each<[number, number, string[]]>([
    [1, 4, [at4(1)]],
    [2, 8, [at4(2)]],
    [3, 10, [bundle3]],
    [4, 14, [bundle3, at4(1)]],
    [5, 15, [any5]],
    [6, 19, [any5, at4(1)]],
    [7, 23, [any5, at4(2)]],
    [8, 25, [any5, bundle3]],
    [10, 30, [twice5]],
    [11, 34, [twice5, at4(1)]],
    [12, 38, [twice5, at4(2)]],
    [13, 40, ['The whole gallery “Final”']],
  ])('%i of them are $%d', async (count, dollars, sentences) => {
    const price = await quote(await shopOf(many(count), SHEET));
    expect([price.subtotal, price.singles, said(price)]).toEqual([dollars, count * 4, sentences]);
    if (count === 4) expect(price.hints[0]?.text).toBe('Add one more photo for $1.00 and get any 5 for $15.00.');
  });
});

describe('photos with prices of their own', () => {
  test.each<[string, number[], SheetContent, number, string[]]>([
    ['stay single', [10, 4, 4, 2], SHEET, 20, ['1 photo at $10.00', at4(2), '1 photo at $2.00']],
    ['take part where the sheet says so', [10, 4, 4, 2], OWN, 12, [bundle3, '1 photo at $2.00']],
    ['a portrait and three photos', [20, 4, 4, 4], SHEET, 30, [bundle3, '1 photo at $20.00']],
  ])('%s', async (_what, prices, sheet, dollars, sentences) => {
    const price = await quote(await shopOf(prices, sheet));
    expect([price.subtotal, said(price)]).toEqual([dollars, sentences]);
  });
});

test.each([
  [1, 5],
  [2, 10],
  [3, 14],
  [9, 38],
  [10, 41],
  [12, 47],
])('a falling price: %i photos are $%d', async (count, dollars) => {
  expect((await quote(await shopOf(many(count, 5), FALLING, 5))).subtotal).toBe(dollars);
});

test('six photos with HAWKS20 and an early bird of 15 % are $15.20, and $16.45 with tax of 8.25 %', async () => {
  const shop = await shopOf(many(6), EARLY);
  await makeCoupon(db, shop, { code: 'HAWKS20', kind: 'percent', value: 2000 });
  await db.ownerQuery(
    "insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, '', '554', 82500, 'Minneapolis')",
    [shop.parentId],
  );
  const price = await quote(shop, { codes: ['HAWKS20'], zip: '55401' });
  expect(price).toMatchObject({
    subtotal: 15.2,
    tax: 1.25,
    total: 16.45,
    notes: ['HAWKS20 saves you $3.80, more than the early bird ($2.85), so we used the code.'],
  });
  expect(said(price)).toEqual([any5, at4(1), 'Code HAWKS20, 20% off: −$3.80']);
  expect(said(await quote(shop))).toEqual([any5, at4(1), 'Early bird, 15% off: −$2.85']);
});

test('six photos with a code of two free ones are $14.00', async () => {
  const shop = await shopOf(many(6), SHEET);
  await makeCoupon(db, shop, { code: 'TEAM2', kind: 'photos', value: 2, maxUses: 9 });
  const price = await quote(shop, { codes: ['team-2'] });
  expect([price.subtotal, said(price)]).toEqual([14, [bundle3, at4(1), 'Code TEAM2, 2 photos free']]);
});
