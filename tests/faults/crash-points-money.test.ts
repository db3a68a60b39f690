/**
 * The product is killed at named lines, as in a power failure, and recovers automatically: nothing acknowledged is
 * lost, nothing is sold or charged twice, and the invariants are true. Here: checkouts and refunds.
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
  type Shop,
  untilTrue,
  useProduct,
} from '#tests/faults/support/crash-rig.ts';

/** Its tests kill it one after the other. */
const product = useProduct(async (at, shop) => {
  const photoIds = [await addPhoto(shop, 1), await addPhoto(shop, 2)];
  // Another gallery, whose price is its own.
  const plainId = await openPlainGallery(at, shop);
  const plainPhotoId = await addPhoto({ ...shop, galleryId: plainId }, 4);
  return { photoIds, plainId, plainPhotoId, passOf: await sellByOffers(at, shop) };
});

/** Another one each time: no one buys the same pass twice. */
function newBuyer() {
  const email = `ada-${randomUUID()}@buyers.test`;
  return { first_name: 'Ada', last_name: 'Byron', email, confirm_email: email, zip: '55401' };
}

describe.each([
  'checkout.after_pending',
  'checkout.before_charge',
  'checkout.after_charge',
  'checkout.before_settle_commit',
  'checkout.after_settle',
] as const)('killed at %s', (point) => {
  test('the order is paid once by the buyer’s next try, charged once, and its receipt written once', async () => {
    const { at, shop, goods } = product;
    const order = {
      user: newBuyer(),
      donation: '$5.00',
      taxes: 0,
      // Two photos in a bundle for $6.00 and a pass for $10.00, less 10 %.
      subtotal: 14.4,
      org_id: shop.organizationId,
      donation_gallery_id: shop.galleryId,
      checkout_key: randomUUID(),
    };
    const submit = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      return post(at, '/api/v1/orders', {
        order,
        stripe_token: token.body,
        items: goods.photoIds.map((id) => ({ id, gallery_id: shop.galleryId, sales_price: 4 })),
        passes: [{ kind: 'gallery_pass', gallery_id: goods.passOf }],
        codes: ['TEAM10'],
      });
    };
    const rows = {
      orders: 1,
      "sandbox_provider.charges where status = 'succeeded'": 1,
      "ledger_txs where kind = 'sale'": 1,
      mail_outbox: 1,
      // Nothing of what was sold is missing or duplicated.
      order_offers: 2,
      passes: 1,
      pass_galleries: 1,
      order_reductions: 1,
      order_prices: 1,
      coupon_uses: 1,
      "coupon_uses where state = 'used'": 1,
    };
    const added = await countAdded(at, rows);
    await product.killAt(point);
    await expect(submit()).rejects.toThrow();
    await untilTrue('the payment', async () => (await submit()).body['status'] === 'paid');
    expect(await added()).toEqual(rows);
    await expectSound(at);
  });
});

describe.each(['refund.after_store', 'refund.after_provider'] as const)('killed at %s', (point) => {
  test('the refund is given once by the recovery job, booked once, and the buyer gets one email', async () => {
    const { at, shop, goods } = product;
    const placed = await post(at, '/api/v1/orders', {
      order: {
        user: newBuyer(),
        donation: '$5.00',
        taxes: 0,
        subtotal: 4,
        org_id: shop.organizationId,
        donation_gallery_id: goods.plainId,
        checkout_key: randomUUID(),
      },
      stripe_token: (await post(at, '/sandbox/tokens', CARD)).body,
      items: [{ id: goods.plainPhotoId, gallery_id: goods.plainId, sales_price: 4 }],
    });
    await withClient(at.ownerUrl, (client) => client.query('update users set role_id = 2'));
    const rows = {
      'sandbox_provider.refunds': 1,
      "ledger_txs where kind = 'refund'": 1,
      "mail_outbox where dedupe_key like 'refund-%'": 1,
    };
    const added = await countAdded(at, rows);
    const number = String(placed.body['vanity_id']);
    const body = { amount: 7, reason: 'A crash', refund_key: randomUUID() };
    const give = () => post(at, `/api/v1/orders/${number}/refunds`, body, shop.owner.authorization);
    await product.killAt(point);
    await expect(give()).rejects.toThrow();
    const refunded = `select count(*) as n from orders where refunded_cents = 700 and vanity_id = '${number}'`;
    await untilTrue('the refund', async () => (await numberOf(at, refunded)) === 1);
    await untilTrue('the same answer', async () => (await give()).status === 201);
    expect(await added()).toEqual(rows);
    await expectSound(at);
  });
});

/**
 * Gives the gallery a price sheet, and the seller a code and another gallery, whose pass is on the sheet, too; returns
 * its id.
 */
async function sellByOffers(at: Product, { organizationId, galleryId }: Shop): Promise<number> {
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

async function openPlainGallery(at: Product, { organizationId }: Shop): Promise<number> {
  return withClient(at.ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "insert into galleries (organization_id, name, price_cents) values ($1, 'Without offers', 400) returning id",
      [organizationId],
    );
    return Number(rows[0]?.id);
  });
}
