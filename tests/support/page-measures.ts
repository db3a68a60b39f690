/**
 * Measures of a page in a real browser, for tests and for the bench: what it loads, what moves, how long a click takes.
 */
import type { Page } from 'playwright-core';

/** Sum of all layout shifts so far, except those after a key press or a click. */
export const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );

/** From here on: whether these words are or were on the page, however briefly. */
export async function watchFor(page: Page, words: string): Promise<() => Promise<boolean>> {
  await page.evaluate((wanted) => {
    const look = () => void (document.body.textContent.includes(wanted) && (document.body.dataset['seen'] = wanted));
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
  }, words);
  return () => page.evaluate((wanted) => document.body.dataset['seen'] === wanted, words);
}

/** Bytes of pictures as transferred. */
export async function pictureBytes(page: Page, which: (url: string) => boolean): Promise<number[]> {
  const entries = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => ({
      name,
      encodedBodySize,
    })),
  );
  return entries
    .filter(({ name }) => /gallery_photos\/\d+/.test(name) && which(name))
    .map(({ encodedBodySize }) => encodedBodySize);
}

/** Scrolls through the first tiles, so that their pictures are loaded. */
export const seeTiles = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (most) => {
    for (const tile of [...document.querySelectorAll<HTMLImageElement>('.photo-tile img')].slice(0, most)) {
      tile.scrollIntoView();
      await tile.decode();
    }
  }, count);

/** From here on the lightbox handles touch; keys and buttons work before. */
export const untilLive = (page: Page): Promise<void> => page.locator('dialog[data-live]').waitFor();

/** The address of the picture that the lightbox shows, once it is loaded. */
export const lightboxPicture = (page: Page): Promise<string> =>
  page.locator('.lightbox-photo img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.currentSrc;
  });

/**
 * How the next photo is recognized: by its position in words, by a picture of it in the middle, even if only its
 * tile's, or by both.
 */
type NextPhoto = { position?: string; pictureOf?: number };

/** The time in the page itself from an event (a key, the end of a touch) until the next photo is shown, at most `mostMs`. */
export async function msUntilShown(
  page: Page,
  next: NextPhoto,
  act: () => Promise<unknown>,
  { event = 'keydown', mostMs = 5_000 } = {},
): Promise<number> {
  await page.evaluate(
    (wanted) => {
      const hasPosition = () =>
        wanted.position === undefined ||
        [...document.querySelectorAll('.lightbox-top p')].some((line) => line.textContent === wanted.position);
      const hasPicture = () =>
        wanted.pictureOf === undefined ||
        [...document.querySelectorAll<HTMLImageElement>('dialog img')].some((image) => {
          const { left, right } = image.getBoundingClientRect();
          const middle = window.innerWidth / 2;
          return (
            image.naturalWidth > 0 && left < middle && right > middle && image.src.includes(`/${wanted.pictureOf}?`)
          );
        });
      const state = window as unknown as { shownAfter: Promise<number> };
      state.shownAfter = new Promise((resolve) => {
        window.addEventListener(
          wanted.event,
          ({ timeStamp }) => {
            const look = () => {
              const ms = performance.now() - timeStamp;
              if ((hasPosition() && hasPicture()) || ms > wanted.mostMs) resolve(ms);
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          },
          { once: true, capture: true },
        );
      });
    },
    { ...next, event, mostMs },
  );
  await act();
  return page.evaluate(() => (window as unknown as { shownAfter: Promise<number> }).shownAfter);
}

type Point = readonly [x: number, y: number];

/**
 * One finger, as fast as a person's: a finger that rests before it is lifted starts no fling, which would swallow the
 * next tap.
 */
export async function swipe(page: Page, { from, to }: { from: Point; to: Point }): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [{ x: point[0], y: point[1] }] : [] });
  const between = (part: number): Point => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  await touch('touchStart', from);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await page.waitForTimeout(20);
    await touch('touchMove', between(part));
  }
  await touch('touchEnd');
  await devtools.detach();
}
