/** Which credit pages and carts show: a parent's, which can be spent at its children, and a code's until it ends (offers specification A.9). */
import { beforeAll, expect, test } from 'vitest';
import { CODE_USED_UP } from '#src/features/coupons/coupons.contract.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { openSale } from '#tests/support/bought-photos.ts';
import { balanceOf, haveCredit, offerCredit } from '#tests/support/credit-codes.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleAnother(server);
});

const soldFor = async (seller: number, parent: number) => {
  const [own, above] = [await server.app.organizations.byId(seller), await server.app.organizations.byId(parent)];
  if (!own || !above) throw new Error('an organization is missing');
  const sold = await server.app.creditShop.soldFor(own, above);
  return sold && [sold.seller.id, sold.offered.amounts.map(({ cents }) => cents)];
};

test('a child’s page links to its own credit, or else to its parent’s, and to nobody else’s', async () => {
  const { hawks, parent, tides, stranger } = people;
  await offerCredit(server, parent.id, [[5000, 0]]);
  await offerCredit(server, hawks.id, [[2500, 0]]);
  expect(await soldFor(tides.id, parent.id)).toEqual([parent.id, [5000]]);
  expect(await soldFor(parent.id, parent.id)).toEqual([parent.id, [5000]]);
  expect(await soldFor(hawks.id, parent.id)).toEqual([hawks.id, [2500]]);
  // On the host of another parent.
  expect(await soldFor(stranger.id, parent.id)).toBeNull();
  const others = await settleAnother(server);
  expect(await soldFor(others.hawks.id, others.parent.id)).toBeNull();
});

test('a bonus counts up to its last day in the time zone of its seller, and a code that is used up is refused', async () => {
  const { tokens, hawks } = await settleAnother(server);
  const { galleryId, photoIds } = await openSale(server, tokens.owner, hawks.id, {
    photos: 2,
    priceDollars: 4,
    name: 'Last day',
  });
  const { code, last4 } = await haveCredit(server, hawks.id, 2500, 500);
  const quote = async () => {
    const order = { org_id: hawks.id, donation: '', user: { zip: '55401' } };
    const items = photoIds.map((id) => ({ id, gallery_id: galleryId, sales_price: 4 }));
    const payload = { order, items, codes: [code] };
    return (await server.call({ method: 'POST', url: '/api/v1/orders/quote', payload })).json<QuoteAnswer>();
  };
  const setLastDay = (daysFromToday: number) =>
    server.data.ownerQuery(
      `update credit_codes c set bonus_until = (now() at time zone s.time_zone)::date + $2::int
         from organizations s where s.id = c.organization_id and c.last4 = $1`,
      [last4, daysFromToday],
    );
  await setLastDay(0);
  expect(await quote()).toMatchObject({ subtotal: 3, charge: 0 });
  await setLastDay(-1);
  expect(await quote()).toMatchObject({ subtotal: 8, charge: 0 });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 25, bonus: 0 });
  await server.data.ownerQuery(
    `insert into credit_movements (code_id, organization_id, order_id, kind, cents)
     select id, organization_id, order_id, 'spent', -2500 from credit_codes where last4 = $1`,
    [last4],
  );
  const usedUp = await quote();
  expect(usedUp.refused_codes).toEqual([{ code: expect.any(String), error: CODE_USED_UP }]);
  expect(usedUp.charge).toBe(usedUp.total);
});
