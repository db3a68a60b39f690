/** An order goes through while slow work holds every session of the database that pages use (decision record 0067). */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { payWith } from '#tests/support/payer.ts';
import { cartOf, openShop } from '#tests/support/shop-goods.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const SLOW = { kind: 'system', why: 'a report that takes long' } as const;
/** All sessions of a process. */
const SESSIONS = 10;
const LOCK = 4711;

test('a cart is priced, ordered and looked up while pages wait for a session', async () => {
  const shop = await openShop(server.data);
  const cart = cartOf(shop, { token: await payWith(server), order: { checkout_key: 'a1'.repeat(16) } });
  await withClient(server.data.ownerUrl, async (holder) => {
    await holder.query('select pg_advisory_lock($1)', [LOCK]);
    const slow = Array.from({ length: SESSIONS + 1 }, () =>
      server.platform.database.read(SLOW, (db) => sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(db)),
    );
    const isFull = () =>
      expect.poll(() => server.platform.database.load()).toMatchObject({ total: SESSIONS, idle: 0, waiting: 1 });
    await isFull();
    const { order, items } = cart;
    const { org_id, donation } = order;
    const call = (url: string, payload: object) => server.call({ method: 'POST', url, payload });
    const quote = await call('/api/v1/orders/quote', { order: { org_id, donation }, items });
    expect(quote.statusCode, quote.body).toBe(200);
    const placed = await call('/api/v1/orders', cart);
    expect([placed.statusCode, placed.json<{ status: string }>().status], placed.body).toEqual([201, 'paid']);
    const status = await call('/api/v1/orders/standing', { checkout_key: order['checkout_key'] });
    expect(status.json()).toMatchObject({ status: 'paid' });
    // No session was released meanwhile, and requests other than checkouts still wait.
    await isFull();
    await holder.query('select pg_advisory_unlock($1)', [LOCK]);
    await Promise.all(slow);
  });
  await expect
    .poll(() => server.data.ownerQuery('select status from orders where organization_id = $1', [shop.sellerId]))
    .toEqual([{ status: 'paid' }]);
});
