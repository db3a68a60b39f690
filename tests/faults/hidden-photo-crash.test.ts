/**
 * A family says no while a photo is being paid, and the product is killed between the settlement and the refund
 * (decision record 0118): the photo is never delivered, and its price is refunded once, automatically.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import type { Product } from '#tests/load/product.ts';
import {
  addPhoto,
  CARD,
  countAdded,
  expectSound,
  numberOf,
  post,
  untilTrue,
  useProduct,
} from '#tests/faults/support/crash-rig.ts';

/** Its tests kill it one after the other. */
const product = useProduct(async (at, shop) => {
  // Each family says no at the moment when the charge of an order is about to be sent.
  await withClient(at.ownerUrl, (client) =>
    client.query(
      `create function say_no() returns trigger language plpgsql security definer set search_path = public as $$
       begin
         update athletes set consent = 'no', consent_at = now() where consent = 'yes';
         return null;
       end $$;
       create trigger family_says_no after insert on payment_attempts for each row execute function say_no()`,
    ),
  );
  return { otherId: await addPhoto(shop, 1) };
});

/** A child on the photo, whose family has said yes so far. */
const tagChild = (at: Product, photoId: number) =>
  withClient(at.ownerUrl, (client) =>
    client.query(
      `with child as (
         insert into athletes (organization_id, first_name, last_name, folded_name, consent, consent_by, consent_at)
         select organization_id, 'Maya', '', 'maya', 'yes', 'import', now() from photos where id = $1 returning id, organization_id)
       insert into photo_tags (organization_id, gallery_id, photo_id, athlete_id, how)
       select c.organization_id, p.gallery_id, p.id, c.id, 'hand' from child c, photos p where p.id = $1`,
      [photoId],
    ),
  );

describe.each([
  'checkout.before_settle_commit',
  'checkout.after_settle',
  'refund.before_provider',
  'refund.after_provider',
  'refund.before_commit',
] as const)('killed at %s', (point) => {
  test('a photo that was hidden while it was being paid is not delivered, and its price is refunded once', async () => {
    const { at, shop, goods } = product;
    const { otherId } = goods;
    const hiddenId = await addPhoto(shop, 2);
    await tagChild(at, hiddenId);
    const rows = {
      orders: 1,
      "sandbox_provider.charges where status = 'succeeded' and amount_cents = 800": 1,
      'sandbox_provider.refunds where amount_cents = 400': 1,
      "ledger_txs where kind = 'sale'": 1,
      [`order_photos where revoked_at is not null and photo_id = ${hiddenId}`]: 1,
      [`order_photos where revoked_at is null and photo_id = ${otherId}`]: 1,
      "mail_outbox where dedupe_key like 'receipt%'": 1,
    };
    const added = await countAdded(at, rows);
    const user = { first_name: 'Ada', last_name: 'Byron', email: 'ada@buyers.test', zip: '55401' };
    const checkoutKey = randomUUID();
    const order = {
      user: { ...user, confirm_email: user.email },
      donation: '',
      taxes: 0,
      subtotal: 8,
      org_id: shop.organizationId,
      checkout_key: checkoutKey,
    };
    const submit = async () =>
      post(at, '/api/v1/orders', {
        order,
        stripe_token: (await post(at, '/sandbox/tokens', CARD)).body,
        items: [hiddenId, otherId].map((id) => ({ id, gallery_id: shop.galleryId, sales_price: 4 })),
      });
    await product.killAt(point);
    await submit().catch(() => null);
    // The refund may be given before the buyer tries again.
    const isPaid = (status: unknown) => status === 'paid' || status === 'partially_refunded';
    await untilTrue('the payment', async () => isPaid((await submit()).body['status']));
    const refunded = `select refunded_cents as n from orders where checkout_key = '${checkoutKey}'`;
    await untilTrue('the refund', async () => (await numberOf(at, refunded)) === 400);
    expect(await added()).toEqual(rows);
    await untilTrue('the kill', async () => (await product.isKilled('web')) || product.isKilled('worker'));
    await expectSound(at);
  });
});
