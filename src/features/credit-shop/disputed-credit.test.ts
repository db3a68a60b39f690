/** Disputes of charges that bought credit take of its code what the bank took (decision record 0130). */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { placeOrderBody, type OrderAnswer } from '#src/features/orders/orders.contract.ts';
import type { DisputeFacts } from '#src/platform/payments/payments.ts';
import { cents } from '#src/shared/money.ts';
import { balanceOf, entriesOf, haveCredit, orderOf, someBuyer } from '#tests/support/credit-codes.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { appWith, callerOf } from '#tests/support/payer.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let shop: Shop;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  shop = await openShop(server.data, { photos: 1, priceCents: 2000 });
});

const UNKNOWN = { error: 'We do not recognize this code.' };
const dispute = (amount: number, status: DisputeFacts['status'], id: string = randomUUID()): DisputeFacts => ({
  id,
  amountCents: cents(amount),
  status,
  reason: 'fraudulent',
});

/** Pays for a photo of $20.00 with a code that has as much, bonus included; returns its order. */
async function spend(code: string, bonusCents = 0): Promise<string> {
  const cart = cartOf(shop, {
    price: 20,
    user: someBuyer(),
    order: { subtotal: (2000 - bonusCents) / 100, charge: 0 },
  });
  const placed = await server.call({ method: 'POST', url: '/api/v1/orders', payload: { ...cart, codes: [code] } });
  if (placed.statusCode !== 201) throw new Error(placed.body);
  return placed.json<{ vanity_id: string }>().vanity_id;
}

const refund = (vanityId: string) =>
  server.call({
    method: 'POST',
    url: `/api/v1/orders/${vanityId}/refunds`,
    as: people.tokens.admin,
    payload: { reason: 'A wish', refund_key: randomUUID() },
  });
const keptOf = async (orderId: number) =>
  (await entriesOf(server, orderId, 'credit_kept'))[`org_payable ${shop.sellerId}`] ?? 0;
/** The photos have no files, and the disputes are not the sandbox's. */
const problems = async () =>
  (await checkInvariants({ database: server.data.database, sandboxCards: true })).filter(
    (line) => !line.startsWith('I7:'),
  );

test('the part of a charge that is not disputed can be spent, during the dispute and after it was lost', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, shop.sellerId, 4500);
  await reportCharge(server, vanityId, { disputes: [dispute(1500, 'open', 'one')] });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 30 });
  await spend(code);
  await reportCharge(server, vanityId, { disputes: [dispute(1500, 'lost', 'one')] });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 10 });
  expect(await entriesOf(server, orderId, 'credit_kept')).toEqual({
    [`credit_liability ${shop.sellerId}`]: 1500,
    [`org_payable ${shop.sellerId}`]: -1500,
  });
  // It is told again, as webhooks do.
  await reportCharge(server, vanityId, { disputes: [dispute(1500, 'lost', 'one')] });
  expect([await balanceOf(server, code), await keptOf(orderId)]).toMatchObject([{ balance: 10 }, -1500]);
  expect(await orderOf(server, vanityId)).toMatchObject({ status: 'disputed', credit_sold: { code, left: 10 } });
  expect(await problems()).toEqual([]);
});

test('a dispute that is won gives everything back, and one of the whole charge leaves nothing meanwhile', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, shop.sellerId, 2500, 500);
  await reportCharge(server, vanityId, { disputes: [dispute(2500, 'open', 'won')] });
  expect(await balanceOf(server, code)).toMatchObject(UNKNOWN);
  expect(await orderOf(server, vanityId)).toMatchObject({ status: 'disputed', credit_sold: { code: null } });
  await reportCharge(server, vanityId, { disputes: [dispute(2500, 'won', 'won')] });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 25, bonus: 5 });
  expect(await keptOf(orderId)).toBe(0);
  expect(await problems()).toEqual([]);
});

test('several disputes take their sums, and their part of the bonus', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, shop.sellerId, 2500, 500);
  await reportCharge(server, vanityId, { disputes: [dispute(500, 'lost', 'first')] });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 20, bonus: 4 });
  const second = [dispute(500, 'lost', 'first'), dispute(1001, 'open', 'second')];
  await reportCharge(server, vanityId, { disputes: second });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 9.99, bonus: 1.99 });
  await reportCharge(server, vanityId, { disputes: [dispute(500, 'lost', 'first'), dispute(1001, 'lost', 'second')] });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 9.99, bonus: 1.99 });
  expect(await keptOf(orderId)).toBe(-1501);
  expect(await problems()).toEqual([]);
});

test('what was spent before is taken when it is refunded to the code, and no more than the bank took', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, shop.sellerId, 2500, 500);
  const order = await spend(code, 500);
  await reportCharge(server, vanityId, { disputes: [dispute(2000, 'lost', 'spent')] });
  expect([await balanceOf(server, code), await keptOf(orderId)]).toMatchObject([UNKNOWN, -1000]);
  expect((await refund(order)).json()).toMatchObject({ refunded: 15 });
  // $15.00 and the bonus are back: the seller keeps $10.00 and, of the bonus, four fifths.
  expect([await balanceOf(server, code), await keptOf(orderId)]).toMatchObject([{ balance: 5, bonus: 1 }, -2000]);
  expect(await problems()).toEqual([]);
});

test('what an order had reserved is taken when its card is declined', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, shop.sellerId, 1500);
  const app = appWith(server, {
    charge: async () => {
      await reportCharge(server, vanityId, { disputes: [dispute(1000, 'lost', 'meanwhile')] });
      expect(await keptOf(orderId)).toBe(0);
      return { state: 'declined', code: 'card_declined', message: 'Your card was declined.' };
    },
  });
  const token = await server.call({
    method: 'POST',
    url: '/sandbox/tokens',
    payload: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' },
  });
  const cart = cartOf(shop, { price: 20, user: someBuyer(), order: { charge: 5 }, token: token.json() });
  const body = placeOrderBody.parse({ ...cart, codes: [code] });
  await expect(app.orders.place(await callerOf(server, null), body)).rejects.toMatchObject({ code: 'card_refused' });
  expect([await balanceOf(server, code), await keptOf(orderId)]).toMatchObject([{ balance: 5 }, -1000]);
  expect(await problems()).toEqual([]);
});

test('a small rest of a lost dispute is paid out in cash, because no card can get it back', async () => {
  const { vanityId, orderId } = await haveCredit(server, shop.sellerId, 2500);
  const [{ id } = { id: 0 }] = await server.data.ownerQuery<{ id: number }>(
    'select id from credit_codes where order_id = $1',
    [orderId],
  );
  const payOut = () => server.call({ method: 'POST', url: `/api/v1/credit/${id}/pay_out`, as: people.tokens.admin });
  await reportCharge(server, vanityId, { disputes: [dispute(2000, 'open', 'small')] });
  expect((await payOut()).statusCode).toBe(409);
  await reportCharge(server, vanityId, { disputes: [dispute(2000, 'lost', 'small')] });
  expect((await refund(vanityId)).statusCode).toBe(409);
  expect((await payOut()).json()).toMatchObject({ paid_out: 5 });
  expect(await problems()).toEqual([]);
});

test('only the buyer of a disputed code still sees it', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, people.hawks.id, 10_000, 1000);
  await reportCharge(server, vanityId, { disputes: [dispute(100, 'lost', 'small part')] });
  // $99.00, and the bonus less its hundredth part.
  expect((await orderOf(server, vanityId)).credit_sold).toMatchObject({ code, left: 108.9 });
  const byNumber = await server.call({ method: 'GET', url: `/api/v1/orders/${orderId}`, as: people.tokens.owner });
  expect(byNumber.json<OrderAnswer>().credit_sold).toMatchObject({ code: null });
  expect(byNumber.json<OrderAnswer>().credit_sold).not.toHaveProperty('left');
});

/** Credit whose refund was sent a day ago and never arrived, while a dispute of its charge was lost. */
async function haveLostRefund(boughtCents: number, disputedCents: number) {
  const bought = await haveCredit(server, shop.sellerId, boughtCents);
  const lost = appWith(server, { refund: () => Promise.resolve({ state: 'unknown', cause: new Error('no answer') }) });
  await lost.refunds.give(await callerOf(server, people.tokens.admin), bought.vanityId, {
    amountCents: cents(boughtCents),
    reason: 'A wish',
    idempotencyKey: randomUUID(),
  });
  await server.data.ownerQuery(
    "update payment_attempts set created_at = now() - interval '1 day' where order_id = $1 and kind = 'refund'",
    [bought.orderId],
  );
  await reportCharge(server, bought.vanityId, { disputes: [dispute(disputedCents, 'lost')] });
  expect(await keptOf(bought.orderId)).toBe(0);
  return bought;
}

test('what a refund held that never arrived is taken for the dispute that was lost meanwhile', async () => {
  const { code, orderId } = await haveLostRefund(2500, 1000);
  await server.app.refunds.sweep();
  expect([await balanceOf(server, code), await keptOf(orderId)]).toMatchObject([{ balance: 15 }, -1000]);
  expect(await problems()).toEqual([]);
});

test('what a code owes for a lost dispute is not paid out in cash', async () => {
  const { orderId } = await haveLostRefund(900, 400);
  await appWith(server, { chargeStatus: () => Promise.reject(new Error('no answer')) }).refunds.sweep();
  expect(await keptOf(orderId)).toBe(0);
  const [{ id } = { id: 0 }] = await server.data.ownerQuery<{ id: number }>(
    'select id from credit_codes where order_id = $1',
    [orderId],
  );
  const paid = await server.call({ method: 'POST', url: `/api/v1/credit/${id}/pay_out`, as: people.tokens.admin });
  expect(paid.json()).toMatchObject({ paid_out: 5 });
});
