/** How sellers manage credit, and how gifts are sent (offers specification A.9, A.12, A.14). */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { NOT_OURS_TO_PAY_OUT, type CreditPage } from '#src/features/credit-shop/credit-shop.contract.ts';
import {
  balanceOf,
  buyCredit,
  entriesOf,
  haveCredit,
  inTenDays,
  offerCredit,
  orderOf,
} from '#tests/support/credit-codes.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { setOwnAccount } from '#tests/support/payer.ts';
import { openShop } from '#tests/support/shop-goods.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const desk = (method: 'GET' | 'PUT', payload?: object, as: string | null = people.tokens.owner) =>
  server.call({
    method,
    url: `/api/v1/affiliates/${people.hawks.id}/credit`,
    as,
    ...(payload && { payload: { credit: payload } }),
  });
const payOut = (id: number, as: string | null = people.tokens.admin) =>
  server.call({ method: 'POST', url: `/api/v1/credit/${id}/pay_out`, as, payload: {} });
const codes = async () => (await desk('GET')).json<CreditPage>().codes;

test('a seller decides what is offered, and sees the balance of each code, but never a code', async () => {
  const usual = {
    active: false,
    amounts: [10, 25, 50, 100].map((amount) => ({ amount, bonus: 0 })),
    bonus_until: null,
  };
  const [first] = await server.data.ownerQuery('select from credit_settings where organization_id = $1', [
    people.hawks.id,
  ]);
  if (!first) expect((await desk('GET')).json()).toMatchObject({ settings: usual });
  const offered = { active: true, amounts: [{ amount: 50, bonus: 10 }, { amount: 20 }], bonus_until: '2099-06-30' };
  expect((await desk('PUT', offered)).json()).toEqual({
    active: true,
    amounts: [
      { amount: 20, bonus: 0 },
      { amount: 50, bonus: 10 },
    ],
    bonus_until: '2099-06-30',
  });
  const { code, last4 } = await haveCredit(server, people.hawks.id, 2000);
  const answer = await desk('GET');
  expect(answer.json<CreditPage>().codes[0]).toMatchObject({ last4, bought: 20, bonus: 0, left: 20, is_gift: false });
  expect(answer.body).not.toContain(code.slice(0, 9));
});

test.each([
  [{ active: true, amounts: [] }, { amounts: ['Please offer 1 to 4 amounts.'] }],
  [{ active: true, amounts: [{ amount: 4.99 }] }, { 'amounts.0.amount': ['An amount must be from $5.00 to $200.00.'] }],
  [
    { active: true, amounts: [{ amount: 200.01 }] },
    { 'amounts.0.amount': ['An amount must be from $5.00 to $200.00.'] },
  ],
  [
    { active: true, amounts: [{ amount: 10 }, { amount: 10 }] },
    { 'amounts.1.amount': ['Each amount can be offered once.'] },
  ],
  [
    { active: true, amounts: [{ amount: 10, bonus: 11 }] },
    { 'amounts.0.bonus': ['A bonus can’t be more than the amount paid.'] },
  ],
  [
    { active: true, amounts: [{ amount: 10, bonus: 1 }], bonus_until: '2020-01-01' },
    { bonus_until: ['The bonus’s last day must be a date like 2027-06-30, today or later.'] },
  ],
])('refuses %j', async (credit, errors) => {
  const answer = await desk('PUT', credit);
  expect([answer.statusCode, answer.json<{ errors: object }>().errors]).toEqual([422, errors]);
});

test('only those who may edit the organization see and decide it, and only platform admins pay out', async () => {
  const { neighbor, foreigner, parentMember, owner, admin } = people.tokens;
  const offered = { active: true, amounts: [{ amount: 25 }] };
  const statuses = [];
  for (const as of [null, neighbor, foreigner, parentMember, owner, admin])
    statuses.push([(await desk('GET', undefined, as)).statusCode, (await desk('PUT', offered, as)).statusCode]);
  expect(statuses).toEqual([
    [401, 401],
    [404, 404],
    [404, 404],
    [200, 200],
    [200, 200],
    [200, 200],
  ]);
  const { orderId } = await haveCredit(server, people.hawks.id, 500);
  const id = (await codes()).find((one) => one.order_id === orderId)?.id ?? 0;
  const refused = [];
  for (const as of [null, neighbor, owner]) refused.push((await payOut(id, as)).statusCode);
  expect(refused).toEqual([401, 403, 403]);
});

test('a small balance is paid out once, from our bank account', async () => {
  const { code, orderId } = await haveCredit(server, people.hawks.id, 900);
  const large = await haveCredit(server, people.hawks.id, 2500);
  const idOf = async (order: number) => (await codes()).find((one) => one.order_id === order)?.id ?? 0;
  expect((await payOut(await idOf(large.orderId))).json()).toMatchObject({
    error: 'Only balances below $10.00 are paid out. Larger ones are refunded to the card.',
  });
  const id = await idOf(orderId);
  const both = await Promise.all([payOut(id), payOut(id)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect(await entriesOf(server, orderId, 'credit_paid_out')).toEqual({
    bank: -900,
    [`credit_liability ${people.hawks.id}`]: 900,
  });
  expect(await balanceOf(server, code)).toMatchObject({ balance: 0 });
  expect((await payOut(999_999_999)).statusCode).toBe(404);
  expect(await checkInvariants({ database: server.data.database, sandboxCards: true })).toEqual([]);
});

test('credit that a seller sold over its own account is not paid out from ours', async () => {
  const shop = await openShop(server.data, { priceCents: 400 });
  await setOwnAccount(server, shop.sellerId, { hasKeys: true });
  const { code, orderId } = await haveCredit(server, shop.sellerId, 900);
  const [row] = await server.data.ownerQuery<{ id: number }>('select id from credit_codes where order_id = $1', [
    orderId,
  ]);
  const refused = await payOut(row?.id ?? 0);
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { error: NOT_OURS_TO_PAY_OUT }]);
  expect(await entriesOf(server, orderId, 'credit_paid_out')).toEqual({});
  expect(await balanceOf(server, code)).toMatchObject({ balance: 9 });
});

test('a seller with unspent credit cannot be deleted, and sees how much it is', async () => {
  const shop = await openShop(server.data, { priceCents: 400 });
  const { vanityId } = await haveCredit(server, shop.sellerId, 900);
  const [{ path } = { path: '' }] = await server.data.ownerQuery<{ path: string }>(
    'select domain_name as path from organizations where id = $1',
    [shop.sellerId],
  );
  const remove = () => server.call({ method: 'DELETE', url: `/api/v1/organizations/${path}`, as: people.tokens.admin });
  const refused = await remove();
  expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
    409,
    // Its card fee is the seller's.
    'It owes Sideline $0.56. Settle that first, among the payouts. Families have $9.00 of prepaid credit left with it. Refund that first.',
  ]);
  const refund = await server.call({
    method: 'POST',
    url: `/api/v1/orders/${vanityId}/refunds`,
    as: people.tokens.admin,
    payload: { reason: 'The club ends', refund_key: randomUUID() },
  });
  expect(refund.statusCode, refund.body).toBe(201);
  expect((await remove()).json<{ error: string }>().error).not.toContain('credit');
});

test('a gift is sent once on its day, and its receiver is forgotten thirty days after it was opened', async () => {
  await offerCredit(server, people.hawks.id, [[2500, 0]]);
  const email = `${randomUUID()}@families.test`;
  const gift = { name: 'Grandma http://evil.example', email, message: 'For the season' };
  const later = await buyCredit(server, people.hawks.id, { gift: { ...gift, send_on: inTenDays() } });
  expect(later.statusCode, later.body).toBe(201);
  await server.app.creditShop.sendGifts();
  expect(await server.data.emailsTo(email)).toEqual([]);
  const bought = await buyCredit(server, people.hawks.id, { gift });
  const order = await orderOf(server, bought.json<{ vanity_id: string }>().vanity_id);
  await Promise.all([server.app.creditShop.sendGifts(), server.app.creditShop.sendGifts()]);
  const [sentEmail, ...others] = await server.data.emailsTo(email);
  expect(others).toEqual([]);
  expect(sentEmail?.subject).toMatch(/^A gift for you: \$25\.00 for photos at /);
  expect(sentEmail?.text).toContain(order.credit_sold?.code);
  expect(sentEmail?.text).not.toContain('http://evil');
  expect((await orderOf(server, bought.json<{ vanity_id: string }>().vanity_id)).credit_sold?.gift).toMatchObject({
    sent: true,
  });
  expect(order.credit_sold?.gift?.message).toBe('For the season');
  const token = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${people.hawks.id}/api_tokens`,
    as: people.tokens.owner,
    payload: { name: 'Orders', scopes: ['orders:read'], expires_in_days: 30 },
  });
  expect(token.statusCode, token.body).toBe(201);
  for (const as of [people.tokens.owner, token.json<{ token: string }>().token]) {
    const read = await server.call({ method: 'GET', url: `/api/v1/orders/${order.id}`, as });
    expect([read.statusCode, read.json()]).toMatchObject([200, { credit_sold: { code: null, gift: { message: '' } } }]);
  }
  await balanceOf(server, order.credit_sold?.code ?? '', { from_email: true });
  const kept = () =>
    server.data.ownerQuery(
      'select receiver_name, receiver_email, message from credit_gifts g join credit_codes c on c.id = g.code_id where c.order_id = $1',
      [order.id],
    );
  // Someone who has the card that the giver printed.
  await server.data.ownerQuery(
    `insert into credit_movements (code_id, organization_id, order_id, kind, cents, at)
     select c.id, c.organization_id, c.order_id, 'spent', 0, now() - interval '31 days'
       from credit_gifts g join credit_codes c on c.id = g.code_id where g.receiver_email = $1 and g.sent_at is null`,
    [email],
  );
  const waiting = () =>
    server.data.ownerQuery('select receiver_email from credit_gifts where receiver_email = $1 and sent_at is null', [
      email,
    ]);
  await server.app.creditShop.forgetReceivers();
  expect(await kept()).toMatchObject([{ receiver_email: email }]);
  await server.data.ownerQuery(
    "update credit_gifts set opened_at = now() - interval '31 days' where receiver_email = $1 and sent_at is not null",
    [email],
  );
  const sentTo = () =>
    server.data.ownerQuery<{ to: string; subject: string }>(
      `select m.recipient as to, m.subject from mail_outbox m join credit_codes c on m.dedupe_key = 'credit-gift-' || c.id where c.order_id = $1`,
      [order.id],
    );
  expect(await sentTo()).toMatchObject([{ to: email }]);
  await server.app.creditShop.forgetReceivers();
  expect(await kept()).toEqual([{ receiver_name: 'Erased', receiver_email: null, message: '' }]);
  // The record of the email stays, so that no second one is sent.
  expect(await sentTo()).toEqual([{ to: 'forgotten', subject: '' }]);
  await server.app.creditShop.sendGifts();
  expect(await server.data.emailsTo(email)).toEqual([]);
  const answer = await orderOf(server, bought.json<{ vanity_id: string }>().vanity_id);
  expect(answer.credit_sold?.gift).toMatchObject({ name: '', sent: true });
  // The other one is still to be sent.
  expect(await waiting()).toMatchObject([{ receiver_email: email }]);
});

const DAY = 24;
test.each<[what: string, hours: number, change: string, kept: boolean]>([
  ['nobody opened it for nearly a year', 364 * DAY, 'send_on = at, sent_at = at', true],
  ['nobody opened it for a year', 367 * DAY, 'send_on = at, sent_at = at', false],
  ['it was never sent, and its day is a year ago', 367 * DAY, 'send_on = at', false],
  ['its day is to come', 400 * DAY, "send_on = now() + interval '9 days'", true],
  ['it came back 29 days ago', 29 * DAY, 'sent_at = at, returned_at = at', true],
  ['it came back 31 days ago', 31 * DAY, 'sent_at = at, returned_at = at', false],
])('a gift’s receiver is forgotten in time: %s', async (_what, hours, change, kept) => {
  await offerCredit(server, people.hawks.id, [[2500, 0]]);
  const email = `${randomUUID()}@families.test`;
  const gift = { name: 'Grandma', email, message: 'For the season', send_on: inTenDays() };
  expect((await buyCredit(server, people.hawks.id, { gift })).statusCode).toBe(201);
  await server.data.ownerQuery(
    `update credit_gifts set ${change.replaceAll(/\bat\b(?! =)/g, `now() - interval '${hours} hours'`)} where receiver_email = '${email}'`,
  );
  await server.app.creditShop.forgetReceivers();
  const rows = await server.data.ownerQuery('select receiver_name from credit_gifts where receiver_email = $1', [
    email,
  ]);
  expect(rows).toHaveLength(kept ? 1 : 0);
});

test('twenty wrong codes in an hour block an address', async () => {
  const ask = (code: string) =>
    server.call({ method: 'POST', url: '/api/v1/credit/balance', payload: { code }, remoteAddress: '203.0.113.99' });
  const statuses = new Set<number>();
  for (let tries = 0; tries < 20; tries++) statuses.add((await ask(`wrong ${tries}`)).statusCode);
  expect([...statuses]).toEqual([422]);
  const last = await ask('one more');
  expect([last.statusCode, last.json()]).toMatchObject([
    429,
    { error: 'Too many codes were tried. Please wait an hour.' },
  ]);
});
