/** P24: the longest wait of a click or a key in the gallery editor while photos upload, and while a gallery of 50,000 is scrolled. */
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { TOKEN_COOKIE } from '#src/http/cookies.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import type { MadeGallery } from '#tests/load/made-gallery.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import { median } from '#tests/load/process-cpu.ts';
import type { Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';
import { launchBrowser, VIEWPORTS } from '#tests/support/browser.ts';
import { stampPhoto } from '#tests/support/stamped-photo.ts';

const LARGE = 50_000;
const ACT_EVERY_MS = 250;
const LIMITS = { must: 200, aim: 100 };

type Delay = { longest: number; median: number; actions: number };

/** The editor of this gallery as its owner, in a browser window of its own. */
async function openEditor(browser: Browser, product: Product, made: MadeGallery): Promise<Page> {
  const { authorization } = await makeOwner(product, made.organizationId);
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop });
  await context.addCookies([
    { name: TOKEN_COOKIE, value: authorization.replace('Bearer ', ''), url: product.url, httpOnly: true },
  ]);
  const page = await context.newPage();
  await page.goto(`${product.url}/${made.domainName}/gallery/${made.galleryId}/edit`);
  await page.evaluate(() => {
    const state = window as unknown as { delays: number[] };
    state.delays = [];
    new PerformanceObserver((list) => {
      for (const { duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
        if (interactionId > 0) state.delays.push(duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  return page;
}

/**
 * Acts repeatedly until `isOver`; delays are from the press to the next frame, as browsers measure them, in steps of 8
 * ms.
 */
async function act(
  page: Page,
  once: (step: number) => Promise<void>,
  isOver: (step: number) => Promise<boolean>,
): Promise<Delay> {
  let step = 0;
  for (; !(await isOver(step)); step++) {
    await once(step);
    await page.waitForTimeout(ACT_EVERY_MS);
  }
  const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
  // What took less than 16 ms is not reported.
  const all = [...delays, ...Array.from({ length: Math.max(0, step - delays.length) }, () => 16)];
  return { longest: Math.max(...all), median: median(all), actions: step };
}

/** A person who uses the filters and searches keywords meanwhile. */
async function useFilters(page: Page, step: number): Promise<void> {
  if (step % 2 === 0) await page.getByLabel('Filter photos').press(step % 4 === 0 ? 'ArrowDown' : 'ArrowUp');
  else
    await page
      .getByRole('searchbox')
      .first()
      .press(String(step % 10));
}

async function whileUploading(page: Page, photos: number): Promise<Delay> {
  const jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#487' } })
    .jpeg()
    .toBuffer();
  const files = Array.from({ length: photos }, (_, number) => ({
    name: `IMG_${number}.jpg`,
    mimeType: 'image/jpeg',
    buffer: stampPhoto(jpeg, new Date(Date.UTC(2026, 8, 12, 14, number)), number),
  }));
  await page.getByLabel('Photos to upload').setInputFiles(files);
  const over = page.getByText(`${photos} photos are in`).first();
  return act(
    page,
    (step) => useFilters(page, step),
    () => over.isVisible(),
  );
}

async function whileScrolling(page: Page, steps: number): Promise<Delay> {
  await page.mouse.move(700, 500);
  return act(
    page,
    async (step) => {
      await page.mouse.wheel(0, 3_000);
      await page.keyboard.press(step % 2 === 0 ? 'PageDown' : 'Shift');
    },
    async (step) => step >= steps,
  );
}

async function measure(bench: Bench): Promise<BenchResult> {
  const product = await bench.product(UNCACHED);
  const browser = await launchBrowser({ endsBySignals: false });
  const uploading = await openEditor(browser, product, await bench.gallery(0));
  const upload = await whileUploading(uploading, 500);
  await uploading.context().close();
  const scrolling = await openEditor(browser, product, await bench.gallery(LARGE));
  const scroll = await whileScrolling(scrolling, 100);
  await scrolling.context().close();
  return {
    figures: {
      'while 500 upload, ms': { value: upload.longest, ...LIMITS },
      'while 50,000 are scrolled, ms': { value: scroll.longest, ...LIMITS },
    },
    details: {
      'uploading: median ms': upload.median,
      'uploading: actions': upload.actions,
      'scrolling: median ms': scroll.median,
      'scrolling: actions': scroll.actions,
    },
  };
}

export const editorDelayRow: BenchRow = {
  name: 'P24',
  what: 'longest delay of an action in the editor while photos upload or 50,000 are scrolled',
  notQuick: '500 uploads',
  measure,
};
