/**
 * The two releases before this code: their data, filled by their own code (`tests/upgrades/`), is migrated to this
 * version and used; and the statements of the last one work on the new schema (decision record 0066).
 */
import { describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { withClient } from '#src/platform/db/client.ts';
import { migrate, readMigrations } from '#src/platform/db/migrate.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { payWith } from '#tests/support/payer.ts';
import { fillAsRelease, readRelease } from '#tests/support/release-data.ts';
import { BUYER } from '#tests/support/shop-goods.ts';
import { createTestDatabase, type MakeTables } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

/** What must be the same after an update. */
const FACTS = {
  orders: `select status, count(*)::int as orders, sum(total_cents)::int as cents from orders group by 1 order by 1`,
  ledger: `select account_id, sum(amount_cents)::int as cents, count(*)::int as entries from ledger_entries group by 1 order by 1`,
  photos: `select gallery_id, status, show_in_gallery, count(*)::int as photos from photos group by 1, 2, 3 order by 1, 2, 3`,
  galleries: `select id, name, price_cents, active, is_private, public_photo_count from galleries order by id`,
  people: `select email, role_id from users order by email`,
  payouts: `select id, status, amount_cents from payouts order by id`,
};
type Facts = Record<string, unknown[]>;

async function readFacts(url: string): Promise<Facts> {
  return withClient(url, async (client) => {
    const facts: Facts = {};
    for (const [name, text] of Object.entries(FACTS)) facts[name] = (await client.query<object>(text)).rows;
    return facts;
  });
}

describe.each(['0.2.0', '0.3.0'])('the data of release %s', (release) => {
  let before: Facts = {};
  let after: Facts = {};
  const fromRelease: MakeTables = async ({ ownerUrl, superUrl }) => {
    const schema = await fillAsRelease(release, { ownerUrl, superUrl });
    before = await readFacts(superUrl);
    const pending = (await readMigrations()).map(({ name }) => name).filter((name) => name > schema);
    expect(await migrate(ownerUrl)).toEqual(pending);
    await installJobSchema(ownerUrl);
    after = await readFacts(superUrl);
  };
  const server = useTestServer({
    database: (dir) => createTestDatabase(dir, fromRelease),
    pages: true,
    env: { RATE_LIMIT_FACTOR: '1000000', APP_SECRET: readRelease(release).appSecret },
  });

  test('is complete and follows every rule of money, photos and counters', async () => {
    expect(before['orders']?.length).toBeGreaterThan(1);
    expect(before['payouts']?.length).toBeGreaterThan(0);
    expect(after).toEqual(before);
    expect(await checkInvariants({ database: server.data.database, sandboxCards: true })).toEqual([]);
  });

  test('can be used as before: people log in, galleries open, photos are bought and refunded', async () => {
    const coach = await server.signIn('coach@hawks.test', 'sideline-demo');
    const admin = await server.signIn('admin@sideline.test', 'sideline-demo');
    const [photo] = await server.data.ownerQuery<{ id: number; gallery: number; club: number; path: string }>(
      `select p.id, p.gallery_id as gallery, p.organization_id as club, o.domain_name as path
         from photos p join galleries g on g.id = p.gallery_id join organizations o on o.id = p.organization_id
        where p.show_in_gallery and p.status = 'ready' and g.active and not g.is_private and not g.password_required and g.price_cents > 100
          and o.domain_name like 'hawks%' order by p.id limit 1`,
    );
    if (!photo) throw new Error('the release has no photo to buy');
    const headers = { host: 'lakeside.sideline.localhost:3000' };
    for (const url of [`/${photo.path}`, `/${photo.path}/gallery/${photo.gallery}`])
      expect((await server.call({ method: 'GET', url, headers })).statusCode, url).toBe(200);
    for (const url of [`/${photo.path}/dashboard`, `/${photo.path}/report`, `/${photo.path}/settings`])
      expect((await server.call({ method: 'GET', url, headers, as: coach })).statusCode, url).toBe(200);
    const cart = { org_id: photo.club, donation: '' };
    const items = [{ id: photo.id, gallery_id: photo.gallery }];
    const quote = await server.call({ method: 'POST', url: '/api/v1/orders/quote', payload: { order: cart, items } });
    const { subtotal, tax: taxes } = quote.json<{ subtotal: number; tax: number }>();
    const order = { ...cart, user: BUYER, subtotal, taxes, donation_gallery_id: null, checkout_key: 'a'.repeat(32) };
    const placed = await server.call({
      method: 'POST',
      url: '/api/v1/orders',
      payload: { order, items: [{ ...items[0], sales_price: subtotal }], stripe_token: await payWith(server) },
    });
    expect(placed.statusCode, placed.body).toBe(201);
    const { vanity_id: vanityId } = placed.json<{ vanity_id: string }>();
    const refunded = await server.call({
      method: 'POST',
      url: `/api/v1/orders/${vanityId}/refunds`,
      payload: { reason: 'Test', refund_key: '6f1f9c0e-7f3c-4c65-9f0e-0f5b7a1d2c3e' },
      as: admin,
    });
    expect(refunded.statusCode, refunded.body).toBe(201);
    expect(await checkInvariants({ database: server.data.database, sandboxCards: true })).toEqual([]);
  });
});
