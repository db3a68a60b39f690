/**
 * The product is killed at named lines, as a power cut would, and recovers on its own: nothing that was
 * acknowledged is gone, nothing is sold or charged twice, and the invariants hold. Here: checkouts and refunds.
 */
import { describe, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import {
  addPhoto,
  CARD,
  expectSound,
  numberOf,
  openShop,
  post,
  untilTrue,
  useProducts,
} from '#tests/faults/support/crash-rig.ts';

const start = useProducts();

describe.each([
  'checkout.after_pending',
  'checkout.before_charge',
  'checkout.after_charge',
  'checkout.before_settle_commit',
  'checkout.after_settle',
])('killed at %s', (point) => {
  test('the order is paid once by the buyer’s next try, charged once, and its receipt written once', async () => {
    const at = await start({ CRASH_AT: point });
    const shop = await openShop(at);
    const photoId = await addPhoto(shop, 1);
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
      subtotal: 4,
      org_id: shop.organizationId,
      donation_gallery_id: shop.galleryId,
      checkout_key: `crash-test-of-${point}`,
    };
    const submit = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      return post(at, '/api/v1/orders', {
        order,
        stripe_token: token.body,
        items: [{ id: photoId, gallery_id: shop.galleryId, sales_price: 4 }],
      });
    };
    await expect(submit()).rejects.toThrow();
    await untilTrue('the payment', async () => (await submit()).body['status'] === 'paid');
    expect(await numberOf(at, 'select count(*) as n from orders')).toBe(1);
    expect(await numberOf(at, `select count(*) as n from sandbox_provider.charges where status = 'succeeded'`)).toBe(1);
    expect(await numberOf(at, `select count(*) as n from ledger_txs where kind = 'sale'`)).toBe(1);
    expect(await numberOf(at, 'select count(*) as n from mail_outbox')).toBe(1);
    await expectSound(at);
  });
});

describe.each(['refund.after_store', 'refund.after_provider'])('killed at %s', (point) => {
  test('the refund is given once by the recovery job, booked once, and the buyer gets one email', async () => {
    const at = await start({ CRASH_AT: point });
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
