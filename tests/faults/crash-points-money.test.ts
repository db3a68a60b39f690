/**
 * The product is killed at named lines, as in a power failure, and recovers automatically: nothing acknowledged is
 * lost, nothing is sold or charged twice, and the invariants are true. Here: checkouts and refunds.
 */
import { describe, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import type { Product } from '#tests/load/product.ts';
import {
  addPhoto,
  CARD,
  expectSound,
  numberOf,
  openShop,
  post,
  untilTrue,
  start,
} from '#tests/faults/support/crash-rig.ts';

describe.concurrent.each([
  'checkout.after_pending',
  'checkout.before_charge',
  'checkout.after_charge',
  'checkout.before_settle_commit',
  'checkout.after_settle',
])('killed at %s', (point) => {
  test('the order is paid once by the buyer’s next try, charged once, and its receipt written once', async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const shop = await openShop(at);
    const photoIds = [await addPhoto(shop, 1), await addPhoto(shop, 2)];
    const passOf = await sellByOffers(at, shop);
    const order = {
      user: {
        first_name: 'Ada',
        last_name: 'Byron',
        email: 'ada@buyers.test',
        confirm_email: 'ada@buyers.test',
        zip: '55401',
      },
      donation: '$5.00',
      taxes: 0,
      // Two photos in a bundle for $6.00 and a pass for $10.00, less 10 %.
      subtotal: 14.4,
      org_id: shop.organizationId,
      donation_gallery_id: shop.galleryId,
      checkout_key: `crash-test-of-${point}`,
    };
    const submit = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      return post(at, '/api/v1/orders', {
        order,
        stripe_token: token.body,
        items: photoIds.map((id) => ({ id, gallery_id: shop.galleryId, sales_price: 4 })),
        passes: [{ kind: 'gallery_pass', gallery_id: passOf }],
        codes: ['TEAM10'],
      });
    };
    await expect(submit()).rejects.toThrow();
    await untilTrue('the payment', async () => (await submit()).body['status'] === 'paid');
    expect(await numberOf(at, 'select count(*) as n from orders')).toBe(1);
    expect(await numberOf(at, `select count(*) as n from sandbox_provider.charges where status = 'succeeded'`)).toBe(1);
    expect(await numberOf(at, `select count(*) as n from ledger_txs where kind = 'sale'`)).toBe(1);
    expect(await numberOf(at, 'select count(*) as n from mail_outbox')).toBe(1);
    // Nothing of what was sold is missing or duplicated.
    for (const [table, rows] of [
      ['order_offers', 2],
      ['passes', 1],
      ['pass_galleries', 1],
      ['order_reductions', 1],
      ['order_prices', 1],
      ['coupon_uses', 1],
    ])
      expect(await numberOf(at, `select count(*) as n from ${table}`), String(table)).toBe(rows);
    expect(await numberOf(at, `select count(*) as n from coupon_uses where state = 'used'`)).toBe(1);
    await expectSound(at);
  });
});

/**
 * Gives the gallery a price sheet, and the seller a code and another gallery, whose pass is on the sheet, too; returns
 * its id.
 */
async function sellByOffers(
  at: Product,
  { organizationId, galleryId }: Awaited<ReturnType<typeof openShop>>,
): Promise<number> {
  const content = {
    offers: [
      { id: 1, kind: 'bundle', photos: 2, priceCents: 600 },
      { id: 2, kind: 'gallery_pass', priceCents: 1000 },
    ],
    ownPricesTakePart: false,
    earlyBird: null,
  };
  return withClient(at.ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `with sheet as (insert into price_sheets (organization_id, name, last_offer_id) values ($1, 'Fall', 2) returning id),
            version as (insert into price_sheet_versions (sheet_id, version, organization_id, content) select id, 1, $1, $2 from sheet),
            code as (insert into coupons (organization_id, code, is_made_up, kind, value) values ($1, 'TEAM10', false, 'percent', 1000))
       insert into galleries (organization_id, name, price_cents) select $1, 'Second half', 400 from sheet returning id`,
      [organizationId, JSON.stringify(content)],
    );
    const other = Number(rows[0]?.id);
    await client.query(
      'update galleries set price_sheet_id = (select id from price_sheets), price_cents = 400 where id = any ($1::bigint[])',
      [[galleryId, other]],
    );
    return other;
  });
}

describe.concurrent.each(['refund.after_store', 'refund.after_provider'])('killed at %s', (point) => {
  test('the refund is given once by the recovery job, booked once, and the buyer gets one email', async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const shop = await openShop(at);
    const photoId = await addPhoto(shop, 4);
    const user = { first_name: 'Ada', last_name: 'Byron', email: 'ada@buyers.test', zip: '55401' };
    const placed = await post(at, '/api/v1/orders', {
      order: {
        user: { ...user, confirm_email: user.email },
        donation: '$5.00',
        taxes: 0,
        subtotal: 4,
        org_id: shop.organizationId,
        donation_gallery_id: shop.galleryId,
        checkout_key: `refund-crash-at-${point}`,
      },
      stripe_token: (await post(at, '/sandbox/tokens', CARD)).body,
      items: [{ id: photoId, gallery_id: shop.galleryId, sales_price: 4 }],
    });
    await withClient(at.ownerUrl, (client) => client.query('update users set role_id = 2'));
    const body = { amount: 7, reason: 'A crash', refund_key: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    const give = () =>
      post(at, `/api/v1/orders/${String(placed.body['vanity_id'])}/refunds`, body, shop.owner.authorization);
    await expect(give()).rejects.toThrow();
    await untilTrue(
      'the refund',
      async () => (await numberOf(at, `select count(*) as n from orders where refunded_cents = 700`)) === 1,
    );
    await untilTrue('the same answer', async () => (await give()).status === 201);
    expect(await numberOf(at, 'select count(*) as n from sandbox_provider.refunds')).toBe(1);
    expect(await numberOf(at, `select count(*) as n from ledger_txs where kind = 'refund'`)).toBe(1);
    expect(await numberOf(at, `select count(*) as n from mail_outbox where dedupe_key like 'refund-%'`)).toBe(1);
    await expectSound(at);
  });
});
