/**
 * The product is killed at each named line of an order of credit, of an order that is paid with credit, and of their
 * refunds (offers specification A.13 A8). Afterwards a code exists once, nothing is charged or taken twice, and what
 * was reserved is free again.
 */
import { describe, expect, test, type TestContext } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import type { Product } from '#tests/load/product.ts';
import {
  addPhoto,
  CARD,
  expectSound,
  numberOf,
  openShop,
  post,
  start,
  untilTrue,
} from '#tests/faults/support/crash-rig.ts';

const user = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@buyers.test',
  confirm_email: 'ada@buyers.test',
  zip: '55401',
};
type Shop = Awaited<ReturnType<typeof openShop>>;
const tokenOf = async (at: Product) => (await post(at, '/sandbox/tokens', CARD)).body;
const isPaid = async (answer: ReturnType<typeof post>) => (await answer).body['status'] === 'paid';

/** $25.00 of credit with a bonus of $2.00, as a gift. */
const buyCredit = async (at: Product, { organizationId }: Shop) =>
  post(at, '/api/v1/credit_orders', {
    org_id: organizationId,
    amount: 25,
    gift: { name: 'Grandma', email: 'grandma@families.test' },
    user,
    checkout_key: 'crash-test-of-credit',
    stripe_token: await tokenOf(at),
  });

async function openCreditShop(at: Product): Promise<Shop> {
  const shop = await openShop(at);
  await withClient(at.ownerUrl, (client) =>
    client.query(
      "insert into credit_settings (organization_id, active, amounts_cents, bonuses_cents) values ($1, true, '{2500}', '{200}')",
      [shop.organizationId],
    ),
  );
  return shop;
}

async function codeOf(at: Product, placed: Record<string, unknown>): Promise<string> {
  const answer = await fetch(`${at.url}/api/v1/orders/${String(placed['vanity_id'])}`);
  return ((await answer.json()) as { credit_sold: { code: string } }).credit_sold.code;
}
const balanceOf = async (at: Product, code: string) => (await post(at, '/api/v1/credit/balance', { code })).body;

/** Orders a photo of $4.00, less the bonus, and a donation; the card pays what $25.00 of credit do not cover. */
async function spend(at: Product, shop: Shop, { photoId, code, donation }: Spending) {
  return post(at, '/api/v1/orders', {
    order: {
      user,
      donation: `$${donation}.00`,
      taxes: 0,
      subtotal: 2,
      org_id: shop.organizationId,
      donation_gallery_id: shop.galleryId,
      checkout_key: 'crash-test-of-spending',
      charge: Math.max(0, donation + 2 - 25),
    },
    stripe_token: donation + 2 > 25 ? await tokenOf(at) : null,
    items: [{ id: photoId, gallery_id: shop.galleryId, sales_price: 4 }],
    codes: [code],
  });
}
type Spending = { photoId: number; code: string; donation: number };
const BY_CARD_TOO = 33;
const BY_CODE_ALONE = 18;

/** A shop where credit was bought before anything is killed; the second product is killed at the point. */
async function haveCredit(context: TestContext, env: Record<string, string>) {
  const first = await start(context, {});
  const shop = await openCreditShop(first);
  const photoId = await addPhoto(shop, 5);
  const code = await codeOf(first, (await buyCredit(first, shop)).body);
  await first.stop({ keep: true });
  return { at: await startAgain(context, first, env), shop, photoId, code };
}

const startAgain = (context: TestContext, { dataDir, url }: Product, env: Record<string, string>) =>
  start(context, { DATA_DIR: dataDir, PORT: new URL(url).port, ...env });

const rowsOf = (at: Product, table: string) => numberOf(at, `select count(*) as n from ${table}`);

describe.concurrent.each([
  'checkout.after_pending',
  'checkout.before_charge',
  'checkout.after_charge',
  'checkout.before_settle_commit',
  'checkout.after_settle',
])('killed at %s', (point) => {
  test('credit is bought once, and spent once together with a card, by the buyer’s next try', async (context) => {
    const first = await start(context, { CRASH_AT: point });
    const shop = await openCreditShop(first);
    await expect(buyCredit(first, shop)).rejects.toThrow();
    await untilTrue('the payment', () => isPaid(buyCredit(first, shop)));
    const code = await codeOf(first, (await buyCredit(first, shop)).body);
    expect(await balanceOf(first, code)).toMatchObject({ balance: 25, bonus: 2 });
    const photoId = await addPhoto(shop, 5);
    await first.stop({ keep: true });
    const at = await startAgain(context, first, { CRASH_AT: point });
    const pay = () => spend(at, shop, { photoId, code, donation: BY_CARD_TOO });
    await expect(pay()).rejects.toThrow();
    await untilTrue('the payment', () => isPaid(pay()));
    for (const rows of [
      "orders where kind = 'credit'",
      "orders where kind = 'photos'",
      'credit_codes',
      'credit_gifts',
      "credit_movements where kind = 'sold' and cents = 2500 and bonus_cents = 200",
      "credit_movements where kind = 'spent' and cents = -2500 and bonus_cents = -200",
      "credit_uses where state = 'used'",
      "sandbox_provider.charges where status = 'succeeded' and amount_cents = 2500",
      "sandbox_provider.charges where status = 'succeeded' and amount_cents = 1000",
      "ledger_txs where kind = 'credit_sale'",
      "ledger_txs where kind = 'sale'",
    ])
      expect(await rowsOf(at, rows), rows).toBe(1);
    expect(await rowsOf(at, "mail_outbox where dedupe_key like 'receipt%'")).toBe(2);
    expect(await balanceOf(at, code)).toMatchObject({ balance: 0, bonus: 0 });
    await expectSound(at);
  });
});

test.concurrent('credit in an order whose buyer never comes back is released automatically', async (context) => {
  const { at, shop, photoId, code } = await haveCredit(context, { CRASH_AT: 'checkout.before_charge' });
  await expect(spend(at, shop, { photoId, code, donation: BY_CARD_TOO })).rejects.toThrow();
  await untilTrue('the balance', async () => (await balanceOf(at, code))['balance'] === 25);
  expect(await rowsOf(at, "credit_uses where state = 'released'")).toBe(1);
  await expectSound(at);
});

describe.concurrent.each(['checkout.before_settle_commit', 'checkout.after_settle'])('killed at %s', (point) => {
  test('an order that credit pays alone exists completely or not at all, and once after the next try', async (context) => {
    const { at, shop, photoId, code } = await haveCredit(context, { CRASH_AT: point });
    const pay = () => spend(at, shop, { photoId, code, donation: BY_CODE_ALONE });
    await expect(pay()).rejects.toThrow();
    await untilTrue('the payment', () => isPaid(pay()));
    expect(await rowsOf(at, "orders where kind = 'photos'")).toBe(1);
    expect(await rowsOf(at, "credit_movements where kind = 'spent' and cents = -2000 and bonus_cents = -200")).toBe(1);
    expect(await balanceOf(at, code)).toMatchObject({ balance: 5, bonus: 0 });
    await expectSound(at);
  });
});

describe.concurrent.each(['refund.after_store', 'refund.after_provider'])('killed at %s', (point) => {
  test('what credit and a card paid is refunded to both once', async (context) => {
    const at = await start(context, { CRASH_AT: point });
    const shop = await openCreditShop(at);
    const photoId = await addPhoto(shop, 6);
    const code = await codeOf(at, (await buyCredit(at, shop)).body);
    const placed = (await spend(at, shop, { photoId, code, donation: BY_CARD_TOO })).body;
    await giveBack(at, shop, placed);
    await untilTrue('the balance', async () => (await balanceOf(at, code))['balance'] === 25);
    expect(await balanceOf(at, code)).toMatchObject({ balance: 25, bonus: 2 });
    expect(await rowsOf(at, 'sandbox_provider.refunds where amount_cents = 1000')).toBe(1);
    expect(await rowsOf(at, "credit_movements where kind = 'returned' and cents = 2500")).toBe(1);
    await expectSound(at);
  });
});

test.concurrent('killed before the refund of unused credit is written: it is refunded to its card once', async (context) => {
  const at = await start(context, { CRASH_AT: 'refund.before_commit' });
  const shop = await openCreditShop(at);
  const placed = (await buyCredit(at, shop)).body;
  const code = await codeOf(at, placed);
  await giveBack(at, shop, placed);
  expect((await balanceOf(at, code))['error']).toBe('We do not recognize this code.');
  expect(await rowsOf(at, 'sandbox_provider.refunds where amount_cents = 2500')).toBe(1);
  expect(await rowsOf(at, "credit_movements where kind = 'refunded' and cents = -2500 and bonus_cents = -200")).toBe(1);
  await expectSound(at);
});

/** Refunds all of an order; the process is killed meanwhile, and the recovery job completes it. */
async function giveBack(at: Product, { owner }: Shop, placed: Record<string, unknown>): Promise<void> {
  await withClient(at.ownerUrl, (client) => client.query('update users set role_id = 2'));
  const body = { reason: 'A crash', refund_key: '0f8fad5b-d9cb-469f-a165-70867728950e' };
  const give = () => post(at, `/api/v1/orders/${String(placed['vanity_id'])}/refunds`, body, owner.authorization);
  await expect(give()).rejects.toThrow();
  await untilTrue('the refund', async () => (await rowsOf(at, 'orders where refunded_cents = total_cents')) === 1);
  await untilTrue('the same answer', async () => (await give()).status === 201);
}
