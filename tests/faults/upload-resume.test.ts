/**
 * Photos are uploaded through a real browser on a slow line while the server is killed twice and the page is reloaded
 * in between. All arrive, none twice, in capture order. `UPLOADS=300` and `UPLOAD_SOURCES` (a folder of JPEG files)
 * make it the large trial of decision record 0013.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp, { type Color } from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPreparedFolder } from '#tests/faults/support/prepared-folder.ts';
import { freePort, startProduct, type Product } from '#tests/load/product.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { stampPhoto } from '#tests/support/stamped-photo.ts';
import { callFrom, signUpVolunteer } from '#tests/support/volunteer.ts';

const COUNT = Number(process.env['UPLOADS'] ?? 40);
const SOURCES = process.env['UPLOAD_SOURCES'];
const MAX_WAIT_MS = SOURCES === undefined ? 90_000 : 1_500_000;
/** Bytes a second. A photo of the test takes a third of a second; real ones take seconds. */
const LINE = { upload: SOURCES === undefined ? 60_000 : 700_000, download: 1_000_000, latencyMs: 40 };
const KICK_OFF = Date.UTC(2026, 8, 12, 14, 0, 0);

let folder: string;
let browser: Browser;
let product: Product;
let port: number;
const origin = () => `http://www.sideline.localhost:${port}`;

/** The port of a killed server is free a moment later. */
async function startAgain(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      product = await startProduct({ DATA_DIR: join(folder, 'data'), PORT: String(port) });
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sideline-resume-'));
  await copyPreparedFolder(join(folder, 'data'));
  port = await freePort();
  await startAgain();
  browser = await launchBrowser();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product?.stop({ keep: true });
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * Files whose capture times are in the order of their numbers; chosen in another order, as cards and folders list them.
 */
async function makePhotos(): Promise<string[]> {
  const names = SOURCES === undefined ? [] : await readdir(SOURCES, { recursive: true });
  const jpegs = names.filter((name) => /\.jpe?g$/i.test(name)).map((name) => join(SOURCES ?? '', name));
  const sources = await Promise.all(jpegs.map((name) => readFile(name)));
  if (sources.length === 0) {
    const hues = [40, 90, 140, 190].map((g) => ({ r: 60, g, b: 200 }));
    const draw = (background: Color) =>
      sharp({ create: { width: 240, height: 160, channels: 3, background, noise: { type: 'gaussian', sigma: 12 } } })
        .jpeg({ quality: 60 })
        .toBuffer();
    sources.push(...(await Promise.all(hues.map(draw))));
  }
  const files: string[] = [];
  for (let number = 0; number < COUNT; number++) {
    const bytes = stampPhoto(sources[number % sources.length] as Buffer, new Date(KICK_OFF + number * 7_000), number);
    const file = join(folder, `IMG_${(number * 7_919) % 10_007}_${String(number).padStart(3, '0')}.jpg`);
    await writeFile(file, bytes);
    files.push(file);
  }
  // Every number once, far from its neighbors (37 and the counts in use have no common divisor).
  return files.map((_file, index) => files[(index * 37) % COUNT] as string);
}

type Answered = { id: number; name: string; status: string; problem: string | null };

async function listPhotos(firstPage: Page, galleryId: number): Promise<Answered[]> {
  const photos: Answered[] = [];
  for (let after: string | null = ''; after !== null;) {
    const query: string = after === '' ? '?limit=100' : `?limit=100&after=${encodeURIComponent(after)}`;
    const page: { photos: Answered[]; next: string | null } = await callFrom(
      firstPage,
      'GET',
      `/api/v1/galleries/${galleryId}/gallery_photos${query}`,
    );
    photos.push(...page.photos);
    after = page.next;
  }
  return photos;
}

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const uploadedCount = async (page: Page) => {
  const text = await tray(page)
    .getByRole('heading')
    .first()
    .textContent()
    .catch(() => null);
  return Number(/Uploaded (\d+)/.exec(text ?? '')?.[1] ?? Number.NaN);
};

test(
  `${COUNT} photographs on a slow line, the server killed twice and the page reloaded: all uploaded, none twice, in capture order`,
  async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    // A second tab that watches, on its own line.
    const firstPage = await context.newPage();
    await firstPage.goto(`${origin()}/support`);
    const { galleryId, editor: path } = await signUpVolunteer(firstPage);
    const photos = await makePhotos();
    const page = await context.newPage();
    page.setDefaultTimeout(MAX_WAIT_MS);
    page.on('dialog', (dialog) => void dialog.accept());
    let stored = 0;
    page.on('response', (response) => {
      if (response.url().endsWith('/storage') && response.status() === 201) stored++;
    });
    const started = Date.now();
    const editor = origin() + path;
    await page.goto(editor);
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LINE.latencyMs,
      uploadThroughput: LINE.upload,
      downloadThroughput: LINE.download,
    });
    await page.getByLabel('Photos to upload').setInputFiles(photos);

    for (const share of [0.2, 0.4]) {
      await expect
        .poll(() => uploadedCount(page), { timeout: MAX_WAIT_MS, interval: 100 })
        .toBeGreaterThan(COUNT * share);
      await product.kill();
      await tray(page).getByText('Waiting for the network').first().waitFor();
      await startAgain();
      await expect
        .poll(() => uploadedCount(page), { timeout: MAX_WAIT_MS, interval: 200 })
        .toBeGreaterThan(COUNT * (share + 0.1));
    }
    // The count survives the reload.
    await page.reload();
    await expect
      .poll(async () => (await listPhotos(firstPage, galleryId)).filter(({ status }) => status === 'ready').length, {
        timeout: MAX_WAIT_MS,
        interval: 500,
      })
      .toBe(COUNT);

    const listed = await listPhotos(firstPage, galleryId);
    expect(listed.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(listed.map(({ name }) => Number(/_(\d+)\.jpg$/.exec(name)?.[1]))).toEqual(
      Array.from({ length: COUNT }, (_, number) => number),
    );
    // A photo whose answer was lost by the kill is claimed by its key; nothing acknowledged was uploaded again.
    expect(stored).toBeLessThanOrEqual(COUNT);
    await tray(page)
      .getByRole('heading', { name: `${COUNT} photos are in` })
      .waitFor();
    // Nothing remains in the browser.
    const left = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('sideline-uploads');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('files').objectStore('files').count();
            counting.onsuccess = () => resolve(counting.result);
          };
        }),
    );
    expect(left).toBe(0);
    process.stdout.write(
      `${COUNT} photographs in ${Math.round((Date.now() - started) / 1_000)} s, ${stored} seen stored\n`,
    );
    await context.close();
  },
  MAX_WAIT_MS * 2,
);
