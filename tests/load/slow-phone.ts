/** A phone of 412 px on a slow line, and the demo's gallery that it visits. */
import { launchBrowser } from '#tests/support/browser.ts';
import type { Page } from 'playwright-core';
import type { Product } from '#tests/load/product.ts';
import { galleryAddress } from '#tests/support/site-pages.ts';

export const WITH_DEMO = { DEMO: 'on' };

const CPU_TIMES_SLOWER = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
export const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

/** The cup final of the demo, with its public address. */
export function demoGallery({ url }: Product): Promise<string> {
  const home = new URL('/hawks-soccer', url);
  home.hostname = 'lakeside.sideline.localhost';
  return galleryAddress(home.href, 'Spring Cup Final');
}

/** Opens an address on the slow phone, whose cache is empty, and waits until the line is idle. */
export const onSlowPhone = <T>(address: string, look: (page: Page) => Promise<T>): Promise<T> =>
  onPhone(address, look, slowDown);

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER });
}

/** The same on a fast phone and line, for what does not depend on time; `prepare` may slow them down. */
export async function onPhone<T>(
  address: string,
  look: (page: Page) => Promise<T>,
  prepare?: (page: Page) => Promise<void>,
): Promise<T> {
  const browser = await launchBrowser({ endsBySignals: false });
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await prepare?.(page);
    await page.goto(address, { waitUntil: 'networkidle', timeout: 60_000 });
    return await look(page);
  } finally {
    await context.close();
  }
}

/** When the first text and the largest picture were painted, in ms after the request. */
export const paintsOf = (page: Page): Promise<{ first: number; largest: number }> =>
  page.evaluate(async () => ({
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    largest: await new Promise<number>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
    }),
  }));
