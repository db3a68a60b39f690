/** Where a donation goes, and what an order says about its goals (rule 60). */
import { beforeAll, describe, expect, test } from 'vitest';
import { DONATION_GALLERY_UNKNOWN, PHOTO_NOT_AVAILABLE } from '#src/features/orders/orders.contract.ts';
import { checkoutClient } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { addPhoto, cartOf, openShop, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const { post, order, read, card } = checkoutClient(rig, db);

type Goal = { shown: boolean; cents: number };
let shop: Shop;
let fans: { galleryId: number; item: Cart['items'][number] };
let cup: { galleryId: number; item: Cart['items'][number] };

/** Another gallery of the shop, with one photo at four dollars. */
async function addGallery(name: string, goal: Goal): Promise<{ galleryId: number; item: Cart['items'][number] }> {
  const [row] = await db.ownerQuery<{ id: number }>(
    `insert into galleries (organization_id, name, price_cents, display_goal, goal_description, target_goal_cents)
     values ($1, $2, 400, $3, 'New goals', $4) returning id`,
    [shop.sellerId, name, goal.shown, goal.cents],
  );
  const galleryId = row?.id ?? 0;
  const id = await addPhoto(db, { sellerId: shop.sellerId, galleryId }, name);
  return { galleryId, item: { id, gallery_id: galleryId, sales_price: 4 } };
}

beforeAll(async () => {
  shop = await openShop(db);
  fans = await addGallery('Fan Photos', { shown: false, cents: 90_000 });
  cup = await addGallery('Cup Final', { shown: true, cents: 120_000 });
});

const cart = async (changes: object) => ({
  ...cartOf(shop, { token: await card(), order: { subtotal: 8, donation: '$5.00', ...changes } }),
  items: [fans.item, cup.item],
});
const donatedTo = async () =>
  Object.fromEntries(
    (
      await db.ownerQuery<{ id: number; donations_cents: number }>(
        'select id, donations_cents from galleries where organization_id = $1',
        [shop.sellerId],
      )
    ).map((row) => [row.id, row.donations_cents]),
  );

describe('a donation', () => {
  test('may go to any gallery of the cart; the quote names the visible goals in order', async () => {
    const { body } = await post('/api/v1/orders/quote', {
      order: { org_id: shop.sellerId },
      items: [fans.item, cup.item],
    });
    expect(body['galleries']).toEqual([
      { id: fans.galleryId, name: 'Fan Photos', goal: null },
      {
        id: cup.galleryId,
        name: 'Cup Final',
        goal: { recipient: 'New goals', raised: expect.any(Number), target: 1200 },
      },
    ]);
  });

  test('goes to the first gallery with a goal unless another one is chosen, and the receipt shows the goal’s progress', async () => {
    const before = await donatedTo();
    const usual = await order(await cart({}));
    expect(usual.status).toBe(201);
    const chosen = await order(await cart({ donation_gallery_id: fans.galleryId, donation: '$3.00' }));
    expect(chosen.status).toBe(201);
    const after = await donatedTo();
    expect((after[cup.galleryId] ?? 0) - (before[cup.galleryId] ?? 0)).toBe(500);
    expect((after[fans.galleryId] ?? 0) - (before[fans.galleryId] ?? 0)).toBe(300);
    const goals = async (vanityId: unknown) => (await read(String(vanityId))).body['goals'];
    const goal = { gallery_id: cup.galleryId, name: 'Cup Final', recipient: 'New goals', target: 1200, raised: 13 };
    expect(await goals(usual.body.vanity_id)).toEqual([{ ...goal, brought: 9 }]);
    expect(await goals(chosen.body.vanity_id)).toEqual([{ ...goal, brought: 4 }]);
  });

  test('cannot go to a gallery of another seller', async () => {
    const neighbor = await openShop(db);
    const refused = await order(await cart({ donation_gallery_id: neighbor.galleryId }));
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { donation_gallery_id: [DONATION_GALLERY_UNKNOWN] } },
    });
  });

  test('reveals no gallery whose photos the caller may not buy', async () => {
    await db.ownerQuery('update galleries set active = false where id = $1', [cup.galleryId]);
    try {
      const { status, body } = await post('/api/v1/orders/quote', {
        order: { org_id: shop.sellerId, donation: '$5' },
        items: [fans.item, cup.item],
      });
      expect({ status, error: body.error }).toEqual({ status: 422, error: PHOTO_NOT_AVAILABLE });
      expect(JSON.stringify(body)).not.toContain('Cup Final');
    } finally {
      await db.ownerQuery('update galleries set active = true where id = $1', [cup.galleryId]);
    }
  });
});
