import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { placeOrderBody } from '#src/features/orders/orders.contract.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { addPhoto, cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.9' } as const;

async function buy(shop: Shop): Promise<string> {
  const { id } = await rig.sandbox.createToken({
    number: '4242424242424242',
    exp_month: 12,
    exp_year: 2040,
    cvc: '123',
    zip: '55401',
  });
  return (await rig.orders.place(caller, placeOrderBody.parse(cartOf(shop, { token: id, order: { donation: '$5' } }))))
    .vanity_id;
}
/** The names of what is broken. */
const broken = async () => [
  ...new Set(
    (await checkInvariants({ database: db.database, sandboxCards: true })).map((line) =>
      line.slice(0, line.indexOf(':')),
    ),
  ),
];

let shop: Shop;
let vanityId: string;
beforeAll(async () => {
  shop = await openShop(db);
  vanityId = await buy(shop);
});

describe('the invariant check', () => {
  beforeEach(async () => {
    if ((await broken()).length > 0) throw new Error('something is still broken from the test before');
  });

  const orderIs = (change: string) => db.ownerQuery(`update orders set ${change} where vanity_id = $1`, [vanityId]);
  const attemptIs = (change: string) =>
    db.ownerQuery(
      `update payment_attempts set ${change} where order_id = (select id from orders where vanity_id = $1)`,
      [vanityId],
    );

  // Each breaks one thing and fixes it again; triggers that forbid it are the first wall.
  test.each<[string, string[], () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'a sale of an order that failed',
      ['I1', 'attempts', 'receipts', 'photo sales', 'gallery sales'],
      () => orderIs("status = 'failed'"),
      () => orderIs("status = 'paid'"),
    ],
    [
      'an order dearer than its lines',
      ['orders', 'attempts', 'sales'],
      () => orderIs('subtotal_cents = 1100'),
      () => orderIs('subtotal_cents = 1200'),
    ],
    [
      'a charge that we think failed',
      ['attempts', 'I4'],
      () => attemptIs("state = 'failed'"),
      () => attemptIs("state = 'succeeded'"),
    ],
    [
      'a charge of another amount',
      ['attempts', 'I4'],
      () => attemptIs('amount_cents = 1'),
      () => attemptIs('amount_cents = 1700'),
    ],
    [
      'a charge that the provider does not know',
      ['I4'],
      () => attemptIs("provider_ref = 'ch_else'"),
      () =>
        db.ownerQuery(
          'update payment_attempts a set provider_ref = c.id from sandbox_provider.idempotency_keys k join sandbox_provider.charges c on c.id = k.charge_id where k.key = a.idempotency_key::text',
        ),
    ],
    [
      'a receipt that was never queued',
      ['receipts'],
      () => db.ownerQuery("update mail_outbox set dedupe_key = 'else' where dedupe_key = 'receipt-' || $1", [vanityId]),
      () => db.ownerQuery("update mail_outbox set dedupe_key = 'receipt-' || $1 where dedupe_key = 'else'", [vanityId]),
    ],
    [
      'likes that no one gave',
      ['I11'],
      () => db.ownerQuery('update photos set likes_count = 3 where id = $1', [shop.photoIds[0]]),
      () => db.ownerQuery('update photos set likes_count = 0 where id = $1', [shop.photoIds[0]]),
    ],
    [
      'sales of a photo that no one bought',
      ['photo sales'],
      () => db.ownerQuery('update photos set sales_count = 9 where id = $1', [shop.photoIds[0]]),
      () => db.ownerQuery('update photos set sales_count = 1 where id = $1', [shop.photoIds[0]]),
    ],
    [
      'a donation that no one gave',
      ['gallery sales'],
      () => db.ownerQuery('update galleries set donations_cents = 1 where id = $1', [shop.galleryId]),
      () => db.ownerQuery('update galleries set donations_cents = 500 where id = $1', [shop.galleryId]),
    ],
    [
      'a wrong count of photos',
      ['photo counts'],
      () => db.ownerQuery('update galleries set photo_count = 7 where id = $1', [shop.galleryId]),
      () => db.ownerQuery('update galleries set photo_count = 3 where id = $1', [shop.galleryId]),
    ],
    [
      'two photos in one place',
      ['I9'],
      () => db.ownerQuery("update photos set order_key = 'same' where gallery_id = $1", [shop.galleryId]),
      () => db.ownerQuery('update photos set order_key = id::text where gallery_id = $1', [shop.galleryId]),
    ],
    [
      'a ready photo without renditions',
      ['I7'],
      () => db.ownerQuery('update renditions set photo_id = $2 where photo_id = $1', [shop.photoIds[0], spare]),
      () =>
        db.ownerQuery('update renditions set photo_id = $1 where photo_id = $2 and size = 640', [
          shop.photoIds[0],
          spare,
        ]),
    ],
  ])('finds %s', async (_what, names, breakIt, mendIt) => {
    await breakIt();
    expect((await broken()).toSorted()).toEqual(names.toSorted());
    await mendIt();
  });

  test('finds a payout that is not in the ledger, is twice in it, or differs from the sum of its lines', async () => {
    const [order] = await db.ownerQuery<{ id: number }>('select id from orders where vanity_id = $1', [vanityId]);
    const payouts = await db.ownerQuery<{ id: number }>(
      'insert into payouts (organization_id, amount_cents, batch_key, order_count) select $1, 100, gen_random_uuid(), 1 from generate_series(1, 2) returning id',
      [shop.sellerId],
    );
    await db.ownerQuery('drop index payout_lines_sale_once');
    await db.ownerQuery(
      "insert into payout_lines (payout_id, order_id, organization_id, amount_cents, kind) select id, $1, $2, 90 + row_number() over (), 'sale' from unnest($3::bigint[]) as id",
      [order?.id, shop.sellerId, payouts.map(({ id }) => id)],
    );
    expect((await broken()).toSorted()).toEqual(['I5', 'I6', 'pay-outs']);
    await db.ownerQuery('delete from payout_lines');
    await db.ownerQuery('delete from payouts');
    await db.ownerQuery(
      "create unique index payout_lines_sale_once on payout_lines (order_id) where kind = 'sale' and live",
    );
  });

  test('finds a second gallery of the free tier', async () => {
    await db.ownerQuery('update organizations set free_tier = true where id = $1', [shop.sellerId]);
    const [extra] = await db.ownerQuery<{ id: number }>(
      "insert into galleries (organization_id, name, price_cents) values ($1, 'Extra', 0) returning id",
      [shop.sellerId],
    );
    expect(await broken()).toEqual(['I10']);
    await db.ownerQuery('update galleries set active = false where id = $1', [extra?.id]);
  });

  test('finds unexplained money, but not in the minutes in which it may still be explained', async () => {
    await db.ownerQuery(
      "insert into sandbox_provider.charges (id, amount_cents, fee_cents, status, description, metadata, card) values ('ch_orphan', 100, 33, 'succeeded', '', '{}', '{}')",
    );
    expect(await broken()).toEqual([]);
    await db.ownerQuery(
      "update sandbox_provider.charges set created_at = now() - interval '16 minutes' where id = 'ch_orphan'",
    );
    expect(await broken()).toEqual(['I4']);
    expect(await checkInvariants({ database: db.database, sandboxCards: false })).toEqual([]);
    await db.ownerQuery("delete from sandbox_provider.charges where id = 'ch_orphan'");
  });

  test('finds a job whose worker is gone', async () => {
    await db.ownerQuery(
      "insert into pgboss.job (name, state, heartbeat_seconds, heartbeat_on, started_on) values ('order.recover', 'active', 10, now() - interval '31 seconds', now() - interval '1 minute')",
    );
    expect(await broken()).toEqual(['I13']);
    await db.ownerQuery("delete from pgboss.job where state = 'active'");
  });
});

let spare = 0;
beforeAll(async () => {
  spare = await addPhoto(db, await openShop(db, { photos: 0 }), 'spare');
  await db.ownerQuery('update renditions set size = 320 where photo_id = $1', [spare]);
});
