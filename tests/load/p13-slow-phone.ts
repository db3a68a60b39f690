/** P13, P14, P15 and P25: the public gallery on a slow phone, against a page written by hand with the same words and pictures. */
import type { Page } from 'playwright-core';
import type { Bench } from '#tests/load/open-bench.ts';
import { median } from '#tests/load/process-cpu.ts';
import type { BenchRow } from '#tests/load/rows.ts';
import { demoGallery, onPhone, onSlowPhone, paintsOf, WITH_DEMO } from '#tests/load/slow-phone.ts';
import { writeByHand } from '#tests/load/yardsticks/hand-written-page.ts';
import { lightboxPicture, pictureBytes, seeTiles, shifts, untilLive } from '#tests/support/page-measures.ts';
import { photoIdsOf } from '#tests/support/site-pages.ts';

/** Tiles that the first screen and the next scroll show. */
const FIRST = 10;

type Visit = { first: number; largest: number; shift: number; tenBytes: number; requests: number; bytes: number };

async function visitGallery(page: Page, ids: readonly number[]): Promise<Visit> {
  const paints = await paintsOf(page);
  const shift = await shifts(page);
  const { requests, bytes } = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return { requests: entries.length + 1, bytes: entries.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  });
  await seeTiles(page, FIRST);
  const ten = await pictureBytes(page, (url) => ids.slice(0, FIRST).some((id) => url.includes(`/${id}?`)));
  if (ten.length < FIRST) throw new Error(`only ${ten.length} pictures were loaded`);
  return { ...paints, shift, requests, bytes, tenBytes: ten.reduce((sum, size) => sum + size, 0) };
}

/** Visits of the gallery and of the hand-written page in turns, measured once for all rows. */
const visits = (bench: Bench) =>
  bench.once('visits on a slow phone', async () => {
    const gallery = await demoGallery(await bench.product(WITH_DEMO));
    const ids = await photoIdsOf(gallery);
    const byHand = await onSlowPhone(gallery, writeByHand);
    const [ours, hand]: [Visit[], { first: number; largest: number }[]] = [[], []];
    for (let round = 0; round < bench.rounds; round++) {
      ours.push(await onSlowPhone(gallery, (page) => visitGallery(page, ids)));
      hand.push(await onSlowPhone(byHand.url, paintsOf));
    }
    byHand.stop();
    return {
      pictures: byHand.pictures,
      ours: (key: keyof Visit) => median(ours.map((one) => one[key])),
      byHand: (key: 'first' | 'largest') => median(hand.map((one) => one[key])),
    };
  });

type Tap = { tapMs: number; bareMs: number };

/** From a finger on the first tile to its full picture on the screen, and one bare request of that picture on the same line. */
async function tapFirst(page: Page): Promise<Tap> {
  await page.evaluate(() => {
    const state = window as unknown as { fullAfter: Promise<{ ms: number; src: string }> };
    state.fullAfter = new Promise((resolve) => {
      window.addEventListener(
        'pointerdown',
        ({ timeStamp }) => {
          const look = () => {
            const needed = window.innerWidth * window.devicePixelRatio;
            const full = [...document.querySelectorAll<HTMLImageElement>('dialog img')].find(
              (image) => image.naturalWidth >= needed && image.getBoundingClientRect().left < window.innerWidth,
            );
            if (full?.complete) resolve({ ms: performance.now() - timeStamp, src: full.currentSrc });
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        },
        { once: true, capture: true },
      );
    });
  });
  await page.locator('#photo-0 a').tap();
  const { ms, src } = await page.evaluate(
    () => (window as unknown as { fullAfter: Promise<{ ms: number; src: string }> }).fullAfter,
  );
  await page.waitForLoadState('networkidle');
  const bareMs = await page.evaluate(async (address) => {
    const began = performance.now();
    await (await fetch(address, { cache: 'no-store' })).arrayBuffer();
    return performance.now() - began;
  }, src);
  return { tapMs: ms, bareMs };
}

export const firstPictureRow: BenchRow = {
  name: 'P13',
  what: 'largest paint of the public gallery on a slow phone / a page by hand with the same pictures',
  measure: async (bench) => {
    const { ours, byHand, pictures } = await visits(bench);
    return {
      figures: { 'largest paint': { value: ours('largest') / byHand('largest'), must: 1.25, aim: 1.1 } },
      details: { 'gallery ms': ours('largest'), 'by hand ms': byHand('largest'), pictures, requests: ours('requests') },
    };
  },
};

export const pictureBytesRow: BenchRow = {
  name: 'P14',
  what: 'bytes of the first ten photos on that phone; layout shift',
  measure: async (bench) => {
    const { ours } = await visits(bench);
    return {
      figures: {
        'ten photos, kB': { value: ours('tenBytes') / 1000, must: 500, aim: 300 },
        // Chromium counts a few pixels of a picture that is still loading; one tile that moved counts 0.04 and more.
        'layout shift': { value: Number(ours('shift').toFixed(2)), must: 0, aim: 0 },
      },
      details: { 'all that the visit loads, kB': ours('bytes') / 1000 },
    };
  },
};

export const lightboxBytesRow: BenchRow = {
  name: 'P15',
  what: 'first picture in the lightbox on that phone',
  measure: async (bench) => {
    const gallery = await demoGallery(await bench.product(WITH_DEMO));
    const ids = await photoIdsOf(gallery);
    const sizes: number[] = [];
    for (const id of ids.slice(0, bench.pick(3, 1))) {
      sizes.push(
        await onPhone(`${gallery}/photo/${id}`, async (page) => {
          await untilLive(page);
          const shown = await lightboxPicture(page);
          return (await pictureBytes(page, (url) => url === shown))[0] ?? Number.NaN;
        }),
      );
    }
    return {
      figures: { 'largest, kB': { value: Math.max(...sizes) / 1000, must: 400, aim: 250 } },
      details: {},
    };
  },
};

export const firstPaintRow: BenchRow = {
  name: 'P25',
  what: 'first paint of the public gallery on that phone / a page by hand with its words; tap to the full picture / a bare request of it',
  measure: async (bench) => {
    const { ours, byHand } = await visits(bench);
    const gallery = await demoGallery(await bench.product(WITH_DEMO));
    const taps: Tap[] = [];
    for (let round = 0; round < bench.rounds; round++) taps.push(await onSlowPhone(gallery, tapFirst));
    const [tapMs, bareMs] = [median(taps.map((one) => one.tapMs)), median(taps.map((one) => one.bareMs))];
    return {
      figures: {
        'first paint': { value: ours('first') / byHand('first'), must: 1.8, aim: 1.3 },
        'tap to full picture': { value: tapMs / bareMs, must: 1.5, aim: 1.2 },
      },
      details: {
        'gallery ms': ours('first'),
        'by hand ms': byHand('first'),
        'tap ms': tapMs,
        'bare request ms': bareMs,
      },
    };
  },
};
