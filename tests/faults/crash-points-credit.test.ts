/**
 * The product is killed at each named line of an order of credit, of an order that is paid with credit, and of their
 * refunds (offers specification A.13 A8). Afterwards a code exists once, nothing is charged or taken twice, and what
 * was reserved is free again.
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

const user = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@buyers.test',
  confirm_email: 'ada@buyers.test',
  zip: '55401',
};
const tokenOf = async (at: Product) => (await post(at, '/sandbox/tokens', CARD)).body;
const isPaid = async (answer: ReturnType<typeof post>) => (await answer).body['status'] === 'paid';

/** $25.00 of credit with a bonus of $2.00, as a gift; the same key is the same order. */
const buyCredit = async (at: Product, { organizationId }: Shop, checkoutKey: string = randomUUID()) =>
  post(at, '/api/v1/credit_orders', {
    org_id: organizationId,
    amount: 25,
    gift: { name: 'Grandma', email: 'grandma@families.test' },
    user,
    checkout_key: checkoutKey,
    stripe_token: await tokenOf(at),
  });

/** A product whose shop sells credit and has a photo; its tests kill it one after the other. */
function useCreditShop() {
  const product = useProduct(async (at, shop) => {
    await withClient(at.ownerUrl, (client) =>
      client.query(
        "insert into credit_settings (organization_id, active, amounts_cents, bonuses_cents) values ($1, true, '{2500}', '{200}')",
        [shop.organizationId],
      ),
    );
    return addPhoto(shop, 5);
  });
  const { killAt } = product;
  return { killAt, opened: () => ({ at: product.at, shop: product.shop, photoId: product.goods }) };
}

async function codeOf(at: Product, placed: Record<string, unknown>): Promise<string> {
  const answer = await fetch(`${at.url}/api/v1/orders/${String(placed['vanity_id'])}`);
  return ((await answer.json()) as { credit_sold: { code: string } }).credit_sold.code;
}
const balanceOf = async (at: Product, code: string) => (await post(at, '/api/v1/credit/balance', { code })).body;

/** Orders a photo of $4.00, less the bonus, and a donation; the card pays what $25.00 of credit do not cover. */
async function spend(at: Product, shop: Shop, { photoId, code, donation, checkoutKey = randomUUID() }: Spending) {
  return post(at, '/api/v1/orders', {
    order: {
      user,
      donation: `$${donation}.00`,
      taxes: 0,
      subtotal: 2,
      org_id: shop.organizationId,
      donation_gallery_id: shop.galleryId,
      checkout_key: checkoutKey,
      charge: Math.max(0, donation + 2 - 25),
    },
    stripe_token: donation + 2 > 25 ? await tokenOf(at) : null,
    items: [{ id: photoId, gallery_id: shop.galleryId, sales_price: 4 }],
    codes: [code],
  });
}
type Spending = { photoId: number; code: string; donation: number; checkoutKey?: string };
const BY_CARD_TOO = 33;
const BY_CODE_ALONE = 18;

describe.concurrent('bought and spent', () => {
  const { killAt, opened } = useCreditShop();

  describe.each([
    'checkout.after_pending',
    'checkout.before_charge',
    'checkout.after_charge',
    'checkout.before_settle_commit',
    'checkout.after_settle',
  ] as const)('killed at %s', { concurrent: false }, (point) => {
    test('credit is bought once, and spent once together with a card, by the buyer’s next try', async () => {
      const { at, shop, photoId } = opened();
      const rows = {
        "orders where kind = 'credit'": 1,
        "orders where kind = 'photos'": 1,
        credit_codes: 1,
        credit_gifts: 1,
        "credit_movements where kind = 'sold' and cents = 2500 and bonus_cents = 200": 1,
        "credit_movements where kind = 'spent' and cents = -2500 and bonus_cents = -200": 1,
        "credit_uses where state = 'used'": 1,
        "sandbox_provider.charges where status = 'succeeded' and amount_cents = 2500": 1,
        "sandbox_provider.charges where status = 'succeeded' and amount_cents = 1000": 1,
        "ledger_txs where kind = 'credit_sale'": 1,
        "ledger_txs where kind = 'sale'": 1,
        "mail_outbox where dedupe_key like 'receipt%'": 2,
      };
      const added = await countAdded(at, rows);
      const boughtBy = randomUUID();
      const buy = () => buyCredit(at, shop, boughtBy);
      await killAt(point);
      await expect(buy()).rejects.toThrow();
      await untilTrue('the payment', () => isPaid(buy()));
      const code = await codeOf(at, (await buy()).body);
      expect(await balanceOf(at, code)).toMatchObject({ balance: 25, bonus: 2 });
      const checkoutKey = randomUUID();
      const pay = () => spend(at, shop, { photoId, code, donation: BY_CARD_TOO, checkoutKey });
      await killAt(point);
      await expect(pay()).rejects.toThrow();
      await untilTrue('the payment', () => isPaid(pay()));
      expect(await added()).toEqual(rows);
      expect(await balanceOf(at, code)).toMatchObject({ balance: 0, bonus: 0 });
      await expectSound(at);
    });
  });

  describe.each(['checkout.before_settle_commit', 'checkout.after_settle'] as const)(
    'killed at %s',
    { concurrent: false },
    (point) => {
      test('an order that credit pays alone exists completely or not at all, and once after the next try', async () => {
        const { at, shop, photoId } = opened();
        const code = await codeOf(at, (await buyCredit(at, shop)).body);
        const rows = {
          "orders where kind = 'photos'": 1,
          "credit_movements where kind = 'spent' and cents = -2000 and bonus_cents = -200": 1,
        };
        const added = await countAdded(at, rows);
        const checkoutKey = randomUUID();
        const pay = () => spend(at, shop, { photoId, code, donation: BY_CODE_ALONE, checkoutKey });
        await killAt(point);
        await expect(pay()).rejects.toThrow();
        await untilTrue('the payment', () => isPaid(pay()));
        expect(await added()).toEqual(rows);
        expect(await balanceOf(at, code)).toMatchObject({ balance: 5, bonus: 0 });
        await expectSound(at);
      });
    },
  );
});

describe.concurrent('released and refunded automatically', () => {
  const { killAt, opened } = useCreditShop();

  test('credit in an order whose buyer never comes back is released automatically', { concurrent: false }, async () => {
    const { at, shop, photoId } = opened();
    const code = await codeOf(at, (await buyCredit(at, shop)).body);
    const rows = { "credit_uses where state = 'released'": 1 };
    const added = await countAdded(at, rows);
    await killAt('checkout.before_charge');
    await expect(spend(at, shop, { photoId, code, donation: BY_CARD_TOO })).rejects.toThrow();
    await untilTrue('the balance', async () => (await balanceOf(at, code))['balance'] === 25);
    expect(await added()).toEqual(rows);
    await expectSound(at);
  });

  describe.each(['refund.after_store', 'refund.after_provider'] as const)(
    'killed at %s',
    { concurrent: false },
    (point) => {
      test('what credit and a card paid is refunded to both once', async () => {
        const { at, shop, photoId } = opened();
        const code = await codeOf(at, (await buyCredit(at, shop)).body);
        const placed = (await spend(at, shop, { photoId, code, donation: BY_CARD_TOO })).body;
        const rows = {
          'sandbox_provider.refunds where amount_cents = 1000': 1,
          "credit_movements where kind = 'returned' and cents = 2500": 1,
        };
        const added = await countAdded(at, rows);
        await killAt(point);
        await giveBack(at, shop, placed);
        await untilTrue('the balance', async () => (await balanceOf(at, code))['balance'] === 25);
        expect(await balanceOf(at, code)).toMatchObject({ balance: 25, bonus: 2 });
        expect(await added()).toEqual(rows);
        await expectSound(at);
      });
    },
  );

  test(
    'killed before the refund of unused credit is written: it is refunded to its card once',
    { concurrent: false },
    async () => {
      const { at, shop } = opened();
      const placed = (await buyCredit(at, shop)).body;
      const code = await codeOf(at, placed);
      const rows = {
        'sandbox_provider.refunds where amount_cents = 2500': 1,
        "credit_movements where kind = 'refunded' and cents = -2500 and bonus_cents = -200": 1,
      };
      const added = await countAdded(at, rows);
      await killAt('refund.before_commit');
      await giveBack(at, shop, placed);
      expect((await balanceOf(at, code))['error']).toBe('We do not recognize this code.');
      expect(await added()).toEqual(rows);
      await expectSound(at);
    },
  );
});

/** Refunds all of an order; the process is killed meanwhile, and the recovery job completes it. */
async function giveBack(at: Product, { owner }: Shop, placed: Record<string, unknown>): Promise<void> {
  await withClient(at.ownerUrl, (client) => client.query('update users set role_id = 2'));
  const body = { reason: 'A crash', refund_key: randomUUID() };
  const order = String(placed['vanity_id']);
  const give = () => post(at, `/api/v1/orders/${order}/refunds`, body, owner.authorization);
  await expect(give()).rejects.toThrow();
  const refunded = `select count(*) as n from orders where refunded_cents = total_cents and vanity_id = '${order}'`;
  await untilTrue('the refund', async () => (await numberOf(at, refunded)) === 1);
  await untilTrue('the same answer', async () => (await give()).status === 201);
}
