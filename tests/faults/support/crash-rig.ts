/** Shared by the tests of crash points: products on copies of the prepared folder, and queries. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, type TestContext } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { systemClock } from '#src/platform/clock.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { withClient } from '#src/platform/db/client.ts';
import { openDatabase } from '#src/platform/db/db.ts';
import type { CrashPoint } from '#src/platform/processes/crash-points.ts';
import { deriveKey } from '#src/platform/secrets.ts';
import { openDiskStorage } from '#src/platform/storage/disk-storage.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner, type Owner } from '#tests/load/made-owner.ts';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { startProduct, type Product } from '#tests/load/product.ts';

const ROOT = join(import.meta.dirname, '../../..');
export const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
/** Long enough for a machine that is also busy with other things. */
const SETTLED_WITHIN_MS = 75_000;
const run = promisify(execFile);

/** A test's own context, to run concurrently with others. */
type Started = Pick<TestContext, 'onTestFinished'>;

/** Starts a product that ends with the test, in a folder of its own with a migrated database. */
export async function start({ onTestFinished }: Started, env: Record<string, string>): Promise<Product> {
  const dataDir = env['DATA_DIR'] ?? (await newFolder());
  const product = await startProduct({ VITEST: '', DATA_DIR: dataDir, ...env });
  onTestFinished(() => product.stop(), 60_000);
  return product;
}

async function newFolder(): Promise<string> {
  // Next to the prepared folder, in memory if there is enough: on a disk the copy takes as long as the product's start.
  const dataDir = await mkdtemp(join(inject('testServerDir'), 'crash-'));
  await copyPreparedFolder(dataDir);
  return dataDir;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** One product with a shop for a group of tests, which kill it one after the other: they never run concurrently. */
export function useProduct<Goods>(prepare?: (at: Product, shop: Shop) => Promise<Goods>) {
  let at: Product;
  let shop: Shop;
  let goods: Goods | undefined;
  let file = '';
  beforeAll(async () => {
    const dataDir = await newFolder();
    file = join(dataDir, 'crash-at');
    const loader = pathToFileURL(join(import.meta.dirname, 'crash-when-told.ts')).href;
    at = await startProduct({ VITEST: '', DATA_DIR: dataDir, CRASH_FILE: file, NODE_OPTIONS: `--import=${loader}` });
    shop = await openShop(at);
    goods = await prepare?.(at, shop);
  });
  afterAll(() => at?.stop());
  return {
    get at() {
      return at;
    },
    get shop() {
      return shop;
    },
    /** What was prepared. */
    get goods() {
      if (goods === undefined) throw new Error('nothing was prepared');
      return goods;
    },
    /** From now on, each of its processes is killed at this point, once. */
    killAt: (point: CrashPoint) => writeFile(file, `${point} ${randomUUID()}`),
    async isKilled(role: 'web' | 'worker') {
      return (await readFile(`${file}.${role}`, 'utf8').catch(() => '')) === (await readFile(file, 'utf8'));
    },
  };
}

/** Runs a script next to the running product; throws with its output if its exit code is not 0. */
async function script(name: string, dataDir: string): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts', name)], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
  return stdout.trim();
}

/**
 * No invariant is violated in rows and objects. Checked in this process: a script would load the product twice for each
 * test.
 */
export async function expectSound({ dataDir, appUrl }: Product): Promise<void> {
  const { appSecret, baseDomain } = readConfig({ DATA_DIR: dataDir });
  const storage = await openDiskStorage({
    folder: join(dataDir, 'objects'),
    signingSecret: deriveKey(appSecret, 'upload policies'),
    baseDomain,
    clock: systemClock,
  });
  const database = await openDatabase({
    url: appUrl,
    applicationName: 'crash test',
    // A busy machine is not an outage.
    slotWaitMs: 15_000,
    statementTimeoutMs: 120_000,
  });
  try {
    expect(await checkInvariants({ database, sandboxCards: true })).toEqual([]);
    expect(await checkStorage({ database, storage })).toEqual([]);
  } finally {
    await database.close();
    await storage.close();
  }
}

/** The same with the command that an operator runs next to the product. */
export async function expectSoundByScripts({ dataDir }: Product): Promise<void> {
  expect(await script('check-invariants.ts', dataDir)).toBe('0 violations');
  await script('storage-check.ts', dataDir);
}

export function picture(seed: number): Promise<Buffer> {
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

export async function openShop(at: Product): Promise<{ organizationId: number; galleryId: number; owner: Owner }> {
  const { organizationId, galleryId } = await makeGallery(at.ownerUrl, 0);
  return { organizationId, galleryId, owner: await makeOwner(at, organizationId) };
}

export async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + SETTLED_WITHIN_MS; Date.now() < deadline; await pause(250)) {
    if (await isTrue().catch(() => false)) return;
  }
  throw new Error(`${what} did not happen within ${SETTLED_WITHIN_MS / 1000} s`);
}

export async function addPhoto(shop: { galleryId: number; owner: Owner }, seed: number): Promise<number> {
  const key = await shop.owner.store(shop.galleryId, await picture(seed), `photo-${seed}.jpg`);
  const photoId = await shop.owner.claim(shop.galleryId, key);
  await untilTrue('the photo', () => shop.owner.isReady(shop.galleryId, photoId));
  return photoId;
}

export async function post(
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

export const numberOf = async (at: Product, query: string) =>
  Number((await withClient(at.ownerUrl, (client) => client.query<{ n: string }>(query))).rows[0]?.n);

/**
 * Counts rows that are added from now on, each by what follows `from`: those of earlier tests of the same product do not
 * count.
 */
export async function countAdded(at: Product, expected: Record<string, number>) {
  const rows = Object.keys(expected);
  const count = () => Promise.all(rows.map((row) => numberOf(at, `select count(*) as n from ${row}`)));
  const before = await count();
  return async () => {
    const now = await count();
    return Object.fromEntries(rows.map((row, at) => [row, (now[at] ?? 0) - (before[at] ?? 0)]));
  };
}
