/** A gift's email that went to a wrong address: what its giver sees, and how it is sent to another one. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { GIFT_NOT_FOUND, GIFT_OPENED, NOTHING_LEFT } from '#src/features/credit-shop/credit-shop.contract.ts';
import { balanceOf, buyCredit, haveCredit, inTenDays, offerCredit, orderOf } from '#tests/support/credit-codes.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleAnother(server);
  await offerCredit(server, people.hawks.id, [[2500, 0]]);
});

const someone = () => `${randomUUID()}@families.test`;

/** Buys a gift; returns the order's address. */
async function give(email: string, more: object = {}): Promise<string> {
  const gift = { name: 'Grandma', email, message: 'For the season', ...more };
  const bought = await buyCredit(server, people.hawks.id, { gift });
  expect(bought.statusCode, bought.body).toBe(201);
  return bought.json<{ vanity_id: string }>().vanity_id;
}
const send = () => server.app.creditShop.sendGifts();
let senders = 0;
const change = async (vanityId: string, email: unknown) => {
  const remoteAddress = `203.0.113.${(senders += 1)}`;
  const url = `/api/v1/orders/${vanityId}/gift`;
  const answer = await server.call({ method: 'PUT', url, payload: { email }, remoteAddress });
  return [answer.statusCode, answer.json<{ error?: string; message?: string }>()] as const;
};
const giftOf = async (vanityId: string) => (await orderOf(server, vanityId)).credit_sold?.gift;

test('a gift that was sent to a wrong address is sent to the right one, with the same code, and the wrong one is forgotten', async () => {
  const [wrong, right] = [someone(), someone()];
  const vanityId = await give(wrong);
  await send();
  expect(await giftOf(vanityId)).toMatchObject({ email: wrong, sent: true, returned: false, opened: false });
  expect(await change(vanityId, right)).toMatchObject([200, { message: expect.any(String) }]);
  expect(await giftOf(vanityId)).toMatchObject({ email: right });
  await Promise.all([send(), send()]);
  const [email, ...others] = await server.data.emailsTo(right);
  expect(others).toEqual([]);
  const { credit_sold: sold } = await orderOf(server, vanityId);
  expect(email?.text).toContain(`/credit/balance#${sold?.code}`);
  expect(await server.data.emailsTo(wrong)).toEqual([]);
  expect(sold?.gift).toMatchObject({ email: right, sent: true });
});

test('a gift of a later day goes to the new address on its day', async () => {
  const [wrong, right] = [someone(), someone()];
  const vanityId = await give(wrong, { send_on: inTenDays() });
  await change(vanityId, right);
  await send();
  expect(await server.data.emailsTo(right)).toEqual([]);
  await server.data.ownerQuery("update credit_gifts set send_on = '2026-01-01' where receiver_email = $1", [right]);
  await send();
  expect(await server.data.emailsTo(right)).toHaveLength(1);
});

test('its giver sees that its email did not arrive', async () => {
  const email = someone();
  const vanityId = await give(email);
  await send();
  await server.data.ownerQuery('update mail_outbox set failed_at = now() where recipient = $1', [email]);
  expect(await giftOf(vanityId)).toMatchObject({ email, sent: true, returned: true });
});

test('a gift that was opened by the link of its email stays where it is', async () => {
  const email = someone();
  const vanityId = await give(email);
  await send();
  const code = (await orderOf(server, vanityId)).credit_sold?.code ?? '';
  // Its giver, who has the code, too, types it.
  expect(await balanceOf(server, code)).toMatchObject({ balance: 25 });
  expect(await giftOf(vanityId)).toMatchObject({ opened: false });
  await balanceOf(server, code, { from_email: true });
  expect(await giftOf(vanityId)).toMatchObject({ opened: true });
  expect(await change(vanityId, someone())).toMatchObject([409, { error: GIFT_OPENED }]);
  expect(await giftOf(vanityId)).toMatchObject({ email });
});

test('a gift of which nothing is left is sent to no one, and of one that was partly refunded what is left', async () => {
  const emptied = async (email: string, cents: number, more: object = {}) => {
    const vanityId = await give(email, more);
    await server.data.ownerQuery(
      `insert into credit_movements (code_id, organization_id, order_id, kind, cents, bonus_cents)
       select c.id, c.organization_id, c.order_id, 'refunded', $2, 0 from credit_codes c join orders o on o.id = c.order_id where o.vanity_id = $1`,
      [vanityId, -cents],
    );
    return vanityId;
  };
  const [ofEmpty, ofPart] = [someone(), someone()];
  const empty = await emptied(ofEmpty, 2500);
  await send();
  expect(await server.data.emailsTo(ofEmpty)).toEqual([]);
  expect(await change(empty, ofEmpty)).toMatchObject([409, { error: NOTHING_LEFT }]);
  await emptied(ofPart, 2000);
  await send();
  expect((await server.data.emailsTo(ofPart)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('A gift for you: $5.00'),
  ]);
});

test('what is no gift, or no address, is refused, and so is the sixth address of a day', async () => {
  const { vanityId: own } = await haveCredit(server, people.hawks.id);
  for (const order of [own, 'A'.repeat(22), 'short'])
    expect(await change(order, someone())).toMatchObject([404, { error: GIFT_NOT_FOUND }]);
  const vanityId = await give(someone());
  expect(await change(vanityId, 'no address')).toMatchObject([422, { errors: { email: [expect.any(String)] } }]);
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) statuses.push((await change(vanityId, someone()))[0]);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('members read neither the code nor the address', async () => {
  const vanityId = await give(someone());
  const { id } = await orderOf(server, vanityId);
  const read = await server.call({ method: 'GET', url: `/api/v1/orders/${id}`, as: people.tokens.owner });
  expect(read.json()).toMatchObject({
    vanity_id: null,
    credit_sold: { code: null, gift: { email: null, message: '' } },
  });
  // The order's address opens both, and sends the gift elsewhere.
  for (const as of [people.tokens.owner, people.tokens.parentMember]) {
    const url = `/api/v1/affiliates/${people.hawks.id}/orders`;
    const listed = (await server.call({ method: 'GET', url, as })).json<{ orders: object[] }>().orders;
    expect(listed).toContainEqual(expect.objectContaining({ id, vanity_id: null }));
  }
});
