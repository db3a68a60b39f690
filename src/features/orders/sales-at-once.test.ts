/** Simultaneous sales of the same photos: they wait for each other, but never deadlock. */
import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { payWith } from '#tests/support/payer.ts';
import { cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

async function buy(shop: Shop, photos = shop.photoIds) {
  const payload = cartOf(shop, { photos, token: await payWith(server) });
  return (await server.call({ method: 'POST', url: '/api/v1/orders', payload })).json<{ status: string }>();
}
const untilWaiting = (client: pg.Client, sessions: number) =>
  vi.waitFor(async () => expect((await client.query(WAITING_SESSIONS)).rows).toHaveLength(sessions), {
    timeout: 15_000,
  });

test('the first sales wait for accounts that another one creates, before they lock the counters of both', async () => {
  const shop = await openShop(server.data);
  await withClient(server.data.ownerUrl, async (other) => {
    await other.query('begin');
    await other.query("insert into ledger_accounts (organization_id, kind) values ($1, 'org_payable')", [
      shop.sellerId,
    ]);
    const placing = buy(shop);
    await untilWaiting(other, 1);
    await other.query('select from galleries where id = $1 for update nowait', [shop.galleryId]);
    await other.query('select from photos where gallery_id = $1 for update nowait', [shop.galleryId]);
    await other.query('commit');
    expect(await placing).toMatchObject({ status: 'paid' });
  });
});

// PostgreSQL has a queue for each version of a row. A statement that locks a row and then changes it would queue twice
// for the old version while another order refers to it; the second time behind an order that waits for its lock.
test.each(['photos', 'galleries'])('two that wait for a third one are both paid (%s)', async (table) => {
  const shop = await openShop(server.data);
  await buy(shop);
  const [first = 0, ...others] = shop.photoIds;
  const [rows, carts] =
    table === 'photos'
      ? [shop.photoIds, [shop.photoIds, shop.photoIds]]
      : // Of different photos, so that both come as far as the gallery.
        [[shop.galleryId], [[first], others]];
  await withClient(server.data.ownerUrl, async (third) => {
    await withClient(server.data.ownerUrl, async (placing) => {
      await third.query('begin');
      await third.query(`update ${table} set sales_cents = sales_cents + 1 where id = any ($1)`, [rows]);
      await placing.query('begin');
      await placing.query(`select from ${table} where id = any ($1) for key share`, [rows]);
      const bought = carts.map((photos) => buy(shop, photos));
      await untilWaiting(placing, 2);
      await third.query('commit');
      expect(await Promise.all(bought)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
      await placing.query('commit');
    });
  });
});
