import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { placeOrderBody } from '#src/features/orders/orders.contract.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { addPhoto, cartOf, openShop, type Cart, type Shop } from '#tests/support/shop-goods.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const rig = useCheckout(db);
const caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '203.0.113.9' } as const;

async function buy(shop: Shop, cart: Partial<Cart> & { passes?: object[] } = {}): Promise<string> {
  const { id } = await rig.sandbox.createToken({
    number: '4242424242424242',
    exp_month: 12,
    exp_year: 2040,
    cvc: '123',
    zip: '55401',
  });
  return (
    await rig.orders.place(
      caller,
      placeOrderBody.parse({ ...cartOf(shop, { token: id, order: { donation: '$5' } }), ...cart }),
    )
  ).vanity_id;
}
/** The names of violated invariants. */
const broken = async (at?: Date) => [
  ...new Set(
    (await checkInvariants({ database: db.database, sandboxCards: true, at })).map((line) =>
      line.slice(0, line.indexOf(':')),
    ),
  ),
];
/** The same rows in a backup that was made before. */
const inBackup = async (minutesAgo: number) => broken(new Date(Date.now() - minutesAgo * 60_000));

let shop: Shop;
let vanityId: string;
let userId: number;
beforeAll(async () => {
  shop = await openShop(db);
  vanityId = await buy(shop);
  const passes = await openShop(db, { photos: 2 });
  const offers = [{ id: 1, kind: 'gallery_pass' as const, priceCents: 1200 }];
  await useSheet(db, passes, { offers, ownPricesTakePart: false, earlyBird: null });
  const cart = cartOf(passes, { order: { subtotal: 12 } });
  await buy(passes, { order: cart.order, passes: [{ kind: 'gallery_pass', gallery_id: passes.galleryId }] });
  const [user] = await db.ownerQuery<{ id: number }>(
    "insert into users (email, first_name, last_name) values ('admin@people.test', 'Ada', 'Min') returning id",
  );
  userId = user?.id ?? 0;
  await createLedgerService(db).sumDays(new Date(Date.now() + 86_400_000));
});

describe('the invariant check', () => {
  beforeEach(async () => {
    const left = await checkInvariants({ database: db.database, sandboxCards: true });
    if (left.length > 0) throw new Error(`something is still broken from the test before: ${left.join('; ')}`);
  });

  const orderIs = (change: string) => db.ownerQuery(`update orders set ${change} where vanity_id = $1`, [vanityId]);
  const attemptIs = (change: string) =>
    db.ownerQuery(
      `update payment_attempts set ${change} where order_id = (select id from orders where vanity_id = $1)`,
      [vanityId],
    );

  // Each case breaks one thing and repairs it again; normally triggers prevent these changes.
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
      'a pass that did not cost what its galleries got',
      ['passes'],
      () => db.ownerQuery('update passes set price_cents = price_cents + 1'),
      () => db.ownerQuery('update passes set price_cents = price_cents - 1'),
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
    [
      'a cent more open than the entries say',
      ['open balances'],
      () => db.ownerQuery('update open_balances set amount_cents = amount_cents - 1'),
      () => db.ownerQuery('update open_balances set amount_cents = amount_cents + 1'),
    ],
    [
      'what stood in an account at the end of a day by more than its postings',
      ['account days'],
      () => db.ownerQuery('update account_days set balance_cents = balance_cents - 1'),
      () => db.ownerQuery('update account_days set balance_cents = balance_cents + 1'),
    ],
    [
      'the last posting of a day among those that came later',
      ['account days'],
      () => db.ownerQuery('update account_days set upto_tx = upto_tx - 1'),
      () => db.ownerQuery('update account_days set upto_tx = upto_tx + 1'),
    ],
    [
      'what is open kept for another order',
      ['open balances'],
      () => db.ownerQuery('update open_balances set order_id = order_id + 1000000'),
      () => db.ownerQuery('update open_balances set order_id = order_id - 1000000'),
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
    expect((await broken()).toSorted()).toEqual(['I5', 'I6', 'payouts']);
    await db.ownerQuery('delete from payout_lines');
    await db.ownerQuery('delete from payouts');
    await db.ownerQuery(
      "create unique index payout_lines_sale_once on payout_lines (order_id) where kind = 'sale' and live",
    );
  });

  // The second one counts nothing yet, but would give back more than was paid.
  test('finds a refund that its order does not count, and refunds on their way that exceed it', async () => {
    for (const [amountCents, state] of [
      [100, 'succeeded'],
      [1701, 'sent'],
    ]) {
      await db.ownerQuery(
        "insert into payment_attempts (order_id, organization_id, kind, idempotency_key, amount_cents, state) select id, organization_id, 'refund', gen_random_uuid(), $2, $3 from orders where vanity_id = $1",
        [vanityId, amountCents, state],
      );
      expect(await broken()).toEqual(['refunds']);
      await db.ownerQuery("delete from payment_attempts where kind = 'refund'");
    }
  });

  test('finds a settlement that is not in the ledger', async () => {
    await db.ownerQuery(
      "insert into settlements (organization_id, share_cents, debt_cents, reference, created_by) values ($1, 100, 0, 'INV-1', $2)",
      [shop.sellerId, userId],
    );
    expect(await broken()).toEqual(['settlements']);
    await db.ownerQuery('delete from settlements');
  });

  test('finds a row of an import that made nothing', async () => {
    await db.ownerQuery(
      `with i as (insert into bulk_imports (kind, file_name, content_mac, started_by, row_count) values ('galleries', 'a.csv', 'a', $1, 1) returning id)
       insert into bulk_import_rows (import_id, row_no, row_mac, result, made_id) select id, 2, 'a', 'created', 1 from i`,
      [userId],
    );
    expect(await broken()).toEqual(['I12']);
    await db.ownerQuery('delete from bulk_import_rows');
    await db.ownerQuery('delete from bulk_imports');
  });

  test('finds a coupon that is used too often, or otherwise than its order says', async () => {
    const [made] = await db.ownerQuery<{ id: number; orderId: number }>(
      `with c as (insert into coupons (organization_id, code, is_made_up, kind, value, max_uses) values ($1, 'HAWKS20', false, 'percent', 2000, 1) returning id),
            u as (insert into coupon_uses (order_id, coupon_id, organization_id, person, state, sold_cents, saved_cents)
                  select o.id, c.id, $1, sha256('maria'), 'used', 1200, 300 from orders o, c where o.vanity_id = $2 returning order_id)
       select c.id, u.order_id as "orderId" from c, u`,
      [shop.sellerId, vanityId],
    );
    const details = async () =>
      (await checkInvariants({ database: db.database, sandboxCards: true })).map((line) =>
        line.slice(0, line.lastIndexOf(' (no coupon')).replaceAll(/\d+/g, 'N'),
      );
    expect(await details()).toEqual(['coupon uses: order N was made cheaper by coupon none and uses N']);
    await db.ownerQuery(
      "insert into order_reductions (order_id, organization_id, kind, coupon_id, amount_cents, name) values ($1, $2, 'coupon', $3, 300, 'Code HAWKS20')",
      [made?.orderId, shop.sellerId, made?.id],
    );
    expect(await details()).toEqual([]);
    await db.ownerQuery("update coupon_uses set state = 'reserved'");
    expect(await details()).toEqual(['coupon uses: order N (paid) has a use that is reserved']);
    await db.ownerQuery("update coupon_uses set state = 'used'");
    const second = await buy(await openShop(db));
    await db.ownerQuery(
      `with r as (insert into order_reductions (order_id, organization_id, kind, coupon_id, amount_cents, name)
                  select id, $1, 'coupon', $2, 300, 'Code HAWKS20' from orders where vanity_id = $3)
       insert into coupon_uses (order_id, coupon_id, organization_id, person, state, sold_cents, saved_cents)
       select id, $2, $1, sha256('omar'), 'used', 1200, 300 from orders where vanity_id = $3`,
      [shop.sellerId, made?.id, second],
    );
    expect(await details()).toEqual(['coupon uses: coupon N of N uses has N']);
    for (const table of ['coupon_uses', 'order_reductions', 'coupons']) await db.ownerQuery(`delete from ${table}`);
  });

  test('finds history of another installation that does not sum to nothing', async () => {
    await db.ownerQuery(
      `with i as (insert into organization_imports (sha256, organization_id) values ('a', $1) returning id)
       insert into imported_records (import_id, dataset, place, organization_id, facts)
       select id, 'ledger', 1, $1, '{"posting_id": 1, "amount_cents": 5}' from i`,
      [shop.sellerId],
    );
    expect(await broken()).toEqual(['imported books']);
    await db.ownerQuery('delete from imported_records');
    await db.ownerQuery('delete from organization_imports');
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
    expect(await inBackup(2), 'a backup of two minutes ago').toEqual([]);
    expect(await inBackup(0.5), 'a backup of half a minute ago').toEqual(['I4']);
    await db.ownerQuery("delete from sandbox_provider.charges where id = 'ch_orphan'");
  });

  test('finds a job whose worker is gone', async () => {
    // The queue's own check, every five seconds, may be faster.
    await expect
      .poll(async () => {
        await db.ownerQuery(
          "insert into pgboss.job (name, state, heartbeat_seconds, heartbeat_on, started_on) values ('order.recover', 'active', 10, now() - interval '31 seconds', now() - interval '1 minute')",
        );
        return [await broken(), await inBackup(0.25)];
      })
      .toEqual([['I13'], []]);
    await db.ownerQuery("delete from pgboss.job where state = 'active'");
  });
});

let spare = 0;
beforeAll(async () => {
  spare = await addPhoto(db, await openShop(db, { photos: 0 }), 'spare');
  await db.ownerQuery('update renditions set size = 320 where photo_id = $1', [spare]);
});
