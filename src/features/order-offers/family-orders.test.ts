/** Orders that count as from a child's family, and a club that says that one does not (decision record 0117). */
import { beforeAll, expect, test } from 'vitest';
import { ORDER_OF_NO_FAMILY, type FamilyOrders } from '#src/features/order-offers/family-orders.contract.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { forgetNames } from '#src/features/roster/forgetting.sql.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard } from '#tests/support/family-cards.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let organizationId: number;
beforeAll(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
});

/** Sells a photo of Maya to someone with her card open or with an address on the roster. */
async function sell(how: 'card' | 'address') {
  const sale = await openSale(server, people.tokens.owner, organizationId);
  const host = `${people.parent.path}.localhost`;
  const maya = await addCarded(server, { id: await addTeam(server, organizationId), organizationId });
  await tag(server, organizationId, [{ photoId: sale.photoIds[0] ?? 0, athleteId: maya.athleteId }]);
  if (how === 'address')
    await server.data.ownerQuery(
      "insert into athlete_families (athlete_id, organization_id, email, source) values ($1, $2, 'ann@buyers.test', 'import')",
      [maya.athleteId, organizationId],
    );
  const headers: Record<string, string> =
    how === 'card' ? { host, cookie: await openCard(server, host, maya) } : { host };
  const vanityId = await buyPhotos(server, [sale], { headers });
  const order = (await server.call({ method: 'GET', url: `/api/v1/orders/${vanityId}` })).json<OrderAnswer>();
  const key = order.order_photo[0]?.order_key;
  const picture = `/api/v1/galleries/${sale.galleryId}/gallery_photos/${sale.photoIds[0]}?orderkey=${key}`;
  const look = async () => (await server.call({ method: 'GET', url: picture })).statusCode;
  return { athleteId: maya.athleteId, orderId: order.id, look };
}
const say = (athleteId: number, orderId: number, ofFamily: boolean, as: string | null = people.tokens.owner) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/athletes/${athleteId}/orders/${orderId}`,
    payload: { of_family: ofFamily },
    ...(as === null ? {} : { as }),
  });
const list = (athleteId: number, as: string | null = people.tokens.owner) =>
  server.call({ method: 'GET', url: `/api/v1/athletes/${athleteId}/orders`, ...(as === null ? {} : { as }) });
const changeConsent = (athleteId: number) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/athletes/${athleteId}`,
    as: people.tokens.owner,
    payload: { athlete: { consent: 'no' } },
  });
/** These tests need no file: without one the store says so. */
const OPENS = 503;

test.each(['card', 'address'] as const)(
  'an order known by %s that a club marks as not from the family loses the photo, and gets it back when that is undone',
  async (how) => {
    const { athleteId, orderId, look } = await sell(how);
    await sell(how);
    await changeConsent(athleteId);
    expect(await look()).toBe(OPENS);
    const listed = (await list(athleteId)).json<FamilyOrders>().orders.filter(({ id }) => id === orderId);
    expect(listed).toEqual([{ id: orderId, sold_at: expect.any(String), total: 4, of_family: true }]);
    expect((await list(athleteId)).body).not.toMatch(/Ann|buyers/);
    for (let times = 0; times < 2; times++) expect((await say(athleteId, orderId, false)).statusCode).toBe(200);
    expect(await look()).toBe(410);
    const lines = await server.data.ownerQuery<object>(
      "select action, details from audit_log where object_type = 'order' and object_id = $1::text and action like 'order.of%'",
      [orderId],
    );
    expect(lines).toEqual([{ action: 'order.of_no_family', details: { athlete_id: athleteId } }]);
    await say(athleteId, orderId, true);
    expect(await look()).toBe(OPENS);
  },
);

test('the club’s decision stays when the address is deleted with the name', async () => {
  const { athleteId, orderId, look } = await sell('address');
  await changeConsent(athleteId);
  await say(athleteId, orderId, false);
  await server.data.database.write({ kind: 'system', why: 'a test' }, (tx) => forgetNames(tx, [athleteId]));
  expect(await look()).toBe(410);
});

test('only the club and its parent can read or change it: not neighbors, contributors, families or visitors', async () => {
  const { athleteId, orderId, look } = await sell('card');
  await changeConsent(athleteId);
  const { owner, parentMember, neighbor, foreigner } = people.tokens;
  for (const as of [neighbor, foreigner]) {
    expect((await list(athleteId, as)).statusCode).toBe(404);
    expect((await say(athleteId, orderId, false, as)).statusCode).toBe(404);
  }
  expect((await list(athleteId, null)).statusCode).toBe(401);
  expect((await say(athleteId, orderId, false, null)).statusCode).toBe(401);
  const url = `/api/v1/athletes/${athleteId}/orders/${orderId}`;
  const headers = { 'x-contribute-key': 'k'.repeat(43), cookie: 'family=x; visitor=y' };
  expect((await server.call({ method: 'PUT', url, headers, payload: { of_family: false } })).statusCode).toBe(401);
  expect(await look()).toBe(OPENS);
  for (const as of [owner, parentMember]) expect((await list(athleteId, as)).statusCode).toBe(200);
});

test('an order that is not from the family is not found, of this seller or another one', async () => {
  const [one, other] = [await sell('card'), await sell('card')];
  const answer = await say(one.athleteId, other.orderId, false);
  expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: ORDER_OF_NO_FAMILY }]);
  expect((await say(one.athleteId, 999_999, false)).statusCode).toBe(404);
  const bad = await server.call({
    method: 'PUT',
    url: `/api/v1/athletes/${one.athleteId}/orders/${one.orderId}`,
    as: people.tokens.owner,
    payload: { of_family: 'no', name: 'x' },
  });
  expect(bad.statusCode).toBe(422);
});
