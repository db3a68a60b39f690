/** Which credit pages and carts show: a parent's, which can be spent at its children, and a code's until it ends (offers specification A.9). */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { CODE_USED_UP } from '#src/features/coupons/coupons.contract.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { openSale } from '#tests/support/bought-photos.ts';
import { balanceOf, buyCredit, haveCredit, inTenDays, offerCredit, orderOf } from '#tests/support/credit-codes.ts';
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

test('of a partly refunded code its buyer sees what is left, also after the rest was spent and came back', async () => {
  const { tokens, hawks } = await settleAnother(server);
  const { vanityId, code, last4 } = await haveCredit(server, hawks.id, 2500);
  const refund = async (amount?: number) => {
    const payload = { reason: 'A wish', refund_key: randomUUID(), ...(amount && { amount }) };
    const url = `/api/v1/orders/${vanityId}/refunds`;
    expect((await server.call({ method: 'POST', url, as: tokens.admin, payload })).statusCode).toBe(201);
    return (await orderOf(server, vanityId)).credit_sold;
  };
  const move = (kind: string, cents: number) =>
    server.data.ownerQuery(
      `insert into credit_movements (code_id, organization_id, order_id, kind, cents)
       select id, organization_id, order_id, $2, $3 from credit_codes where last4 = $1`,
      [last4, kind, cents],
    );
  expect((await orderOf(server, vanityId)).credit_sold).not.toHaveProperty('left');
  expect(await refund(10)).toMatchObject({ code, left: 15 });
  await move('spent', -800);
  expect(await refund()).toMatchObject({ code, left: 0 });
  await move('returned', 800);
  expect((await orderOf(server, vanityId)).credit_sold).toMatchObject({ code, left: 8 });
});

test('the email of a gift does not promise a bonus whose last day is over when it is sent', async () => {
  const { hawks } = await settleAnother(server);
  await offerCredit(server, hawks.id, [[2500, 500]]);
  const email = `${randomUUID()}@families.test`;
  const gift = { name: 'Grandma', email, send_on: inTenDays() };
  expect((await buyCredit(server, hawks.id, { gift })).statusCode).toBe(201);
  await server.data.ownerQuery(
    `update credit_codes c set bonus_until = (now() at time zone s.time_zone)::date - 1
       from organizations s, credit_gifts g where s.id = c.organization_id and g.code_id = c.id and g.receiver_email = $1`,
    [email],
  );
  await server.data.ownerQuery("update credit_gifts set send_on = '2020-01-01' where receiver_email = $1", [email]);
  await server.app.creditShop.sendGifts();
  const [sent] = await server.data.ownerQuery<{ subject: string }>(
    'select subject from mail_outbox where recipient = $1',
    [email],
  );
  expect(sent?.subject).toMatch(/^A gift for you: \$25\.00 for photos at /);
});
