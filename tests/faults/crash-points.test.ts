/**
 * The product is killed at named lines, as a power cut would, and goes on by itself: nothing that was
 * acknowledged is gone, nothing is sold or charged twice, and the invariants hold.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner, type Owner } from '#tests/load/made-owner.ts';
import { startProduct, type Product } from '#tests/load/product.ts';

const ROOT = join(import.meta.dirname, '../..');
const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123', zip: '55401' };
const SETTLED_WITHIN_MS = 45_000;
const run = promisify(execFile);

let product: Product | null = null;
afterEach(async () => {
  await product?.stop();
  product = null;
});

async function start(env: Record<string, string>): Promise<Product> {
  product = await startProduct({ VITEST: '', ...env });
  return product;
}

/** A script beside the running product; throws with its words when it exits other than 0. */
async function script(name: string, dataDir: string): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts', name)], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
  return stdout.trim();
}

async function expectSound({ dataDir }: Product): Promise<void> {
  expect(await script('check-invariants.ts', dataDir)).toBe('0 violations');
  await script('storage-check.ts', dataDir);
}

function picture(seed: number): Promise<Buffer> {
  return sharp({
    create: {
      width: 1600,
      height: 1000,
      channels: 3,
      background: { r: (seed * 53) % 255, g: 120, b: 90 },
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function openShop(at: Product): Promise<{ organizationId: number; galleryId: number; owner: Owner }> {
  const { organizationId, galleryId } = await makeGallery(at.ownerUrl, 0);
  return { organizationId, galleryId, owner: await makeOwner(at, organizationId) };
}

async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + SETTLED_WITHIN_MS; Date.now() < deadline; await pause(250)) {
    if (await isTrue().catch(() => false)) return;
  }
  throw new Error(`${what} did not happen within ${SETTLED_WITHIN_MS / 1000} s`);
}

async function addPhoto(shop: { galleryId: number; owner: Owner }, seed: number): Promise<number> {
  const key = await shop.owner.store(shop.galleryId, await picture(seed), `photo-${seed}.jpg`);
  const photoId = await shop.owner.claim(shop.galleryId, key);
  await untilTrue('the photo', () => shop.owner.isReady(shop.galleryId, photoId));
  return photoId;
}

async function post(
  at: Product,
  path: string,
  body: object,
  authorization?: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const numberOf = async (at: Product, query: string) =>
  Number((await withClient(at.ownerUrl, (client) => client.query<{ n: string }>(query))).rows[0]?.n);

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
  test('the refund is given once by itself, booked once, and the buyer told once', async () => {
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

describe.each(['billing.after_charge'])('killed at %s', (point) => {
  test('an upgrade is found out by itself, or paid by the next try, and charged once', async () => {
    const at = await start({ CRASH_AT: point });
    const { organizationId, owner } = await openShop(at);
    await withClient(at.ownerUrl, (client) => client.query('update organizations set free_tier = true'));
    const upgrade = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      const body = { token: token.body, type: 'upgrade', affiliate_id: organizationId };
      return post(at, '/api/v1/charges/', body, owner.authorization);
    };
    const state = async () => {
      const { authorization } = owner;
      const answer = await fetch(`${at.url}/api/v1/charges/${organizationId}`, { headers: { authorization } });
      return ((await answer.json()) as { status: string }).status;
    };
    await expect(upgrade()).rejects.toThrow();
    await untilTrue('the upgrade', async () => {
      if ((await state()) === 'failed') await upgrade();
      return (await state()) === 'paid';
    });
    expect((await upgrade()).status).toBe(409);
    expect(await numberOf(at, `select count(*) as n from sandbox_provider.charges where status = 'succeeded'`)).toBe(1);
    expect(await numberOf(at, `select count(*) as n from subscriptions where status = 'active'`)).toBe(1);
    expect(await numberOf(at, 'select count(*) as n from mail_outbox')).toBe(1);
    await expectSound(at);
  });
});

describe.each(['billing.after_charge', 'billing.after_settle'])('killed at %s', (point) => {
  test('a paid sign-up without account is given back, and can be tried again', async () => {
    const at = await start({ CRASH_AT: point });
    const signUp = async () => {
      const token = await post(at, '/sandbox/tokens', CARD);
      return post(at, '/signup/', {
        user: { first_name: 'Ada', last_name: 'Byron', email: 'ada@clubs.test', password: 'nine fine pines' },
        affiliateInfo: { affiliateName: 'engines', affiliateOrg: 'Engines', domain_name: 'engines' },
        org: { id: 1 },
        freeTier: false,
        agreeToTerms: true,
        confirmAgeAndPlace: true,
        stripe_token: token.body,
      });
    };
    await expect(signUp()).rejects.toThrow();
    const refunds = 'select count(*) as n from sandbox_provider.refunds where amount_cents = 8900';
    await untilTrue('the refund', async () => (await numberOf(at, refunds)) === 1);
    await untilTrue('its note', async () => {
      return (await numberOf(at, `select count(*) as n from account_payments where state = 'refunded'`)) === 1;
    });
    expect(await numberOf(at, `select count(*) as n from organizations where domain_name = 'engines'`)).toBe(0);
    expect((await signUp()).status).toBe(200);
    await expectSound(at);
  });
});

describe.each(['ingest.after_original', 'ingest.mid_renditions', 'ingest.before_ready', 'ingest.after_ready'])(
  'killed at %s',
  (point) => {
    test('the photo becomes ready all the same', async () => {
      const at = await start({ CRASH_AT: point });
      const shop = await openShop(at);
      await addPhoto(shop, 2);
      await expectSound(at);
    });
  },
);

describe.each([
  ['claim.before_commit', 201],
  ['claim.after_commit', 409],
])('killed at %s', (point, statusOfRetry) => {
  test(`the claim may be sent again and answers ${statusOfRetry}; there is one photo`, async () => {
    const at = await start({ CRASH_AT: point });
    const shop = await openShop(at);
    const key = await shop.owner.store(shop.galleryId, await picture(3), 'photo.jpg');
    await expect(shop.owner.claim(shop.galleryId, key)).rejects.toThrow();
    let retry = '';
    await untilTrue('an answer', async () => {
      retry = await shop.owner.claim(shop.galleryId, key).then(
        () => 'answered 201',
        (error: Error) => error.message,
      );
      return /answered \d+/.test(retry);
    });
    expect(retry).toContain(`answered ${statusOfRetry}`);
    await untilTrue(
      'the photo',
      async () => (await numberOf(at, `select count(*) as n from photos where status = 'ready'`)) === 1,
    );
    await expectSound(at);
  });
});

test('kill -9 of everything in the middle of uploads: the next start goes on with all that was acknowledged', async () => {
  const first = await start({});
  const shop = await openShop(first);
  const acknowledged: number[] = [];
  const uploads = Promise.allSettled(
    Array.from({ length: 8 }, async (_, index) => {
      const key = await shop.owner.store(shop.galleryId, await picture(index + 10), `photo-${index}.jpg`);
      acknowledged.push(await shop.owner.claim(shop.galleryId, key));
    }),
  );
  await untilTrue('the first claims', async () => acknowledged.length >= 3);
  await first.kill();
  await uploads;
  const port = new URL(first.url).port;
  const second = await start({ DATA_DIR: first.dataDir, PORT: port });
  await untilTrue(
    'every acknowledged photo',
    async () =>
      (await numberOf(
        second,
        `select count(*) as n from photos where status = 'ready' and id = any('{${acknowledged.join(',')}}')`,
      )) === acknowledged.length,
  );
  await expectSound(second);
});
