/** P8: CPU of a paid order of three photos, against a bare transaction that writes the same order. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '#src/platform/db/client.ts';
import { compareCpu } from '#tests/load/interleaved.ts';
import { remember } from '#tests/load/children.ts';
import type { MadeGallery } from '#tests/load/made-gallery.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const AT_A_TIME = 2;
/** A bare order takes a tenth of ours: this many for each, so that both sides run for as long. */
const BARE_FOR_ONE = 5;
const LOOK_MS = 50;
const RECEIPT_WAITS = 'select from mail_outbox where sent_at is null and held_for is null limit 1';
const YARDSTICK = join(import.meta.dirname, 'yardsticks/bare-order.ts');
const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };

async function post<Answer>(product: Product, path: string, body: object): Promise<Answer> {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function placeOrder(product: Product, gallery: MadeGallery, token: object, number: number): Promise<void> {
  const ids = [0, 1, 2].map((step) => gallery.photoIds[(number * 3 + step) % gallery.photoIds.length]);
  const user = {
    first_name: 'Bench',
    last_name: 'Buyer',
    email: `bench${number}@buyers.test`,
    confirm_email: `bench${number}@buyers.test`,
    zip: '55401',
  };
  const order = {
    user,
    donation: '$5.00',
    taxes: 0,
    subtotal: 12,
    org_id: gallery.organizationId,
    donation_gallery_id: gallery.galleryId,
    checkout_key: `bench-of-orders-${process.pid}-${number}`,
  };
  const items = ids.map((id) => ({ id, gallery_id: gallery.galleryId, sales_price: 4 }));
  const placed = await post<{ status: string }>(product, '/api/v1/orders', { order, stripe_token: token, items });
  if (placed.status !== 'paid') throw new Error(`an order is ${placed.status}`);
}

/** Runs `work` for 0..count-1, a few at a time. */
async function inParallel(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
}

/** The worker looks for receipts once a second: without waiting, most of them would be sent while the yardstick runs. */
async function receiptsSent(client: pg.Client): Promise<void> {
  const isWaiting = async () => (await client.query(RECEIPT_WAITS)).rowCount;
  while (await isWaiting()) await pause(LOOK_MS);
}

async function measure(bench: Bench): Promise<BenchResult> {
  const product = await bench.product(UNCACHED);
  return withClient(product.ownerUrl, (client) => compareOrders(bench, product, client));
}

async function compareOrders(bench: Bench, product: Product, client: pg.Client): Promise<BenchResult> {
  const count = bench.pick(150, 60);
  const bareCount = count * BARE_FOR_ONE;
  const yardstick = remember(
    spawn(process.execPath, [YARDSTICK, product.bareUrl, String(bareCount), String(AT_A_TIME)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const answers = createInterface({ input: yardstick.stdout })[Symbol.asyncIterator]();
  try {
    const gallery = await bench.gallery(500);
    let placed = 0;
    let tokens: object[] = [];
    const fill = async () => {
      tokens = [];
      await inParallel(count, async () => void tokens.push(await post<object>(product, '/sandbox/tokens', CARD)));
    };
    const order = async () => {
      await inParallel(count, (number) => placeOrder(product, gallery, tokens[number] ?? {}, placed++));
      await receiptsSent(client);
    };
    await fill();
    await order();
    // PostgreSQL does so by itself within two minutes, and until then plans for empty tables.
    await client.query('analyze');
    await fill();
    // Tokens are made by the buyer's browser at the provider: fresh ones are made between the rounds, not counted.
    const measured = await compareCpu(
      {
        pids: [product.pid, product.postgresPid],
        run: order,
      },
      {
        pids: [yardstick.pid ?? 0, product.postgresPid],
        run: async () => {
          yardstick.stdin.write('go\n');
          await answers.next();
        },
      },
      { rounds: bench.pick(9, 3), count, bareCount, between: fill },
    );
    return {
      figures: { order: { value: measured.ratio, must: 4, aim: 2 } },
      details: { orderCpuMs: measured.productMs, bareCpuMs: measured.yardstickMs },
    };
  } finally {
    yardstick.stdin.end();
    await once(yardstick, 'exit').catch(() => undefined);
  }
}

export const orderRow: BenchRow = {
  name: 'P8',
  what: 'CPU of a paid order of 3 photos / a bare transaction',
  measure,
};
