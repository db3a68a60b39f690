/** Many buyers use a code at the same time, through the calls of their browsers (offers specification A.13, A3). */
import { expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { checkoutClient, DECLINED, VISA } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { makeCoupon } from '#tests/support/shop-sheets.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const { order, card } = checkoutClient(rig, db);
let buyers = 0;

/** Everyone buys the shop's first photo for $4.00 less 20 percent, each with a card of their own. */
async function buyAtOnce(shop: Shop, count: number, number: string) {
  const cards = await Promise.all(Array.from({ length: count }, () => card(number)));
  const answers = await Promise.all(
    cards.map((token) => {
      const email = `crowd${++buyers}@families.test`;
      const user = { email, confirm_email: email };
      const cart = cartOf(shop, { photos: shop.photoIds.slice(0, 1), token, order: { subtotal: 3.2 }, user });
      return order({ ...cart, codes: ['hawks 20'] } as typeof cart);
    }),
  );
  return answers.map(({ status, body }) => (status === 422 ? `422 ${body.errors['codes']?.[0]}` : String(status)));
}

const counted = (outcomes: string[]) =>
  Object.fromEntries([...new Set(outcomes)].map((one) => [one, outcomes.filter((each) => each === one).length]));
const usedUp = '422 This code has been used up.';
const states = (shop: Shop) =>
  db.ownerQuery(
    'select state, count(*)::integer as count from coupon_uses where organization_id = $1 group by 1 order by 1',
    [shop.sellerId],
  );

test('of 40 buyers at the same time, 25 get a code of 25 uses, and 15 are told that it is used up', async () => {
  const shop = await openShop(db, { photos: 1 });
  await makeCoupon(db, shop, { code: 'HAWKS20', kind: 'percent', value: 2000, maxUses: 25 });
  expect(counted(await buyAtOnce(shop, 40, VISA))).toEqual({ 201: 25, [usedUp]: 15 });
  expect(await states(shop)).toEqual([{ state: 'used', count: 25 }]);
  expect(await checkInvariants({ database: db.database, sandboxCards: true })).toEqual([]);
});

test('after five declined cards, five uses are free again', async () => {
  const shop = await openShop(db, { photos: 1 });
  await makeCoupon(db, shop, { code: 'HAWKS20', kind: 'percent', value: 2000, maxUses: 5 });
  expect(counted(await buyAtOnce(shop, 5, DECLINED))).toEqual({ 402: 5 });
  expect(counted(await buyAtOnce(shop, 7, VISA))).toEqual({ 201: 5, [usedUp]: 2 });
  expect(await states(shop)).toEqual([
    { state: 'released', count: 5 },
    { state: 'used', count: 5 },
  ]);
  expect(await checkInvariants({ database: db.database, sandboxCards: true })).toEqual([]);
});
