import { beforeAll, expect, test } from 'vitest';
import { quoteBody } from '#src/features/orders/orders.contract.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
/** A hundredth of the usual limits. */
const rig = useCheckout(db, { limitFactor: 0.01 });
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(db);
});

const visitor = (ip: string): Caller => ({ actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip });

test('one address may request many quotes, and fewer of large carts', async () => {
  const quote = (items: object[], ip: string) =>
    rig.orders.quote(visitor(ip), quoteBody.parse({ order: { org_id: shop.sellerId }, items })).then(
      () => 'quoted',
      (error: { code: string }) => error.code,
    );
  const large = Array.from({ length: 200 }, (_, at) => ({ id: at + 1, gallery_id: shop.galleryId, sales_price: 4 }));
  const outcomes: string[] = [];
  // 120 in ten minutes, and a cart of 200 photos counts as five.
  for (let sent = 0; sent < 50 && outcomes.at(-1) !== 'too_many'; sent++)
    outcomes.push(await quote(large, '203.0.113.8'));
  expect(outcomes.at(-1)).toBe('too_many');
  expect(outcomes.length).toBeGreaterThan(23);
  expect(await quote(cartOf(shop).items, '203.0.113.9')).toBe('quoted');
});
