/** Refunds of photos and passes that were bought with offers, one by one: the price of the rest without them stays paid. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { REFUND_KEY_TAKEN } from '#src/features/refunds/refunds.contract.ts';
import { openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, payWith } from '#tests/support/payer.ts';
import { changeSheet, makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;
let sheetId: number;

const HAWKS: SheetContent = {
  offers: [
    { id: 1, kind: 'bundle', photos: 3, priceCents: 1000 },
    { id: 2, kind: 'bundle', photos: 5, priceCents: 1500 },
    { id: 3, kind: 'gallery_pass', priceCents: 4000 },
  ],
  ownPricesTakePart: false,
  earlyBird: null,
};

beforeAll(async () => {
  people = await settleNeighborhood(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 5, priceDollars: 4, name: 'Final' });
  sheetId = await useSheet(server.data, { sellerId: people.hawks.id, galleryId: sale.galleryId }, HAWKS);
  await server.data.ownerQuery(
    "insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '554', 82500, 'Minneapolis')",
    [people.parent.id],
  );
});

async function buy(
  subtotal: number,
  taxes: number,
  { donation = '', ...more }: { passes?: object[]; codes?: string[]; donation?: string } = {},
): Promise<string> {
  const email = `${randomUUID()}@buyers.test`;
  const user = { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '55401' };
  const payload = {
    order: { user, donation, taxes, subtotal, org_id: people.hawks.id, checkout_key: randomUUID() },
    stripe_token: await payWith(server),
    items: sale.photoIds.map((id) => ({ id, gallery_id: sale.galleryId, sales_price: 4 })),
    ...more,
  };
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ vanity_id: string }>().vanity_id;
}

const give = async (order: string, body: object) =>
  (
    await server.call({
      method: 'POST',
      url: `/api/v1/orders/${order}/refunds`,
      as: people.tokens.admin,
      payload: { reason: 'A blurred one', refund_key: randomUUID(), ...body },
    })
  ).json<Record<string, unknown>>();
const orderOf = async (vanityId: string) =>
  (await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` })).json<OrderAnswer>();

test('one of five for $15.00 is refunded with $1.08, whatever the price sheet says by then, and the last with all that is left', async () => {
  const order = await buy(15, 1.24);
  const keys = (await orderOf(order)).order_photo.map((line) => line.order_key ?? '');
  await changeSheet(server.data, sheetId, { offers: [], ownPricesTakePart: false, earlyBird: null });
  expect(await give(order, { photos: [sale.photoIds[0]] })).toMatchObject({ refunded: 1.08 });
  // As in every download: four still work, and the fifth is not found.
  const opened = await Promise.all(keys.map((key) => server.app.orders.paidLine(key)));
  expect(opened.map((line) => line?.photoId)).toEqual([undefined, ...sale.photoIds.slice(1)]);
  const url = `/api/v1/galleries/${sale.galleryId}/gallery_photos/${sale.photoIds[0]}?download=true&orderkey=${keys[0]}`;
  expect((await server.call({ method: 'GET', url })).statusCode).toBe(404);
  const shown = (await orderOf(order)).order_photo.map((line) => [line.order_key !== null, line.refunded === true]);
  expect(shown).toEqual([[false, true], ...keys.slice(1).map(() => [true, false])]);
  for (const photo of sale.photoIds.slice(1, 4)) await give(order, { photos: [photo] });
  expect(await give(order, { photos: [sale.photoIds[4]] })).toMatchObject({ refunded: 16.24 });
  expect((await orderOf(order)).status).toBe('refunded');
  await changeSheet(server.data, sheetId, HAWKS);
  expect(await checkInvariants({ database: server.platform.database, sandboxCards: true })).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^(?:orders|passes|gallery sales|photo sales|refunds)/)]),
  );
});

test('a pass is refunded with the photos that it covers', async () => {
  const order = await buy(40, 3.3, { passes: [{ kind: 'gallery_pass', gallery_id: sale.galleryId }] });
  const [pass] = (await orderOf(order)).passes ?? [];
  expect(await give(order, { passes: [pass?.id] })).toMatchObject({ refunded: 43.3 });
  const after = await orderOf(order);
  expect(after.order_photo.every((line) => line.order_key === null)).toBe(true);
  expect(after.passes?.[0]?.order_key).toBeNull();
});

test('a pass that was refunded lists no photos any more, although the order is still paid', async () => {
  const passes = [{ kind: 'gallery_pass', gallery_id: sale.galleryId }];
  const order = await buy(40, 3.3, { passes, donation: '$5.00' });
  const [pass] = (await orderOf(order)).passes ?? [];
  const photos = async () =>
    (await server.call({ method: 'GET', url: `/api/v1/orders/${order}/passes/${pass?.id}/photos` })).statusCode;
  expect(await photos()).toBe(200);
  const refund = { passes: [pass?.id], refund_key: randomUUID() };
  expect(await give(order, refund)).toMatchObject({ refunded: 43.3 });
  // The photos alone are another wish than the pass with its photos.
  expect(await give(order, { ...refund, passes: [], photos: sale.photoIds })).toMatchObject({
    error: REFUND_KEY_TAKEN,
  });
  expect((await orderOf(order)).status).not.toBe('refunded');
  expect(await photos()).toBe(404);
});

test('photos that are kept have the discount of their code', async () => {
  await makeCoupon(server.data, { sellerId: people.hawks.id }, { code: 'BACK20', kind: 'percent', value: 2000 });
  const order = await buy(12, 0.99, { codes: ['BACK20'] });
  // The four that are kept cost $14.00 less 20 %, with tax of $0.92.
  expect(await give(order, { photos: [sale.photoIds[0]] })).toMatchObject({ refunded: 0.87 });
});

test('the office sees the passes of an order, and how its price was made', async () => {
  await makeCoupon(server.data, { sellerId: people.hawks.id }, { code: 'SEEN10', kind: 'percent', value: 1000 });
  const passes = [{ kind: 'gallery_pass', gallery_id: sale.galleryId }];
  const order = await buy(36, 2.97, { passes, codes: ['SEEN10'] });
  const admin = await callerOf(server, people.tokens.admin);
  const [card] = (await server.app.refundLists.overview(admin, order, null)).found ?? [];
  expect(card?.soldPasses).toMatchObject([{ name: 'The whole gallery “Final”', priceCents: 3600, isRevoked: false }]);
  expect(card?.pricing).toEqual([
    { text: 'The whole gallery “Final”', amount: 40 },
    { text: 'Code SEEN10, 10% off: −$4.00', amount: -4 },
  ]);
  await give(order, { passes: [card?.soldPasses[0]?.id] });
  const [after] = (await server.app.refundLists.overview(admin, order, null)).found ?? [];
  expect(after?.soldPasses[0]?.isRevoked).toBe(true);
});
