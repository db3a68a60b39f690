/** Credit is bought, spent and refunded, to the cent (offers specification A.6, A.10, A.13 A4). */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { DAY_NOT_VALID } from '#src/features/credit-shop/credit-shop.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { openSale, type ForSale } from '#tests/support/bought-photos.ts';
import {
  balanceOf,
  buyCredit,
  entriesOf,
  haveCredit,
  offerCredit,
  orderOf,
  someBuyer,
} from '#tests/support/credit-codes.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith, setOwnAccount } from '#tests/support/payer.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { cartOf, openShop } from '#tests/support/shop-goods.ts';
import { meetAtLock } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;

/** The sheet "Hawks fall", the code HAWKS20 and a tax of 8.25 %. */
beforeAll(async () => {
  people = await settleNeighborhood(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 6, priceDollars: 4, name: 'Final' });
  const offers = [
    { id: 1, kind: 'bundle' as const, photos: 3, priceCents: 1000 },
    { id: 2, kind: 'bundle' as const, photos: 5, priceCents: 1500 },
  ];
  await useSheet(
    server.data,
    { sellerId: people.hawks.id, galleryId: sale.galleryId },
    { offers, ownPricesTakePart: false, earlyBird: { percent: 15, lastDay: '2099-12-31' } },
  );
  await makeCoupon(server.data, { sellerId: people.hawks.id }, { code: 'HAWKS20', kind: 'percent', value: 2000 });
  await server.data.ownerQuery(
    "insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '554', 82500, 'Minneapolis')",
    [people.parent.id],
  );
});

const itemsOf = (photos: number) =>
  sale.photoIds.slice(0, photos).map((id) => ({ id, gallery_id: sale.galleryId, sales_price: 4 }));

async function quote(codes: string[], photos = 6) {
  const payload = {
    order: { org_id: people.hawks.id, donation: '', user: { zip: '55401' } },
    items: itemsOf(photos),
    codes,
  };
  return (await server.call({ method: 'POST', url: '/api/v1/orders/quote', payload })).json<QuoteAnswer>();
}

/** Orders six photos with HAWKS20, or some without it, and charges only what the quote said. */
async function spend(
  codes: string[],
  {
    photos = 6,
    token,
    order = {},
    seen,
  }: { photos?: number; token?: unknown; order?: object; seen?: QuoteAnswer } = {},
) {
  const priced = seen ?? (await quote(codes, photos));
  const payload = {
    order: {
      user: someBuyer(),
      donation: '',
      taxes: priced.tax,
      subtotal: priced.subtotal,
      org_id: people.hawks.id,
      checkout_key: randomUUID(),
      charge: priced.charge,
      ...order,
    },
    stripe_token: token === undefined && priced.charge_needed ? await payWith(server) : (token ?? null),
    items: itemsOf(photos),
    codes,
  };
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  const placed = answer.json<{ vanity_id: string; total: number; error: string }>();
  return { ...placed, status: answer.statusCode, payload };
}

const refund = async (vanityId: string, body: object = {}) =>
  server.call({
    method: 'POST',
    url: `/api/v1/orders/${vanityId}/refunds`,
    as: people.tokens.admin,
    payload: { reason: 'A wish', refund_key: randomUUID(), ...body },
  });

/** The photos have no files, and one test reports refunds that the sandbox never made. */
async function problems() {
  const found = await checkInvariants({ database: server.data.database, sandboxCards: true });
  return found.filter((line) => !line.startsWith('I7:') && !line.startsWith('order refunds:'));
}
const account = (kind: string, id = people.hawks.id) => `${kind} ${id}`;

test('credit of $25.00 pays all of $16.45 without a card, and keeps $8.55', async () => {
  const { code, last4, orderId } = await haveCredit(server, people.hawks.id);
  expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}(?:-[2-9A-HJKMNP-TV-Z]{4}){3}$/);
  expect(await entriesOf(server, orderId, 'credit_sale')).toEqual({
    provider_clearing: 2397,
    [account('org_payable')]: 103,
    [account('credit_liability')]: -2500,
  });
  expect(await quote(['HAWKS20', code])).toMatchObject({
    total: 16.45,
    charge: 0,
    charge_needed: false,
    credit: [{ last4, amount: 16.45, left: 8.55 }],
  });
  const spent = await spend(['HAWKS20', code]);
  expect([spent.status, spent.total]).toEqual([201, 16.45]);
  const order = await orderOf(server, spent.vanity_id);
  expect(order).toMatchObject({ status: 'paid', stripe_token_full: null, credit: [{ last4, amount: 16.45 }] });
  expect(await entriesOf(server, order.id, 'sale')).toEqual({
    [account('credit_liability')]: 1645,
    tax_payable: -125,
    platform_fee: -304,
    [account('org_payable')]: -1216,
  });
  expect(await balanceOf(server, code.toLowerCase())).toMatchObject({ balance: 8.55, bonus: 0 });
  expect(await problems()).toEqual([]);
});

test('with credit of $16.20 exactly $0.50 is charged, and $0.25 is left', async () => {
  const { code } = await haveCredit(server, people.hawks.id, 1620);
  const spent = await spend(['HAWKS20', code]);
  expect(spent.status).toBe(201);
  const order = await orderOf(server, spent.vanity_id);
  expect(await entriesOf(server, order.id, 'sale')).toEqual({
    [account('credit_liability')]: 1595,
    provider_clearing: 19,
    tax_payable: -125,
    platform_fee: -304,
    [account('org_payable')]: -1185,
  });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 0.25 });
  // A full refund returns to the codes what they paid, and the rest to the card.
  expect((await refund(spent.vanity_id)).json()).toMatchObject({ refunded: 16.45, refund: { state: 'given' } });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 16.2 });
  expect(await orderOf(server, spent.vanity_id)).toMatchObject({ status: 'refunded', refunded: 16.45 });
  expect(await problems()).toEqual([]);
});

test('a refund returns credit first, and then money to the card', async () => {
  const { code } = await haveCredit(server, people.hawks.id, 1000);
  const spent = await spend(['HAWKS20', code]);
  expect((await refund(spent.vanity_id, { amount: 4 })).json()).toMatchObject({ refunded: 4 });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 4 });
  expect((await refund(spent.vanity_id, { amount: 7 })).json()).toMatchObject({ refunded: 11 });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 10 });
  const [back] = await server.data.ownerQuery<{ cents: number }>(
    `select sum(r.amount_cents)::int as cents from sandbox_provider.refunds r join payment_attempts a on a.provider_ref = r.charge_id
       join orders o on o.id = a.order_id where o.vanity_id = $1`,
    [spent.vanity_id],
  );
  expect(back?.cents).toBe(100);
  expect(await problems()).toEqual([]);
});

test('a bonus is spent first, lowers the photos before tax, and returns with a full refund', async () => {
  const { code, last4 } = await haveCredit(server, people.hawks.id, 2500, 500);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 25, bonus: 5 });
  const priced = await quote(['HAWKS20', code]);
  expect(priced).toMatchObject({ subtotal: 10.2, tax: 0.84, total: 11.04, credit: [{ last4, amount: 11.04 }] });
  expect(priced.pricing?.at(-1)).toEqual({ text: `Bonus of credit ••••${last4}: −$5.00`, amount: -5 });
  expect(priced.pricing?.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(1020);
  const spent = await spend(['HAWKS20', code]);
  expect((await orderOf(server, spent.vanity_id)).pricing).toEqual(priced.pricing);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 13.96, bonus: 0 });
  const one = (await refund(spent.vanity_id, { photos: [sale.photoIds[0]] })).json<{ refunded: number }>();
  // Five photos cost $15.00, less 20 % and the bonus $7.00, with tax $7.58.
  expect(one.refunded).toBe(3.46);
  await refund(spent.vanity_id);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 25, bonus: 5 });
  expect(await problems()).toEqual([]);
});

test('several codes pay for one order in turn; one that is not needed is kept, and only one coupon counts', async () => {
  const [one, two, three] = [
    await haveCredit(server, people.hawks.id, 1000),
    await haveCredit(server, people.hawks.id, 1000),
    await haveCredit(server, people.hawks.id, 1000),
  ];
  const priced = await quote(['HAWKS20', one.code, two.code, three.code]);
  expect(priced.credit).toEqual([
    { last4: one.last4, amount: 10, left: 0 },
    { last4: two.last4, amount: 6.45, left: 3.55 },
  ]);
  expect(priced.refused_codes).toEqual([
    { code: `••••${three.last4}`, error: 'This order is paid without this code. Keep it for later.' },
  ]);
  await makeCoupon(server.data, { sellerId: people.hawks.id }, { code: 'OTHER', kind: 'percent', value: 500 });
  expect((await quote(['HAWKS20', 'OTHER', one.code])).refused_codes).toEqual([
    { code: 'OTHER', error: 'One code per order, please. You can add credit codes as well.' },
  ]);
  expect((await spend([one.code, two.code, 'a', 'b', 'c', 'd'])).status).toBe(422);
});

test('two simultaneous orders that spend one code never take it below zero, and charge only the total that was shown', async () => {
  const { code } = await haveCredit(server, people.hawks.id, 2500);
  // Both orders saw the full balance, and both are priced before either reserves some of it.
  const seen = await quote(['HAWKS20', code]);
  const meeting = { lock: 'select from credit_codes for update', sessions: 2 };
  const [first, second] = await meetAtLock(server.data, meeting, () =>
    Promise.all([spend(['HAWKS20', code], { seen }), spend(['HAWKS20', code], { seen })]),
  );
  expect([first.status, second.status].toSorted()).toEqual([201, 409]);
  const refused = first.status === 409 ? first : second;
  expect(refused.error).toBe('Prices have changed. Please review your cart.');
  expect(await balanceOf(server, code)).toMatchObject({ balance: 8.55 });
  // The rest is paid by card, once its buyer has seen that.
  expect((await spend(['HAWKS20', code])).status).toBe(201);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 0 });
  expect(await problems()).toEqual([]);
});

test('a declined card releases credit, and another card reserves it again', async () => {
  const { code } = await haveCredit(server, people.hawks.id, 1000);
  const declined = await spend(['HAWKS20', code], { token: await payWith(server, '4000000000000002') });
  expect(declined.status).toBe(402);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 10 });
  const again = { ...declined.payload, stripe_token: await payWith(server) };
  const paid = await server.call({ method: 'POST', url: '/api/v1/orders', payload: again });
  expect(paid.statusCode).toBe(201);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 0 });
  expect(await problems()).toEqual([]);
});

test('a parent’s credit is spent at its children, a child’s only at itself', async () => {
  const { code } = await haveCredit(server, people.parent.id);
  const spent = await spend(['HAWKS20', code]);
  const { id } = await orderOf(server, spent.vanity_id);
  expect(await entriesOf(server, id, 'sale')).toEqual({
    [account('credit_liability', people.parent.id)]: 1645,
    tax_payable: -125,
    platform_fee: -304,
    [account('org_payable')]: -1216,
  });
  const foreign = await haveCredit(server, people.tides.id);
  expect((await quote([foreign.code])).refused_codes).toEqual([
    { code: foreign.code, error: 'We do not recognize this code.' },
  ]);
  expect(await problems()).toEqual([]);
});

test('unused credit is refunded to its card, and its code ends', async () => {
  const { code, vanityId, orderId } = await haveCredit(server, people.hawks.id);
  await spend(['HAWKS20', code]);
  expect((await refund(vanityId)).json()).toMatchObject({ refunded: 8.55, refund: { state: 'given' } });
  expect(await entriesOf(server, orderId, 'credit_refund')).toEqual({
    provider_clearing: -855,
    [account('credit_liability')]: 855,
  });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 0 });
  expect((await refund(vanityId)).json()).toMatchObject({ error: 'This credit has been spent.' });
  expect(await problems()).toEqual([]);
});

test('the rest of credit is refunded in full, although its bonus was spent', async () => {
  const { code, vanityId } = await haveCredit(server, people.hawks.id, 2500, 500);
  // Six photos for $15.20; the bonus pays $5.00 of it, and with the tax $11.04 is paid with money.
  const spent = await spend(['HAWKS20', code]);
  expect((await refund(vanityId)).json()).toMatchObject({ refunded: 13.96, refund: { state: 'given' } });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 0, bonus: 0 });
  // The photos are paid. Their full refund returns to the code what it paid, and the bonus.
  expect(await orderOf(server, spent.vanity_id)).toMatchObject({ status: 'paid', total: 11.04 });
  await refund(spent.vanity_id);
  expect(await balanceOf(server, code)).toMatchObject({ balance: 11.04, bonus: 5 });
  expect((await refund(vanityId)).json()).toMatchObject({ refunded: 25 });
  expect(await problems()).toEqual([]);
});

test('with a seller’s own Stripe account, credit alone pays like its card: the books know our share', async () => {
  const shop = await openShop(server.data, { priceCents: 400, shareBps: 2000 });
  await setOwnAccount(server, shop.sellerId, { hasKeys: true });
  const { code, orderId } = await haveCredit(server, shop.sellerId);
  expect(await entriesOf(server, orderId, 'credit_sale')).toEqual({});
  const payload = { ...cartOf(shop, { price: 4, user: someBuyer(), order: { charge: 0 } }), codes: [code] };
  const placed = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  expect(placed.statusCode, placed.body).toBe(201);
  const { vanity_id: vanityId } = placed.json<{ vanity_id: string }>();
  const { id } = await orderOf(server, vanityId);
  expect(await entriesOf(server, id, 'own_account_sale')).toEqual({
    [account('provider_clearing', shop.sellerId)]: 240,
    platform_fee: -240,
  });
  expect(await problems()).toEqual([]);
  // No card is involved: it is refunded although the seller removed its keys.
  await setOwnAccount(server, shop.sellerId, { hasKeys: false });
  expect((await refund(vanityId)).json()).toMatchObject({ refund: { state: 'given' } });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 25 });
  expect(await problems()).toEqual([]);
});

test('a refund by the provider after its credit was spent is the seller’s loss; a lost dispute ends the code', async () => {
  const spentBefore = await haveCredit(server, people.hawks.id);
  await spend(['HAWKS20', spentBefore.code]);
  await reportCharge(server, spentBefore.vanityId, { refundedCents: 2500 });
  expect(await entriesOf(server, spentBefore.orderId, 'credit_refund')).toEqual({
    provider_clearing: -2500,
    [account('credit_liability')]: 855,
    [account('org_payable')]: 1645,
  });
  const disputed = await haveCredit(server, people.hawks.id);
  const dispute = { id: randomUUID(), amountCents: 2500 as never, reason: 'fraudulent' };
  await reportCharge(server, disputed.vanityId, { disputes: [{ ...dispute, status: 'open' }] });
  expect((await quote([disputed.code])).refused_codes).toMatchObject([{ error: 'We do not recognize this code.' }]);
  await reportCharge(server, disputed.vanityId, { disputes: [{ ...dispute, status: 'lost' }] });
  expect(await entriesOf(server, disputed.orderId, 'credit_kept')).toEqual({
    [account('credit_liability')]: 2500,
    [account('org_payable')]: -2500,
  });
  expect(await problems()).toEqual([]);
});

test('refunds to a code that a lost dispute ended belong to its seller, and a disputed code is not paid out', async () => {
  const bought = await haveCredit(server, people.hawks.id);
  const { vanity_id: spent } = await spend(['HAWKS20', bought.code]);
  const dispute = { id: randomUUID(), amountCents: 2500 as never, reason: 'fraudulent' };
  await reportCharge(server, bought.vanityId, { disputes: [{ ...dispute, status: 'open' }] });
  const [{ id } = { id: 0 }] = await server.data.ownerQuery<{ id: number }>(
    'select id from credit_codes where order_id = $1',
    [bought.orderId],
  );
  const paidOut = await server.call({ method: 'POST', url: `/api/v1/credit/${id}/pay_out`, as: people.tokens.admin });
  expect(paidOut.statusCode).toBe(409);
  await reportCharge(server, bought.vanityId, { disputes: [{ ...dispute, status: 'lost' }] });
  expect((await refund(spent)).json()).toMatchObject({ refund: { state: 'given' } });
  // $8.55 of unspent balance, and $16.45 of refunds.
  expect(await entriesOf(server, bought.orderId, 'credit_kept')).toEqual({
    [account('credit_liability')]: 2500,
    [account('org_payable')]: -2500,
  });
  const left = 'select sum(cents)::int as cents from credit_movements where code_id = $1';
  expect(await server.data.ownerQuery(left, [id])).toEqual([{ cents: 0 }]);
  expect(await problems()).toEqual([]);
});

test('a buyer sees every problem, and is charged nothing', async () => {
  await offerCredit(server, people.hawks.id, [[2500, 500]]);
  const buy = async (more: object) => {
    const answer = await buyCredit(server, people.hawks.id, more);
    return [answer.statusCode, answer.json<{ errors?: object; error: string }>()] as const;
  };
  expect(
    await buy({ amount: 24, stripe_token: null, gift: { name: ' ', email: 'x', send_on: '2020-01-01' } }),
  ).toMatchObject([
    422,
    {
      errors: {
        'gift.name': ['Please enter who the gift is for.'],
        'gift.email': ['Please enter the recipient’s email address.'],
      },
    },
  ]);
  expect(await buy({ amount: 24, stripe_token: null })).toMatchObject([
    422,
    { errors: { amount: ['Please choose one of the amounts.'], stripe_token: ['Please enter a card.'] } },
  ]);
  const gift = { name: 'Mia', email: 'mia@families.test' };
  for (const send_on of ['2020-01-01', '2999-01-01'])
    expect(await buy({ gift: { ...gift, send_on } })).toMatchObject([
      422,
      { errors: { 'gift.send_on': [DAY_NOT_VALID] } },
    ]);
  expect(await buy({ bonus: 10 })).toMatchObject([409, { error: 'The bonus has changed. Please review it.' }]);
  expect(await buy({ surprise: 1 })).toMatchObject([422, {}]);
  const none = await buyCredit(server, people.stranger.id);
  expect(none.json()).toMatchObject({ error: 'This organization does not sell credit.' });
});

test('one checkout key makes one order, one charge and one code', async () => {
  await offerCredit(server, people.hawks.id);
  const more = { checkout_key: randomUUID(), user: someBuyer(), stripe_token: await payWith(server) };
  const answers = await Promise.all(Array.from({ length: 6 }, () => buyCredit(server, people.hawks.id, more)));
  expect(new Set(answers.map((answer) => answer.json<{ vanity_id: string }>().vanity_id)).size).toBe(1);
  expect(
    (await buyCredit(server, people.hawks.id, { ...more, gift: { name: 'Max', email: 'max@families.test' } }))
      .statusCode,
  ).toBe(409);
  expect(await problems()).toEqual([]);
});
