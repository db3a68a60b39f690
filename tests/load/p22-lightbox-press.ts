/** P22: how soon the lightbox shows the next photo after a press or a swipe, on a line with a latency of 400 ms. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { median } from '#tests/load/process-cpu.ts';
import type { BenchRow } from '#tests/load/rows.ts';
import { demoGallery, PHONE, WITH_DEMO } from '#tests/load/slow-phone.ts';
import { launchBrowser, VIEWPORTS } from '#tests/support/browser.ts';
import { msUntilShown, swipe, untilLive } from '#tests/support/page-measures.ts';
import { photoIdsOf } from '#tests/support/site-pages.ts';

const PRESSES = 10;
const PRESS_EVERY_MS = 200;
/** The slide of the one before is over. */
const SWIPE_EVERY_MS = 800;
const SWIPES = 5;
const LIMITS = { must: 100, aim: 50 };
const LINE = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 };

/** Opens the first photo and, on the slow line, changes it this many times; the wait for each. */
async function leafThrough(
  options: BrowserContextOptions,
  gallery: string,
  {
    times,
    everyMs,
    goOn,
    event,
  }: { times: number; everyMs: number; goOn: (page: Page) => Promise<unknown>; event: string },
): Promise<{ waits: number[]; place: number }> {
  const ids = await photoIdsOf(gallery);
  const browser = await launchBrowser({ endsBySignals: false });
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(gallery, { waitUntil: 'networkidle' });
    await page.locator('#photo-0 a').click();
    await untilLive(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', LINE);
    const waits: number[] = [];
    for (let time = 1; time <= times; time++) {
      // A press or a swipe that is lost shows as the slowest; the next one starts at the lightbox's present photo.
      const place = Number.parseInt((await page.locator('.lightbox-top p').first().textContent()) ?? '', 10);
      const pictureOf = ids[place] ?? 0;
      // A swipe goes on moving, so its position follows the picture.
      const next = event === 'touchend' ? { pictureOf } : { position: `${place + 1} / ${ids.length}`, pictureOf };
      waits.push(await msUntilShown(page, next, () => goOn(page), { event }));
      await page.waitForTimeout(Math.max(0, everyMs - (waits.at(-1) ?? 0)));
    }
    await page.waitForTimeout(1_000);
    const place = ids.findIndex((id) => page.url().endsWith(`/photo/${id}`)) + 1;
    return { waits, place };
  } finally {
    await context.close();
  }
}

export const lightboxPressRow: BenchRow = {
  name: 'P22',
  what: 'lightbox: a press or a swipe until the next photo is shown, 400 ms latency',
  measure: async (bench) => {
    const gallery = await demoGallery(await bench.product(WITH_DEMO));
    const pressed = await leafThrough({ viewport: VIEWPORTS.desktop }, gallery, {
      times: PRESSES,
      everyMs: PRESS_EVERY_MS,
      goOn: (page) => page.keyboard.press('ArrowRight'),
      event: 'keydown',
    });
    const swiped = await leafThrough(PHONE, gallery, {
      times: SWIPES,
      everyMs: SWIPE_EVERY_MS,
      goOn: (page) => swipe(page, { from: [320, 400], to: [90, 400] }),
      event: 'touchend',
    });
    return {
      figures: {
        'press, ms': { value: median(pressed.waits), ...LIMITS },
        'swipe, ms': { value: median(swiped.waits), ...LIMITS },
        'photo after ten presses': { value: pressed.place, must: 11, aim: 11, isLeast: true },
      },
      details: { 'slowest press ms': Math.max(...pressed.waits), 'slowest swipe ms': Math.max(...swiped.waits) },
    };
  },
};
