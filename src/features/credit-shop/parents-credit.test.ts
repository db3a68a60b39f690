/** A parent's credit can be spent at its children, so their pages link to it (offers specification A.9). */
import { beforeAll, expect, test } from 'vitest';
import { offerCredit } from '#tests/support/credit-codes.ts';
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
