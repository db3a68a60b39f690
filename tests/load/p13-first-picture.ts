/** P13: when the largest picture of the public gallery is painted on a slow phone, against a hand-written page with the same pictures; and its first text. */
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { median } from '#tests/load/process-cpu.ts';
import { startProduct, type Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { launchBrowser } from '#tests/support/browser.ts';

const ROUNDS = 5;
const CPU_TIMES_SLOWER = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const GALLERY = 'Spring Cup Final';

/** Names below `.localhost` lead here in browsers, but not in Node. */
function read(address: string): Promise<Buffer> {
  const { host, port, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname + search, headers: { host } }, async (answer) => {
      resolve(Buffer.concat(await answer.toArray()));
    }).on('error', reject);
  });
}

/** Position and size of a picture. */
type Placed = { src: string; left: number; top: number; width: number; height: number };

async function galleryOf(product: Product): Promise<string> {
  const home = new URL('/hawks-soccer', product.url);
  home.hostname = 'lakeside.sideline.localhost';
  const html = (await read(home.href)).toString();
  const path = new RegExp(`href="([^"]*/gallery/\\d+)"[^>]*>${GALLERY}<`).exec(html)?.[1];
  if (path === undefined) throw new Error(`the demo has no gallery ${GALLERY}`);
  return new URL(path, home).href;
}

/** Opens the address on the slow phone with an empty cache; returns its first and its largest paint in ms, and the result of `look`. */
async function visit<T>(
  browser: Browser,
  address: string,
  look: (page: Page) => Promise<T>,
): Promise<{ first: number; ms: number; seen: T }> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', LINE);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER });
    await page.goto(address, { waitUntil: 'networkidle', timeout: 60_000 });
    const ms = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          });
        }),
    );
    const first = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    return { first, ms, seen: await look(page) };
  } finally {
    await context.close();
  }
}

const picturesOn = (page: Page): Promise<Placed[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLImageElement>('.photo-tile img')]
      .filter((image) => image.complete && image.currentSrc !== '')
      .map((image) => {
        const { left, top, width, height } = image.getBoundingClientRect();
        return { src: image.currentSrc, left, top: top + window.scrollY, width, height };
      }),
  );

/** A page with only the same pictures in the same places, served from memory. */
async function writeByHand(pictures: readonly Placed[]): Promise<{ url: string; stop: () => void }> {
  const files = new Map<string, Buffer>();
  for (const { src } of pictures) {
    const { pathname, search } = new URL(src);
    files.set(pathname + search, await read(src));
  }
  const images = pictures.map(({ src, left, top, width, height }) => {
    const { pathname, search } = new URL(src);
    const place = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    return `<img alt="" src="${(pathname + search).replaceAll('&', '&amp;')}" style="position:absolute;${place}">`;
  });
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>By hand</title><h1>${GALLERY}</h1>${images.join('')}`;
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file || request.url === '/' ? 200 : 404, { 'content-type': file ? 'image/jpeg' : 'text/html' });
    response.end(file ?? (request.url === '/' ? html : ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function measure(): Promise<BenchResult> {
  const product = await startProduct({ DEMO: 'on' });
  const browser = await launchBrowser();
  try {
    const gallery = await galleryOf(product);
    const { seen: pictures } = await visit(browser, gallery, picturesOn);
    const byHand = await writeByHand(pictures);
    const times = { first: [] as number[], product: [] as number[], byHand: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const { first, ms } = await visit(browser, gallery, picturesOn);
      times.first.push(first);
      times.product.push(ms);
      times.byHand.push((await visit(browser, byHand.url, async () => null)).ms);
    }
    byHand.stop();
    const [productMs, byHandMs] = [median(times.product), median(times.byHand)];
    return {
      ratios: { 'largest paint': productMs / byHandMs },
      details: {
        'first text s': median(times.first) / 1000,
        'gallery s': productMs / 1000,
        'by hand s': byHandMs / 1000,
        'pictures loaded': pictures.length,
      },
    };
  } finally {
    await browser.close();
    await product.stop();
  }
}

export const firstPictureRow: BenchRow = {
  name: 'P13',
  what: 'largest paint of the public gallery on a slow phone / a page by hand with the same pictures',
  must: 1.25,
  aim: 1.1,
  measure,
};
